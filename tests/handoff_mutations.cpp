// SPDX-License-Identifier: MIT
#include "tests/handoff_mutations.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string_view>

namespace metal_unlock {
namespace {

std::optional<std::string> decoded(const std::string& value, std::size_t limit) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i] != '%') {
      text += value[i];
      continue;
    }
    if (i + 2 >= value.size()) return std::nullopt;
    const std::size_t high =
        digits.find(static_cast<char>(std::tolower(static_cast<unsigned char>(value[i + 1]))));
    const std::size_t low =
        digits.find(static_cast<char>(std::tolower(static_cast<unsigned char>(value[i + 2]))));
    if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
    text += static_cast<char>(high * 16 + low);
    i += 2;
  }
  if (text.empty() || text.size() >= limit || text.find('\0') != std::string::npos) return std::nullopt;
  return text;
}

std::optional<std::uint64_t> number(const std::string& text, std::uint64_t first, std::uint64_t last) {
  const bool digits = text.find_first_not_of("0123456789") == std::string::npos;
  if (!digits || text.empty() || text.size() > 15 || text.front() == '0') return std::nullopt;
  const std::uint64_t result = std::stoull(text);
  return result < first || result > last ? std::nullopt : std::optional(result);
}

bool is_good_value(const std::string& key, const std::string& text) {
  constexpr std::uint64_t size_limit = (std::uint64_t{1} << 48) - 1;
  if (key == "class") {
    constexpr char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$.";
    return text.size() < 64 && text.find_first_not_of(allowed) == std::string::npos;
  }
  if (key == "simulated-apple-family") return number(text, 1001, 1999).has_value();
  if (key == "simulated-max-threadgroup-memory") return number(text, 16, size_limit).value_or(1) % 16 == 0;
  if (key == "simulated-recommended-max-working-set") return number(text, 1, size_limit).has_value();
  if (key == "apple-family") return number(text, 1001, 1999).has_value();
  if (key == "max-threadgroup-memory") return number(text, 16, size_limit).value_or(1) % 16 == 0;
  if (key == "recommended-max-working-set") return number(text, 1, size_limit).has_value();
  if (key == "metal" || key == "report") return text.front() == '/';
  if (key == "open") return text == "always" || text == "programs";
  return key == "report-fd" && number(text, 3, 1 << 20).has_value();
}

std::string field_text(const HandoffFields& reading, const std::string& key) {
  const auto found = reading.find(key);
  return found == reading.end() ? "" : found->second;
}

std::uint64_t field_number(const HandoffFields& reading, const std::string& key) {
  const std::string text = field_text(reading, key);
  return text.empty() ? 0 : std::stoull(text);
}

bool is_flag(const std::string& field) {
  return field == "children" || field == "require" || field == "log" || field == "beyond-host" ||
         field == "attached";
}

}  // namespace

std::vector<std::string> split(const std::string& text, const char* separators) {
  std::vector<std::string> parts{""};
  for (const char letter : text) {
    if (std::string_view(separators).find(letter) != std::string_view::npos) {
      parts.emplace_back();
    } else {
      parts.back() += letter;
    }
  }
  return parts;
}

std::optional<HandoffFields> strict_reading(const std::string& text) {
  std::vector<std::string> fields = split(text, ";");
  if (text.size() > 8192 || fields.size() < 2 || fields.front() != "v1" || fields.back() != "end") return {};
  HandoffFields reading;
  for (const std::string& field : std::vector(fields.begin() + 1, fields.end() - 1)) {
    const std::size_t equals = field.find('=');
    const std::string key = field.substr(0, equals);
    if (reading.contains(key) && (key != "class" || reading.count(key) == 4)) return {};
    if (equals == std::string::npos) {
      if (!is_flag(field)) return {};
      reading.emplace(field, "");
      continue;
    }
    const auto value = decoded(field.substr(equals + 1), 1024);
    if (!value || !is_good_value(key, *value)) return {};
    reading.emplace(key, *value);
  }
  bool claims = false;
  for (const std::string question :
       {"apple-family", "max-threadgroup-memory", "recommended-max-working-set"}) {
    const bool is_claimed = reading.contains(question);
    const bool is_simulated = reading.contains("simulated-" + question);
    if (is_claimed && is_simulated) return {};
    claims = claims || is_claimed || is_simulated;
  }
  const bool opens_something = !reading.contains("open") || reading.contains("metal");
  return reading.contains("class") && claims && opens_something ? std::optional(reading) : std::nullopt;
}

