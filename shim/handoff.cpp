// SPDX-License-Identifier: MIT
#include "shim/handoff.hpp"

#include <string.h>

namespace metal_unlock::shim {
namespace {

constexpr uint64_t size_limit = uint64_t{1} << 48;
constexpr uint64_t descriptor_limit = uint64_t{1} << 20;

/// The characters of one field, without its semicolon.
struct Field {
  const char* text;
  size_t length;

  bool is(const char* word) const { return length == strlen(word) && memcmp(text, word, length) == 0; }
  bool has_key(const char* key, size_t key_length) const {
    return length > key_length && memcmp(text, key, key_length) == 0 && text[key_length] == '=';
  }
};

Field field_at(const char* text) { return {text, strcspn(text, ";")}; }

int hex_digit(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  return -1;
}

/// Decodes into `size` bytes, final zero included. False for an empty value, a zero byte, or one that does
/// not fit.
bool decode(const char* text, size_t length, char* into, size_t size) {
  size_t used = 0;
  for (size_t i = 0; i < length; ++i) {
    char byte = text[i];
    if (byte == '%') {
      if (length - i < 3) return false;
      const int high = hex_digit(text[i + 1]);
      const int low = hex_digit(text[i + 2]);
      if (high < 0 || low < 0) return false;
      byte = static_cast<char>(high * 16 + low);
      i += 2;
    }
    if (byte == '\0' || used + 1 >= size) return false;
    into[used++] = byte;
  }
  into[used] = '\0';
  return used > 0;
}

bool read_number(const char* text, uint64_t first, uint64_t last, uint64_t& into) {
  if (*text == '0') return false;
  uint64_t number = 0;
  for (; *text != '\0'; ++text) {
    if (*text < '0' || *text > '9') return false;
    number = number * 10 + static_cast<uint64_t>(*text - '0');
    if (number > last) return false;
  }
  into = number;
  return number >= first;
}

bool read_path(const char* text, char (&into)[Handoff::max_path]) {
  memcpy(into, text, strlen(text) + 1);
  return *text == '/';
}

bool is_class_name(const char* text) {
  for (; *text != '\0'; ++text) {
    const char letter = static_cast<char>(*text | 0x20);
    const bool allowed = (letter >= 'a' && letter <= 'z') || (*text >= '0' && *text <= '9') || *text == '_' ||
                         *text == '$' || *text == '.';
    if (!allowed) return false;
  }
  return true;
}

bool read_class(const char* text, Handoff& into) {
  const size_t size = strlen(text) + 1;
  if (into.class_count == Handoff::max_classes || size > Handoff::max_class_name) return false;
  memcpy(into.classes[into.class_count++], text, size);
  return is_class_name(text);
}

bool read_family(const char* text, uint32_t& into) {
  uint64_t number = 0;
  if (!read_number(text, 1001, 1999, number)) return false;
  into = static_cast<uint32_t>(number);
  return true;
}

bool read_threadgroup_memory(const char* text, uint64_t& into) {
  return read_number(text, 16, size_limit - 1, into) && into % 16 == 0;
}

bool read_working_set(const char* text, uint64_t& into) { return read_number(text, 1, size_limit - 1, into); }

/// Reads into a member of the handoff.
template <auto read, auto member>
bool read_into(const char* text, Handoff& into) {
  return read(text, into.*member);
}

bool read_open(const char* text, Handoff& into) {
  const bool always = strcmp(text, "always") == 0;
  into.open = always ? OpenMetal::always : OpenMetal::programs;
  return always || strcmp(text, "programs") == 0;
}

bool read_descriptor(const char* text, Handoff& into) {
  uint64_t number = 0;
  if (!read_number(text, 3, descriptor_limit, number)) return false;
  into.report_descriptor = static_cast<int>(number);
  return true;
}

struct Value {
  const char* key;
  bool repeatable;
  bool (*read)(const char* text, Handoff& into);
};

constexpr Value values[] = {
    {"class", true, read_class},
    {"apple-family", false, read_into<read_family, &Handoff::apple_family>},
    {"max-threadgroup-memory", false, read_into<read_threadgroup_memory, &Handoff::max_threadgroup_memory>},
    {"recommended-max-working-set", false,
     read_into<read_working_set, &Handoff::recommended_max_working_set>},
    {"simulated-apple-family", false, read_into<read_family, &Handoff::simulated_family>},
    {"simulated-max-threadgroup-memory", false,
     read_into<read_threadgroup_memory, &Handoff::simulated_threadgroup_memory>},
    {"simulated-recommended-max-working-set", false,
     read_into<read_working_set, &Handoff::simulated_working_set>},
    {"metal", false, [](const char* text, Handoff& into) { return read_path(text, into.metal); }},
    {"open", false, read_open},
    {"report", false, [](const char* text, Handoff& into) { return read_path(text, into.report); }},
    {"report-fd", false, read_descriptor},
};

struct Flag {
  const char* word;
  bool Handoff::*flag;
};

constexpr Flag flags[] = {
    {"children", &Handoff::children},       {"require", &Handoff::require},   {"log", &Handoff::log},
    {"beyond-host", &Handoff::beyond_host}, {"attached", &Handoff::attached},
};

/// `seen` has one bit for each row of `values`.
bool read_field(Field field, uint32_t& seen, Handoff& into) {
  for (const Flag& row : flags) {
    if (!field.is(row.word)) continue;
    if (into.*row.flag) return false;
    into.*row.flag = true;
    return true;
  }
  for (const Value& row : values) {
    const size_t key_length = strlen(row.key);
    if (!field.has_key(row.key, key_length)) continue;
    const uint32_t bit = uint32_t{1} << (&row - values);
    if ((seen & bit) != 0 && !row.repeatable) return false;
    seen |= bit;
    char decoded[Handoff::max_path];
    return decode(field.text + key_length + 1, field.length - key_length - 1, decoded, sizeof decoded) &&
           row.read(decoded, into);
  }
  return false;
}

bool is_complete(const Handoff& handoff) {
  const uint64_t pairs[][2] = {
      {handoff.apple_family, handoff.simulated_family},
      {handoff.max_threadgroup_memory, handoff.simulated_threadgroup_memory},
      {handoff.recommended_max_working_set, handoff.simulated_working_set},
  };
  bool answers = false;
  for (const auto& [claim, simulated] : pairs) {
    if (claim != 0 && simulated != 0) return false;
    answers = answers || claim != 0 || simulated != 0;
  }
  return handoff.class_count > 0 && answers && (handoff.open == OpenMetal::never || handoff.metal[0] != '\0');
}

bool read_fields(const char* text, Handoff& into) {
  Field field = field_at(text);
  if (!field.is("v1")) return false;
  uint32_t seen = 0;
  while (field.text[field.length] == ';') {
    field = field_at(field.text + field.length + 1);
    if (field.is("end")) return field.text[field.length] == '\0' && is_complete(into);
    if (!read_field(field, seen, into)) return false;
  }
  return false;
}

}  // namespace

HandoffState parse_handoff(const char* text, Handoff& into) noexcept {
  into = Handoff{};
  if (text == nullptr) return HandoffState::unset;
  if (*text == '\0') return HandoffState::empty;
  if (strnlen(text, max_handoff_length + 1) > max_handoff_length) return HandoffState::malformed;
  return read_fields(text, into) ? HandoffState::well_formed : HandoffState::malformed;
}

bool handoff_for_children(const char* text, char (&into)[max_handoff_length + 1]) noexcept {
  constexpr char programs[] = "open=programs";
  size_t used = 0;
  for (Field field = field_at(text);; field = field_at(field.text + field.length + 1)) {
    const bool last = field.text[field.length] == '\0';
    if (!field.has_key("report-fd", 9) && !field.is("attached")) {
      const Field kept = field.has_key("open", 4) ? Field{programs, sizeof programs - 1} : field;
      if (used + kept.length + 1 > max_handoff_length) return false;
      memcpy(into + used, kept.text, kept.length);
      used += kept.length;
      into[used++] = last ? '\0' : ';';
    }
    if (last) return true;
  }
}

bool opens_metal(const Handoff& handoff, const char* executable) noexcept {
  if (handoff.open != OpenMetal::programs) return handoff.open == OpenMetal::always;
  constexpr const char* system_folders[] = {"/bin/",      "/sbin/",        "/usr/bin/",
                                            "/usr/sbin/", "/usr/libexec/", "/System/"};
  for (const char* folder : system_folders) {
    if (strncmp(executable, folder, strlen(folder)) == 0) return false;
  }
  return *executable == '/';
}

}  // namespace metal_unlock::shim
