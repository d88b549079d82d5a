// SPDX-License-Identifier: MIT
#include "cli/core/guest_report.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace metal_unlock {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::array<std::pair<SipState, std::string_view>, 3> sip_names{
    {{SipState::on, "on"}, {SipState::off, "off"}, {SipState::unknown, "unknown"}}};

/// Thrown and caught in this file only: what is wrong with the document, without the file's name.
struct Invalid {
  std::string problem;
};

std::string in_quotes(std::string_view text) { return std::string("'").append(text).append("'"); }

/// A value in the document, and the key that leads to it.
class Value {
 public:
  Value(const json& value, std::string path) : value_(value), path_(std::move(path)) {}

  Value at(const char* key) const {
    expect(value_.is_object(), "an object");
    const auto found = value_.find(key);
    const std::string path = path_.empty() ? key : path_ + "." + key;
    if (found == value_.end()) throw Invalid{"has no key " + in_quotes(path)};
    return {*found, path};
  }

  /// Nothing where there is no such key.
  std::optional<Value> find(const char* key) const {
    expect(value_.is_object(), "an object");
    if (!value_.contains(key)) return std::nullopt;
    return at(key);
  }

  std::vector<Value> elements() const {
    expect(value_.is_array(), "an array");
    std::vector<Value> elements;
    for (std::size_t i = 0; i < value_.size(); ++i) {
      elements.emplace_back(value_[i], path_ + "[" + std::to_string(i) + "]");
    }
    return elements;
  }

  std::string text() const {
    expect(value_.is_string(), "a string");
    return value_.get<std::string>();
  }

  std::string nonempty_text() const {
    std::string result = text();
    if (result.empty()) throw Invalid{"has an empty " + in_quotes(path_)};
    return result;
  }

  /// Null stands for an unknown text, which is empty in memory.
  std::string text_or_null() const { return value_.is_null() ? std::string{} : text(); }

  bool boolean() const {
    expect(value_.is_boolean(), "true or false");
    return value_.get<bool>();
  }

  std::uint64_t count() const {
    expect(value_.is_number_unsigned(), "a non-negative integer");
    return value_.get<std::uint64_t>();
  }

  Bytes bytes() const { return {count()}; }

  std::optional<Bytes> bytes_or_null() const {
    if (value_.is_null()) return std::nullopt;
    return bytes();
  }

  std::uint32_t short_count(std::string_view expectation) const {
    const std::uint64_t number = count();
    expect(number <= std::numeric_limits<std::uint32_t>::max(), expectation);
    return static_cast<std::uint32_t>(number);
  }

  GpuFamily family() const { return {short_count("a family number of 32 bits")}; }

  SipState sip() const {
    const std::string name = text();
    const auto* row = std::find_if(sip_names.begin(), sip_names.end(),
                                   [&](const auto& candidate) { return candidate.second == name; });
    expect(row != sip_names.end(), "'on', 'off' or 'unknown'");
    return row->first;
  }

  void expect(bool holds, std::string_view expectation) const {
    if (holds) return;
    const std::string where = path_.empty() ? "the document" : in_quotes(path_);
    throw Invalid{"has " + seen() + " for " + where + ", expected " + std::string(expectation)};
  }

 private:
  std::string seen() const {
    constexpr std::size_t longest_shown = 60;
    if (value_.is_object() || value_.is_array()) return std::string("an ") + value_.type_name();
    if (value_.is_string() && value_.get_ref<const std::string&>().size() > longest_shown)
      return "a long string";
    return value_.dump(-1, ' ', false, json::error_handler_t::replace);
  }

  const json& value_;
  std::string path_;
};

std::vector<GpuFamily> read_families(const Value& value) {
  std::vector<GpuFamily> families;
  for (const Value& element : value.elements()) {
    const GpuFamily family = element.family();
    element.expect(families.empty() || families.back() < family, "a number above the one before it");
    families.push_back(family);
  }
  return families;
}

DeviceAnswers read_device(const Value& value) {
  return {
      .name = value.at("name").nonempty_text(),
      .class_name = value.at("class").nonempty_text(),
      .architecture = value.at("architecture").text_or_null(),
      .families = read_families(value.at("families")),
      .max_threadgroup_memory = value.at("max_threadgroup_memory").bytes(),
      .recommended_max_working_set = value.at("recommended_max_working_set").bytes_or_null(),
      .max_buffer_length = value.at("max_buffer_length").bytes_or_null(),
      .unified_memory = value.at("unified_memory").boolean(),
  };
}

