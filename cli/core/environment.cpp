// SPDX-License-Identifier: MIT
#include "cli/core/environment.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

bool has_name(std::string_view entry, std::string_view name) {
  return entry.size() > name.size() && entry[name.size()] == '=' && entry.starts_with(name);
}

}  // namespace

EnvironmentChange followed_by(EnvironmentChange first, const EnvironmentChange& second) {
  const auto forget = [&first](const std::string& name) {
    std::erase_if(first.set, [&](const auto& entry) { return entry.first == name; });
  };
  for (const std::string& name : second.unset) {
    forget(name);
    first.unset.push_back(name);
  }
  for (const auto& [name, value] : second.set) {
    forget(name);
    first.set.emplace_back(name, value);
  }
  return first;
}

std::optional<std::string_view> Environment::get(std::string_view name) const {
  for (const std::string& entry : entries_)
    if (has_name(entry, name)) return std::string_view{entry}.substr(name.size() + 1);
  return std::nullopt;
}

std::optional<std::string_view> Environment::get_non_empty(std::string_view name) const {
  const auto value = get(name);
  return value && !value->empty() ? value : std::nullopt;
}

Environment Environment::with(const EnvironmentChange& change) const {
  Environment changed = *this;
  for (const std::string& name : change.unset)
    std::erase_if(changed.entries_, [&](const std::string& entry) { return has_name(entry, name); });
  for (const auto& [name, value] : change.set) {
    const auto is_named = [&wanted = name](const std::string& entry) { return has_name(entry, wanted); };
    const auto first = std::ranges::find_if(changed.entries_, is_named);
    if (first == changed.entries_.end()) {
      changed.entries_.push_back(name + "=" + value);
      continue;
    }
    *first = name + "=" + value;
    // A second entry of the same name would come to light in programs that read the last one.
    changed.entries_.erase(std::remove_if(first + 1, changed.entries_.end(), is_named),
                           changed.entries_.end());
  }
  return changed;
}

}  // namespace metal_unlock
