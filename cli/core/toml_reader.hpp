// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/capabilities.hpp"
#include "cli/core/toml_document.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace metal_unlock {

/// Reads typed values out of a document and keeps the first fault. After a fault the values it returns are
/// harmless stand-ins, so a caller reads everything and asks `first_finding` once.
class TomlReader {
 public:
  using Handler = std::function<void(const TomlNode&)>;

  /// `id` and `next` are given to every fault; `path` is what people know the file by.
  TomlReader(std::string_view path, FindingId id, std::string next);

  /// Calls the handler of each key; a key without one is a fault that names the nearest.
  void read_table(const TomlNode& table, const std::vector<std::pair<std::string_view, Handler>>& handlers);

  std::string text(const TomlNode& node);                ///< a string that is not empty
  std::vector<std::string> texts(const TomlNode& node);  ///< an array of such strings
  bool boolean(const TomlNode& node);
  std::int64_t integer(const TomlNode& node, std::int64_t least, std::int64_t most);
  std::uint64_t amount(const TomlNode& node, const FieldRow& row);  ///< within the row's bounds

  std::span<const TomlNode> entries_of(const TomlNode& node);   ///< of a table
  std::span<const TomlNode> elements_of(const TomlNode& node);  ///< of an array

  void unknown_key(const TomlNode& entry, std::span<const std::string> known);
  void fail(Position at, std::string_view reason);
  /// Like `fail`, for a claim that is well-formed but never made: the finding is claim-refused.
  void refuse(Position at, std::string_view reason);

  std::optional<Finding> first_finding() const { return finding_; }

 private:
  bool is(const TomlNode& node, TomlNode::Kind kind, std::string_view wanted);

  std::string_view path_;
  FindingId id_;
  std::string next_;
  std::optional<Finding> finding_;
};

}  // namespace metal_unlock
