// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/validate.hpp"
#include "cli/verify/check.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

/// How a check ended in a process of its own.
enum class PassEnd : std::uint8_t {
  correct,
  wrong,
  refused,
  no_device,
  absent,  ///< this version of the system has no such thing, so no program relies on it
  crashed,
  timed_out,
  not_run,
};

std::string_view to_text(PassEnd end);

/// A check in one process: stock, or unlocked.
struct CheckPass {
  PassEnd end = PassEnd::not_run;
  double largest_error = 0;
  double tolerance = 0;
  std::string where = {};  ///< of the largest error; Metal's words; what ended the process

  bool operator==(const CheckPass&) const = default;
};

CheckPass pass_of(const Judgement& judgement);

/// What is to be said of a capability.
enum class CapabilityState : std::uint8_t {
  works_stock,     ///< and unlocked as well, where that was tried
  works_unlocked,  ///< only then, or stock was not tried
  absent,
  refused,
  wrong,
  crashed,
  timed_out,
  no_device,
  not_run,
};

std::string_view to_text(CapabilityState state);

/// What the checks found out about one capability.
struct CapabilityVerdict {
  std::string name;         ///< of the check
  bool is_claimed = false;  ///< the device says so, stock or unlocked, and programs rely on it
  CheckPass stock = {};
  CheckPass unlocked = {};

  bool operator==(const CapabilityVerdict&) const = default;
};

/// What a verdict holds for; each part is compared as a text.
struct VerdictKey {
  std::string guest;   ///< "macOS 25F84"; the version where the build is not known
  std::string chip;    ///< the host's
  std::string claims;  ///< SHA-256 of the answers that the shim is told to give
  std::string tool;    ///< version of this program

  bool operator==(const VerdictKey&) const = default;
};

VerdictKey verdict_key(const Machine& machine, const Verdict& claims, std::string_view tool);

/// What the GPU was found to compute.
struct GpuVerdict {
  VerdictKey key;
  std::int64_t verified_at = 0;  ///< seconds since 1970, UTC
  bool was_unlocked = false;     ///< there was an unlocked pass, and it decides
  bool is_stuck = false;         ///< not even the trivial kernel ran any more
  std::vector<CapabilityVerdict> capabilities = {};

  /// Every claimed capability computes correctly.
  bool is_good() const;
  bool operator==(const GpuVerdict&) const = default;
};

/// The pass that decides about a capability.
const CheckPass& deciding_pass(const GpuVerdict& verdict, const CapabilityVerdict& capability);
CapabilityState state_of(const GpuVerdict& verdict, const CapabilityVerdict& capability);
/// Works, or is absent.
bool is_fine(const GpuVerdict& verdict, const CapabilityVerdict& capability);

std::size_t claimed_count(const GpuVerdict& verdict);
/// Of those, the ones that are fine.
std::size_t fine_count(const GpuVerdict& verdict);

/// "SIMD-group matrices, half"
std::string_view capability_name(const CapabilityVerdict& capability);
/// What went wrong: "wrong: element 17: 0 instead of 3.5 (error 3.5, tolerance 0.001)".
std::string words_about(const CheckPass& pass);

/// gpu-stuck or gpu-faulty, with a line for each claimed capability that fails; nothing where all is well.
std::optional<Finding> fault_of(const GpuVerdict& verdict);

/// "2026-12-01 01:00 UTC"
std::string moment_text(std::int64_t seconds_since_1970);

/// Why a verdict says nothing about a start with this key: "it is of macOS 25F84, this is macOS 25G10".
/// Empty: it holds.
std::string why_out_of_date(const GpuVerdict& verdict, const VerdictKey& key);

}  // namespace metal_unlock
