// SPDX-License-Identifier: MIT
#include "cli/text/progress_text.hpp"

#include "cli/core/text_format.hpp"

#include <cmath>

namespace metal_unlock {
namespace {

/// "0:07", "12:30", "1:00:05"
std::string duration_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::ceil(seconds));
  const std::uint64_t hours = whole / 3600;
  const std::uint64_t minutes = whole / 60 % 60;
  return hours > 0 ? formatted("{}:{:02}:{:02}", hours, minutes, whole % 60)
                   : formatted("{}:{:02}", minutes, whole % 60);
}

}  // namespace

std::string progress_text(std::size_t number, std::size_t count, const Turn& turn,
                          std::optional<double> seconds) {
  std::string text = formatted("run {} of {}, {}", number, count, name_of(turn));
  if (seconds) text += formatted(", about {} left", duration_text(*seconds));
  return text;
}

}  // namespace metal_unlock
