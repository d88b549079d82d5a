// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/llama_cpp/support.hpp"

#include <algorithm>
#include <set>

using namespace metal_unlock;

namespace {

const Support& support() {
  static const Support measured = measure_support();
  return measured;
}

bool is_supported(const json& answer) { return answer.at("supported").get<bool>(); }

/// The cases that only one of two machines supports, as text.
std::vector<std::string> differing_cases(const LlamaAnswers& left, const LlamaAnswers& right) {
  std::vector<std::string> differing;
  REQUIRE(left.cases.size() == right.cases.size());
  for (std::size_t i = 0; i < left.cases.size(); ++i) {
    if (left.cases[i] != right.cases[i]) differing.push_back(left.cases[i].dump());
  }
  return differing;
}

/// Starts llama-client unlocked, with a profile that claims this family.
LlamaAnswers ask_with_claim(int family, Words options = {}) {
  const Sandbox sandbox;
  const std::string profile =
      "schema = 1\ndescription = \"another family\"\nextends = \"m1-ultra\"\n\n[claims]\napple_family = ";
  const auto file = sandbox.write("claim.toml", profile + std::to_string(family) + "\n");
  options.insert(options.begin(), {"--profile", file});
  return ask_unlocked(sandbox, options);
}

int count_gained(const std::string& operation, const std::string& type) {
  return static_cast<int>(std::ranges::count_if(support().cases, [&](const SupportedCase& asked) {
    const json& types = asked.about.at("types");
    const bool holds_type = std::ranges::find(types, json(type)) != types.end();
    return asked.about.at("operation") == operation && holds_type && !asked.stock && asked.unlocked;
  }));
}

}  // namespace

TEST_CASE("an unlocked guest runs every operation that the Mac below it runs, and no other") {
  // No exception: whatever Metal 3 opens, Apple 7 opens too, and no operation asks for Metal 4.
  CHECK(differing_cases(support().m1_ultra.unlocked, support().m1_ultra.bare_metal).empty());
  CHECK(differing_cases(support().m5.unlocked, support().m5.bare_metal).empty());
}

TEST_CASE("a stock guest runs less, and nothing that is lost by unlocking") {
  int lost = 0;
  int gained = 0;
  for (const SupportedCase& asked : support().cases) {
    lost += asked.stock && !asked.unlocked ? 1 : 0;
    gained += !asked.stock && asked.unlocked ? 1 : 0;
  }
  CHECK(lost == 0);
  CHECK(gained > 700);
  CHECK(count_gained("MUL_MAT", "q4_0") > 0);
  CHECK(count_gained("MUL_MAT_ID", "q4_K") > 0);
  CHECK(count_gained("FLASH_ATTN_EXT", "f16") > 0);
  CHECK(count_gained("RMS_NORM", "f32") > 0);
  CHECK(count_gained("SOFT_MAX", "f32") > 0);
  CHECK(count_gained("ADD", "f32") == 0);
}

TEST_CASE("the device differs from the Mac's in what is listed, and nowhere else") {
  const auto differing = [](const Trio& trio) {
    return differing_properties(trio.unlocked, trio.bare_metal);
  };
  CHECK(differing(support().m1_ultra) == Words{"chip", "max_working_set", "name"});
  CHECK(differing(support().m5) == Words{"chip", "max_working_set", "name", "tensor"});

  std::set<std::string> listed;
  for (const auto& [property, reason] : device_exceptions()) listed.insert(property);
  std::set<std::string> real;
  for (const Trio* trio : {&support().m1_ultra, &support().m5}) {
    const Words names = differing(*trio);
    real.insert(names.begin(), names.end());
  }
  CHECK(listed == real);
}

TEST_CASE("unlocking opens the gates and changes neither name nor memory") {
  const Trio& trio = support().m1_ultra;
  CHECK(differing_properties(trio.stock, trio.unlocked) ==
        Words{"apple_family", "bfloat", "simdgroup_matrix", "simdgroup_reduction", "tuned_attention"});
  CHECK(trio.unlocked.device.at("apple_family") == 7);
  CHECK(trio.unlocked.device.at("max_threadgroup_memory") == 32768);
  for (const char* gate : {"bfloat", "simdgroup_matrix", "simdgroup_reduction"}) {
    CHECK(trio.stock.device.at(gate) == false);
    CHECK(trio.unlocked.device.at(gate) == true);
  }
}

TEST_CASE("gates say what a stock guest lacks") {
  std::set<std::string> gates;
  for (const SupportedCase& asked : support().cases) {
    CAPTURE(asked.about.dump());
    CHECK(asked.stock == (asked.bare_metal && asked.gates.empty()));
    gates.insert(asked.gates.begin(), asked.gates.end());
  }
  CHECK(gates == std::set<std::string>{"bfloat", "simdgroup_matrix", "simdgroup_reduction"});
}

TEST_CASE("a claim below Apple 7 leaves behind what needs reductions or matrices") {
  const LlamaAnswers apple6 = ask_with_claim(1006);
  REQUIRE(apple6.cases.size() == support().cases.size());
  int left_behind = 0;
  for (std::size_t i = 0; i < apple6.cases.size(); ++i) {
    const SupportedCase& asked = support().cases[i];
    const bool needs_more =
        std::ranges::any_of(asked.gates, [](const auto& gate) { return gate != "bfloat"; });
    CAPTURE(asked.about.dump());
    CHECK(is_supported(apple6.cases[i]) == (asked.bare_metal && !needs_more));
    left_behind += needs_more ? 1 : 0;
  }
  CHECK(left_behind > 0);
}

TEST_CASE("a claim beyond the chip gains no operation and chooses another chip's kernels") {
  const LlamaAnswers apple9 = ask_with_claim(1009, {"--allow-beyond-host"});
  const LlamaAnswers& truth = support().m1_ultra.bare_metal;
  CHECK(differing_cases(apple9, truth).empty());
  CHECK(apple9.device.at("tuned_attention") != truth.device.at("tuned_attention"));
  CHECK(ask_with_claim(1007).device.at("tuned_attention") == truth.device.at("tuned_attention"));
}

TEST_CASE("no case is asked twice") {
  std::set<std::string> different;
  for (const SupportedCase& asked : support().cases) {
    CAPTURE(asked.about.dump());
    CHECK(different.insert(asked.about.dump()).second);
  }
  CHECK(different.size() > 1900);
}

TEST_CASE("the JSON form holds every case with its three answers") {
  const json report = json::parse(support_json(support()));
  CHECK(report.at("schema") == 1);
  CHECK(report.at("devices").size() == 2);
  REQUIRE(report.at("cases").size() == support().cases.size());
  const SupportedCase& last = support().cases.back();
  const json& written = report.at("cases").back();
  CHECK(written.at("case").get<std::string>().starts_with(last.about.at("operation").get<std::string>()));
  CHECK(written.at("stock") == last.stock);
  CHECK(written.at("unlocked") == last.unlocked);
  CHECK(written.at("bare_metal") == last.bare_metal);
}

TEST_CASE("without a device llama-client says so") {
  CHECK_THROWS_WITH(ask_stock(Sandbox("no-device")), Catch::Contains("Metal offers no device"));
  CHECK_NOTHROW(ask_stock(Sandbox("sonoma-14-runner")));
}
