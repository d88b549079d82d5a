// SPDX-License-Identifier: MIT
#pragma once

#include "tests/json.hpp"

#include <string>
#include <vector>

namespace metal_unlock {

/// What a document breaks of a JSON Schema, by path. It knows the words that our schemas use: type, const,
/// enum, required, properties, additionalProperties (false) and items; any other one that asserts is a breach
/// itself.
std::vector<std::string> schema_breaches(const json& schema, const json& document,
                                         const std::string& path = "");

}  // namespace metal_unlock