std::string difference(const shim::Handoff& handoff, const HandoffFields& reading) {
  if (handoff.class_count != reading.count("class")) return "class";
  std::size_t index = 0;
  for (auto [name, last] = reading.equal_range("class"); name != last; ++name, ++index)
    if (handoff.classes[index] != name->second) return "class";
  const std::pair<const char*, std::uint64_t> numbers[] = {
      {"apple-family", handoff.apple_family},
      {"max-threadgroup-memory", handoff.max_threadgroup_memory},
      {"recommended-max-working-set", handoff.recommended_max_working_set},
      {"simulated-apple-family", handoff.simulated_family},
      {"simulated-max-threadgroup-memory", handoff.simulated_threadgroup_memory},
      {"simulated-recommended-max-working-set", handoff.simulated_working_set},
      {"report-fd",
       handoff.report_descriptor < 0 ? 0 : static_cast<std::uint64_t>(handoff.report_descriptor)}};
  for (const auto& [key, read] : numbers)
    if (read != field_number(reading, key)) return key;
  const std::pair<const char*, bool> flags[] = {{"children", handoff.children},
                                                {"require", handoff.require},
                                                {"log", handoff.log},
                                                {"attached", handoff.attached},
                                                {"beyond-host", handoff.beyond_host}};
  for (const auto& [key, read] : flags)
    if (read != reading.contains(key)) return key;
  if (handoff.metal != field_text(reading, "metal")) return "metal";
  if (handoff.report != field_text(reading, "report")) return "report";
  const std::string open = field_text(reading, "open");
  if ((handoff.open == shim::OpenMetal::always) != (open == "always")) return "open";
  return (handoff.open == shim::OpenMetal::programs) == (open == "programs") ? "" : "open";
}

HandoffFields for_children(HandoffFields reading) {
  reading.erase("report-fd");
  reading.erase("attached");
  if (reading.contains("open")) reading.find("open")->second = "programs";
  return reading;
}

std::string without_own_entries(const std::string& list) {
  std::vector<std::string> entries = split(list, ": ");
  std::erase_if(entries, [](const std::string& entry) {
    const std::string name = entry.substr(entry.rfind('/') + 1);
    return name == "libmetal-unlock.so" || name == "libmetal-unlock.dylib";
  });
  std::string kept;
  for (const std::string& entry : entries) kept += (&entry == &entries.front() ? "" : ":") + entry;
  return kept;
}

std::string Mutator::handoff() {
  static const std::vector<std::string> seeds{
      "v1;class=PlainDevice;apple-family=1007;max-threadgroup-memory=32768;metal=/m;open=always;end",
      "v1;class=A;class=B;class=C;class=D;max-threadgroup-memory=16;report=/r%3B%25;report-fd=9;log;end",
      "v1;class=A;require;class=PlainDevice;apple-family=1009;max-threadgroup-memory=16400;end",
      "v1;class=PlainDevice;simulated-apple-family=1003;max-threadgroup-memory=32768;end",
      "v1;class=A;simulated-recommended-max-working-set=4096;simulated-max-threadgroup-memory=16384;log;end",
      "v1;attached;children;require;beyond-host;class=A;recommended-max-working-set=281474976710655;end",
  };
  std::string text = seeds[below(seeds.size())];
  for (std::size_t edits = below(4); edits > 0; --edits) edit(text);
  return text;
}

std::string Mutator::handoff_without_report() {
  for (;;) {
    const std::string text = handoff();
    if (text.find("rep") == std::string::npos) return text;
  }
}

std::string Mutator::preload_list() {
  static const std::vector<std::string> entries{
      "/a/libmetal-unlock.so", "libmetal-unlock.dylib", "/b/libother.so", "libmetal-unlock.so.1", "",
      "/libmetal-unlock.so/x", "xlibmetal-unlock.so",   "/c d/e",         "libmetal-unlock.so"};
  std::string list = entries[below(entries.size())];
  for (std::size_t more = below(6); more > 0; --more) list += ": "[below(2)] + entries[below(entries.size())];
  return list;
}

std::size_t Mutator::below(std::size_t limit) {
  return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_);
}

void Mutator::edit(std::string& text) {
  static constexpr char letters[] = ";=%0123456789abAB/-ve\x01\xff";
  static const std::vector<std::string> fields{"log",
                                               "attached",
                                               "class=E",
                                               "apple-family=1001",
                                               "open=programs",
                                               "metal=/x",
                                               "report=/%2f",
                                               "report-fd=3",
                                               "children",
                                               "max-threadgroup-memory=48",
                                               "end",
                                               "unknown=1",
                                               "simulated-apple-family=1002",
                                               "simulated-max-threadgroup-memory=64",
                                               "apple-family=1008"};
  const std::size_t at = below(text.size() + 1);
  const char letter = letters[below(sizeof letters - 1)];
  switch (below(7)) {
    case 0:
      text.insert(at, 1, letter);
      break;
    case 1:
      text.erase(at, 1 + below(3));
      break;
    case 2:
      text.resize(at);
      break;
    case 3:
      if (at < text.size()) text[at] = letter;
      break;
    case 4:
      text.insert(at, text.substr(below(text.size() + 1), below(40)));
      break;
    default:
      rearrange(text, fields[below(fields.size())]);
      break;
  }
}

/// Mutations that often keep the form: a field more, one less, or two in another order.
void Mutator::rearrange(std::string& text, const std::string& field) {
  std::vector<std::string> parts = split(text, ";");
  const std::size_t at = below(parts.size());
  switch (below(3)) {
    case 0:
      parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(at), field);
      break;
    case 1:
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(at));
      break;
    default:
      std::swap(parts[at], parts[below(parts.size())]);
      break;
  }
  text.clear();
  for (const std::string& part : parts) text += (text.empty() ? "" : ";") + part;
}

}  // namespace metal_unlock
