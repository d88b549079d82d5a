// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

/// One mistake in a kernel.
struct Mutation {
  std::string kernel;       ///< its file, without ".metal"
  unsigned occurrence = 1;  ///< of `before`, counted from 1
  std::string before;
  std::string after;
};

/// The lines of mutations.tsv, without comments.
std::vector<Mutation> read_mutations(std::string_view list);

/// The source with the mistake; empty where there is no such place, so that a list that has fallen behind is
/// noticed.
std::string mutated(std::string source, const Mutation& mutation);

}  // namespace metal_unlock
