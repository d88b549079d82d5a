// SPDX-License-Identifier: MIT
#include "tests/macho_loader/darwin_program.hpp"
#include "tests/macho_loader/libraries.hpp"

#include <cctype>
#include <cstddef>

// What kind of character a byte is: a table of libSystem, which compiled code reads without a call.

namespace metal_unlock::macho {
namespace {

constexpr std::size_t bytes = 256;

/// The start of `_RuneLocale`, in the locale "C"; nothing here reads what follows it.
struct Characters {
  char version[8];
  char encoding[32];
  void* functions[2];
  std::int32_t invalid;
  std::uint32_t kinds[bytes];
  std::int32_t lower[bytes];
  std::int32_t upper[bytes];
  std::uint64_t rest[16];
};
static_assert(offsetof(Characters, kinds) == 60);

std::uint32_t kinds_of(int byte) {
  std::uint32_t kinds = 0;
  const auto add = [&](int (*is_one)(int), std::uint32_t kind) {
    if (is_one(byte) != 0) kinds |= kind;
  };
  add(std::isalpha, 0x100);
  add(std::iscntrl, 0x200);
  add(std::isdigit, 0x400);
  add(std::isgraph, 0x800);
  add(std::islower, 0x1000);
  add(std::ispunct, 0x2000);
  add(std::isspace, 0x4000);
  add(std::isupper, 0x8000);
  add(std::isxdigit, 0x10000);
  add(std::isblank, 0x20000);
  add(std::isprint, 0x40000);
  return kinds;
}

Characters described() {
  Characters result{};
  for (std::size_t i = 0; i < bytes; ++i) {
    const int byte = static_cast<int>(i);
    result.kinds[i] = kinds_of(byte);
    result.lower[i] = std::tolower(byte);
    result.upper[i] = std::toupper(byte);
  }
  return result;
}

}  // namespace

void add_character_table() {
  static Characters characters = described();
  static const std::vector<Symbol> symbols{{"_DefaultRuneLocale", &characters}};
  static const std::vector<const char*> none;
  add_library({"/usr/lib/libSystem.B.dylib", nullptr, symbols, none});
}

}  // namespace metal_unlock::macho
