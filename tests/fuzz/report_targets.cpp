// SPDX-License-Identifier: MIT
#include "cli/core/guest_report.hpp"
#include "cli/core/host_report.hpp"
#include "tests/fuzz/promise.hpp"
#include "tests/fuzz/targets.hpp"

namespace metal_unlock {

void fuzz_guest(std::string_view bytes) {
  const auto report = parse_guest_report(bytes, "guest.json");
  if (!report) return promise_told(report.finding(), bytes);
  const auto again = parse_guest_report(guest_report_json(*report), "guest.json");
  promise(again && *again == *report, "a guest that is written reads as it was");
}

void fuzz_host_report(std::string_view bytes) {
  constexpr std::string_view path = "host.toml";
  const auto report = parse_host_report(bytes, path);
  if (!report) return promise_placed(report.finding(), path, bytes);
  promise(report->device.highest_apple_family().has_value(), "a host has an Apple family");
  for (const GpuFamily family : report->refused)
    promise(!report->device.supports(family), "a host does not refuse what it supports");
  const auto again = parse_host_report(host_report_toml(*report), path);
  promise(again && *again == *report, "a host report that is written reads as it was");
}

}  // namespace metal_unlock
