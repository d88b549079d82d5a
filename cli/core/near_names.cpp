// SPDX-License-Identifier: MIT
#include "cli/core/near_names.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace metal_unlock {
namespace {

/// Edits between two words, neighbours swapped counting as one (optimal string alignment).
std::size_t edits_between(std::string_view from, std::string_view to) {
  const std::size_t width = to.size() + 1;
  std::vector<std::size_t> before_last(width);
  std::vector<std::size_t> last(width);
  std::vector<std::size_t> current(width);
  for (std::size_t column = 0; column < width; ++column) last[column] = column;
  for (std::size_t row = 1; row <= from.size(); ++row) {
    current[0] = row;
    for (std::size_t column = 1; column < width; ++column) {
      const std::size_t replaced = last[column - 1] + (from[row - 1] == to[column - 1] ? 0U : 1U);
      current[column] = std::min({replaced, last[column] + 1, current[column - 1] + 1});
      const bool swapped =
          row > 1 && column > 1 && from[row - 1] == to[column - 2] && from[row - 2] == to[column - 1];
      if (swapped) current[column] = std::min(current[column], before_last[column - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, current);
  }
  return last.back();
}

}  // namespace

std::vector<std::string> near_names(std::string_view typed, std::span<const std::string> names,
                                    std::size_t most) {
  // Longer words are nobody's slip of the finger, and the comparison is quadratic.
  constexpr std::size_t longest_typed = 64;
  if (typed.size() > longest_typed) return {};
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const std::string& name : names) {
    const std::size_t edits = edits_between(typed, name);
    const std::size_t longer = std::max(typed.size(), name.size());
    if (edits < longer && edits <= std::max<std::size_t>(1, longer / 3)) ranked.emplace_back(edits, name);
  }
  std::ranges::sort(ranked);
  std::vector<std::string> near;
  for (const auto& [edits, name] : ranked)
    if (near.size() < most && std::ranges::find(near, name) == near.end()) near.push_back(name);
  return near;
}

std::string did_you_mean(std::span<const std::string> near) {
  std::string text;
  for (std::size_t i = 0; i < near.size(); ++i) {
    text += i == 0 ? "did you mean " : i + 1 == near.size() ? " or " : ", ";
    text += near[i];
  }
  return text.empty() ? text : text + "?";
}

}  // namespace metal_unlock
