// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/macho/byte_source.hpp"
#include "cli/core/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace metal_unlock {

struct Entitlement;

/// What an entitlement says. A name alone grants nothing: false is a value too.
struct EntitlementValue {
  using List = std::vector<EntitlementValue>;
  using Dictionary = std::vector<Entitlement>;
  std::variant<bool, std::int64_t, std::string, List, Dictionary> is;  ///< false at first
  bool operator==(const EntitlementValue&) const;
};

struct Entitlement {
  std::string name;
  EntitlementValue value;
  bool operator==(const Entitlement&) const;
};

enum class EntitlementForm : std::uint8_t { none, der, xml };

/// What a program asks the kernel for, and was signed with.
struct Entitlements {
  EntitlementForm form = EntitlementForm::none;  ///< the blob that was read
  std::vector<Entitlement> entries;              ///< in the order of the blob

  /// Null where there is none of that name.
  const EntitlementValue* find(std::string_view name) const;
  /// There, and true.
  bool grants(std::string_view name) const;
  bool operator==(const Entitlements&) const = default;
};

/// In one line: "true", "12", "[a, b]", "{name: value}".
std::string to_text(const EntitlementValue& value);

/// Whether a name stands there twice, so that what it is worth depends on who reads it.
bool has_repeated_name(const std::vector<Entitlement>& entries);

/// The payload of a DER entitlements blob, which starts at `offset` of the file.
Result<Entitlements, ByteFault> parse_der_entitlements(std::string_view der, std::uint64_t offset);

/// The payload of an XML entitlements blob: a property list whose root is a dictionary.
Result<Entitlements, ByteFault> parse_xml_entitlements(std::string_view xml, std::uint64_t offset);

}  // namespace metal_unlock
