// SPDX-License-Identifier: MIT
#include "cli/text/manual_text.hpp"

#include "cli/args/declarations.hpp"
#include "cli/core/text_format.hpp"

namespace metal_unlock {
namespace {

/// The text as mdoc takes it: no line begins with a dot, and a hyphen is the sign on the keyboard.
std::string roff_escaped(std::string_view text) {
  std::string result;
  bool begins_line = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    if (rest.starts_with("…")) {
      result += "...";
      i += std::string_view{"…"}.size() - 1;
      begins_line = false;
      continue;
    }
    if (begins_line && (text[i] == '.' || text[i] == '\'')) result += "\\&";
    if (text[i] == '\\')
      result += "\\e";
    else if (text[i] == '-')
      result += "\\-";
    else
      result += text[i];
    begins_line = text[i] == '\n';
  }
  return result;
}

std::string sentence(std::string_view text) {
  std::string result = roff_escaped(text);
  if (!result.empty() && result.front() >= 'a' && result.front() <= 'z')
    result.front() = static_cast<char>(result.front() - 'a' + 'A');
  return result + ".\n";
}

std::string literal(std::string_view text) {
  return ".Bd -literal -offset indent\n" + roff_escaped(text) + "\n.Ed\n";
}

std::string option_item(const OptionRow& option) {
  // A quoted word, so that no letter of it is taken for a macro.
  std::string item = ".It";
  if (!option.letter.empty()) item += formatted(" Fl {} ,", option.letter.substr(1));
  item += formatted(" Fl {}", roff_escaped(option.name.substr(1)));
  if (!option.value.empty()) item += formatted(" Ar \"{}\"", roff_escaped(option.value));
  return item + "\n" + sentence(option.description);
}

std::string command_section(const CommandRow& row) {
  std::string text = formatted(".Ss {}\n", roff_escaped(row.name));
  text += literal(formatted("metal-unlock {}", row.usage)) + ".Pp\n" + sentence(row.summary);
  text += ".Bl -tag -width Ds\n";
  for (const OptionRow& option : row.options) text += option_item(option);
  text += ".El\n";
  if (!row.notes.empty()) text += ".Bd -unfilled\n" + roff_escaped(row.notes) + "\n.Ed\n";
  return text;
}

std::string files_section(std::span<const WrittenPath> files) {
  std::string text =
      ".Sh FILES\nEvery file that is ever written; for the paths of this machine,\n"
      ".Ql metal\\-unlock doctor \\-\\-paths .\n.Bl -tag -width Ds\n";
  for (const WrittenPath& file : files)
    text += formatted(".It Pa {}\n{}", roff_escaped(file.path),
                      sentence(formatted("{}: {}", file.what, file.written_by)));
  return text + ".El\n";
}

constexpr std::string_view manual_closing = R"MDOC(.Sh EXIT STATUS
Of
.Cm run :
that of the program it started; a signal is a signal.
.Bl -tag -width Ds
.It 125
metal\-unlock refused: usage, profile, claim, or
.Fl \-require .
.It 126
The program cannot be executed.
.It 127
The program was not found.
.El
.Pp
Of the other commands: 0 fine, 1 something is wrong, 2 wrong usage, 3
.Cm doctor
found that something stands in the way.
.Sh EXAMPLES
.Bd -literal -offset indent
metal\-unlock run \-\- llama\-server \-m model.gguf
metal\-unlock doctor \-\- llama\-server
metal\-unlock run \-\-require \-\- llama\-bench \-m model.gguf
metal\-unlock bench \-\- llama\-bench \-m model.gguf
.Ed
.Sh SEE ALSO
.Xr env 1 ,
.Xr nohup 1
.Pp
The documents in
.Pa docs/
of the sources.
)MDOC";

}  // namespace

std::string manual_text(std::string_view version, std::span<const WrittenPath> files) {
  std::string text =
      ".\\\" Printed by: metal-unlock help --man\n"
      ".Dd December 1, 2026\n.Dt METAL\\-UNLOCK 1\n";
  text += formatted(".Os metal\\-unlock {}\n", version);
  text +=
      ".Sh NAME\n.Nm metal\\-unlock\n.Nd give a program inside a macOS virtual machine its GPU back\n"
      ".Sh SYNOPSIS\n.Nm metal\\-unlock\n.Ar command\n.Op Ar option ...\n"
      ".Sh DESCRIPTION\n"
      "A macOS guest on Apple silicon computes on the host\\(aqs GPU, but its virtual GPU tells Metal that "
      "it is\n"
      "an old, small one.\n"
      ".Nm metal\\-unlock Cm run\n"
      "starts one program with a small library that answers Metal\\(aqs questions with the truth about the\n"
      "physical chip, and nothing beyond it.\n"
      "Where there is nothing to unlock, the program is started as it is.\n"
      ".Pp\n"
      "The option\n.Fl \\-version\nprints the version,\n.Fl \\-help\nor\n.Fl h\nthe page of a command.\n"
      ".Sh COMMANDS\n";
  for (const CommandRow& row : command_rows()) text += command_section(row);
  text += ".Sh ENVIRONMENT\n.Bl -tag -width Ds\n";
  for (const VariableRow& row : variable_rows())
    text += formatted(".It Ev {}={}\n{}", row.name, roff_escaped(row.values), sentence(row.description));
  return text + ".El\n" + files_section(files) + std::string{manual_closing};
}

}  // namespace metal_unlock
