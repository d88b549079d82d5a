// SPDX-License-Identifier: MIT

// What is wrong with a file for macOS is found by running it: each row breaks the shim in one way, and the
// same run with the whole file is told the claim.

#include "tests/catch.hpp"
#include "tests/files.hpp"
#include "tests/macho_loader/macho_edit.hpp"
#include "tests/shim/shim_run.hpp"

#include <functional>
#include <signal.h>

using namespace metal_unlock;

namespace {

ShimOutcome run_with_library(const std::string& preload, const std::string& variant = "with_init") {
  return run_with_shim({.argv = {"variant-client", "create", "ask"},
                        .handoff = usual_handoff({"PlainDevice"}),
                        .variant = variant,
                        .environment = {{entrance().preload_variable, preload}}});
}

/// The shim with other bytes, in a folder of its own.
class Library {
 public:
  explicit Library(const std::string& bytes) : path_(directory_.path() / "libmetal-unlock.dylib") {
    write_file(path_, bytes);
  }
  const std::string& path() const { return path_; }

 private:
  TemporaryDirectory directory_;
  std::string path_;
};

std::string whole() { return read_file(shim_under_test()); }

json answers(const ShimOutcome& outcome) { return outcome.lines.empty() ? json() : outcome.lines.front(); }

void check_is_told(const ShimOutcome& outcome) {
  CHECK(outcome.process.exit_status == 0);
  CHECK(outcome.process.err == "");
  CHECK(answers(outcome) == json{told_answers("PlainDevice")});
}

/// qemu says itself that a signal ended the program.
std::string without_lines_of_qemu(const std::string& text) { return text.substr(0, text.find("qemu: ")); }

/// The process ended before the program ran, with one sentence.
void check_is_refused(const ShimOutcome& outcome, const std::string& reason) {
  CHECK(outcome.process.signal == SIGABRT);
  CHECK(outcome.process.out == "");
  const std::string err = without_lines_of_qemu(outcome.process.err);
  CHECK(err.starts_with("macho-loader: '"));
  CHECK(err.ends_with("' cannot be inserted: " + reason + "\n"));
  CHECK(err.find('\n') == err.size() - 1);
  CHECK(outcome.events.empty());
}

}  // namespace

TEST_CASE("the file itself is told, copied and under another way of making devices too") {
  const Library library(whole());
  check_is_told(run_with_library(library.path()));
  check_is_told(run_with_library(library.path(), "without_init"));
}

TEST_CASE("without its constructor the library is loaded and does nothing") {
  const Library library(without_constructors(whole()));
  const ShimOutcome outcome = run_with_library(library.path());
  CHECK(outcome.process.exit_status == 0);
  CHECK(answers(outcome) == json{stock_answers("PlainDevice")});
  CHECK(outcome.events.empty());
}

TEST_CASE("a selector that no class knows ends the process at the message") {
  struct Row {
    std::string from, to, variant;
  };
  for (const Row& row : {Row{"supportsFamily:", "supportsFamily_", "with_init"},
                         Row{"maxThreadgroupMemoryLength", "maxThreadgroupMemoryLengte", "without_init"}}) {
    CAPTURE(row.from);
    const Library library(with_text_in_section(whole(), "__objc_methname", row.from, row.to));
    const ShimOutcome outcome = run_with_library(library.path(), row.variant);
    CHECK(outcome.process.signal == SIGABRT);
    CHECK(outcome.process.out == "");
    CHECK(outcome.process.err.find(row.to) != std::string::npos);
    CHECK(outcome.events_named("overridden").size() == 1);
    CHECK(outcome.events_named("effective").empty());
  }
}

TEST_CASE("a question by another name than Metal's is reported as missing") {
  const Library library(with_text_in_section(whole(), "__cstring", "supportsFamily:", "supportsFamily_"));
  const ShimOutcome outcome = run_with_library(library.path());
  CHECK(answers(outcome) == json{stock_answers("PlainDevice")});
  REQUIRE(outcome.events_named("ineffective").size() == 1);
  CHECK(outcome.events_named("ineffective").front().at("question") == "supportsFamily_");
}

