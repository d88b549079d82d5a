// SPDX-License-Identifier: MIT
#include "cli/text/host_text.hpp"

#include "cli/core/text_format.hpp"
#include "cli/text/table.hpp"

namespace metal_unlock {

std::string_view to_text(PreferenceState state) {
  switch (state) {
    case PreferenceState::on:
      return "true";
    case PreferenceState::off:
      return "false";
    case PreferenceState::other:
      return "neither true nor false";
    case PreferenceState::unset:
      break;
  }
  return "not set";
}

std::string host_preference_text(PreferenceState state) {
  Table table;
  table.add_row({"preference", formatted("{} {}", preference_domain, preference_key)});
  table.add_row({"state", std::string{to_text(state)}});
  table.add_row({"affects", "all virtual machines of this user, once they are stopped and started again"});
  table.add_row(
      {"needed", "disputed: Cua, Anka and Tart say yes; a controlled test by Kronk (2026-09-02) saw no"});
  table.add_row({"", "difference in what a guest reports; nobody has published one about what it computes"});
  if (state != PreferenceState::on) table.add_row({"to set it", "metal-unlock host enable"});
  if (state != PreferenceState::unset) table.add_row({"to undo it", "metal-unlock host disable"});
  return table.text();
}

std::string host_change_text(PreferenceState before, PreferenceState after) {
  if (before == after)
    return formatted("{} is {} already; nothing was changed\n", preference_key, to_text(after));
  const bool is_on = after == PreferenceState::on;
  return formatted(
      "{} was {}, is now {}\nIt counts for all virtual machines of this user, once they are stopped and "
      "started again.\nTo undo it: {}\n",
      preference_key, to_text(before), to_text(after),
      is_on ? "metal-unlock host disable" : "metal-unlock host enable");
}

}  // namespace metal_unlock
