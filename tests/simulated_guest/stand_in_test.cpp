// SPDX-License-Identifier: MIT
#include "cli/core/guest_report.hpp"
#include "tests/catch.hpp"
#include "tests/files.hpp"
#include "tests/json.hpp"
#include "tests/process.hpp"

using namespace metal_unlock;

namespace {

using Environment = std::map<std::string, std::optional<std::string>>;

Outcome metal_caps(std::vector<std::string> options, const std::string& guest, Environment environment = {}) {
  options.insert(options.begin(), build_directory() / "metal-caps");
  environment["METAL_UNLOCK_GUEST"] = guest;
  return run_process({.argv = std::move(options), .environment = std::move(environment)});
}

GuestReport report_in(const std::filesystem::path& file) {
  const auto report = parse_guest_report(read_file(file), file.string());
  REQUIRE(report);
  return *report;
}

void check_answers(const json& caps, const DeviceAnswers& device) {
  CHECK(caps.at("name") == device.name);
  REQUIRE(caps.at("families").size() == 21 + 2 + 6 + 6);
  for (const auto& [number, supported] : caps.at("families").items()) {
    CAPTURE(number);
    CHECK(supported == device.supports({static_cast<std::uint32_t>(std::stoul(number))}));
  }
  const json& limits = caps.at("limits");
  CHECK(limits.at("maxThreadgroupMemoryLength") == device.max_threadgroup_memory.count);
  CHECK(limits.at("recommendedMaxWorkingSetSize") ==
        device.recommended_max_working_set.value_or(Bytes{}).count);
  CHECK(limits.at("maxBufferLength") == device.max_buffer_length.value_or(Bytes{}).count);
  CHECK(limits.at("hasUnifiedMemory") == device.unified_memory);
}

std::string in_quotes(const std::filesystem::path& path) { return std::string("'").append(path).append("'"); }

}  // namespace

TEST_CASE("a client is told what the recording says, for every recorded guest") {
  int with_device = 0;
  for (const auto& file : guest_files()) {
    CAPTURE(file.filename());
    const GuestReport report = report_in(file);
    const Outcome outcome = metal_caps({"--json"}, file);
    CHECK(outcome.exit_status == (report.devices.empty() ? 1 : 0));
    if (report.devices.empty()) continue;
    CHECK(outcome.err.empty());
    check_answers(json::parse(outcome.out), report.devices.front());
    ++with_device;
  }
  CHECK(with_device >= 9);
}

TEST_CASE("a stand-in without initGPUFamilySupport answers the same") {
  const auto file = guest_file("tahoe-26-m1-ultra");
  const auto variant = build_directory() / "stand-in" / "without-init";
  Environment environment{{"LD_LIBRARY_PATH", variant.string()}};
  const Outcome outcome = metal_caps({"--json"}, file, environment);
  REQUIRE(outcome.exit_status == 0);
  check_answers(json::parse(outcome.out), report_in(file).devices.front());

  const auto has_method = [](const std::filesystem::path& library) {
    return read_file(library).find("initGPUFamilySupport") != std::string::npos;
  };
  CHECK_FALSE(has_method(variant / "libMetal.so"));
  CHECK(has_method(build_directory() / "libMetal.so"));
  environment["LD_TRACE_LOADED_OBJECTS"] = "1";
  CHECK(metal_caps({}, file, environment).out.find(variant.string()) != std::string::npos);
}

TEST_CASE("the gates of llama.cpp follow from the answers") {
  struct Row {
    const char* guest;
    json gates;
  };
  const auto gates = [](bool reduction, bool matrix, bool bfloat, bool tensor, json apple, json common,
                        json metal) {
    return json{{"simdgroup_reduction", reduction},
                {"simdgroup_matrix", matrix},
                {"bfloat", bfloat},
                {"tensor", tensor},
                {"highest_apple", apple},
                {"highest_common", common},
                {"highest_metal", metal}};
  };
  const Row rows[] = {
      {"tahoe-26-m1-ultra", gates(false, false, false, false, 1005, 3003, nullptr)},
      {"sonoma-14-runner", gates(false, false, false, false, nullptr, 3003, nullptr)},
      {"bare-metal-m1-ultra", gates(true, true, true, false, 1007, 3003, 5002)},
      {"bare-metal-m3-pro", gates(true, true, true, false, 1009, 3003, 5002)},
      {"bare-metal-m5", gates(true, true, true, true, 1010, 3003, 5002)},
      {"amd-mac", gates(true, false, true, false, nullptr, 3003, 5001)},
  };
  for (const Row& row : rows) {
    CAPTURE(row.guest);
    CHECK(json::parse(metal_caps({"--json"}, guest_file(row.guest)).out).at("gates") == row.gates);
  }
}

