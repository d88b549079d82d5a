// SPDX-License-Identifier: MIT
#pragma once

#include "cli/args/command.hpp"
#include "cli/platform/system.hpp"

namespace metal_unlock {

/// Each runs one command to its end and returns the exit status. `run` returns only where the target did not
/// start.
int run(System& system, const RunCommand& command);
int run(System& system, const DoctorCommand& command);
int run(System& system, const PrepareCommand& command);
int run(System& system, const ProbeCommand& command);
int run(System& system, const ProfilesCommand& command);
int run(System& system, const EnvCommand& command);
int run(System& system, const VerifyCommand& command);
int run(System& system, const CheckCommand& command);
int run(System& system, const BenchCommand& command);
int run(System& system, const CompareCommand& command);
int run(System& system, const AttachCommand& command);
int run(System& system, const ConfigCommand& command);
int run(System& system, const ExplainCommand& command);
int run(System& system, const HostCommand& command);
int run(System& system, const HelpCommand& command);
int run(System& system, const VersionCommand& command);
int run(System& system, const AliasCommand& command);
int run(System& system, const LaunchdCommand& command);
int run(System& system, const CompletionsCommand& command);

/// Exit statuses of every command but `run`.
inline constexpr int status_fine = 0;
inline constexpr int status_wrong = 1;
inline constexpr int status_usage = 2;
inline constexpr int status_not_ready = 3;      ///< of doctor and verify
inline constexpr int status_interrupted = 130;  ///< of verify

}  // namespace metal_unlock
