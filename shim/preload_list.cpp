// SPDX-License-Identifier: MIT
#include "shim/preload_list.hpp"

#include <string.h>

namespace metal_unlock::shim {
namespace {

/// The part of an entry after its last slash.
struct FileName {
  const char* text;
  size_t length;

  bool is(const char* name) const { return length == strlen(name) && memcmp(text, name, length) == 0; }
  bool contains(const char* part) const {
    const size_t part_length = strlen(part);
    for (size_t i = 0; i + part_length <= length; ++i) {
      if (memcmp(text + i, part, part_length) == 0) return true;
    }
    return false;
  }
};

FileName file_name(const char* entry, size_t length) {
  size_t start = length;
  while (start > 0 && entry[start - 1] != '/') --start;
  return {entry + start, length - start};
}

bool is_ours(const char* entry, size_t length) {
  const FileName name = file_name(entry, length);
  return name.is("libmetal-unlock.so") || name.is("libmetal-unlock.dylib");
}

}  // namespace

bool remove_own_entries(char* list, const char* separators) noexcept {
  bool found = false;
  char* entry = list;
  for (;;) {
    const size_t length = strcspn(entry, separators);
    const bool last = entry[length] == '\0';
    if (is_ours(entry, length)) {
      found = true;
      char* rest = last ? entry + length : entry + length + 1;
      if (last && entry != list) --entry;
      memmove(entry, rest, strlen(rest) + 1);
    } else {
      entry += last ? length : length + 1;
    }
    if (last) return found;
  }
}

bool lists_foreign_shim(const char* list, const ForeignShim& shim, const char* separators) noexcept {
  while (list != nullptr && *list != '\0') {
    const size_t length = strcspn(list, separators);
    if (file_name(list, length).contains(shim.library)) return true;
    list += list[length] == '\0' ? length : length + 1;
  }
  return false;
}

bool switches_on(const char* value) noexcept {
  return value != nullptr && *value != '\0' && strcmp(value, "0") != 0;
}

}  // namespace metal_unlock::shim
