// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace metal_unlock {

/// Keys stay in the order they are added.
using Json = nlohmann::ordered_json;

/// What a command prints with --json: the object with "schema": 1 before all else, indented, with a final
/// newline. Bytes that are no UTF-8 become U+FFFD: a path may hold anything.
inline std::string json_document(const Json& json) {
  Json whole{{"schema", 1}};
  whole.update(json);
  return whole.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace metal_unlock
