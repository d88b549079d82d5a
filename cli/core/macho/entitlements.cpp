// SPDX-License-Identifier: MIT
#include "cli/core/macho/entitlements.hpp"

#include "cli/core/text_format.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

struct ToText {
  std::string operator()(bool truth) const { return truth ? "true" : "false"; }
  std::string operator()(std::int64_t number) const { return formatted("{}", number); }
  std::string operator()(const std::string& text) const { return text; }
  std::string operator()(const EntitlementValue::List& list) const {
    std::string text;
    for (const EntitlementValue& item : list) text += (text.empty() ? "" : ", ") + to_text(item);
    return "[" + text + "]";
  }
  std::string operator()(const EntitlementValue::Dictionary& dictionary) const {
    std::string text;
    for (const auto& [name, item] : dictionary)
      text += (text.empty() ? "" : ", ") + name + ": " + to_text(item);
    return "{" + text + "}";
  }
};

}  // namespace

bool EntitlementValue::operator==(const EntitlementValue& other) const { return is == other.is; }

bool Entitlement::operator==(const Entitlement& other) const = default;

const EntitlementValue* Entitlements::find(std::string_view name) const {
  const auto found = std::ranges::find(entries, name, &Entitlement::name);
  return found == entries.end() ? nullptr : &found->value;
}

bool Entitlements::grants(std::string_view name) const {
  const EntitlementValue* value = find(name);
  const bool* truth = value == nullptr ? nullptr : std::get_if<bool>(&value->is);
  return truth != nullptr && *truth;
}

bool has_repeated_name(const std::vector<Entitlement>& entries) {
  std::vector<std::string_view> names;
  for (const Entitlement& entry : entries) names.push_back(entry.name);
  std::ranges::sort(names);
  return std::ranges::adjacent_find(names) != names.end();
}

std::string to_text(const EntitlementValue& value) { return std::visit(ToText{}, value.is); }

}  // namespace metal_unlock
