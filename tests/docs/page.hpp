// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

/// One command of a page, and what the page says that it prints.
struct DocStep {
  int line = 0;
  std::string prompt;  ///< "$ ", "guest$ " or "host$ "
  std::string command;
  std::vector<std::string> output;  ///< empty: the page does not show it
};

/// How the commands of a block are checked.
enum class DocBlockKind { run, source_tree, mac_only };

struct DocBlock {
  int line = 0;
  DocBlockKind kind = DocBlockKind::run;
  std::vector<DocStep> steps;
};

/// A page as a test sees it.
struct DocPage {
  std::vector<DocBlock> blocks;
  std::vector<std::string> faults;  ///< "LINE: what is wrong", where a block escapes the test
};

/// Reads the fenced blocks of a page in Markdown. docs/README.md describes their marks.
DocPage read_page(std::string_view text);

/// Whether the lines that were printed are those that a page shows. In a line "…" stands for any text, as a
/// line of its own for any number of lines.
bool matches(const std::vector<std::string>& shown, const std::vector<std::string>& printed);

}  // namespace metal_unlock
