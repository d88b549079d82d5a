// SPDX-License-Identifier: MIT
#include "cli/text/style.hpp"

#include "cli/core/text_format.hpp"

namespace metal_unlock {

std::string Style::coloured(std::string_view code, std::string_view text) const {
  return has_colour_ ? formatted("\x1b[{}m{}\x1b[0m", code, text) : std::string{text};
}

}  // namespace metal_unlock
