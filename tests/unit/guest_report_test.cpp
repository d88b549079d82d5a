// SPDX-License-Identifier: MIT
#include "cli/core/guest_report.hpp"

#include "tests/catch.hpp"
#include "tests/files.hpp"
#include "tests/json.hpp"

using namespace metal_unlock;

namespace {

constexpr const char* valid = R"json({
  "schema": 1, "tool": "0.1.0", "unlocked": false,
  "machine": {
    "os": "macOS", "os_version": "26.5.2", "os_build": "25F84", "model": "VirtualMac2,1",
    "chip": "Apple M1 Ultra (Virtual)", "architecture": "arm64", "virtual": true, "sip": "off",
    "accelerators": ["AppleParavirtGPU"]
  },
  "devices": [{
    "name": "Apple Paravirtual device", "class": "AppleParavirtDevice", "architecture": "air64_v27",
    "families": [1001, 1005, 3003], "max_threadgroup_memory": 32768,
    "recommended_max_working_set": 11453251584, "max_buffer_length": null, "unified_memory": true
  }]
})json";

GuestReport parsed(std::string_view text) {
  const auto report = parse_guest_report(text, "guest.json");
  INFO((report ? "" : report.finding().sentence));
  REQUIRE(report);
  return *report;
}

/// The valid report with one value exchanged; a discarded value removes the key.
std::string with(const char* pointer, const json& value) {
  json document = json::parse(valid);
  const json::json_pointer place(pointer);
  if (value.is_discarded()) {
    document[place.parent_pointer()].erase(place.back());
  } else {
    document[place] = value;
  }
  return document.dump();
}

const json removed = json(json::value_t::discarded);

void check_problem(const std::string& text, const std::string& problem) {
  const auto report = parse_guest_report(text, "guest.json");
  REQUIRE_FALSE(report);
  CHECK(report.finding().id == FindingId::guest_invalid);
  CHECK(report.finding().sentence == "'guest.json' " + problem);
  CHECK_FALSE(report.finding().next.empty());
}

}  // namespace

TEST_CASE("a report is read with every value in its place") {
  const GuestReport report = parsed(valid);
  CHECK(report.tool_version == "0.1.0");
  CHECK_FALSE(report.unlocked);
  CHECK(report.machine == Machine{.os = "macOS",
                                  .os_version = "26.5.2",
                                  .os_build = "25F84",
                                  .model = "VirtualMac2,1",
                                  .chip = "Apple M1 Ultra (Virtual)",
                                  .architecture = "arm64",
                                  .is_virtual = true,
                                  .sip = SipState::off,
                                  .accelerators = {"AppleParavirtGPU"}});
  REQUIRE(report.devices.size() == 1);
  CHECK(report.devices[0] == DeviceAnswers{.name = "Apple Paravirtual device",
                                           .class_name = "AppleParavirtDevice",
                                           .architecture = "air64_v27",
                                           .families = {{1001}, {1005}, {3003}},
                                           .max_threadgroup_memory = {32768},
                                           .recommended_max_working_set = Bytes{11453251584},
                                           .max_buffer_length = std::nullopt,
                                           .unified_memory = true});
}

TEST_CASE("a broken report names the file, the key and what was expected") {
  struct Row {
    const char* pointer;
    json broken;
    const char* problem;
    json twin;
  };
  const Row rows[] = {
      {"/schema", 2, "has schema 2, this program reads schema 1", 1},
      {"/schema", "1", "has \"1\" for 'schema', expected a non-negative integer", 1},
      {"/schema", removed, "has no key 'schema'", 1},
      {"/tool", removed, "has no key 'tool'", ""},
      {"/unlocked", 0, "has 0 for 'unlocked', expected true or false", true},
      {"/machine", json::array(), "has an array for 'machine', expected an object",
       json::parse(valid)["machine"]},
      {"/machine/os", "", "has an empty 'machine.os'", "Linux"},
      {"/machine/os_build", 25, "has 25 for 'machine.os_build', expected a string", nullptr},
      {"/machine/chip", nullptr, "has null for 'machine.chip', expected a string", ""},
      {"/machine/virtual", "yes", "has \"yes\" for 'machine.virtual', expected true or false", false},
      {"/machine/sip", "enabled", "has \"enabled\" for 'machine.sip', expected 'on', 'off' or 'unknown'",
       "on"},
      {"/machine/accelerators", nullptr, "has null for 'machine.accelerators', expected an array",
       json::array()},
      {"/machine/accelerators/0", 7, "has 7 for 'machine.accelerators[0]', expected a string",
       "AppleParavirtGPU"},
      {"/devices", json::object(), "has an object for 'devices', expected an array", json::array()},
      {"/devices/0/class", removed, "has no key 'devices[0].class'", "_MTLDevice"},
      {"/devices/0/architecture", false, "has false for 'devices[0].architecture', expected a string",
       nullptr},
      {"/devices/0/families/1", 1001,
       "has 1001 for 'devices[0].families[1]', expected a number above the one before it", 1002},
      {"/devices/0/families/2", 1002,
       "has 1002 for 'devices[0].families[2]', expected a number above the one before it", 1006},
      {"/devices/0/families/2", 4294967296,
       "has 4294967296 for 'devices[0].families[2]', expected a family number of 32 bits", 4294967295},
      {"/devices/0/max_threadgroup_memory", -1,
       "has -1 for 'devices[0].max_threadgroup_memory', expected a non-negative integer", 0},
      {"/devices/0/max_threadgroup_memory", nullptr,
       "has null for 'devices[0].max_threadgroup_memory', expected a non-negative integer", 65536},
      {"/devices/0/recommended_max_working_set", 1.5,
       "has 1.5 for 'devices[0].recommended_max_working_set', expected a non-negative integer", nullptr},
      {"/devices/0/max_buffer_length", removed, "has no key 'devices[0].max_buffer_length'",
       18446744073709551615u},
      {"/devices/0/unified_memory", nullptr,
       "has null for 'devices[0].unified_memory', expected true or false", false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.pointer, row.problem);
    check_problem(with(row.pointer, row.broken), row.problem);
    CHECK(parse_guest_report(with(row.pointer, row.twin), "guest.json"));
  }
}

