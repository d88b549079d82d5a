// SPDX-License-Identifier: MIT
#include "cli/text/profiles_text.hpp"

#include "cli/core/text_format.hpp"
#include "cli/text/joined.hpp"
#include "cli/text/printable.hpp"
#include "cli/text/table.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

std::string claim_text(const Profile& profile, Field field) {
  if (profile.simulated[field]) return formatted("at most {}", amount_text(field, *profile.simulated[field]));
  return profile.claims[field] ? amount_text(field, *profile.claims[field]) : "stock";
}

}  // namespace

std::string profile_list_text(std::span<const Profile> profiles, std::string_view chip) {
  Table table;
  table.add_row({"NAME", "", "CLAIMS", "CHIP", "FROM", "EVIDENCE"});
  for (const Profile& profile : profiles) {
    const bool fits = std::ranges::find(profile.match, chip) != profile.match.end();
    table.add_row({profile.name, fits ? "*" : "", claim_text(profile, Field::apple_family),
                   profile.match.empty() ? "-" : printable(joined(profile.match, ", ")),
                   to_text(profile.layer),
                   profile.evidence.empty() ? "-" : to_text(profile.evidence.front().mark)});
  }
  return table.text();
}

std::string profile_text(const Profile& profile, std::string_view before) {
  Table head;
  head.add_row({"profile", profile.name});
  head.add_row({"what", printable(profile.description)});
  head.add_row({"from", printable(formatted("{} ({})", profile.path, to_text(profile.layer)))});
  if (!profile.lineage.empty()) head.add_row({"extends", joined(profile.lineage, ", then ")});
  if (!profile.match.empty()) head.add_row({"match", printable(joined(profile.match, ", "))});

  Table fields;
  fields.add_row({"ANSWER", "CLAIM", "CLAIMED BY", "CEILING", "STATED BY"});
  const auto origin_of = [](const std::map<Field, std::string>& origins, Field field) {
    const auto origin = origins.find(field);
    return origin == origins.end() ? std::string{"-"} : printable(origin->second);
  };
  for (const FieldRow& row : field_rows())
    fields.add_row({std::string{row.key}, claim_text(profile, row.field),
                    origin_of(profile.claim_origins, row.field),
                    profile.ceiling[row.field] ? amount_text(row.field, *profile.ceiling[row.field]) : "-",
                    origin_of(profile.ceiling_origins, row.field)});

  Table facts;
  if (!profile.chip.architecture.empty())
    facts.add_row({"architecture", printable(profile.chip.architecture)});
  if (!profile.chip.gpu_cores.empty()) facts.add_row({"GPU cores", joined(profile.chip.gpu_cores, " or ")});
  if (!profile.chip.models.empty()) facts.add_row({"models", printable(joined(profile.chip.models, ", "))});
  for (const Evidence& entry : profile.evidence)
    facts.add_row(
        {to_text(entry.mark),
         printable(entry.fact.empty() ? entry.source : formatted("{} ({})", entry.source, entry.fact))});
  return formatted("{}{}\n{}\n{}", before, head.text(), fields.text(), facts.text());
}

}  // namespace metal_unlock
