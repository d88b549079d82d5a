// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/capabilities.hpp"
#include "cli/core/toml_document.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace metal_unlock {

/// How sure a fact is.
enum class EvidenceMark : std::uint8_t { measured, documented, inferred };

struct Evidence {
  EvidenceMark mark = EvidenceMark::inferred;
  std::string source;
  std::string fact;  ///< which statement it supports; empty: the whole file

  bool operator==(const Evidence&) const = default;
};

/// Facts about a chip that decide nothing here.
struct ChipFacts {
  std::string architecture;              ///< MTLDevice.architecture.name
  std::vector<std::uint32_t> gpu_cores;  ///< configurations sold
  std::vector<std::string> models;       ///< hw.model

  bool operator==(const ChipFacts&) const = default;
};

/// Where a profile's text comes from; also the order in which a name is looked up, last first.
enum class ProfileLayer : std::uint8_t { built_in, user, named_file };

/// One TOML file as written, before its parent is known.
struct ProfileFile {
  std::string name;  ///< the file's stem
  std::string path;  ///< as shown to people; "built-in" files have the path they have in the source tree
  ProfileLayer layer = ProfileLayer::built_in;
  std::string description;
  std::optional<std::string> extends;
  Position extends_at;  ///< of the value of `extends`
  std::vector<std::string> match;
  bool fallback = false;
  Capabilities claims;
  Capabilities simulated;
  Capabilities ceiling;
  std::vector<Field> without;  ///< inherited claims and simulated answers that are dropped
  ChipFacts chip;
  std::vector<Evidence> evidence;

  bool operator==(const ProfileFile&) const = default;
};

/// A profile with everything it inherits, and for each claim the file it comes from.
struct Profile {
  std::string name;
  std::string path;
  ProfileLayer layer = ProfileLayer::built_in;
  std::string description;
  std::vector<std::string> lineage;  ///< names of the parents, nearest first
  std::vector<std::string> match;    ///< never inherited
  Capabilities claims;
  Capabilities simulated;  ///< answers of a smaller GPU; never to a question that is claimed
  Capabilities ceiling;
  std::map<Field, std::string> claim_origins;    ///< the file that makes, simulates or drops each claim
  std::map<Field, std::string> ceiling_origins;  ///< the file that states each ceiling
  ChipFacts chip;
  std::vector<Evidence> evidence;  ///< own first, then the parents'

  bool operator==(const Profile&) const = default;
};

std::string to_text(EvidenceMark mark);
std::string to_text(ProfileLayer layer);

}  // namespace metal_unlock