TEST_CASE("a section of selectors that the runtime does not find is no way to send a message") {
  const Library library(with_section_renamed(whole(), "__objc_selrefs", "__objc_selectors"));
  const ShimOutcome outcome = run_with_library(library.path());
  CHECK(outcome.process.signal.has_value());
  CHECK(outcome.process.out == "");
  CHECK(outcome.events_named("effective").empty());
}

TEST_CASE("a library that cannot be inserted ends the process before the program runs, as dyld does") {
  struct Row {
    std::string name;
    std::function<std::string(const std::string&)> change;
    std::string reason;
  };
  const std::vector<Row> rows{
      {"an import that macOS does not have",
       [](const std::string& file) {
         return with_symbol_renamed(file, "_objc_lookUpClass", "_objc_lookUpClasz");
       },
       "there is no symbol _objc_lookUpClasz in /usr/lib/libobjc.A.dylib"},
      {"an import that Linux has, and macOS only in another form",
       [](const std::string& file) { return with_symbol_renamed(file, "_strnlen", "_strfry_"); },
       "there is no symbol _strfry_ in /usr/lib/libSystem.B.dylib"},
      {"a library that is not there",
       [](const std::string& file) {
         return with_symbol_renamed(file, "/usr/lib/libobjc.A.dylib", "/usr/lib/libobjc.B.dylib");
       },
       "there is no library /usr/lib/libobjc.B.dylib"},
      {"another processor", [](const std::string& file) { return with_header_field(file, 4, 0x01000012); },
       "it has no slice for this processor"},
      {"arm64e or x86_64h",
       [](const std::string& file) {
         return with_header_field(file, 8, entrance().starter.empty() ? 8 : 0x80000002);
       },
       "it has no slice for this processor"},
      {"a program", [](const std::string& file) { return with_header_field(file, 12, 2); },
       "it is no dynamic library"},
      {"half of it", [](const std::string& file) { return file.substr(0, file.size() / 8); },
       "it is truncated or malformed"},
      {"its first bytes", [](const std::string& file) { return file.substr(0, 4); },
       "it is truncated or malformed"},
      {"nothing", [](const std::string&) { return std::string(); }, "it is no Mach-O file"},
      {"text", [](const std::string&) { return std::string("#!/bin/sh\n"); }, "it is no Mach-O file"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const Library library(row.change(whole()));
    check_is_refused(run_with_library(library.path()), row.reason);
  }
  const std::string elf = build_directory() / "libmetal-unlock.so";
  check_is_refused(run_with_library(elf), "it is no Mach-O file");
}

TEST_CASE("every entry of the list must be there") {
  const std::string ours = shim_under_test();
  const TemporaryDirectory directory;
  const std::string other = harmless_libraries(directory.path(), {"other.dylib"}).front();
  check_is_told(run_with_library(ours + ":" + other));
  check_is_told(run_with_library(other + ":" + ours));
  check_is_refused(run_with_library(ours + ":/nowhere/other.dylib"), "there is no such file");
  check_is_refused(run_with_library("/nowhere/other.dylib:" + ours), "there is no such file");
  check_is_refused(run_with_library(ours + ":"), "there is no such file");
}

TEST_CASE("a library that is opened later and cannot be is a failure of dlopen only") {
  const auto load = [](const std::string& path) {
    return run_with_shim({.argv = {"variant-client", "load=" + path, "create", "ask"},
                          .handoff = usual_handoff({"PlainDevice"}),
                          .environment = {{entrance().preload_variable, ""}}});
  };
  const Library library(with_symbol_renamed(whole(), "_objc_lookUpClass", "_objc_lookUpClasz"));
  const ShimOutcome outcome = load(library.path());
  CHECK(outcome.process.exit_status == 2);
  CHECK(outcome.process.err == "variant-client: " + library.path() +
                                   ": there is no symbol _objc_lookUpClasz in /usr/lib/libobjc.A.dylib\n");
  check_is_told(load(shim_under_test()));
}
