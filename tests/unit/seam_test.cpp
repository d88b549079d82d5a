// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/files.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

using namespace metal_unlock;

namespace {

/// What only cli/platform may say: which system this is, and what it is asked for.
constexpr std::array<std::string_view, 12> words_of_a_system{
    "__APPLE__", "__linux__", "TargetConditionals", "getenv",      "environ;", "<unistd.h>", "<sys/",
    "<objc/",    "#import",   "<fcntl.h>",          "Foundation/", "Metal/"};

/// The directive of a preprocessor line without its blanks: "#ifdef X" for "#  ifdef X".
std::string directive_of(std::string_view line) {
  std::string text;
  const std::size_t hash = line.find_first_not_of(" \t");
  if (hash == std::string_view::npos || line[hash] != '#') return text;
  const std::size_t word = line.find_first_not_of(" \t", hash + 1);
  return word == std::string_view::npos ? "#" : "#" + std::string{line.substr(word)};
}

/// What stands in the way of a file being the same on every system, line by line.
std::vector<std::string> breaches(std::string_view text) {
  std::vector<std::string> found;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    const std::string directive = directive_of(line);
    for (const std::string_view word : words_of_a_system)
      if (line.find(word) != std::string_view::npos || directive.find(word) != std::string::npos)
        found.push_back(std::to_string(number) + ": " + std::string{word});
    if (directive.starts_with("#if") || directive.starts_with("#elif"))
      found.push_back(std::to_string(number) + ": " + directive);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return found;
}

}  // namespace

TEST_CASE("the pure part asks no system, and does not know which one it is on") {
  std::size_t scanned = 0;
  for (const char* folder : {"core", "args", "commands", "text", "verify"})
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(source_directory() / "cli" / folder)) {
      const std::string extension = entry.path().extension();
      const bool is_for_others = extension == ".metal" || extension == ".cmake" || extension == ".txt";
      if (!entry.is_regular_file() || (is_for_others && std::string_view{folder} == "verify")) continue;
      ++scanned;
      CAPTURE(entry.path().filename());
      CHECK((extension == ".cpp" || extension == ".hpp"));
      CHECK(breaches(read_file(entry.path())) == std::vector<std::string>{});
    }
  CHECK(scanned > 60);
}

TEST_CASE("the scanner finds each breach of the seam") {
  const char* const lines[] = {
      "#ifdef __APPLE__",
      "#ifndef X",
      "#if defined(__linux__)",
      "#if X",
      "#elif X",
      "  #  ifdef X",
      "#\tif defined X",
      "bool is_mac = __APPLE__;",
      "#include <TargetConditionals.h>",
      "std::getenv(\"HOME\")",
      "extern char** environ;",
      "#include <unistd.h>",
      "# include <sys/stat.h>",
      "#include <fcntl.h>",
      "#include <objc/runtime.h>",
      "#import \"x.h\"",
      "#  import \"x.h\"",
      "#include <Foundation/Foundation.h>",
      "#include <Metal/Metal.h>",
  };
  for (const char* line : lines) {
    CAPTURE(line);
    CHECK_FALSE(breaches(line).empty());
    const auto in_a_file = breaches("#pragma once\n\n" + std::string{line} + "\nint x;\n");
    REQUIRE_FALSE(in_a_file.empty());
    CHECK(in_a_file.front().starts_with("3: "));
  }
  CHECK(breaches("").empty());
  CHECK(breaches("#pragma once\n#include <string>\n#define X 1\nif (x) return; // ifdef\n").empty());
}