TEST_CASE("the guest that is compiled in answers where none is named") {
  const auto named = metal_caps({}, guest_file("tahoe-26-m1-ultra"));
  CHECK(metal_caps({}, "").out == named.out);
  CHECK(metal_caps({}, guest_file("amd-mac")).out != named.out);
}

TEST_CASE("two devices of two classes answer each for itself") {
  GuestReport report = report_in(guest_file("tahoe-26-m1-ultra"));
  report.devices.push_back(report_in(guest_file("amd-mac")).devices.front());
  report.devices.push_back(report_in(guest_file("bare-metal-m1-ultra")).devices.front());
  const TemporaryDirectory directory;
  const auto file = directory.path() / "three.json";
  write_file(file, guest_report_json(report));

  const json all = json::parse(metal_caps({"--json", "--all"}, file).out);
  REQUIRE(all.size() == 3);
  for (std::size_t i = 0; i < all.size(); ++i) check_answers(all[i], report.devices[i]);
  CHECK(json::parse(metal_caps({"--json"}, file).out) == all[0]);
}

TEST_CASE("text output has one aligned line for each question") {
  const std::string text = metal_caps({}, guest_file("bare-metal-m1-ultra")).out;
  CHECK(text.starts_with("name                              Apple M1 Ultra\n"));
  CHECK(text.find("\nsupportsFamily: 1007 (Apple7)     yes\n") != std::string::npos);
  CHECK(text.find("\nsupportsFamily: 1008 (Apple8)     no\n") != std::string::npos);
  CHECK(text.find("\nhighest Metal family              Metal4\n") != std::string::npos);
}

TEST_CASE("a guest without a GPU is a sentence and exit status 1") {
  for (const char* option : {"--json", "--all"}) {
    const Outcome outcome = metal_caps({option}, guest_file("no-device"));
    CHECK(outcome.exit_status == 1);
    CHECK(outcome.out.empty());
    CHECK(outcome.err == "metal-caps: Metal offers no device on this machine\n");
  }
}

TEST_CASE("a bad guest file is one clear line and no device") {
  const TemporaryDirectory directory;
  const auto file = directory.path() / "guest.json";
  const auto check_line = [&](const std::string& problem) {
    const Outcome outcome = metal_caps({}, file);
    CHECK(outcome.exit_status == 1);
    CHECK(outcome.err.starts_with("Metal stand-in: no device: " + problem + "\n"));
  };
  check_line("the recorded guest " + in_quotes(file) + " cannot be read: No such file or directory");
  write_file(file, "{");
  check_line(in_quotes(file) + " is not valid JSON at line 1, column 2");
  write_file(file, std::string((1 << 20) + 1, ' '));
  check_line("the recorded guest " + in_quotes(file) + " is larger than 1 MiB");
  write_file(file, read_file(guest_file("tahoe-26-m1-ultra")));
  CHECK(metal_caps({}, file).exit_status == 0);
}

TEST_CASE("a class name that cannot be a device is one clear line and no device") {
  GuestReport report = report_in(guest_file("amd-mac"));
  const TemporaryDirectory directory;
  const auto file = directory.path() / "guest.json";
  report.devices[0].class_name = "MTLStandInArray";
  write_file(file, guest_report_json(report));
  CHECK(metal_caps({}, file).err.starts_with("Metal stand-in: 'MTLStandInArray' is no class for a device\n"));
  report.devices[0].class_name = "SomeOtherDevice";
  write_file(file, guest_report_json(report));
  CHECK(metal_caps({}, file).exit_status == 0);
}

TEST_CASE("an unknown option is exit status 2") {
  const Outcome outcome = metal_caps({"--jsn"}, guest_file("tahoe-26-m1-ultra"));
  CHECK(outcome.exit_status == 2);
  CHECK(outcome.err.find("unknown option '--jsn'") != std::string::npos);
}
