// SPDX-License-Identifier: MIT

// What `explain llama.cpp` says against what llama.cpp's own code says, for every case of the support table.

#include "cli/core/program_library.hpp"
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"

#include <algorithm>
#include <map>

using namespace metal_unlock;

namespace {

const json& cases() {
  static const json measured = json::parse(read_file(build_directory() / "llama-support.json"));
  return measured.at("cases");
}

Operation operation_of(const json& asked) {
  return {asked.at("operation"), asked.at("types"), asked.at("result")};
}

const Program& llama_cpp() {
  static const Result<Program> program = ProgramLibrary{built_in_programs(), {}}.load("llama.cpp");
  return *program;
}

/// The gates of `explain llama.cpp` in a guest, each with its three columns.
std::map<std::string, json> explained(const std::string& guest) {
  const Sandbox sandbox(guest);
  const Outcome outcome = sandbox.metal_unlock({"explain", "llama.cpp", "--json"});
  REQUIRE(outcome.exit_status == 0);
  std::map<std::string, json> gates;
  const json said = json::parse(outcome.out);
  for (const json& gate : said.at("programs").at(0).at("gate")) gates[gate.at("name")] = gate;
  return gates;
}

/// Whether every gate that is about an operation is open in a column.
bool says_yes(const std::map<std::string, json>& gates, const Operation& operation, const char* column) {
  return std::ranges::all_of(llama_cpp().items_of(ItemKind::gate), [&](const ProgramItem& gate) {
    return !is_about(gate, operation) || gates.at(gate.name).at(column) == json(true);
  });
}

DeviceAnswers device(std::vector<GpuFamily> families) {
  DeviceAnswers answers;
  answers.families = std::move(families);
  return answers;
}

bool needs(const json& asked, const char* gate) {
  const json& gates = asked.at("gates");
  return std::ranges::find(gates, json(gate)) != gates.end();
}

}  // namespace

TEST_CASE("explain agrees with llama.cpp on every operation that the chip can do") {
  const auto gates = explained("tahoe-26-m1-ultra");
  std::size_t compared = 0;
  std::size_t opened = 0;
  for (const json& asked : cases()) {
    // A case that no Mac does fails for its shape or its types, about which explain says nothing.
    if (!asked.at("bare_metal").get<bool>()) continue;
    CAPTURE(asked.at("case"));
    const Operation operation = operation_of(asked);
    for (const char* column : {"stock", "unlocked", "bare_metal"})
      CHECK(json(says_yes(gates, operation, column)) == asked.at(column));
    ++compared;
    opened += asked.at("stock").get<bool>() ? 0 : 1;
  }
  CHECK(compared > 1000);
  CHECK(opened > 500);
}

TEST_CASE("explain names the gates that llama.cpp's code needs, found on devices that have some of them") {
  const DeviceAnswers with_metal3 = device({{2002}, {5001}});
  const DeviceAnswers with_apple6 = device({{1005}, {1006}});
  std::size_t differing = 0;
  for (const json& asked : cases()) {
    if (!asked.at("bare_metal").get<bool>()) continue;
    CAPTURE(asked.at("case"));
    const bool needs_matrix = needs(asked, "simdgroup_matrix");
    const bool needs_any = needs_matrix || needs(asked, "simdgroup_reduction");
    const bool agrees = does_operation(llama_cpp(), operation_of(asked), with_metal3) == !needs_matrix &&
                        does_operation(llama_cpp(), operation_of(asked), with_apple6) == !needs_any;
    // The one exception: a Hadamard product with f16 columns has a kernel of its own.
    if (!agrees) CHECK(asked.at("note") == "Hadamard");
    differing += agrees ? 0 : 1;
  }
  CHECK(differing == 1);
}

TEST_CASE("no operation of the support table is unknown to explain where it needs a gate") {
  for (const json& asked : cases()) {
    if (asked.at("gates").empty()) continue;
    CAPTURE(asked.at("case"));
    const Operation operation = operation_of(asked);
    CHECK(std::ranges::any_of(llama_cpp().items_of(ItemKind::gate),
                              [&](const ProgramItem& gate) { return is_about(gate, operation); }));
  }
}
