// SPDX-License-Identifier: MIT

// Every way in which a device comes into being. Each row is run three times: as it is, when its devices must
// be told or left alone as the row says; with its twin, a handoff without what the row is about; and without
// a handoff.

#include "tests/catch.hpp"
#include "tests/shim/shim_run.hpp"

using namespace metal_unlock;

namespace {

struct Row {
  std::string name;
  std::string devices;             ///< what Metal makes
  std::vector<std::string> steps;  ///< what the program does
  std::string handoff;
  std::string twin;  ///< the same without what makes the difference
  json told;         ///< what the program hears
  json stock;        ///< what it hears with the twin, and without a handoff
  std::string variant = "with_init";
  std::string program = "variant-client";
};

json hears(const Row& row, const std::optional<std::string>& handoff) {
  std::vector<std::string> argv{row.program};
  argv.insert(argv.end(), row.steps.begin(), row.steps.end());
  const ShimOutcome outcome = run_with_shim({.argv = argv,
                                             .handoff = handoff,
                                             .variant = row.variant,
                                             .environment = {{"VARIANT_DEVICES", row.devices}}});
  CHECK(outcome.process.exit_status == 0);
  CHECK(outcome.process.err == "");
  return outcome.lines.empty() ? json() : outcome.lines.back();
}

Row one_device(const std::string& name, const std::string& device, const std::string& variant = "with_init") {
  return {.name = name,
          .devices = device,
          .steps = {"create", "ask"},
          .handoff = usual_handoff({device}),
          .twin = usual_handoff({"AnotherDevice"}),
          .told = {told_answers(device)},
          .stock = {stock_answers(device)},
          .variant = variant};
}

std::vector<Row> rows() {
  const std::string open = ";open=always;metal=" + variant_metal("with_init").string();
  const std::vector<std::string> open_step{"open=" + variant_metal("with_init").string(), "create", "ask"};
  std::vector<Row> rows{
      one_device("a class that overrides nothing itself", "PlainDevice"),
      one_device("a class that answers everything itself", "OwnDevice"),
      one_device("a class that was sent messages before the shim was there", "WarmDevice"),
      one_device("a class that arrives while the first device is made", "BundleDevice"),
      one_device("families that are set up at the first question", "LateDevice"),
      one_device("a future macOS without initGPUFamilySupport", "PlainDevice", "without_init"),
      one_device("the same, with a class that answers itself", "OwnDevice", "without_init"),
      one_device("the same, with a class that arrives late", "BundleDevice", "without_init"),
  };
  rows.push_back(one_device("Metal loaded by the program itself", "PlainDevice"));
  rows.back().program = "late-variant-client";
  rows.back().steps = open_step;
  rows.back().twin = rows.back().handoff;
  rows.back().handoff += open;

  rows.push_back(one_device("the same in a child that is no system tool", "PlainDevice"));
  rows.back().program = "late-variant-client";
  rows.back().steps = open_step;
  rows.back().twin = rows.back().handoff;
  rows.back().handoff += ";open=programs;metal=" + variant_metal("with_init").string();

  rows.push_back(one_device("only MTLCopyAllDevices", "PlainDevice", "list_only"));
  rows.back().steps = {"all", "ask"};

  rows.push_back(
      one_device("only MTLCopyAllDevices, with a class that arrives late", "BundleDevice", "list_only"));
  rows.back().steps = {"all", "ask"};

  rows.push_back(one_device("MTLCopyAllDevices, with initGPUFamilySupport", "BundleDevice"));
  rows.back().steps = {"all", "ask"};

  rows.push_back(one_device("a subclass of a named class", "PlainSubDevice"));
  rows.back().handoff = usual_handoff({"PlainDevice"});
  rows.back().twin = usual_handoff({"OtherDevice"});

  rows.push_back(one_device("the same, with classes that arrive late", "FourthBundleDevice"));
  rows.back().handoff = usual_handoff({"SecondBundleDevice"});
  rows.back().twin = usual_handoff({"BundleDevice"});

  for (const std::string variant : {"with_init", "without_init"}) {
    for (const std::string inner : {"PlainDevice", "BundleDevice"}) {
      rows.push_back(one_device("a wrapper around " + inner + ", " + variant, "Wrapped" + inner, variant));
      rows.back().handoff = usual_handoff({inner});
      rows.back().told = {told_answers("MTLDebugDevice")};
      rows.back().stock = {stock_answers("MTLDebugDevice")};
    }
  }
  for (const std::string variant : {"with_init", "without_init"}) {
    Row two{.name = "two devices of two classes, " + variant,
            .devices = "PlainDevice,OtherDevice",
            .steps = {"all", "ask"},
            .handoff = usual_handoff({"PlainDevice", "OtherDevice"}),
            .twin = usual_handoff({"AnotherDevice"}),
            .told = {told_answers("PlainDevice"), told_answers("OtherDevice")},
            .stock = {stock_answers("PlainDevice"), stock_answers("OtherDevice")},
            .variant = variant};
    rows.push_back(two);
    two.name = "two devices, one of them named, " + variant;
    two.handoff = usual_handoff({"OtherDevice"});
    two.told = {stock_answers("PlainDevice"), told_answers("OtherDevice")};
    rows.push_back(two);
    two.name = "a class and its superclass, both named, " + variant;
    two.devices = "PlainSubDevice,PlainDevice";
    two.handoff = usual_handoff({"PlainDevice", "PlainSubDevice"});
    two.told = {told_answers("PlainSubDevice"), told_answers("PlainDevice")};
    two.stock = {stock_answers("PlainSubDevice"), stock_answers("PlainDevice")};
    rows.push_back(two);
  }
  return rows;
}

}  // namespace

TEST_CASE("a named device is told the claim however it came into being, every other keeps its answers") {
  for (const Row& row : rows()) {
    CAPTURE(row.name);
    REQUIRE(row.told != row.stock);
    CHECK(hears(row, row.handoff) == row.told);
    CHECK(hears(row, row.twin) == row.stock);
    CHECK(hears(row, std::nullopt) == row.stock);
  }
}

TEST_CASE("a device that exists before the shim is told the claim from then on") {
  for (const std::string device : {"PlainDevice", "OwnDevice", "PlainSubDevice"}) {
    for (const std::string variant : {"with_init", "without_init"}) {
      CAPTURE(device, variant);
      const std::string handoff = "v1;" + usual_handoff({"PlainDevice", "OwnDevice"}) + ";end";
      const std::vector<std::string> argv{"variant-client",
                                          "create",
                                          "ask",
                                          "set=METAL_UNLOCK_HANDOFF=" + handoff,
                                          "load=" + shim_under_test().string(),
                                          "ask"};
      ShimRun run{.argv = argv,
                  .variant = variant,
                  .environment = {{"VARIANT_DEVICES", device}, {entrance().preload_variable, ""}}};
      const ShimOutcome outcome = run_with_shim(run);
      REQUIRE(outcome.lines.size() == 2);
      CHECK(outcome.lines.at(0) == json{stock_answers(device)});
      CHECK(outcome.lines.at(1) == json{told_answers(device)});

      run.argv.erase(run.argv.begin() + 3);
      const ShimOutcome twin = run_with_shim(run);
      REQUIRE(twin.lines.size() == 2);
      CHECK(twin.lines.at(1) == json{stock_answers(device)});
    }
  }
}
