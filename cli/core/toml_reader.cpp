// SPDX-License-Identifier: MIT
#include "cli/core/toml_reader.hpp"

#include "cli/core/near_names.hpp"
#include "cli/core/text_format.hpp"

#include <algorithm>
#include <utility>

namespace metal_unlock {
namespace {

/// "'apple_family' is a string": array elements have no key of their own.
std::string called(const TomlNode& node) {
  return node.key.empty() ? "an element" : formatted("'{}'", node.key);
}

}  // namespace

TomlReader::TomlReader(std::string_view path, FindingId id, std::string next)
    : path_(path), id_(id), next_(std::move(next)) {}

void TomlReader::fail(Position at, std::string_view reason) {
  if (!finding_) finding_ = file_finding(id_, path_, at, reason, next_);
}

void TomlReader::refuse(Position at, std::string_view reason) {
  if (!finding_)
    finding_ = file_finding(FindingId::claim_refused, path_, at, reason,
                            "remove the claim; the answer then stays stock");
}

void TomlReader::unknown_key(const TomlNode& entry, std::span<const std::string> known) {
  const std::string hint = did_you_mean(near_names(entry.key, known, 1));
  fail(entry.key_at, formatted("unknown key '{}'{}{}", entry.key, hint.empty() ? "" : ", ", hint));
}

bool TomlReader::is(const TomlNode& node, TomlNode::Kind kind, std::string_view wanted) {
  if (node.kind == kind) return true;
  fail(node.at, formatted("{} is {}, not {}", called(node), kind_name(node), wanted));
  return false;
}

void TomlReader::read_table(const TomlNode& table,
                            const std::vector<std::pair<std::string_view, Handler>>& handlers) {
  for (const TomlNode& entry : entries_of(table)) {
    const auto handler = std::ranges::find(handlers, entry.key, [](const auto& pair) { return pair.first; });
    if (handler != handlers.end()) {
      handler->second(entry);
      continue;
    }
    std::vector<std::string> keys;
    for (const auto& [key, ignored] : handlers) keys.emplace_back(key);
    unknown_key(entry, keys);
  }
}

std::string TomlReader::text(const TomlNode& node) {
  if (!is(node, TomlNode::Kind::string, "a string")) return "-";
  if (node.text.empty()) fail(node.at, formatted("{} is empty", called(node)));
  const bool has_control =
      std::ranges::any_of(node.text, [](unsigned char c) { return c < ' ' || c == 0x7f; });
  if (has_control) fail(node.at, formatted("{} holds a control character", called(node)));
  return node.text;
}

std::vector<std::string> TomlReader::texts(const TomlNode& node) {
  std::vector<std::string> all;
  for (const TomlNode& element : elements_of(node)) all.push_back(text(element));
  return all;
}

bool TomlReader::boolean(const TomlNode& node) {
  return is(node, TomlNode::Kind::boolean, "true or false") && node.boolean;
}

std::int64_t TomlReader::integer(const TomlNode& node, std::int64_t least, std::int64_t most) {
  if (!is(node, TomlNode::Kind::integer, "an integer")) return least;
  if (node.integer < least || node.integer > most) {
    fail(node.at, formatted("{} is {}, not within {} and {}", called(node), node.integer, least, most));
    return least;
  }
  return node.integer;
}

std::uint64_t TomlReader::amount(const TomlNode& node, const FieldRow& row) {
  if (node.kind == TomlNode::Kind::integer && row.kind == FieldKind::family && node.integer > 0) {
    const GpuFamily family{static_cast<std::uint32_t>(std::min<std::int64_t>(node.integer, 999999))};
    if (range_of(family) != FamilyRange::apple && range_of(family) != FamilyRange::unknown)
      refuse(node.at, formatted("{} ({}) is never claimed: {}", to_text(family), family.number,
                                never_claimed_because(family)));
  }
  const auto amount = static_cast<std::uint64_t>(
      integer(node, static_cast<std::int64_t>(row.least), static_cast<std::int64_t>(row.most)));
  if (amount % row.multiple != 0)
    fail(node.at, formatted("'{}' is {}, not a multiple of {}", node.key, amount, row.multiple));
  return amount;
}

std::span<const TomlNode> TomlReader::entries_of(const TomlNode& node) {
  if (!is(node, TomlNode::Kind::table, "a table")) return {};
  return node.children;
}

std::span<const TomlNode> TomlReader::elements_of(const TomlNode& node) {
  if (!is(node, TomlNode::Kind::array, "an array")) return {};
  return node.children;
}

}  // namespace metal_unlock
