// SPDX-License-Identifier: MIT
#include "tests/llama_cpp/support.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace metal_unlock {
namespace {

constexpr char guest_with_m1_ultra[] = "tahoe-26-m1-ultra";

Words client() { return {build_directory() / "llama-client"}; }

LlamaAnswers answers_of(const Outcome& outcome) {
  if (outcome.exit_status == 0) return parse_llama_answers(outcome.out);
  throw std::runtime_error("llama-client failed:\n" + outcome.err);
}

/// A Mac whose device supports these families, and no others.
LlamaAnswers ask_device_with(const std::vector<int>& families, bool bfloat) {
  Sandbox sandbox;
  json guest = json::parse(read_file(guest_file("bare-metal-m1-ultra")));
  guest.at("devices").at(0).at("families") = families;
  sandbox.set("METAL_UNLOCK_GUEST", sandbox.write("families.json", guest.dump()));
  if (!bfloat) sandbox.set("GGML_METAL_BF16_DISABLE", "1");
  return ask_stock(sandbox);
}

bool is_supported(const LlamaAnswers& answers, std::size_t index) {
  return answers.cases.at(index).at("supported").get<bool>();
}

/// Devices that lack one of the three gates each. Families by themselves cannot tell matrix from reduction
/// without it, since Apple 7 opens both: Metal 3 opens reduction alone.
struct GateProbe {
  LlamaAnswers all = ask_device_with({1006, 1007, 5001}, true);
  LlamaAnswers without_bfloat = ask_device_with({1006, 1007, 5001}, false);
  LlamaAnswers without_matrix = ask_device_with({1006, 5001}, true);
  LlamaAnswers without_both = ask_device_with({1006}, true);

  std::vector<std::string> gates(std::size_t index) const {
    std::vector<std::string> names;
    if (!is_supported(all, index)) return names;
    if (!is_supported(without_matrix, index)) {
      names.emplace_back("simdgroup_matrix");
    } else if (!is_supported(without_both, index)) {
      names.emplace_back("simdgroup_reduction");
    }
    if (!is_supported(without_bfloat, index)) names.emplace_back("bfloat");
    return names;
  }
};

Trio ask_trio(const std::string& chip, const std::string& bare_metal) {
  Sandbox guest;
  guest.set("METAL_UNLOCK_GUEST", guest_on_chip(guest, chip));
  return {chip, ask_stock(guest), ask_unlocked(guest), ask_stock(Sandbox(bare_metal))};
}

}  // namespace

LlamaAnswers parse_llama_answers(const std::string& lines) {
  std::istringstream stream(lines);
  std::string line;
  LlamaAnswers answers;
  while (std::getline(stream, line)) answers.cases.push_back(json::parse(line));
  if (answers.cases.empty()) throw std::runtime_error("llama-client printed nothing");
  answers.device = answers.cases.front();
  answers.cases.erase(answers.cases.begin());
  return answers;
}

LlamaAnswers ask_stock(const Sandbox& sandbox) { return answers_of(sandbox.execute(client())); }

LlamaAnswers ask_unlocked(const Sandbox& sandbox, const Words& options) {
  Words all{"--require"};
  all.insert(all.end(), options.begin(), options.end());
  return answers_of(sandbox.execute(run_words(client(), all)));
}

std::filesystem::path guest_on_chip(const Sandbox& sandbox, const std::string& chip) {
  json guest = json::parse(read_file(guest_file(guest_with_m1_ultra)));
  guest.at("machine").at("chip") = chip + " (Virtual)";
  return sandbox.write("guest.json", guest.dump());
}

Support measure_support() {
  Support support{
      ask_trio("Apple M1 Ultra", "bare-metal-m1-ultra"), ask_trio("Apple M5", "bare-metal-m5"), {}};
  const GateProbe probe;
  const Trio& trio = support.m1_ultra;
  for (std::size_t i = 0; i < trio.stock.cases.size(); ++i) {
    json about = trio.stock.cases[i];
    about.erase("supported");
    support.cases.push_back({about, is_supported(trio.stock, i), is_supported(trio.unlocked, i),
                             is_supported(trio.bare_metal, i), probe.gates(i)});
  }
  return support;
}

const std::vector<DeviceException>& device_exceptions() {
  static const std::vector<DeviceException> exceptions{
      {"name", "the name of a device is never claimed"},
      {"chip", "read from the name; llama.cpp's tools for tuning ask for it, no kernel does"},
      {"max_working_set", "the memory is the guest's, and what it can hold does not grow by a claim"},
      {"tensor", "needs Metal 4, which is never claimed, and M5 or later in the name"},
  };
  return exceptions;
}

std::vector<std::string> differing_properties(const LlamaAnswers& left, const LlamaAnswers& right) {
  std::vector<std::string> names;
  for (const auto& [name, value] : left.device.items()) {
    if (value != right.device.at(name)) names.push_back(name);
  }
  return names;
}

}  // namespace metal_unlock
