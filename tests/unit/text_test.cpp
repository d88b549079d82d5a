// SPDX-License-Identifier: MIT
#include "cli/args/declarations.hpp"
#include "cli/core/shell_word.hpp"
#include "cli/text/config_text.hpp"
#include "cli/text/findings_text.hpp"
#include "cli/text/help_text.hpp"
#include "cli/text/joined.hpp"
#include "cli/text/printable.hpp"
#include "cli/text/profiles_text.hpp"
#include "cli/text/report_text.hpp"
#include "cli/text/style.hpp"
#include "cli/text/table.hpp"
#include "tests/catch.hpp"
#include "tests/files.hpp"
#include "tests/lines_of.hpp"
#include "tests/text_search.hpp"

#include <sstream>

using namespace metal_unlock;

namespace {

const Style plain_style;
const Style coloured{Terminal{.is_terminal = true, .has_colour = true, .has_unicode = true}};

/// The line that begins with `label`, without it.
std::string line_after(const std::string& text, const std::string& label) {
  for (const std::string& line : lines_of(text))
    if (line.starts_with(label)) return line.substr(line.find_first_not_of(' ', label.size()));
  return "no such line";
}

}  // namespace

TEST_CASE("text from elsewhere is shown without its control characters") {
  struct Row {
    std::string text;
    std::string shown;
  };
  const Row rows[] = {
      {"", ""},
      {"plain text, with 100% of it", "plain text, with 100% of it"},
      {"a\nb\tc\rd", "a\\nb\\tc\\x0dd"},
      {"\x1b[31mred\x7f", "\\x1b[31mred\\x7f"},
      {std::string("nul\0nul", 7), "nul\\x00nul"},
      {"Büro 仮想 \U0001F600", "Büro 仮想 \U0001F600"},
      {"\u0080 \u009b31m \u009f",
       "\\xc2\\x80 \\xc2\\x9b31m \\xc2\\x9f"},  // the control characters above ASCII
      {"\u00a0\u00bf", "\u00a0\u00bf"},
      {"a\xff\x9b", "a\\xff\\x9b"},  // no UTF-8
      {"\xc3", "\\xc3"},             // cut short
      {"\xe4\xbb", "\\xe4\\xbb"},    // cut short
      {"\xe4\xbb"
       "a",
       "\\xe4\\xbb"
       "a"},                                         // broken off
      {"\xc3\xc3\xa9", "\\xc3\xc3\xa9"},             // the second one begins a letter
      {"\xc1\x8a", "\\xc1\\x8a"},                    // a line feed, written too long
      {"\xe0\x82\x9b", "\\xe0\\x82\\x9b"},           // U+009B, written too long
      {"\xf5\x80\x80\x80", "\\xf5\\x80\\x80\\x80"},  // beyond Unicode
      {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},  // just beyond
      {"\xed\xa0\x80", "\\xed\\xa0\\x80"},           // half of a pair
      {"\xf0\x8f\xbf\xbf", "\\xf0\\x8f\\xbf\\xbf"},
      {"\U0010FFFF \uD7FF \u0800", "\U0010FFFF \uD7FF \u0800"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.shown);
    CHECK(printable(row.text) == row.shown);
  }
}

