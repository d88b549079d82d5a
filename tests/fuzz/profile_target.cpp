// SPDX-License-Identifier: MIT
#include "cli/core/profile_parse.hpp"
#include "cli/core/text_format.hpp"
#include "cli/core/toml_write.hpp"
#include "tests/fuzz/promise.hpp"
#include "tests/fuzz/targets.hpp"

namespace metal_unlock {
namespace {

constexpr std::string_view profile_path = "m9.toml";

std::string list_toml(std::string_view key, const std::vector<std::string>& items) {
  if (items.empty()) return {};
  std::string text;
  for (const std::string& item : items) text += item + ", ";
  return formatted("{} = [{}]\n", key, text);
}

std::string capabilities_toml(std::string_view table, const Capabilities& amounts) {
  std::string text = formatted("[{}]\n", table);
  for (const FieldRow& row : field_rows())
    if (amounts[row.field]) text += formatted("{} = {}\n", row.key, *amounts[row.field]);
  return text;
}

std::string chip_toml(const ChipFacts& chip) {
  std::string text = "[chip]\n";
  if (!chip.architecture.empty()) text += formatted("architecture = {}\n", toml_string(chip.architecture));
  std::vector<std::string> cores;
  for (const std::uint32_t count : chip.gpu_cores) cores.push_back(formatted("{}", count));
  std::vector<std::string> models;
  for (const std::string& model : chip.models) models.push_back(toml_string(model));
  return text + list_toml("gpu_cores", cores) + list_toml("models", models);
}

/// A profile as a file, for this check alone: people write theirs by hand.
std::string profile_toml(const ProfileFile& file) {
  std::string text = formatted("schema = 1\ndescription = {}\n", toml_string(file.description));
  if (file.extends) text += formatted("extends = {}\n", toml_string(*file.extends));
  std::vector<std::string> match;
  for (const std::string& chip : file.match) match.push_back(toml_string(chip));
  std::vector<std::string> without;
  for (const Field field : file.without) without.push_back(toml_string(field_row(field).key));
  text += list_toml("match", match) + list_toml("without", without);
  text += formatted("fallback = {}\n", file.fallback);
  text += capabilities_toml("claims", file.claims) + capabilities_toml("simulate", file.simulated);
  text += capabilities_toml("ceiling", file.ceiling) + chip_toml(file.chip);
  for (const Evidence& entry : file.evidence) {
    text += formatted("[[evidence]]\nmark = \"{}\"\nsource = {}\n", to_text(entry.mark),
                      toml_string(entry.source));
    if (!entry.fact.empty()) text += formatted("fact = {}\n", toml_string(entry.fact));
  }
  return text;
}

}  // namespace

void fuzz_profile(std::string_view bytes) {
  const auto file = parse_profile(bytes, profile_path, ProfileLayer::user);
  if (!file) return promise_placed(file.finding(), profile_path, bytes);
  for (const Capabilities* amounts : {&file->claims, &file->simulated, &file->ceiling})
    for (const FieldRow& row : field_rows())
      if (const auto amount = (*amounts)[row.field])
        promise(*amount >= row.least && *amount <= row.most && *amount % row.multiple == 0,
                "an amount is within its bounds");
  auto again = parse_profile(profile_toml(*file), profile_path, ProfileLayer::user);
  promise(static_cast<bool>(again), "a profile that is written reads");
  again->extends_at = file->extends_at;
  promise(*again == *file, "a profile that is written reads as it was");
}

}  // namespace metal_unlock
