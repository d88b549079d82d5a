// SPDX-License-Identifier: MIT
#include "cli/core/macho/entitlements.hpp"
#include "cli/core/text_format.hpp"

#include <optional>

namespace metal_unlock {
namespace {

constexpr std::uint8_t boolean_tag = 0x01;
constexpr std::uint8_t integer_tag = 0x02;
constexpr std::uint8_t text_tag = 0x0c;
constexpr std::uint8_t sequence_tag = 0x30;
constexpr std::uint8_t set_tag = 0x31;           // the root, as systems before macOS 12 wrote it
constexpr std::uint8_t entitlements_tag = 0x70;  // application 16: a version and a dictionary
constexpr std::uint8_t dictionary_tag = 0xb0;    // context 16: a sequence of pairs
constexpr std::size_t most_length_bytes = 4;
constexpr int deepest_der = 16;

using Fault = std::optional<ByteFault>;

struct Element {
  std::uint8_t tag = 0;
  std::string_view content;
};

/// Takes one element after another off a text, and remembers the first fault.
class DerReader {
 public:
  DerReader(std::string_view whole, std::uint64_t offset) : whole_(whole), offset_(offset) {}

  Fault read_root(EntitlementValue::Dictionary& into) {
    std::string_view rest = whole_;
    Element root;
    if (auto fault = take(rest, root)) return fault;
    if (!rest.empty()) return fault_at(rest, "bytes behind the entitlements");
    if (root.tag == set_tag) return read_dictionary(root.content, into, 0);
    if (root.tag != entitlements_tag) return fault_at(whole_, formatted("a root of kind {:#04x}", root.tag));
    return read_versioned(root.content, into);
  }

 private:
  ByteFault fault_at(std::string_view where, std::string what) const {
    const auto at = static_cast<std::uint64_t>(where.data() - whole_.data());
    return {ByteFaultKind::malformed, offset_ + at, std::move(what) + " in the DER entitlements"};
  }

  Fault take(std::string_view& rest, Element& into) const {
    const std::string_view begin = rest;
    if (rest.size() < 2) return fault_at(begin, "an element without a length");
    into.tag = static_cast<std::uint8_t>(rest[0]);
    std::size_t length = static_cast<unsigned char>(rest[1]);
    rest.remove_prefix(2);
    if (length >= 0x80) {
      const std::size_t count = length & 0x7f;
      if (count == 0 || count > most_length_bytes || count > rest.size())
        return fault_at(begin, formatted("a length of {} bytes", count));
      length = 0;
      for (const char byte : rest.substr(0, count)) length = length << 8 | static_cast<unsigned char>(byte);
      rest.remove_prefix(count);
    }
    if (length > rest.size())
      return fault_at(begin, formatted("an element of {} bytes where {} are left", length, rest.size()));
    into.content = rest.substr(0, length);
    rest.remove_prefix(length);
    return std::nullopt;
  }

  Fault read_versioned(std::string_view rest, EntitlementValue::Dictionary& into) const {
    Element version;
    Element dictionary;
    if (auto fault = take(rest, version)) return fault;
    if (version.tag != integer_tag || version.content != "\x01")
      return fault_at(version.content, "an unknown version");
    if (auto fault = take(rest, dictionary)) return fault;
    if (dictionary.tag != dictionary_tag) return fault_at(dictionary.content, "no dictionary");
    return read_dictionary(dictionary.content, into, 0);
  }

  Fault read_dictionary(std::string_view rest, EntitlementValue::Dictionary& into, int depth) const {
    while (!rest.empty()) {
      Element pair;
      Element name;
      Element value;
      if (auto fault = take(rest, pair)) return fault;
      std::string_view inner = pair.content;
      if (pair.tag != sequence_tag)
        return fault_at(pair.content, "a dictionary with something that is no pair");
      if (auto fault = take(inner, name)) return fault;
      if (name.tag != text_tag) return fault_at(name.content, "a name that is no text");
      if (auto fault = take(inner, value)) return fault;
      if (!inner.empty()) return fault_at(inner, "a pair of more than two");
      Entitlement entry{std::string{name.content}, {}};
      if (auto fault = read_value(value, entry.value, depth + 1)) return fault;
      into.push_back(std::move(entry));
    }
    return std::nullopt;
  }

  Fault read_list(std::string_view rest, EntitlementValue::List& into, int depth) const {
    while (!rest.empty()) {
      Element item;
      if (auto fault = take(rest, item)) return fault;
      EntitlementValue value;
      if (auto fault = read_value(item, value, depth + 1)) return fault;
      into.push_back(std::move(value));
    }
    return std::nullopt;
  }

  Fault read_integer(std::string_view content, EntitlementValue& into) const {
    if (content.empty() || content.size() > sizeof(std::int64_t))
      return fault_at(content, "an integer of no size");
    std::uint64_t number = (content[0] & 0x80) != 0 ? ~std::uint64_t{0} : 0;
    for (const char byte : content) number = number << 8 | static_cast<unsigned char>(byte);
    into.is = static_cast<std::int64_t>(number);
    return std::nullopt;
  }

  Fault read_value(const Element& element, EntitlementValue& into, int depth) const {
    if (depth > deepest_der) return fault_at(element.content, "too many levels");
    switch (element.tag) {
      case boolean_tag:
        if (element.content.size() != 1) return fault_at(element.content, "a boolean of more than one byte");
        into.is = element.content[0] != '\0';
        return std::nullopt;
      case integer_tag:
        return read_integer(element.content, into);
      case text_tag:
        into.is = std::string{element.content};
        return std::nullopt;
      case sequence_tag:
        return read_list(element.content, into.is.emplace<EntitlementValue::List>(), depth);
      case dictionary_tag:
      case set_tag:
        return read_dictionary(element.content, into.is.emplace<EntitlementValue::Dictionary>(), depth);
      default:
        return fault_at(element.content, formatted("a value of kind {:#04x}", element.tag));
    }
  }

  std::string_view whole_;
  std::uint64_t offset_;
};

}  // namespace

Result<Entitlements, ByteFault> parse_der_entitlements(std::string_view der, std::uint64_t offset) {
  Entitlements entitlements{EntitlementForm::der, {}};
  if (auto fault = DerReader{der, offset}.read_root(entitlements.entries)) return *std::move(fault);
  if (has_repeated_name(entitlements.entries))
    return ByteFault{ByteFaultKind::malformed, offset, "a name for the second time in the DER entitlements"};
  return entitlements;
}

}  // namespace metal_unlock
