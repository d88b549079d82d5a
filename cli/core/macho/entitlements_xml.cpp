// SPDX-License-Identifier: MIT
#include "cli/core/macho/entitlements.hpp"
#include "cli/core/macho/xml_scanner.hpp"
#include "cli/core/text_format.hpp"

#include <charconv>
#include <optional>

namespace metal_unlock {
namespace {

constexpr int deepest_xml = 16;

using Fault = std::optional<ByteFault>;

class PropertyListReader {
 public:
  PropertyListReader(std::string_view xml, std::uint64_t offset) : scanner_(xml, offset) {}

  Fault read_root(EntitlementValue::Dictionary& into) {
    XmlTag tag;
    if (auto fault = open("plist")) return fault;
    if (auto fault = scanner_.take_tag(tag)) return fault;
    if (tag.is_closing || tag.name != "dict") return scanner_.fault("no dictionary");
    if (!tag.is_empty)
      if (auto fault = read_dictionary(into, 0)) return fault;
    if (auto fault = scanner_.take_tag(tag)) return fault;
    if (!tag.is_closing || tag.name != "plist") return scanner_.fault("more than one dictionary");
    if (!scanner_.is_at_end()) return scanner_.fault("text behind the property list");
    return std::nullopt;
  }

 private:
  Fault open(std::string_view name) {
    XmlTag tag;
    if (auto fault = scanner_.take_tag(tag)) return fault;
    if (tag.is_closing || tag.is_empty || tag.name != name) return scanner_.fault(formatted("no <{}>", name));
    return std::nullopt;
  }

  /// What is left of a dictionary behind its opening tag, with the closing one.
  Fault read_dictionary(EntitlementValue::Dictionary& into, int depth) {
    while (true) {
      XmlTag tag;
      if (auto fault = scanner_.take_tag(tag)) return fault;
      if (tag.is_closing && tag.name == "dict") return std::nullopt;
      if (tag.is_closing || tag.is_empty || tag.name != "key") return scanner_.fault("a value without a key");
      Entitlement entry;
      if (auto fault = scanner_.take_text("key", entry.name)) return fault;
      if (auto fault = scanner_.take_tag(tag)) return fault;
      if (auto fault = read_value(tag, entry.value, depth + 1)) return fault;
      into.push_back(std::move(entry));
    }
  }

  Fault read_list(EntitlementValue::List& into, int depth) {
    while (true) {
      XmlTag tag;
      if (auto fault = scanner_.take_tag(tag)) return fault;
      if (tag.is_closing && tag.name == "array") return std::nullopt;
      EntitlementValue value;
      if (auto fault = read_value(tag, value, depth + 1)) return fault;
      into.push_back(std::move(value));
    }
  }

  Fault read_truth(const XmlTag& tag, EntitlementValue& into) {
    into.is = tag.name == "true";
    std::string nothing;
    return tag.is_empty ? std::nullopt : scanner_.take_text(tag.name, nothing);
  }

  Fault read_integer(EntitlementValue& into) {
    std::string digits;
    if (auto fault = scanner_.take_text("integer", digits)) return fault;
    std::int64_t number = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, number);
    if (error != std::errc{} || stop != end) return scanner_.fault("an integer that is no number");
    into.is = number;
    return std::nullopt;
  }

  Fault read_value(const XmlTag& tag, EntitlementValue& into, int depth) {
    if (tag.is_closing) return scanner_.fault("a key without a value");
    if (depth > deepest_xml) return scanner_.fault("too many levels");
    if (tag.name == "true" || tag.name == "false") return read_truth(tag, into);
    if (tag.name == "integer" && !tag.is_empty) return read_integer(into);
    if (tag.name == "string") {
      auto& text = into.is.emplace<std::string>();
      return tag.is_empty ? std::nullopt : scanner_.take_text("string", text);
    }
    if (tag.name == "array") {
      auto& list = into.is.emplace<EntitlementValue::List>();
      return tag.is_empty ? std::nullopt : read_list(list, depth);
    }
    if (tag.name == "dict") {
      auto& dictionary = into.is.emplace<EntitlementValue::Dictionary>();
      return tag.is_empty ? std::nullopt : read_dictionary(dictionary, depth);
    }
    return scanner_.fault("a value of a kind that entitlements do not have");
  }

  XmlScanner scanner_;
};

}  // namespace

Result<Entitlements, ByteFault> parse_xml_entitlements(std::string_view xml, std::uint64_t offset) {
  Entitlements entitlements{EntitlementForm::xml, {}};
  if (auto fault = PropertyListReader{xml, offset}.read_root(entitlements.entries)) return *std::move(fault);
  if (has_repeated_name(entitlements.entries))
    return ByteFault{ByteFaultKind::malformed, offset, "a name for the second time in the XML entitlements"};
  return entitlements;
}

}  // namespace metal_unlock
