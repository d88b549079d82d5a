// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace metal_unlock {

/// What a plan does to the environment of the target.
struct EnvironmentChange {
  std::vector<std::pair<std::string, std::string>> set;
  std::vector<std::string> unset;

  bool empty() const { return set.empty() && unset.empty(); }
  bool operator==(const EnvironmentChange&) const = default;
};

/// One change that does what two do, one after the other.
EnvironmentChange followed_by(EnvironmentChange first, const EnvironmentChange& second);

/// A process environment as it is: order, duplicates and entries without '=' are kept.
class Environment {
 public:
  Environment() = default;
  explicit Environment(std::vector<std::string> entries) : entries_(std::move(entries)) {}

  /// The first value of that name: the one that C programs see.
  std::optional<std::string_view> get(std::string_view name) const;

  /// Like `get`, but a value that is set to nothing counts as not set.
  std::optional<std::string_view> get_non_empty(std::string_view name) const;

  /// This environment after a change. A name that is set keeps its place where it had one.
  Environment with(const EnvironmentChange& change) const;

  std::span<const std::string> entries() const { return entries_; }
  bool operator==(const Environment&) const = default;

 private:
  std::vector<std::string> entries_;
};

}  // namespace metal_unlock
