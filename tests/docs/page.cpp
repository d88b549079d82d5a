// SPDX-License-Identifier: MIT
#include "tests/docs/page.hpp"

#include "tests/lines_of.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace metal_unlock {
namespace {

constexpr std::string_view wildcard = "…";
constexpr std::array<std::string_view, 3> prompts{"$ ", "guest$ ", "host$ "};

/// Languages of files. A shell's are not among them: what a shell reads belongs into a block that is run.
constexpr std::array<std::string_view, 9> languages{"text", "toml", "json", "yaml", "make",
                                                    "xml",  "ruby", "ini",  "csv"};

/// How a line begins that somebody could type.
constexpr std::array<std::string_view, 14> commands{
    "$ ",      "metal-unlock ", "make ", "sudo ", "brew ", "cmake ", "ninja ",
    "export ", "cd ",           "tart ", "lume ", "anka ", "ssh ",   "launchctl "};

bool begins_with_any(std::string_view line, const auto& beginnings) {
  return std::ranges::any_of(beginnings, [&](std::string_view word) { return line.starts_with(word); });
}

std::string numbered(int line, const std::string& what) { return std::to_string(line) + ": " + what; }

struct Fence {
  int line = 0;
  std::string info;
  std::vector<std::string> lines;
};

/// Joins the lines of one command: those after a backslash, and those of a here-document.
std::size_t add_command(const Fence& fence, std::size_t at, std::string& command) {
  const auto ends_in_backslash = [&] { return command.ends_with('\\'); };
  while (ends_in_backslash() && at + 1 < fence.lines.size()) command += "\n" + fence.lines[++at];
  const std::size_t mark = command.find("<<'");
  if (mark == std::string::npos) return at;
  const std::string end = command.substr(mark + 3, command.find('\'', mark + 3) - mark - 3);
  while (at + 1 < fence.lines.size()) {
    command += "\n" + fence.lines[++at];
    if (fence.lines[at] == end) break;
  }
  return at;
}

DocBlock read_block(const Fence& fence, DocBlockKind kind, std::vector<std::string>& faults) {
  DocBlock block{fence.line, kind, {}};
  for (std::size_t at = 0; at < fence.lines.size(); ++at) {
    const std::string& line = fence.lines[at];
    const int number = fence.line + 1 + static_cast<int>(at);
    const auto* const prompt =
        std::ranges::find_if(prompts, [&](std::string_view word) { return line.starts_with(word); });
    if (prompt != prompts.end()) {
      DocStep step{number, std::string{*prompt}, line.substr(prompt->size()), {}};
      at = add_command(fence, at, step.command);
      block.steps.push_back(std::move(step));
    } else if (block.steps.empty()) {
      faults.push_back(numbered(number, "a console block begins with a prompt: '$ '"));
      return block;
    } else {
      block.steps.back().output.push_back(line);
    }
  }
  if (block.steps.empty()) faults.push_back(numbered(fence.line, "a console block without a command"));
  return block;
}

void add_fence(const Fence& fence, DocPage& page) {
  const std::string language = fence.info.substr(0, fence.info.find(' '));
  const std::string mark = fence.info.size() > language.size() ? fence.info.substr(language.size() + 1) : "";
  if (language == "console") {
    const std::optional<DocBlockKind> kind = mark.empty()         ? std::optional{DocBlockKind::run}
                                             : mark == "mac-only" ? std::optional{DocBlockKind::mac_only}
                                             : mark == "source-tree"
                                                 ? std::optional{DocBlockKind::source_tree}
                                                 : std::nullopt;
    if (kind)
      page.blocks.push_back(read_block(fence, *kind, page.faults));
    else
      page.faults.push_back(numbered(fence.line, "the mark '" + mark + "' is not known"));
    return;
  }
  if (std::ranges::find(languages, language) == languages.end()) {
    page.faults.push_back(numbered(
        fence.line, "a block of '" + language + "' is not tested: write console, console mac-only or text"));
    return;
  }
  if (language != "text") return;
  for (std::size_t i = 0; i < fence.lines.size(); ++i)
    if (begins_with_any(fence.lines[i], commands))
      page.faults.push_back(numbered(fence.line + 1 + static_cast<int>(i),
                                     "a command in a block of text is not tested: '" + fence.lines[i] + "'"));
}

bool line_matches(std::string_view shown, std::string_view printed) {
  const std::size_t at = shown.find(wildcard);
  if (at == std::string_view::npos) return shown == printed;
  if (!printed.starts_with(shown.substr(0, at))) return false;
  shown.remove_prefix(at + wildcard.size());
  printed.remove_prefix(at);
  for (std::size_t i = 0; i <= printed.size(); ++i)
    if (line_matches(shown, printed.substr(i))) return true;
  return false;
}

}  // namespace

DocPage read_page(std::string_view text) {
  DocPage page;
  std::optional<Fence> fence;
  int number = 0;
  for (const std::string& line : lines_of(text)) {
    ++number;
    const std::size_t indent = line.find_first_not_of(' ');
    const bool is_fence = indent != std::string::npos &&
                          (line.substr(indent).starts_with("```") || line.substr(indent).starts_with("~~~"));
    if (is_fence && !fence) {
      fence = Fence{number, line.substr(indent + 3), {}};
    } else if (is_fence) {
      add_fence(*fence, page);
      fence.reset();
    } else if (fence) {
      fence->lines.push_back(line);
    }
  }
  if (fence) page.faults.push_back(numbered(fence->line, "this block does not end"));
  return page;
}

bool matches(const std::vector<std::string>& shown, const std::vector<std::string>& printed) {
  if (shown.empty()) return printed.empty();
  const std::vector<std::string> rest(shown.begin() + 1, shown.end());
  if (shown.front() == wildcard) {
    for (std::size_t skipped = 0; skipped <= printed.size(); ++skipped)
      if (matches(rest, {printed.begin() + static_cast<std::ptrdiff_t>(skipped), printed.end()})) return true;
    return false;
  }
  if (printed.empty() || !line_matches(shown.front(), printed.front())) return false;
  return matches(rest, {printed.begin() + 1, printed.end()});
}

}  // namespace metal_unlock
