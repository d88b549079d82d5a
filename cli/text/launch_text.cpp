// SPDX-License-Identifier: MIT
#include "cli/text/launch_text.hpp"

#include "cli/core/text_format.hpp"
#include "cli/text/doctor_text.hpp"
#include "cli/text/printable.hpp"
#include "cli/text/table.hpp"
#include "cli/text/verdict_text.hpp"
#include "cli/text/verify_text.hpp"

namespace metal_unlock {
namespace {

std::string guest_text(const Machine& machine) {
  return formatted("{} {} on {}, chip {}", machine.os, machine.os_version, machine.model,
                   physical_chip(machine));
}

std::string profile_text(const Selection& selection) {
  return formatted("{} ({}): {}", selection.profile.name, to_text(selection.profile.layer), selection.reason);
}

/// "GPU verdict from 2026-12-01 01:00 UTC: 12 of 12 …", "GPU verified now: …"; empty where none was wanted.
std::string gpu_text(const Launch& launch) {
  if (!launch.gpu) return {};
  const std::string summary = verdict_summary(launch.gpu->verdict);
  return launch.gpu->is_remembered ? "GPU verdict from " + summary : "GPU verified now, " + summary;
}

void add_change(Table& table, const EnvironmentChange& change) {
  for (const auto& [name, value] : change.set)
    table.add_row({"would set", formatted("{}={}", name, printable(value))});
  for (const std::string& name : change.unset) table.add_row({"would unset", name});
  if (change.empty()) table.add_row({"would set", "nothing"});
}

}  // namespace

std::string why_stock(const Launch& launch) {
  if (launch.settings.policy.value == Policy::off)
    return formatted("switched off by {}", launch.settings.policy.origin);
  if (launch.need != Need::guest) return reason_text(launch.need, launch.machine);
  if (!launch.decision.findings.empty()) return launch.decision.findings.front().sentence;
  return "stock reaches every claim already";
}

std::string summary_line(const Launch& launch, const Style& style) {
  std::string words = formatted("metal-unlock: {} (virtual){}profile {}", physical_chip(launch.machine),
                                style.dot(), launch.selection ? launch.selection->profile.name : "none");
  const Capabilities granted = launch.verdict ? launch.verdict->granted() : Capabilities{};
  if (granted[Field::apple_family])
    words +=
        formatted("{}up to {}", style.dot(), amount_text(Field::apple_family, *granted[Field::apple_family]));
  return style.dim(words) + "\n";
}

std::string verbose_text(const Launch& launch, const Style& style) {
  std::string text;
  if (launch.gpu) text = formatted("metal-unlock: {}\n", gpu_text(launch));
  if (launch.decision.action == Action::start_stock)
    return text + formatted("metal-unlock: starting stock: {}\n", printable(why_stock(launch)));
  text += summary_line(launch, style);
  text += formatted("metal-unlock: profile {}\n", printable(profile_text(*launch.selection)));
  text += formatted("metal-unlock: ceiling {}\n", launch.selection->ceiling.origin);
  for (const auto& [name, value] : launch.plan.change.set)
    text += formatted("metal-unlock: set {}={}\n", name, printable(value));
  return text;
}

std::string dry_run_text(const Launch& launch, const Capabilities& stock) {
  Table table;
  if (launch.settings.policy.value != Policy::off) table.add_row({"guest", guest_text(launch.machine)});
  if (launch.selection) {
    table.add_row({"profile", printable(profile_text(*launch.selection))});
    table.add_row({"ceiling", launch.selection->ceiling.origin});
  }
  std::string text = table.text();
  // The plan is made without asking Metal, as `run` makes it; only these lines know what stock is.
  if (launch.selection)
    text += formatted("\n{}\n", verdict_text(validate(*launch.selection, stock, launch.scope.beyond_host)));

  Table rest;
  if (launch.target) {
    rest.add_row({"target", printable(launch.target->typed_file)});
    for (const Link& link : launch.target->chain)
      rest.add_row({"", printable(formatted("{} {}", to_text(link.kind), link.to))});
  }
  if (launch.clearance)
    rest.add_row(
        {"loader", formatted("{}: {}", to_text(launch.clearance->verdict), rule_text(*launch.clearance))});
  rest.add_row({"children", launch.scope.children ? "unlocked too" : "not affected"});
  if (launch.gpu)
    rest.add_row({"GPU", gpu_text(launch)});
  else if (launch.settings.verify.value && launch.decision.action == Action::start_unlocked)
    rest.add_row({"GPU", "would be verified first"});
  switch (launch.decision.action) {
    case Action::start_unlocked:
      rest.add_row({"decision", "start unlocked"});
      break;
    case Action::start_stock:
      rest.add_row({"decision", formatted("start stock: {}", printable(why_stock(launch)))});
      break;
    case Action::refuse:
      rest.add_row({"decision", formatted("refuse with {}", launch.decision.status)});
      break;
  }
  if (launch.decision.action != Action::refuse) add_change(rest, launch.plan.change);
  return text + rest.text();
}

}  // namespace metal_unlock
