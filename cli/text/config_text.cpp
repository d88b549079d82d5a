// SPDX-License-Identifier: MIT
#include "cli/text/config_text.hpp"

#include "cli/text/printable.hpp"
#include "cli/text/table.hpp"

namespace metal_unlock {
namespace {

std::string table_of(std::vector<std::string> head, const std::vector<ShownRow>& rows) {
  Table table;
  table.add_row(std::move(head));
  for (const ShownRow& row : rows) table.add_row({row.name, printable(row.content), printable(row.remark)});
  return table.text();
}

}  // namespace

std::string config_text(const std::vector<ShownRow>& settings, const std::vector<ShownRow>& files) {
  return table_of({"SETTING", "IN FORCE", "SET BY"}, settings) + "\n" +
         table_of({"FILE", "PATH", "STATE"}, files);
}

}  // namespace metal_unlock
