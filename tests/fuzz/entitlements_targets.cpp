// SPDX-License-Identifier: MIT
#include "cli/core/macho/entitlements.hpp"
#include "cli/core/text_format.hpp"
#include "cli/core/xml_text.hpp"
#include "tests/fuzz/promise.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/macho/byte_writer.hpp"
#include "tests/macho/signature_builder.hpp"

namespace metal_unlock {
namespace {

/// Where the blob is said to stand in its file.
constexpr std::uint64_t blob_offset = 100;

std::string der_of(const EntitlementValue& value);

std::string der_pairs_of(const EntitlementValue::Dictionary& entries) {
  std::string pairs;
  for (const auto& [name, value] : entries) pairs += der_pair(name, der_of(value));
  return pairs;
}

struct ToDer {
  std::string operator()(bool truth) const { return der_truth(truth); }
  std::string operator()(std::int64_t number) const {
    return der_element(2, ByteWriter{}.big64(static_cast<std::uint64_t>(number)).bytes());
  }
  std::string operator()(const std::string& text) const { return der_text(text); }
  std::string operator()(const EntitlementValue::List& list) const {
    std::string items;
    for (const EntitlementValue& item : list) items += der_of(item);
    return der_element(0x30, items);
  }
  std::string operator()(const EntitlementValue::Dictionary& entries) const {
    return der_dictionary(der_pairs_of(entries));
  }
};

std::string der_of(const EntitlementValue& value) { return std::visit(ToDer{}, value.is); }

std::string xml_of(const EntitlementValue& value);

std::string xml_pairs_of(const EntitlementValue::Dictionary& entries) {
  std::string pairs;
  for (const auto& [name, value] : entries)
    pairs += formatted("<key>{}</key>{}", xml_text(name), xml_of(value));
  return pairs;
}

struct ToXml {
  std::string operator()(bool truth) const { return truth ? "<true/>" : "<false/>"; }
  std::string operator()(std::int64_t number) const { return formatted("<integer>{}</integer>", number); }
  std::string operator()(const std::string& text) const {
    return formatted("<string>{}</string>", xml_text(text));
  }
  std::string operator()(const EntitlementValue::List& list) const {
    std::string items;
    for (const EntitlementValue& item : list) items += xml_of(item);
    return formatted("<array>{}</array>", items);
  }
  std::string operator()(const EntitlementValue::Dictionary& entries) const {
    return formatted("<dict>{}</dict>", xml_pairs_of(entries));
  }
};

std::string xml_of(const EntitlementValue& value) { return std::visit(ToXml{}, value.is); }

void check_entitlements(const Entitlements& entitlements, std::string_view bytes) {
  promise(!has_repeated_name(entitlements.entries), "a name stands there once");
  promise(entitlements.entries.size() <= bytes.size(), "no more entries than bytes");
  for (const auto& [name, value] : entitlements.entries) {
    promise(entitlements.find(name) == &value, "every entry is found by its name");
    promise(!entitlements.grants(name) || to_text(value) == "true", "only the truth grants");
  }
}

}  // namespace

void fuzz_der_entitlements(std::string_view bytes) {
  const auto read = parse_der_entitlements(bytes, blob_offset);
  if (!read) return promise_inside(read.fault(), blob_offset, bytes.size());
  check_entitlements(*read, bytes);
  const auto again = parse_der_entitlements(der_root(der_pairs_of(read->entries)), blob_offset);
  promise(again && *again == *read, "entitlements written in DER read as they were");
}

void fuzz_xml_entitlements(std::string_view bytes) {
  const auto read = parse_xml_entitlements(bytes, blob_offset);
  if (!read) return promise_inside(read.fault(), blob_offset, bytes.size());
  check_entitlements(*read, bytes);
  const auto again = parse_xml_entitlements(property_list(xml_pairs_of(read->entries)), blob_offset);
  promise(again && *again == *read, "entitlements written in XML read as they were");
}

}  // namespace metal_unlock