Machine read_machine(const Value& value) {
  Machine machine{
      .os = value.at("os").nonempty_text(),
      .os_version = value.at("os_version").text(),
      .os_build = value.at("os_build").text_or_null(),
      .model = value.at("model").text(),
      .chip = value.at("chip").text(),
      .architecture = value.at("architecture").text(),
      .is_virtual = value.at("virtual").boolean(),
      .sip = value.at("sip").sip(),
      .accelerators = {},
  };
  for (const Value& element : value.at("accelerators").elements()) {
    machine.accelerators.push_back(element.nonempty_text());
  }
  if (const std::optional<Value> cores = value.find("gpu_cores"))
    machine.gpu_cores = cores->short_count("a number of 32 bits");
  return machine;
}

GuestReport read_report(const Value& document) {
  const std::uint64_t schema = document.at("schema").count();
  if (schema != GuestReport::schema) {
    throw Invalid{"has schema " + std::to_string(schema) + ", this program reads schema " +
                  std::to_string(GuestReport::schema)};
  }
  GuestReport report{
      .tool_version = document.at("tool").text(),
      .unlocked = document.at("unlocked").boolean(),
      .machine = read_machine(document.at("machine")),
      .devices = {},
  };
  for (const Value& element : document.at("devices").elements()) {
    report.devices.push_back(read_device(element));
  }
  return report;
}

/// "line 3, column 14" of the last byte read; `byte` counts from one.
std::string position(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, byte == 0 ? 0 : byte - 1);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t newline = before.rfind('\n');
  const std::size_t column = before.size() - (newline == std::string_view::npos ? 0 : newline + 1) + 1;
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

json parse_document(std::string_view text) {
  try {
    return json::parse(text.begin(), text.end());
  } catch (const json::parse_error& error) {
    throw Invalid{"is not valid JSON at " + position(text, error.byte)};
  } catch (const json::out_of_range&) {
    throw Invalid{"has a number that is too large"};
  }
}

ordered_json null_if_empty(const std::string& text) {
  return text.empty() ? ordered_json(nullptr) : ordered_json(text);
}

ordered_json null_if_unknown(std::optional<Bytes> size) {
  return size ? ordered_json(size->count) : ordered_json(nullptr);
}

ordered_json machine_json(const Machine& machine) {
  const auto* sip = std::find_if(sip_names.begin(), sip_names.end(),
                                 [&](const auto& row) { return row.first == machine.sip; });
  ordered_json members{
      {"os", machine.os},
      {"os_version", machine.os_version},
      {"os_build", null_if_empty(machine.os_build)},
      {"model", machine.model},
      {"chip", machine.chip},
      {"architecture", machine.architecture},
      {"virtual", machine.is_virtual},
      {"sip", sip->second},
      {"accelerators", machine.accelerators},
  };
  if (machine.gpu_cores) members["gpu_cores"] = *machine.gpu_cores;
  return members;
}

ordered_json device_json(const DeviceAnswers& device) {
  ordered_json families = ordered_json::array();
  for (const GpuFamily family : device.families) families.push_back(family.number);
  return {
      {"name", device.name},
      {"class", device.class_name},
      {"architecture", null_if_empty(device.architecture)},
      {"families", std::move(families)},
      {"max_threadgroup_memory", device.max_threadgroup_memory.count},
      {"recommended_max_working_set", null_if_unknown(device.recommended_max_working_set)},
      {"max_buffer_length", null_if_unknown(device.max_buffer_length)},
      {"unified_memory", device.unified_memory},
  };
}

}  // namespace

bool DeviceAnswers::supports(GpuFamily family) const {
  return std::find(families.begin(), families.end(), family) != families.end();
}

std::optional<GpuFamily> DeviceAnswers::highest_apple_family() const {
  std::optional<GpuFamily> highest;
  for (const GpuFamily family : families) {
    if (range_of(family) == FamilyRange::apple && (!highest || *highest < family)) highest = family;
  }
  return highest;
}

std::string physical_chip(const Machine& machine) {
  constexpr std::string_view suffix = " (Virtual)";
  std::string_view chip = machine.chip;
  if (chip.ends_with(suffix)) chip.remove_suffix(suffix.size());
  return std::string(chip);
}

Result<GuestReport> parse_guest_report(std::string_view text, std::string_view name) {
  try {
    const json document = parse_document(text);
    return read_report(Value(document, ""));
  } catch (const Invalid& invalid) {
    return Finding(FindingId::guest_invalid, in_quotes(name) + " " + invalid.problem,
                   "record the file again with 'metal-unlock probe --json'");
  }
}

std::string guest_report_json(const GuestReport& report) {
  ordered_json devices = ordered_json::array();
  for (const DeviceAnswers& device : report.devices) devices.push_back(device_json(device));
  const ordered_json document = {
      {"schema", GuestReport::schema}, {"tool", report.tool_version},
      {"unlocked", report.unlocked},   {"machine", machine_json(report.machine)},
      {"devices", std::move(devices)},
  };
  // Names come from outside: a byte that is no UTF-8 is replaced, since refusing to print would hide the
  // rest.
  return document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace metal_unlock
