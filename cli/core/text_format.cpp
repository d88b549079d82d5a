// SPDX-License-Identifier: MIT
#define FMT_HEADER_ONLY 1
#include "cli/core/text_format.hpp"

#include <fmt/format.h>

namespace metal_unlock {

std::string formatted_erased(fmt::string_view pattern, fmt::format_args arguments) {
  return fmt::vformat(pattern, arguments);
}

}  // namespace metal_unlock
