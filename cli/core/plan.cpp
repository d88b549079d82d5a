// SPDX-License-Identifier: MIT
#include "cli/core/plan.hpp"

#include "cli/core/need.hpp"
#include "cli/core/text_format.hpp"
#include "shim/handoff.hpp"

#include <utility>

namespace metal_unlock {
namespace {

/// The entries of a preload variable that are not ours, as they stand.
struct Others {
  std::string entries;
  bool is_without_ours = true;
};

Others others_in(std::string_view preload, const Loader& loader) {
  Others others;
  while (!preload.empty()) {
    const std::size_t end = preload.find_first_of(loader.separators);
    const std::string_view entry = preload.substr(0, end);
    const std::string_view name =
        entry.substr(entry.rfind('/') == std::string_view::npos ? 0 : entry.rfind('/') + 1);
    if (name == loader.shim_name) {
      others.is_without_ours = false;
    } else if (!entry.empty()) {
      if (!others.entries.empty()) others.entries += loader.separators.front();
      others.entries += entry;
    }
    if (end == std::string_view::npos) break;
    preload.remove_prefix(end + 1);
  }
  return others;
}

/// Keeps the handoff's own characters, and everything unprintable, out of a value.
std::string encoded(std::string_view text) {
  std::string safe;
  for (const char letter : text) {
    if (static_cast<unsigned char>(letter) <= ' ' || static_cast<unsigned char>(letter) >= 0x7f ||
        letter == ';' || letter == '%')
      safe += formatted("%{:02X}", static_cast<unsigned char>(letter));
    else
      safe += letter;
  }
  return safe;
}

void add_answers(std::string& text, std::string_view prefix, const Capabilities& answers) {
  constexpr std::pair<Field, std::string_view> keys[] = {
      {Field::apple_family, "apple-family"},
      {Field::max_threadgroup_memory, "max-threadgroup-memory"},
      {Field::recommended_max_working_set, "recommended-max-working-set"},
  };
  for (const auto& [field, key] : keys)
    if (const auto& amount = answers[field]) text += formatted(";{}{}={}", prefix, key, *amount);
}

}  // namespace

std::string handoff_text(const Capabilities& granted, const Scope& scope, const Loader& loader) {
  std::string text = "v1";
  for (const std::string_view name : paravirtual_device_classes) text += formatted(";class={}", name);
  add_answers(text, "", granted);
  add_answers(text, "simulated-", scope.simulated);
  if (!loader.metal.empty())
    text += formatted(";metal={};open={}", encoded(loader.metal), scope.is_target ? "always" : "programs");
  if (scope.children) text += ";children";
  if (scope.require) text += ";require";
  if (scope.log) text += ";log";
  if (scope.attached) text += ";attached";
  if (scope.beyond_host) text += ";beyond-host";
  if (!scope.report.empty()) text += formatted(";report={}", encoded(scope.report));
  if (scope.watch >= 0) text += formatted(";report-fd={}", scope.watch);
  return text + ";end";
}

std::string preload_with(std::string_view preload, std::string_view shim, const Loader& loader) {
  const std::string others = others_in(preload, loader).entries;
  std::string all{shim};
  if (!others.empty()) all += loader.separators.front() + others;
  return all;
}

bool fits_preload(std::string_view path, const Loader& loader) {
  return path.starts_with('/') &&
         path.find_first_of(loader.separators + loader.expanded) == std::string_view::npos;
}

EnvironmentChange unlocking_change(const Environment& environment, const Loader& loader,
                                   std::string_view shim, std::string_view handoff) {
  const std::string_view preload = environment.get(loader.preload_variable).value_or("");
  return {.set = {{loader.preload_variable, preload_with(preload, shim, loader)},
                  {shim::handoff_variable, std::string{handoff}}},
          .unset = {}};
}

EnvironmentChange stock_change(const Environment& environment, const Loader& loader) {
  EnvironmentChange change;
  if (const auto preload = environment.get(loader.preload_variable)) {
    const Others others = others_in(*preload, loader);
    if (!others.is_without_ours && others.entries.empty())
      change.unset.push_back(loader.preload_variable);
    else if (!others.is_without_ours)
      change.set.emplace_back(loader.preload_variable, others.entries);
  }
  if (environment.get(shim::handoff_variable)) change.unset.emplace_back(shim::handoff_variable);
  return change;
}

}  // namespace metal_unlock
