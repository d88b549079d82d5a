// SPDX-License-Identifier: MIT
#pragma once

#include "tests/cli/sandbox.hpp"
#include "tests/json.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace metal_unlock {

/// What llama-client printed on one machine.
struct LlamaAnswers {
  json device;
  std::vector<json> cases;  ///< the same cases in the same order on every machine
};

LlamaAnswers parse_llama_answers(const std::string& lines);

/// Runs llama-client in these surroundings, by itself or by `metal-unlock run --require OPTIONS…`. Throws
/// std::runtime_error, with what it said, where it fails.
LlamaAnswers ask_stock(const Sandbox& sandbox);
LlamaAnswers ask_unlocked(const Sandbox& sandbox, const Words& options = {});

/// The recorded guest with another chip below it, written into the sandbox.
std::filesystem::path guest_on_chip(const Sandbox& sandbox, const std::string& chip);

/// A guest, the same guest unlocked, and a Mac with the same chip.
struct Trio {
  std::string chip;
  LlamaAnswers stock, unlocked, bare_metal;
};

/// One case on the three machines, and what decides it.
struct SupportedCase {
  json about;  ///< operation, variant, types, shapes, result, note
  bool stock = false, unlocked = false, bare_metal = false;
  /// Of "simdgroup_reduction", "simdgroup_matrix" and "bfloat" those without which it is not supported, found
  /// by asking devices that have some of them. Empty too where it is supported nowhere.
  std::vector<std::string> gates;
};

/// A property in which the unlocked guest may differ from the Mac, and why.
struct DeviceException {
  std::string property, reason;
};

struct Support {
  Trio m1_ultra, m5;
  std::vector<SupportedCase> cases;  ///< of the M1 Ultra
};

Support measure_support();

/// Every property in which some unlocked guest differs from the Mac with its chip, no other, in this order.
const std::vector<DeviceException>& device_exceptions();

/// The names of the properties that two machines do not share, sorted.
std::vector<std::string> differing_properties(const LlamaAnswers& left, const LlamaAnswers& right);

/// One JSON object: what was measured, the devices, every case on a line of its own.
std::string support_json(const Support& support);

/// The tables of docs/llama.cpp.md.
std::string support_markdown(const Support& support);

}  // namespace metal_unlock
