// SPDX-License-Identifier: MIT
#pragma once

#include "cli/platform/system.hpp"

#include <string>
#include <string_view>

namespace metal_unlock {

/// How words look on one stream; decided once, from what the stream can show.
class Style {
 public:
  Style() = default;
  explicit Style(const Terminal& terminal)
      : has_colour_(terminal.has_colour), has_unicode_(terminal.has_unicode) {}

  std::string dim(std::string_view text) const { return coloured("2", text); }
  std::string bold(std::string_view text) const { return coloured("1", text); }
  std::string warning(std::string_view text) const { return coloured("33", text); }
  std::string failure(std::string_view text) const { return coloured("31", text); }

  bool has_unicode() const { return has_unicode_; }
  std::string_view arrow() const { return has_unicode_ ? "→" : "->"; }
  std::string_view dot() const { return has_unicode_ ? " · " : ", "; }

 private:
  std::string coloured(std::string_view code, std::string_view text) const;

  bool has_colour_ = false;
  bool has_unicode_ = false;
};

}  // namespace metal_unlock
