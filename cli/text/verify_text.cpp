// SPDX-License-Identifier: MIT
#include "cli/text/verify_text.hpp"

#include "cli/core/text_format.hpp"
#include "cli/text/printable.hpp"
#include "cli/text/style.hpp"
#include "cli/text/table.hpp"
#include "cli/text/wrapped.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

enum class Column : std::uint8_t { capability, since, stock, unlocked, verdict, error };

/// From everything down to what fits a narrow terminal.
std::vector<std::vector<Column>> layouts() {
  using enum Column;
  return {{capability, since, stock, unlocked, verdict, error},
          {capability, stock, unlocked, verdict, error},
          {capability, stock, unlocked, verdict},
          {capability, verdict}};
}

std::string head_of(Column column) {
  switch (column) {
    case Column::capability:
      return "CAPABILITY";
    case Column::since:
      return "SINCE";
    case Column::stock:
      return "STOCK";
    case Column::unlocked:
      return "UNLOCKED";
    case Column::verdict:
      return "VERDICT";
    case Column::error:
      break;
  }
  return "LARGEST ERROR";
}

/// How much of the tolerance the result uses up; nothing where a result is either right or wrong.
std::string error_text(const CheckPass& pass) {
  const bool is_measured = pass.end == PassEnd::correct || pass.end == PassEnd::wrong;
  if (!is_measured) return {};
  if (pass.tolerance == 0) return pass.end == PassEnd::correct ? "none" : "";
  return formatted("{:.2g} of {:.2g}", pass.largest_error, pass.tolerance);
}

std::string verdict_cell(const GpuVerdict& verdict, const CapabilityVerdict& capability, const Style& style) {
  const std::string word{to_text(state_of(verdict, capability))};
  if (!capability.is_claimed) return style.dim(word + ", not claimed");
  return is_fine(verdict, capability) ? word : style.failure(word);
}

std::string cell_of(Column column, const GpuVerdict& verdict, const CapabilityVerdict& capability,
                    const Style& style) {
  const auto pass_cell = [&](const CheckPass& pass) {
    const std::string word{to_text(pass.end)};
    return pass.end == PassEnd::correct ? word : style.dim(word);
  };
  const Check* const check = find_check(capability.name);
  switch (column) {
    case Column::capability:
      return printable(capability_name(capability));
    case Column::since:
      return check == nullptr ? std::string{} : to_text(check->since);
    case Column::stock:
      return pass_cell(capability.stock);
    case Column::unlocked:
      return pass_cell(capability.unlocked);
    case Column::verdict:
      return verdict_cell(verdict, capability, style);
    case Column::error:
      break;
  }
  return error_text(deciding_pass(verdict, capability));
}

std::string table_of(std::vector<Column> columns, const GpuVerdict& verdict, const Style& style) {
  if (!verdict.was_unlocked) std::erase(columns, Column::unlocked);
  Table table;
  std::vector<std::string> head;
  for (const Column column : columns) head.push_back(style.bold(head_of(column)));
  table.add_row(head);
  for (const CapabilityVerdict& capability : verdict.capabilities) {
    std::vector<std::string> row;
    for (const Column column : columns) row.push_back(cell_of(column, verdict, capability, style));
    table.add_row(std::move(row));
  }
  return table.text();
}

std::size_t widest_line(std::string_view text) {
  std::size_t widest = 0;
  while (!text.empty()) {
    const std::string line{text.substr(0, text.find('\n'))};
    widest = std::max(widest, shown_width(line));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return widest;
}

std::string machine_text(const Launch& launch) {
  const Machine& machine = launch.machine;
  std::string text = formatted("{} {}", machine.os, machine.os_version);
  if (!machine.os_build.empty()) text += formatted(" ({})", machine.os_build);
  text += formatted(", {}", physical_chip(machine));
  if (launch.decision.action != Action::start_unlocked || !launch.selection) return text + ", stock";
  text += formatted(", profile {}", launch.selection->profile.name);
  const auto family = launch.verdict->granted()[Field::apple_family];
  return family ? text + formatted(": up to {}", amount_text(Field::apple_family, *family)) : text;
}

std::string failures_text(const GpuVerdict& verdict, std::size_t width) {
  constexpr std::size_t indent = 4;
  std::string text;
  for (const CapabilityVerdict& capability : verdict.capabilities) {
    const CheckPass& pass = deciding_pass(verdict, capability);
    const bool is_expected = !capability.is_claimed && pass.end == PassEnd::refused;
    if (pass.where.empty() || pass.end == PassEnd::correct || is_expected) continue;
    const std::string line = printable(formatted("{}: {}", capability_name(capability), words_about(pass)));
    text += "  " + wrapped(line, width == std::string::npos ? width : width - indent, indent) + "\n";
  }
  return text.empty() ? text : "\n" + text;
}

std::string score(const GpuVerdict& verdict) {
  return formatted("{} of {} claimed capabilities compute correctly", fine_count(verdict),
                   claimed_count(verdict));
}

}  // namespace

std::string verify_text(const GpuVerdict& verdict, const Launch& launch, const Terminal& terminal) {
  const Style style{terminal};
  const std::size_t width =
      terminal.is_terminal ? static_cast<std::size_t>(std::max(terminal.width, 20)) : std::string::npos;
  std::string table;
  for (const auto& columns : layouts()) {
    table = table_of(columns, verdict, style);
    if (widest_line(table) <= width) break;
  }
  const std::string result = "verdict: " + score(verdict);
  return style.bold(wrapped(printable(machine_text(launch)), width, 0)) + "\n\n" + table +
         failures_text(verdict, width) + "\n" + (verdict.is_good() ? result : style.failure(result)) + "\n";
}

std::string verdict_summary(const GpuVerdict& verdict) {
  return formatted("{}: {}", moment_text(verdict.verified_at), score(verdict));
}

}  // namespace metal_unlock
