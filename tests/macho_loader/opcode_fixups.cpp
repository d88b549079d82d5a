// SPDX-License-Identifier: MIT
#include "tests/macho_loader/fixups.hpp"

#include <cstring>

namespace metal_unlock::macho {
namespace {

/// A table of opcodes, read from front to back. The low half of an opcode is a small operand.
class Opcodes {
 public:
  explicit Opcodes(View table) : table_(table) {}

  bool at_end() const { return position_ >= table_.size(); }
  std::uint8_t byte() { return table_.read<std::uint8_t>(position_++); }
  std::string text() {
    std::string result = table_.text(position_);
    position_ += result.size() + 1;
    return result;
  }
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const std::uint64_t part = byte();
      if (shift < 64) value |= (part & 0x7f) << shift;
      if ((part & 0x80) == 0) return value;
    }
  }
  std::uint64_t signed_number() {
    std::uint64_t value = 0;
    for (int shift = 0;;) {
      const std::uint64_t part = byte();
      if (shift < 64) value |= (part & 0x7f) << shift;
      shift += 7;
      if ((part & 0x80) != 0) continue;
      return shift < 64 && (part & 0x40) != 0 ? value | ~std::uint64_t{0} << shift : value;
    }
  }

 private:
  View table_;
  std::uint64_t position_ = 0;
};

void rebase(View table, const Mapping& mapping) {
  std::uint64_t address = 0;
  const auto move = [&](std::uint64_t count, std::uint64_t skip) {
    for (; count > 0; --count, address += 8 + skip) {
      std::uint8_t* const place = mapping.at(address, 8);
      std::uint64_t target;
      std::memcpy(&target, place, sizeof target);
      target += mapping.slide();
      std::memcpy(place, &target, sizeof target);
    }
  };
  for (Opcodes opcodes(table); !opcodes.at_end();) {
    const std::uint8_t opcode = opcodes.byte();
    const std::uint64_t operand = opcode & 0x0f;
    switch (opcode & 0xf0) {
      case 0x00:
        return;
      case 0x10:
        break;  // the type: pointers are the only one
      case 0x20:
        address = mapping.address_in_segment(operand, opcodes.number());
        break;
      case 0x30:
        address += opcodes.number();
        break;
      case 0x40:
        address += operand * 8;
        break;
      case 0x50:
        move(operand, 0);
        break;
      case 0x60:
        move(opcodes.number(), 0);
        break;
      case 0x70:
        move(1, opcodes.number());
        break;
      case 0x80: {
        const std::uint64_t count = opcodes.number();
        move(count, opcodes.number());
        break;
      }
      default:
        throw LoadError{"it has an unknown rebase opcode"};
    }
  }
}

/// Negative ordinals are stored in four bits.
int special_ordinal(std::uint64_t operand) { return operand == 0 ? 0 : static_cast<int>(operand) - 16; }

/// In the lazy table each entry ends as the other table does; everything is bound at once here.
void bind(View table, bool is_lazy, const Mapping& mapping, const Resolve& resolve) {
  std::uint64_t address = 0;
  std::uint64_t addend = 0;
  Import import;
  const auto fill = [&](std::uint64_t count, std::uint64_t skip) {
    const std::uint64_t target = resolve(import) + addend;
    for (; count > 0; --count, address += 8 + skip)
      std::memcpy(mapping.at(address, 8), &target, sizeof target);
  };
  for (Opcodes opcodes(table); !opcodes.at_end();) {
    const std::uint8_t opcode = opcodes.byte();
    const std::uint64_t operand = opcode & 0x0f;
    switch (opcode & 0xf0) {
      case 0x00:
        if (!is_lazy) return;
        break;
      case 0x10:
        import.ordinal = static_cast<int>(operand);
        break;
      case 0x20:
        import.ordinal = static_cast<int>(opcodes.number());
        break;
      case 0x30:
        import.ordinal = special_ordinal(operand);
        break;
      case 0x40:
        import.weak = (operand & 1) != 0;
        import.name = opcodes.text();
        break;
      case 0x50:
        break;  // the type: pointers are the only one
      case 0x60:
        addend = opcodes.signed_number();
        break;
      case 0x70:
        address = mapping.address_in_segment(operand, opcodes.number());
        break;
      case 0x80:
        address += opcodes.number();
        break;
      case 0x90:
        fill(1, 0);
        break;
      case 0xa0:
        fill(1, opcodes.number());
        break;
      case 0xb0:
        fill(1, operand * 8);
        break;
      case 0xc0: {
        const std::uint64_t count = opcodes.number();
        fill(count, opcodes.number());
        break;
      }
      default:
        throw LoadError{"it has an unknown bind opcode"};
    }
  }
}

}  // namespace

void apply_opcode_fixups(const Slice& slice, const Mapping& mapping, const Resolve& resolve) {
  const OpcodeTables& tables = *slice.opcodes;
  const auto view = [&](Range range) { return slice.bytes.part(range.offset, range.size); };
  if (tables.weak_bind.size != 0) throw LoadError{"this loader does not support weak definitions"};
  rebase(view(tables.rebase), mapping);
  bind(view(tables.bind), false, mapping, resolve);
  bind(view(tables.lazy_bind), true, mapping, resolve);
}

void apply_fixups(const Slice& slice, const Mapping& mapping, const Resolve& resolve) {
  if (slice.chained_fixups) {
    const Range range = *slice.chained_fixups;
    return apply_chained_fixups(slice.bytes.part(range.offset, range.size), mapping, resolve);
  }
  if (slice.opcodes) apply_opcode_fixups(slice, mapping, resolve);
}

}  // namespace metal_unlock::macho
