// SPDX-License-Identifier: MIT
#pragma once

#include "shim/handoff.hpp"

#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace metal_unlock {

/// The parts of `text`, empty ones too.
std::vector<std::string> split(const std::string& text, const char* separators);

using HandoffFields = std::multimap<std::string, std::string>;

/// The fields of a well-formed handoff, decoded; nothing where it is malformed. A second reading of the form,
/// written from its description with other means, as a check on the shim's.
std::optional<HandoffFields> strict_reading(const std::string& text);

/// "" where a handoff says what a reading says, else the key of a field about which they differ.
std::string difference(const shim::Handoff& handoff, const HandoffFields& reading);

/// What a child may be told of it.
HandoffFields for_children(HandoffFields reading);

/// A preload list whose entries of ours are gone, by the same second reading; every separator is a colon.
std::string without_own_entries(const std::string& list);

/// Random texts from a fixed seed, so that a failure is the same on every machine.
class Mutator {
 public:
  /// A handoff with up to three changes.
  std::string handoff();
  /// The same, with nothing in it that names a file to write.
  std::string handoff_without_report();
  std::string preload_list();

 private:
  std::size_t below(std::size_t limit);
  void edit(std::string& text);
  void rearrange(std::string& text, const std::string& field);

  std::mt19937 random_{20261130};
};

}  // namespace metal_unlock
