// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/loader_rules.hpp"
#include "cli/core/plan.hpp"
#include "cli/core/target.hpp"

#include <optional>
#include <string>
#include <vector>

namespace metal_unlock {

/// What the loader will do with the shim in a target, and why.
struct Clearance {
  LoaderVerdict verdict = LoaderVerdict::inserts;
  std::string rule;  ///< which rule of the loader decides
  Certainty certainty = Certainty::documented;
  std::string source;                  ///< where the rule was read
  std::string architecture;            ///< of the slice that starts; empty: no Mach-O file
  std::vector<std::string> libraries;  ///< that this slice links, by their install names
  std::optional<Finding> finding;      ///< why the shim would not be loaded, or may not be
  bool offers_copy = false;            ///< an ad-hoc signed copy would help
  std::vector<Finding> remarks;        ///< what only `doctor` says

  bool operator==(const Clearance&) const = default;
};

/// What preflight weighs besides the target.
struct Surroundings {
  SipState sip = SipState::unknown;
  std::vector<std::string> shim_slices;
  std::string shim;  ///< path of its file; empty where it is not known
  bool shim_is_quarantined = false;
  bool unlocks_children = false;  ///< the shim stays for what the target starts
};

/// Reads the headers of a program, for whoever weighs its signature.
LoaderQuestion question_about(const std::string& program, const FileFacts& facts,
                              const Surroundings& surroundings, const FileLookup& files);

/// Says what the loader will do with this target. Reads the headers of its program, and nothing else of it.
Clearance preflight(const Target& target, const Surroundings& surroundings, const FileLookup& files);

}  // namespace metal_unlock