TEST_CASE("text that is no JSON object is refused with its position") {
  check_problem("", "is not valid JSON at line 1, column 1");
  check_problem("{\n  \"schema\": 1,\n}", "is not valid JSON at line 3, column 1");
  check_problem("{\"schema\": 1} x", "is not valid JSON at line 1, column 15");
  check_problem("{\"schema\": \"\xff\"}", "is not valid JSON at line 1, column 13");
  check_problem("{\"schema\": 1e999}", "has a number that is too large");
  check_problem("[]", "has an array for the document, expected an object");
  check_problem(std::string(100000, '['), "is not valid JSON at line 1, column 100001");
}

TEST_CASE("a long value is not repeated in the sentence") {
  check_problem(with("/schema", std::string(1000, 'x')),
                "has a long string for 'schema', expected a non-negative integer");
}

TEST_CASE("a key that nobody asks for is ignored") {
  CHECK(parsed(with("/recorded", {{"mark", "measured"}})) == parsed(valid));
  CHECK_FALSE(parsed(with("/tool", "0.2.0")) == parsed(valid));
}

TEST_CASE("a report is printed in one fixed order, with null for what is unknown") {
  GuestReport report = parsed(valid);
  report.machine.os_build.clear();
  report.machine.accelerators.clear();
  report.devices[0].architecture.clear();
  report.devices[0].families.clear();
  CHECK(guest_report_json(report) == R"json({
  "schema": 1,
  "tool": "0.1.0",
  "unlocked": false,
  "machine": {
    "os": "macOS",
    "os_version": "26.5.2",
    "os_build": null,
    "model": "VirtualMac2,1",
    "chip": "Apple M1 Ultra (Virtual)",
    "architecture": "arm64",
    "virtual": true,
    "sip": "off",
    "accelerators": []
  },
  "devices": [
    {
      "name": "Apple Paravirtual device",
      "class": "AppleParavirtDevice",
      "architecture": null,
      "families": [],
      "max_threadgroup_memory": 32768,
      "recommended_max_working_set": 11453251584,
      "max_buffer_length": null,
      "unified_memory": true
    }
  ]
}
)json");
}

TEST_CASE("a report without devices prints an empty array") {
  const std::string text = guest_report_json(GuestReport{});
  CHECK(text.find("\"devices\": []") != std::string::npos);
}

TEST_CASE("a name that is no UTF-8 is printed all the same") {
  GuestReport report = parsed(valid);
  report.devices[0].name = "a\xff";
  CHECK(parsed(guest_report_json(report)).devices[0].name == "a\xEF\xBF\xBD");
}

TEST_CASE("every recorded guest survives being printed and read again") {
  const auto files = guest_files();
  REQUIRE(files.size() >= 11);
  for (const auto& file : files) {
    CAPTURE(file.filename());
    const GuestReport report = parsed(read_file(file));
    CHECK(parsed(guest_report_json(report)) == report);
  }
}

TEST_CASE("every recorded guest says where it comes from") {
  for (const auto& file : guest_files()) {
    CAPTURE(file.filename());
    const json recorded = json::parse(read_file(file)).at("recorded");
    const std::string mark = recorded.at("mark");
    CHECK((mark == "measured" || mark == "documented" || mark == "inferred"));
    CHECK_FALSE(recorded.at("source").get<std::string>().empty());
  }
}

TEST_CASE("the physical chip is the brand string without the mark of a guest") {
  Machine machine;
  machine.chip = "Apple M1 Ultra (Virtual)";
  CHECK(physical_chip(machine) == "Apple M1 Ultra");
  machine.chip = "Apple M1 Ultra";
  CHECK(physical_chip(machine) == "Apple M1 Ultra");
  machine.chip = "Apple M1(Virtual)";
  CHECK(physical_chip(machine) == "Apple M1(Virtual)");
}

TEST_CASE("the highest Apple family is taken from the Apple range alone") {
  DeviceAnswers device;
  device.families = {{1001}, {1007}, {3003}, {5001}};
  CHECK(device.highest_apple_family() == GpuFamily{1007});
  CHECK(device.supports({5001}));
  CHECK_FALSE(device.supports({5002}));
  device.families = {{3001}, {3003}};
  CHECK_FALSE(device.highest_apple_family());
}
