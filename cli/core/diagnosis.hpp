// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/finding.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

/// One line of a diagnosis: a finding, or something that is as it should be.
struct DiagnosisEntry {
  Severity severity = Severity::ok;
  std::string sentence;
  std::string id;    ///< of the finding; empty where all is well
  std::string next;  ///< empty where all is well
  std::vector<std::string> details;

  bool operator==(const DiagnosisEntry&) const = default;
};

struct DiagnosisSection {
  std::string title;
  std::vector<DiagnosisEntry> entries;

  void well(std::string sentence) { entries.push_back({Severity::ok, std::move(sentence), {}, {}, {}}); }
  /// What stands in the way of the unlock is a failure here, whatever `run` would do about it.
  void add(const Finding& finding);

  bool operator==(const DiagnosisSection&) const = default;
};

/// Which part of a diagnosis a finding belongs to.
enum class DiagnosisPart : std::uint8_t { guest, profile, shim, settings, target };

DiagnosisPart part_of(FindingId id);

struct Diagnosis {
  std::vector<DiagnosisSection> sections;
  bool has_need = true;  ///< there is something to unlock
  std::string target;    ///< what was asked about; empty: the guest alone

  std::size_t count(Severity severity) const;
  bool is_ready() const { return count(Severity::fail) == 0; }
  /// "ready", "not ready: 2 fail, 1 warn", "guest ready, 'ollama' is not: 1 fail"
  std::string verdict() const;
};

}  // namespace metal_unlock
