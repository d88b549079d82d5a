// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/macho/entitlements.hpp"
#include "cli/core/target.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

/// How an ad-hoc signed copy of a program is made that the loader inserts the shim into.
struct SignedCopy {
  std::string source;  ///< a program, or the application's folder it lies in
  std::string output;
  std::string entitlements;        ///< a property list: the program's own, merged with those that are needed
  std::vector<std::string> added;  ///< names of entitlements that the copy gets
  std::vector<std::string> stripped;  ///< names that only Apple can grant: with them macOS would end the copy
  std::vector<std::string> losses;    ///< what the copy cannot do any more, one clause each
  bool is_bundle = false;

  bool operator==(const SignedCopy&) const = default;
};

/// Plans a copy of `target`'s program at `output`; where the program lies in an application's folder, of all
/// of it. Findings: prepare-refused.
Result<SignedCopy> plan_signed_copy(const Target& target, const std::string& output, const FileLookup& files);

/// The commands that make the copy, in order; the entitlements are to be in `entitlements_file`.
std::vector<std::vector<std::string>> copy_commands(const SignedCopy& copy,
                                                    const std::string& entitlements_file);

/// Whether an entitlement is worth something only where Apple granted it.
bool is_restricted_entitlement(std::string_view name);

/// A property list in XML with these entitlements.
std::string entitlements_plist(const Entitlements& entitlements);

/// "./tool-unlocked", "./App-unlocked.app": what the copy of a program is called by default.
std::string copy_name(std::string_view program);

/// The application's folder that a program lies in; empty where it lies in none.
std::string bundle_of(std::string_view program);

}  // namespace metal_unlock
