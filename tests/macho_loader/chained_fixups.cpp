// SPDX-License-Identifier: MIT
#include "tests/macho_loader/fixups.hpp"

#include <algorithm>
#include <cstring>

namespace metal_unlock::macho {
namespace {

enum ImportFormat : std::uint32_t { plain = 1, with_addend = 2, with_long_addend = 3 };
enum PointerFormat : std::uint16_t { to_address = 2, to_offset = 6 };
constexpr std::uint16_t page_without_fixups = 0xffff;

struct ImportValue {
  Import import;
  std::uint64_t addend = 0;
};

/// Ordinals are stored without sign; the highest ones are the special negative ones.
int signed_ordinal(std::uint32_t ordinal, std::uint32_t limit) {
  return ordinal > limit - 16 ? static_cast<int>(ordinal) - static_cast<int>(limit)
                              : static_cast<int>(ordinal);
}

ImportValue import_at(View table, std::uint32_t format, std::uint64_t imports, std::uint64_t symbols,
                      std::uint64_t index) {
  if (format == with_long_addend) {
    const auto word = table.read<std::uint64_t>(imports + 16 * index);
    return {
        {signed_ordinal(word & 0xffff, 0x10000), table.text(symbols + (word >> 32)), (word >> 16 & 1) != 0},
        table.read<std::uint64_t>(imports + 16 * index + 8)};
  }
  if (format != plain && format != with_addend) throw LoadError{"its imports have an unknown format"};
  const std::uint64_t at = imports + (format == plain ? 4 : 8) * index;
  const auto word = table.read<std::uint32_t>(at);
  const auto addend = format == plain ? 0 : std::int64_t{table.read<std::int32_t>(at + 4)};
  return {{signed_ordinal(word & 0xff, 0x100), table.text(symbols + (word >> 9)), (word >> 8 & 1) != 0},
          static_cast<std::uint64_t>(addend)};
}

/// The addresses of all imports, with their addends.
std::vector<std::uint64_t> resolved_imports(View table, const Resolve& resolve) {
  const auto imports = table.read<std::uint32_t>(8);
  const auto symbols = table.read<std::uint32_t>(12);
  const auto count = table.read<std::uint32_t>(16);
  const auto format = table.read<std::uint32_t>(20);
  if (table.read<std::uint32_t>(24) != 0) throw LoadError{"the names of its imports are compressed"};
  std::vector<std::uint64_t> addresses;
  for (std::uint32_t i = 0; i < count; ++i) {
    const ImportValue value = import_at(table, format, imports, symbols, i);
    addresses.push_back(resolve(value.import) + value.addend);
  }
  return addresses;
}

class Chains {
 public:
  Chains(const Mapping& mapping, const std::vector<std::uint64_t>& imports)
      : mapping_(mapping), imports_(imports) {}

  void follow_segment(View starts) const {
    const auto page_size = starts.read<std::uint16_t>(4);
    const auto format = starts.read<std::uint16_t>(6);
    const auto segment = starts.read<std::uint64_t>(8);
    if (format != to_address && format != to_offset) throw LoadError{"its pointers have an unknown format"};
    for (std::uint16_t page = 0; page < starts.read<std::uint16_t>(20); ++page) {
      const auto start = starts.read<std::uint16_t>(22 + 2 * std::uint64_t{page});
      if (start == page_without_fixups) continue;
      follow(mapping_.first_address() + segment + std::uint64_t{page_size} * page + start, format);
    }
  }

 private:
  /// Each pointer holds what it refers to and the distance to the next one.
  void follow(std::uint64_t address, std::uint16_t format) const {
    for (;;) {
      std::uint8_t* const place = mapping_.at(address, 8);
      std::uint64_t word;
      std::memcpy(&word, place, sizeof word);
      const std::uint64_t target = word >> 63 != 0 ? imported(word) : moved(word, format);
      std::memcpy(place, &target, sizeof target);
      const std::uint64_t distance = (word >> 51 & 0xfff) * 4;
      if (distance == 0) return;
      address += distance;
    }
  }

  std::uint64_t imported(std::uint64_t word) const {
    const std::uint64_t index = word & 0xffffff;
    if (index >= imports_.size()) throw LoadError{"it refers to an import that it does not have"};
    return imports_[index] + (word >> 24 & 0xff);
  }

  std::uint64_t moved(std::uint64_t word, std::uint16_t format) const {
    const std::uint64_t target = word & 0xfffffffff;
    const std::uint64_t address = format == to_address ? target : target + mapping_.first_address();
    return (address + mapping_.slide()) | (word >> 36 & 0xff) << 56;
  }

  const Mapping& mapping_;
  const std::vector<std::uint64_t>& imports_;
};

}  // namespace

void apply_chained_fixups(View table, const Mapping& mapping, const Resolve& resolve) {
  const std::vector<std::uint64_t> imports = resolved_imports(table, resolve);
  const Chains chains(mapping, imports);
  const auto starts = table.read<std::uint32_t>(4);
  const auto count = table.read<std::uint32_t>(starts);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto offset = table.read<std::uint32_t>(starts + 4 + 4 * std::uint64_t{i});
    if (offset == 0) continue;
    const std::uint64_t start = std::uint64_t{starts} + offset;
    chains.follow_segment(table.part(start, table.size() - std::min(table.size(), start)));
  }
}

}  // namespace metal_unlock::macho
