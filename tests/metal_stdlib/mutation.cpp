// SPDX-License-Identifier: MIT
#include "tests/metal_stdlib/mutation.hpp"

#include <algorithm>
#include <array>

namespace metal_unlock {
namespace {

/// The part up to `end`, which is taken off with it.
std::string_view take(std::string_view& text, char end) {
  const std::size_t size = std::min(text.find(end), text.size());
  const std::string_view part = text.substr(0, size);
  text.remove_prefix(std::min(text.size(), size + 1));
  return part;
}

}  // namespace

std::vector<Mutation> read_mutations(std::string_view list) {
  std::vector<Mutation> mutations;
  while (!list.empty()) {
    std::string_view line = take(list, '\n');
    if (line.empty() || line.starts_with('#')) continue;
    std::array<std::string_view, 4> parts;
    for (std::string_view& part : parts) part = take(line, '\t');
    mutations.push_back({std::string{parts[0]},
                         static_cast<unsigned>(parts[1].empty() ? 0 : parts[1][0] - '0'),
                         std::string{parts[2]}, std::string{parts[3]}});
  }
  return mutations;
}

std::string mutated(std::string source, const Mutation& mutation) {
  std::size_t at = std::string::npos;
  for (unsigned i = 0; i < mutation.occurrence; ++i) {
    at = source.find(mutation.before, at + 1);
    if (at == std::string::npos) return {};
  }
  if (at == std::string::npos) return {};
  return source.replace(at, mutation.before.size(), mutation.after);
}

}  // namespace metal_unlock
