// SPDX-License-Identifier: MIT
#include "cli/text/paths_text.hpp"

#include "cli/text/printable.hpp"
#include "cli/text/table.hpp"

namespace metal_unlock {

std::string_view state_of(const ShownPath& path) {
  if (path.path.is_named) return "named by you";
  return path.is_there ? "there" : "not there";
}

std::string paths_text(std::span<const ShownPath> paths) {
  Table table;
  table.add_row({"PATH", "STATE", "WRITTEN BY", "WHAT"});
  for (const ShownPath& shown : paths)
    table.add_row(
        {printable(shown.path.path), std::string{state_of(shown)}, shown.path.written_by, shown.path.what});
  return table.text() +
         "A file is written beside its place, as NAME.PROCESS.part, and then renamed. Nothing else is "
         "written.\n";
}

}  // namespace metal_unlock
