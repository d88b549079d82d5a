// SPDX-License-Identifier: MIT
#include "tests/macho_loader/macho_edit.hpp"

#include <cstring>
#include <functional>
#include <stdexcept>
#include <vector>

namespace metal_unlock {
namespace {

constexpr std::uint32_t universal_magic = 0xbebafeca;
constexpr std::uint32_t segment_command = 0x19;
constexpr std::size_t section_header = 80;

std::uint32_t number(const std::string& bytes, std::size_t at) {
  std::uint32_t value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

void put(std::string& bytes, std::size_t at, std::uint32_t value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

std::vector<std::size_t> slices(const std::string& file) {
  if (number(file, 0) != universal_magic) return {0};
  std::vector<std::size_t> result;
  const std::uint32_t count = __builtin_bswap32(number(file, 4));
  for (std::uint32_t i = 0; i < count; ++i)
    result.push_back(__builtin_bswap32(number(file, 8 + 20 * std::size_t{i} + 8)));
  return result;
}

/// Calls `edit` with the start of each slice and of each header of a section in it; it says whether it
/// changed something.
std::string edited(std::string file,
                   const std::function<bool(std::string&, std::size_t slice, std::size_t header)>& edit) {
  bool changed = false;
  for (const std::size_t slice : slices(file)) {
    std::size_t command = slice + 32;
    for (std::uint32_t left = number(file, slice + 16); left > 0; --left) {
      const std::uint32_t count = number(file, command) == segment_command ? number(file, command + 64) : 0;
      for (std::uint32_t i = 0; i < count; ++i)
        changed = edit(file, slice, command + 72 + section_header * i) || changed;
      command += number(file, command + 4);
    }
  }
  if (!changed) throw std::runtime_error("nothing to change in the Mach-O file");
  return file;
}

bool has_name(const std::string& file, std::size_t header, std::string_view name) {
  return name == std::string_view(file.data() + header, strnlen(file.data() + header, 16));
}

/// Replaces every occurrence between two zero bytes.
bool replace_text(std::string& file, std::size_t start, std::size_t size, std::string_view from,
                  std::string_view to) {
  if (from.size() != to.size()) throw std::runtime_error("the lengths differ");
  const std::string wanted = std::string(from) + '\0';
  bool changed = false;
  for (std::size_t at = start; (at = file.find(wanted, at)) < start + size; ++at) {
    if (file[at - 1] != '\0') continue;
    file.replace(at, to.size(), to);
    changed = true;
  }
  return changed;
}

}  // namespace

std::string without_constructors(const std::string& file) {
  return edited(file, [](std::string& bytes, std::size_t, std::size_t header) {
    const std::uint32_t flags = number(bytes, header + 64);
    const std::uint32_t type = flags & 0xff;
    if (type != 0x9 && type != 0x16) return false;
    put(bytes, header + 64, flags & ~std::uint32_t{0xff});
    return true;
  });
}

std::string with_section_renamed(const std::string& file, std::string_view from, std::string_view to) {
  return edited(file, [&](std::string& bytes, std::size_t, std::size_t header) {
    if (!has_name(bytes, header, from)) return false;
    std::string name(to);
    name.resize(16, '\0');
    bytes.replace(header, name.size(), name);
    return true;
  });
}

std::string with_text_in_section(const std::string& file, std::string_view section, std::string_view from,
                                 std::string_view to) {
  return edited(file, [&](std::string& bytes, std::size_t slice, std::size_t header) {
    if (!has_name(bytes, header, section)) return false;
    return replace_text(bytes, slice + number(bytes, header + 48), number(bytes, header + 40), from, to);
  });
}

std::string with_symbol_renamed(const std::string& file, std::string_view from, std::string_view to) {
  std::string result = file;
  if (!replace_text(result, 1, result.size() - 1, from, to)) throw std::runtime_error("no such symbol");
  return result;
}

std::string with_header_field(const std::string& file, std::size_t offset, std::uint32_t value) {
  std::string result = file;
  for (const std::size_t slice : slices(file)) put(result, slice + offset, value);
  return result;
}

}  // namespace metal_unlock
