// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

// One parser of foreign bytes each: any bytes are read, and every promise is kept, or BrokenPromise is
// thrown.
void fuzz_agent_state(std::string_view bytes);
void fuzz_argv(std::string_view bytes);
void fuzz_attach(std::string_view bytes);
void fuzz_code_signature(std::string_view bytes);
void fuzz_configuration(std::string_view bytes);
void fuzz_der_entitlements(std::string_view bytes);
void fuzz_env_words(std::string_view bytes);
void fuzz_guest(std::string_view bytes);
void fuzz_handoff(std::string_view bytes);
void fuzz_host_report(std::string_view bytes);
void fuzz_macho(std::string_view bytes);
void fuzz_preload_list(std::string_view bytes);
void fuzz_profile(std::string_view bytes);
void fuzz_program(std::string_view bytes);
void fuzz_samples(std::string_view bytes);
void fuzz_script(std::string_view bytes);
void fuzz_target_files(std::string_view bytes);
void fuzz_timing_lines(std::string_view bytes);
void fuzz_verdict(std::string_view bytes);
void fuzz_xml_entitlements(std::string_view bytes);

struct FuzzTarget {
  std::string_view name;
  void (*check)(std::string_view bytes);
};

std::span<const FuzzTarget> fuzz_targets();

/// An input from which a fuzzer starts.
struct FuzzSeed {
  std::string name;
  std::string bytes;
};

/// Inputs that between them have everything a parser looks at, and those that once broke a promise.
std::vector<FuzzSeed> fuzz_seeds(std::string_view target);

}  // namespace metal_unlock
