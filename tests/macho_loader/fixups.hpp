// SPDX-License-Identifier: MIT
#pragma once

#include "tests/macho_loader/mapping.hpp"
#include "tests/macho_loader/slice.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace metal_unlock::macho {

/// A symbol that the slice needs.
struct Import {
  int ordinal = 0;   ///< which dependency has it, from 1; -2: any
  std::string name;  ///< as in the file, with its underscore
  bool weak = false;
};

/// Finds the address of an import; LoadError where there is none.
using Resolve = std::function<std::uint64_t(const Import& import)>;

/// Moves every pointer to where the slice is, and fills in the imports.
void apply_fixups(const Slice& slice, const Mapping& mapping, const Resolve& resolve);

/// The two forms of fixups.
void apply_chained_fixups(View table, const Mapping& mapping, const Resolve& resolve);
void apply_opcode_fixups(const Slice& slice, const Mapping& mapping, const Resolve& resolve);

}  // namespace metal_unlock::macho
