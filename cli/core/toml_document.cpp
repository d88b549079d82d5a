// SPDX-License-Identifier: MIT
#include "cli/core/toml_document.hpp"

#include "cli/core/text_format.hpp"
#include "cli/libraries/tomlplusplus.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

namespace metal_unlock {
namespace {

Position position_of(const toml::source_region& source) {
  return {std::max<std::uint32_t>(1, source.begin.line), std::max<std::uint32_t>(1, source.begin.column)};
}

std::string name_of_other(toml::node_type type) {
  switch (type) {
    case toml::node_type::floating_point:
      return "a float";
    case toml::node_type::date:
      return "a date";
    case toml::node_type::time:
      return "a time";
    default:
      return "a date and time";
  }
}

TomlNode copy_of(const toml::node& node) {
  TomlNode copy;
  copy.at = position_of(node.source());
  if (const auto* table = node.as_table()) {
    for (const auto& [key, child] : *table) {
      TomlNode& entry = copy.children.emplace_back(copy_of(child));
      entry.key = key.str();
      entry.key_at = position_of(key.source());
    }
    // toml++ keeps tables sorted by key; people read messages in the order of their file.
    std::ranges::stable_sort(copy.children, {}, [](const TomlNode& entry) {
      return std::tuple{entry.key_at.line, entry.key_at.column};
    });
  } else if (const auto* array = node.as_array()) {
    copy.kind = TomlNode::Kind::array;
    for (const auto& child : *array) copy.children.push_back(copy_of(child));
  } else if (const auto* text = node.as_string()) {
    copy.kind = TomlNode::Kind::string;
    copy.text = text->get();
  } else if (const auto* integer = node.as_integer()) {
    copy.kind = TomlNode::Kind::integer;
    copy.integer = integer->get();
  } else if (const auto* boolean = node.as_boolean()) {
    copy.kind = TomlNode::Kind::boolean;
    copy.boolean = boolean->get();
  } else {
    copy.kind = TomlNode::Kind::other;
    copy.text = name_of_other(node.type());
  }
  return copy;
}

/// toml++ quotes the input in some messages; a message stays on one line whatever the file holds.
std::string one_line(std::string_view text) {
  std::string line{text};
  for (char& letter : line)
    if (static_cast<unsigned char>(letter) < ' ' || static_cast<unsigned char>(letter) == 0x7f) letter = '?';
  return line;
}

/// Where a document has one dot too many. Each dot of a key is a table in a table, and toml++ takes them
/// apart by recursion: a short file of dots would use up the stack. No file of ours has a tenth of this.
std::optional<Position> excess_dot(std::string_view text) {
  constexpr std::size_t most_dots = 1000;
  std::size_t dots = 0;
  Position at;
  for (const char letter : text) {
    if (letter == '.' && ++dots > most_dots) return at;
    ++at.column;
    if (letter == '\n') at = {at.line + 1, 1};
  }
  return std::nullopt;
}

}  // namespace

std::string_view kind_name(const TomlNode& node) {
  switch (node.kind) {
    case TomlNode::Kind::string:
      return "a string";
    case TomlNode::Kind::integer:
      return "an integer";
    case TomlNode::Kind::boolean:
      return "a boolean";
    case TomlNode::Kind::array:
      return "an array";
    case TomlNode::Kind::table:
      return "a table";
    case TomlNode::Kind::other:
      break;
  }
  return node.text;
}

Finding file_finding(FindingId id, std::string_view path, Position at, std::string_view reason,
                     std::string next) {
  return {id, formatted("{}:{}:{}: {}", path, at.line, at.column, reason), std::move(next)};
}

Result<TomlNode> parse_toml(std::string_view text, std::string_view path, FindingId id, std::string next) {
  if (const auto at = excess_dot(text))
    return file_finding(id, path, *at, "too many dots for a file of this kind", std::move(next));
  const toml::parse_result result = toml::parse(text);
  if (result) return copy_of(result.table());
  const toml::parse_error& error = result.error();
  return file_finding(id, path, position_of(error.source()), one_line(error.description()), std::move(next));
}

}  // namespace metal_unlock
