// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace metal_unlock {

/// JSON with keys in the order they were added.
using Json = nlohmann::ordered_json;

/// Indented, with a final newline. Bytes that are no UTF-8 become U+FFFD: a path may hold anything.
inline std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace metal_unlock