TEST_CASE("a word is quoted for the shell only where it must be") {
  struct Row {
    std::string text;
    std::string word;
  };
  const Row rows[] = {
      {"plain", "plain"},
      {"/a/b-c_d.e:f=g,h+i@j%k", "/a/b-c_d.e:f=g,h+i@j%k"},
      {"", "''"},
      {"a b", "'a b'"},
      {"it's", "'it'\\''s'"},
      {"'", "''\\'''"},
      {"$HOME", "'$HOME'"},
      {"a;b", "'a;b'"},
      {"~", "'~'"},
      {"a\nb", "'a\nb'"},
      {"*?[x]{y}", "'*?[x]{y}'"},
      {"\\", "'\\'"},
      {"`x`", "'`x`'"},
      {"é", "'é'"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(shell_word(row.text) == row.word);
  }
}

TEST_CASE("a finding is a line with its id, its details and a next step") {
  const Finding warning{
      FindingId::target_setuid, "'a\nb' is set-user-id", "run\x1b it", {"first\n", "second"}};
  CHECK(findings_text({&warning, 1}, plain_style) ==
        "metal-unlock: warning: 'a\\nb' is set-user-id [target-setuid]\n"
        "  first\\n\n"
        "  second\n"
        "  next: run\\x1b it\n");
  CHECK(findings_text({&warning, 1}, coloured) ==
        "metal-unlock: \x1b[33mwarning:\x1b[0m 'a\\nb' is set-user-id \x1b[2m[target-setuid]\x1b[0m\n"
        "  first\\n\n"
        "  second\n"
        "  next: run\\x1b it\n");
  CHECK(findings_text({}, plain_style).empty());
  Finding other{FindingId::not_found, "a", "b"};
  const auto start = [&](Severity severity) {
    other.severity = severity;
    const std::string text = findings_text({&other, 1}, plain_style);
    return text.substr(0, text.find('['));
  };
  CHECK(start(Severity::ok) == "metal-unlock: a ");
  CHECK(start(Severity::note) == "metal-unlock: note: a ");
  CHECK(start(Severity::warn) == "metal-unlock: warning: a ");
  CHECK(start(Severity::fail) == "metal-unlock: error: a ");
}

TEST_CASE("findings are told in their order") {
  const std::vector<Finding> findings{{FindingId::usage, "one", "x"}, {FindingId::usage, "two", "y"}};
  const auto lines = lines_of(findings_text(findings, plain_style));
  REQUIRE(lines.size() == 4);
  CHECK(lines[0] == "metal-unlock: error: one [usage]");
  CHECK(lines[2] == "metal-unlock: error: two [usage]");
}

TEST_CASE("colour and signs follow what the stream can show") {
  CHECK(plain_style.dim("a") == "a");
  CHECK(coloured.dim("a") == "\x1b[2ma\x1b[0m");
  CHECK(coloured.bold("a") == "\x1b[1ma\x1b[0m");
  CHECK(coloured.warning("a") == "\x1b[33ma\x1b[0m");
  CHECK(coloured.failure("a") == "\x1b[31ma\x1b[0m");
  CHECK(plain_style.arrow() == "->");
  CHECK(plain_style.dot() == ", ");
  CHECK(coloured.arrow() == "→");
  CHECK(coloured.dot() == " · ");
}

TEST_CASE("the width of a text is what a terminal shows of it") {
  CHECK(shown_width("") == 0);
  CHECK(shown_width("abc") == 3);
  CHECK(shown_width("Büro → ·") == 8);
  CHECK(shown_width(coloured.failure("red") + " " + coloured.dim("é")) == 5);
  CHECK(shown_width("\x1b[31m") == 0);
  CHECK(shown_width("a\x1b") == 1);
}

TEST_CASE("a table aligns its columns whatever is in them") {
  Table table;
  CHECK(table.empty());
  CHECK(table.text().empty());
  table.add_row({"NAME", "WHAT", "LAST"});
  table.add_row({"é", coloured.dim("abcdef"), "x"});
  table.add_row({"longer", "", "y "});
  table.add_row({"one"});
  table.add_row({"two", ""});
  CHECK_FALSE(table.empty());
  CHECK(table.text() ==
        "NAME    WHAT    LAST\n"
        "é       \x1b[2mabcdef\x1b[0m  x\n"
        "longer          y\n"
        "one\n"
        "two\n");
}

TEST_CASE("parts are joined by what stands between them") {
  CHECK(joined(std::vector<int>{}, ", ").empty());
  CHECK(joined(std::vector<int>{7}, ", ") == "7");
  CHECK(joined(std::vector<int>{7, 8}, " or ") == "7 or 8");
}

TEST_CASE("the page of the program names every command") {
  const std::string page = program_help();
  for (const CommandRow& row : command_rows()) {
    CAPTURE(row.name);
    CHECK(line_after(page, "  " + std::string{row.name}) == row.summary);
  }
  for (const char* word : {"METAL_UNLOCK=off|prefer|require", "METAL_UNLOCK_PROFILE", "METAL_UNLOCK_CONFIG",
                           "--version", "metal-unlock run -- "})
    CHECK(holds(page, word));
}

TEST_CASE("the page of a command names every option with its letter, value and description") {
  for (const CommandRow& row : command_rows()) {
    const std::string page = command_help(row);
    CAPTURE(row.name);
    CHECK(page.starts_with("usage: metal-unlock " + std::string{row.usage} + "\n"));
    CHECK(holds(page, row.summary));
    CHECK(page.ends_with("\n"));
    CHECK(holds(page, row.notes));
    for (const OptionRow& option : row.options) {
      CAPTURE(option.name);
      std::string words = option.letter.empty() ? "      " : "  " + std::string{option.letter} + ", ";
      words += option.name;
      if (!option.value.empty()) words += " " + std::string{option.value};
      CHECK(line_after(page, words + "  ") == option.description);
    }
  }
}

TEST_CASE("a guest report is shown with its families in runs") {
  GuestReport report;
  report.machine.os = "macOS";
  report.machine.os_version = "26.5";
  report.machine.model = "VirtualMac2,1";
  report.machine.chip = "a\nchip";
  report.machine.is_virtual = true;
  CHECK(line_after(report_text(report), "device") == "none");
  CHECK(line_after(report_text(report), "system") == "macOS 26.5");
  CHECK(line_after(report_text(report), "model") == "VirtualMac2,1 (a virtual machine)");
  CHECK(line_after(report_text(report), "chip") == "a\\nchip");
  DeviceAnswers& device = report.devices.emplace_back();
  device.name = "Apple Paravirtual device";
  device.class_name = "AppleParavirtDevice";
  device.max_threadgroup_memory = {32768};
  const auto families = [&](std::vector<GpuFamily> answered) {
    device.families = std::move(answered);
    return line_after(report_text(report), "families");
  };
  CHECK(families({}) == "none");
  CHECK(families({{1001}, {1002}, {1003}, {3001}, {3002}, {3003}}) == "Apple1-3, Common1-3");
  CHECK(families({{1001}, {1003}, {1004}, {2002}}) == "Apple1, Apple3-4, Mac2");
  CHECK(families({{2001}, {2002}, {4001}, {4002}}) == "Mac1-2, MacCatalyst1-2");
  CHECK(families({{5001}, {5002}}) == "Metal3-4");
  CHECK(families({{5001}}) == "Metal3");
  CHECK(line_after(report_text(report), "device") == "Apple Paravirtual device, class AppleParavirtDevice");
  CHECK(line_after(report_text(report), "threadgroup memory") == "32 KiB");
  CHECK(line_after(report_text(report), "working set") == "unknown");
  device.recommended_max_working_set = Bytes{17179869184};
  CHECK(line_after(report_text(report), "working set") == "16 GiB");
  report.unlocked = true;
  CHECK(line_after(report_text(report), "device") ==
        "Apple Paravirtual device, class AppleParavirtDevice, unlocked");
}

TEST_CASE("a profile is shown with each claim and the file it comes from") {
  Profile profile{
      .name = "mine",
      .path = "/a\n/mine.toml",
      .layer = ProfileLayer::user,
      .description = "a sample",
      .lineage = {"m1", "apple7"},
      .match = {"Apple M1", "Apple M9"},
      .claims = {},
      .simulated = {},
      .ceiling = {},
      .claim_origins = {{Field::apple_family, "profiles/families/apple7.toml"},
                        {Field::recommended_max_working_set, "/a\n/mine.toml"}},
      .ceiling_origins = {{Field::apple_family, "profiles/families/apple9.toml"}},
      .chip = {"applegpu_g13g", {7, 8}, {"Mac1,1"}},
      .evidence = {{EvidenceMark::measured, "a log", "Apple family"}, {EvidenceMark::inferred, "x", ""}}};
  profile.claims[Field::apple_family] = 1007;
  profile.ceiling[Field::apple_family] = 1009;
  const std::string text = profile_text(profile, "before ");
  CHECK(text.starts_with("before profile"));
  CHECK(line_after(text, "from") == "/a\\n/mine.toml (user)");
  CHECK(line_after(text, "extends") == "m1, then apple7");
  CHECK(line_after(text, "match") == "Apple M1, Apple M9");
  CHECK(line_after(text, "apple_family") ==
        "Apple7  profiles/families/apple7.toml  Apple9   profiles/families/apple9.toml");
  CHECK(line_after(text, "recommended_max_working_set") ==
        "stock   /a\\n/mine.toml                 -        -");
  CHECK(line_after(text, "max_threadgroup_memory") == "stock   -                              -        -");
  CHECK(line_after(text, "GPU cores") == "7 or 8");
  CHECK(line_after(text, "measured") == "a log (Apple family)");
  CHECK(line_after(text, "inferred") == "x");

  const auto elsewhere = lines_of(profile_list_text({&profile, 1}, "Apple M2"));
  REQUIRE(elsewhere.size() == 2);
  CHECK(elsewhere[1] == "mine    Apple7  Apple M1, Apple M9  user  measured");
  const auto here = lines_of(profile_list_text({&profile, 1}, "Apple M9"));
  CHECK(here.at(1) == "mine  *  Apple7  Apple M1, Apple M9  user  measured");
}

TEST_CASE("the configuration is shown as two tables") {
  CHECK(config_text({{"policy", "prefer", "default"}}, {{"user file", "/a\nb", "read"}}) ==
        "SETTING  IN FORCE  SET BY\n"
        "policy   prefer    default\n"
        "\n"
        "FILE       PATH   STATE\n"
        "user file  /a\\nb  read\n");
}
