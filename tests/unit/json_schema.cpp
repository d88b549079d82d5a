// SPDX-License-Identifier: MIT
#include "tests/unit/json_schema.hpp"

#include <algorithm>
#include <set>

namespace metal_unlock {
namespace {

bool has_type(const json& document, const std::string& type) {
  if (type == "object") return document.is_object();
  if (type == "array") return document.is_array();
  if (type == "string") return document.is_string();
  if (type == "boolean") return document.is_boolean();
  if (type == "number") return document.is_number();
  if (type == "integer") return document.is_number_integer();
  return type == "null" && document.is_null();
}

bool fits_type(const json& document, const json& type) {
  if (type.is_string()) return has_type(document, type.get<std::string>());
  return std::ranges::any_of(type,
                             [&](const json& one) { return has_type(document, one.get<std::string>()); });
}

void add_all(std::vector<std::string>& breaches, const std::vector<std::string>& more) {
  breaches.insert(breaches.end(), more.begin(), more.end());
}

std::vector<std::string> object_breaches(const json& schema, const json& document, const std::string& path) {
  std::vector<std::string> breaches;
  for (const json& name : schema.value("required", json::array()))
    if (!document.contains(name.get<std::string>()))
      breaches.push_back(path + ": no " + name.get<std::string>());
  const json properties = schema.value("properties", json::object());
  for (const auto& [name, value] : document.items()) {
    if (properties.contains(name))
      add_all(breaches, schema_breaches(properties.at(name), value, path + "/" + name));
    else if (!schema.value("additionalProperties", true))
      breaches.push_back(path + ": " + name + " is not known");
  }
  return breaches;
}

}  // namespace

std::vector<std::string> schema_breaches(const json& schema, const json& document, const std::string& path) {
  static const std::set<std::string> known{
      "$schema", "title", "type", "const", "enum", "required", "items", "properties", "additionalProperties"};
  std::vector<std::string> breaches;
  for (const auto& [word, ignored] : schema.items())
    if (!known.contains(word)) breaches.push_back(path + ": the schema says " + word);
  if (schema.contains("type") && !fits_type(document, schema.at("type"))) breaches.push_back(path + ": type");
  if (schema.contains("const") && document != schema.at("const")) breaches.push_back(path + ": const");
  if (schema.contains("enum") && std::ranges::find(schema.at("enum"), document) == schema.at("enum").end())
    breaches.push_back(path + ": enum");
  if (document.is_object()) add_all(breaches, object_breaches(schema, document, path));
  if (document.is_array() && schema.contains("items"))
    for (const json& item : document)
      add_all(breaches, schema_breaches(schema.at("items"), item, path + "[]"));
  return breaches;
}

}  // namespace metal_unlock
