// SPDX-License-Identifier: MIT
#include "tests/fuzz/targets.hpp"

#include <array>

namespace metal_unlock {
namespace {

constexpr std::array fuzz_target_rows{
    FuzzTarget{"agent_state", fuzz_agent_state},
    FuzzTarget{"argv", fuzz_argv},
    FuzzTarget{"attach", fuzz_attach},
    FuzzTarget{"code_signature", fuzz_code_signature},
    FuzzTarget{"configuration", fuzz_configuration},
    FuzzTarget{"der_entitlements", fuzz_der_entitlements},
    FuzzTarget{"env_words", fuzz_env_words},
    FuzzTarget{"guest", fuzz_guest},
    FuzzTarget{"handoff", fuzz_handoff},
    FuzzTarget{"host_report", fuzz_host_report},
    FuzzTarget{"macho", fuzz_macho},
    FuzzTarget{"preload_list", fuzz_preload_list},
    FuzzTarget{"profile", fuzz_profile},
    FuzzTarget{"program", fuzz_program},
    FuzzTarget{"samples", fuzz_samples},
    FuzzTarget{"script", fuzz_script},
    FuzzTarget{"target_files", fuzz_target_files},
    FuzzTarget{"timing_lines", fuzz_timing_lines},
    FuzzTarget{"verdict", fuzz_verdict},
    FuzzTarget{"xml_entitlements", fuzz_xml_entitlements},
};

}  // namespace

std::span<const FuzzTarget> fuzz_targets() { return fuzz_target_rows; }

}  // namespace metal_unlock
