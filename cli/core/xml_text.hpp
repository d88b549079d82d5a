// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace metal_unlock {

/// The text as it stands between two tags of XML.
std::string xml_text(std::string_view text);

}  // namespace metal_unlock
