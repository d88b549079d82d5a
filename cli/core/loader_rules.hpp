// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/guest_report.hpp"
#include "cli/core/macho/mach_file.hpp"
#include "cli/core/target.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

/// What the loader will do with the shim when it starts a program.
enum class LoaderVerdict : std::uint8_t {
  inserts,
  dropped,     ///< it ignores the variable, and the program runs stock
  would_kill,  ///< it ends the program, or the kernel does
  unknown,
};

/// How well a rule is known.
enum class Certainty : std::uint8_t {
  measured,            ///< seen on a real machine
  documented,          ///< Apple says so
  source_code,         ///< read in published source
  reverse_engineered,  ///< read in somebody's decompilation
  unconfirmed,         ///< inferred, or said by one party only
};

std::string_view to_text(LoaderVerdict verdict);
std::string_view to_text(Certainty certainty);

/// Everything a rule may look at.
struct LoaderQuestion {
  FileFacts facts;
  bool is_mach_o = false;
  std::optional<Slice> slice;  ///< the one that the kernel starts; none where it is not known
  SipState sip = SipState::unknown;
  std::vector<std::string> shim_slices;  ///< as in Loader
  bool shim_is_quarantined = false;
};

/// What can be done where a rule stands in the way.
enum class Remedy : std::uint8_t {
  nothing,
  inside,        ///< run metal-unlock inside the program
  other_build,   ///< take a build that the system does not protect
  signed_copy,   ///< make an ad-hoc signed copy
  sign,          ///< sign it where it is
  native_build,  ///< take a build for arm64
  approve_shim,  ///< take the quarantine off the shim
  look_closer,   ///< nobody knows, so look what happens
};

/// One row of the table.
struct LoaderRule {
  std::string_view condition;  ///< "hardened runtime, DYLD variables not allowed"
  bool (*applies)(const LoaderQuestion& question);
  LoaderVerdict verdict;
  Certainty certainty;
  std::string_view source;           ///< where the rule was read
  std::optional<FindingId> finding;  ///< none: nothing needs to be said
  std::string_view sentence = {};    ///< follows the file's name
  Remedy remedy = Remedy::nothing;
  bool is_attempted = false;  ///< an unknown verdict: the shim is inserted, and somebody watches for it
};

/// The table: the first row that applies decides, and the last one applies always.
std::span<const LoaderRule> loader_rules();
const LoaderRule& deciding_rule(const LoaderQuestion& question);

// What more than one table asks.
bool grants(const LoaderQuestion& question, std::string_view entitlement);
bool is_hardened(const LoaderQuestion& question);
bool validates_libraries(const LoaderQuestion& question);
bool is_protected(const LoaderQuestion& question);  ///< by SIP, where that is on
/// dyld takes x86_64 for x86_64h as well, and nothing but arm64e for arm64e.
bool has_shim_slice(const LoaderQuestion& question);

/// The slice that the kernel of an Apple silicon Mac starts; none where it can start none of them.
std::optional<Slice> starting_slice(const MachFile& file);

namespace entitlement {
inline constexpr std::string_view allow_dyld_variables =
    "com.apple.security.cs.allow-dyld-environment-variables";
inline constexpr std::string_view disable_library_validation =
    "com.apple.security.cs.disable-library-validation";
inline constexpr std::string_view get_task_allow = "com.apple.security.get-task-allow";
inline constexpr std::string_view app_sandbox = "com.apple.security.app-sandbox";
}  // namespace entitlement

}  // namespace metal_unlock
