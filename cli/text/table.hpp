// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace metal_unlock {

/// Columns two spaces apart, each as wide as its widest cell; the last one is not padded.
class Table {
 public:
  void add_row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  bool empty() const { return rows_.empty(); }
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

/// Columns that a UTF-8 text takes on a terminal, escape sequences for colour not counted.
std::size_t shown_width(const std::string& text);

}  // namespace metal_unlock
