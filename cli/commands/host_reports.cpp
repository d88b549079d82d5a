// SPDX-License-Identifier: MIT
#include "cli/commands/host_reports.hpp"

#include "cli/commands/sources.hpp"
#include "cli/core/profile_parse.hpp"

#include <utility>

namespace metal_unlock {
namespace {

Result<HostReport> read_host_report(const System& system, const std::string& path, const Machine& guest) {
  const Result<std::string> text = system.read_file(path, largest_text_file);
  if (!text) return text.finding();
  Result<HostReport> report = parse_host_report(*text, path);
  if (!report) return report;
  if (auto finding = check_host_report(*report, physical_chip(guest))) return *std::move(finding);
  return report;
}

FoundReport used(HostReport report, const Machine& guest, std::vector<Finding> findings) {
  if (auto stale = check_age(report, guest)) findings.push_back(*std::move(stale));
  return {std::move(report), std::move(findings)};
}

/// Nobody asked for this file, and the next source takes its place.
Finding as_note(Finding finding) {
  finding.severity = Severity::note;
  finding.cause = Cause::circumstance;
  finding.sentence += "; it is passed over";
  return finding;
}

}  // namespace

std::vector<std::string> host_report_places(const System& system) {
  std::vector<std::string> places;
  const std::string name{host_report_name};
  if (const std::string shares = system.shared_folders(); !shares.empty()) {
    // A virtual machine with one share shows its contents here, one with several a folder for each.
    for (const std::string& entry : system.names_in(shares)) {
      if (entry == name)
        places.insert(places.begin(), shares + "/" + name);
      else if (!entry.starts_with('.'))
        places.push_back(shares + "/" + entry + "/" + name);
    }
  }
  if (const std::string folder = config_folder(system); !folder.empty())
    places.push_back(folder + "/" + name);
  return places;
}

FoundReport find_host_report(const System& system, const Settings& settings, const Machine& guest) {
  if (const std::string& named = settings.host_report.value; !named.empty()) {
    Result<HostReport> report = read_host_report(system, named, guest);
    if (report) return used(*std::move(report), guest, {});
    Finding finding = report.finding();
    finding.sentence += " (set by " + settings.host_report.origin + ")";
    return {std::nullopt, {std::move(finding)}};
  }
  FoundReport found;
  for (const std::string& place : host_report_places(system)) {
    if (system.facts(place).kind == FileKind::missing) continue;
    Result<HostReport> report = read_host_report(system, place, guest);
    if (report) return used(*std::move(report), guest, std::move(found.findings));
    found.findings.push_back(as_note(report.finding()));
  }
  return found;
}

}  // namespace metal_unlock
