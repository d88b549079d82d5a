// SPDX-License-Identifier: MIT
#include "cli/text/profiles_text.hpp"

#include "cli/text/json.hpp"
#include "cli/text/printable.hpp"
#include "cli/text/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace metal_unlock {
namespace {

std::string claim_text(const Profile& profile, Field field) {
  return profile.claims[field] ? amount_text(field, *profile.claims[field]) : "stock";
}

Json capabilities_json(const Capabilities& capabilities) {
  Json json = Json::object();
  for (const FieldRow& row : field_rows())
    if (capabilities[row.field]) json[row.key] = *capabilities[row.field];
  return json;
}

Json claims_json(const Profile& profile) {
  Json json = Json::object();
  for (const auto& [field, origin] : profile.claim_origins)
    json[field_row(field).key] = {{"claim", *profile.claims[field]}, {"origin", origin}};
  return json;
}

Json profile_json(const Profile& profile) {
  Json evidence = Json::array();
  for (const Evidence& entry : profile.evidence)
    evidence.push_back({{"mark", to_text(entry.mark)}, {"source", entry.source}, {"fact", entry.fact}});
  return {{"name", profile.name},
          {"path", profile.path},
          {"layer", to_text(profile.layer)},
          {"description", profile.description},
          {"extends", profile.lineage},
          {"match", profile.match},
          {"claims", claims_json(profile)},
          {"ceiling", capabilities_json(profile.ceiling)},
          {"chip",
           {{"architecture", profile.chip.architecture},
            {"gpu_cores", profile.chip.gpu_cores},
            {"models", profile.chip.models}}},
          {"evidence", evidence}};
}

}  // namespace

std::string profile_list_text(std::span<const Profile> profiles) {
  Table table;
  table.add_row({"NAME", "CLAIMS", "CHIP", "FROM", "EVIDENCE"});
  for (const Profile& profile : profiles)
    table.add_row({profile.name, claim_text(profile, Field::apple_family),
                   profile.match.empty() ? "-" : printable(fmt::format("{}", fmt::join(profile.match, ", "))),
                   to_text(profile.layer),
                   profile.evidence.empty() ? "-" : to_text(profile.evidence.front().mark)});
  return table.text();
}

std::string profile_text(const Profile& profile, std::string_view before) {
  Table head;
  head.add_row({"profile", profile.name});
  head.add_row({"what", printable(profile.description)});
  head.add_row({"from", printable(fmt::format("{} ({})", profile.path, to_text(profile.layer)))});
  if (!profile.lineage.empty())
    head.add_row({"extends", fmt::format("{}", fmt::join(profile.lineage, ", then "))});
  if (!profile.match.empty())
    head.add_row({"match", printable(fmt::format("{}", fmt::join(profile.match, ", ")))});

  Table fields;
  fields.add_row({"ANSWER", "CLAIM", "CEILING", "CLAIMED BY"});
  for (const FieldRow& row : field_rows()) {
    const auto origin = profile.claim_origins.find(row.field);
    fields.add_row({std::string{row.key}, claim_text(profile, row.field),
                    profile.ceiling[row.field] ? amount_text(row.field, *profile.ceiling[row.field]) : "-",
                    origin == profile.claim_origins.end() ? "-" : printable(origin->second)});
  }

  Table facts;
  if (!profile.chip.architecture.empty()) facts.add_row({"architecture", profile.chip.architecture});
  if (!profile.chip.gpu_cores.empty())
    facts.add_row({"GPU cores", fmt::format("{}", fmt::join(profile.chip.gpu_cores, " or "))});
  if (!profile.chip.models.empty())
    facts.add_row({"models", fmt::format("{}", fmt::join(profile.chip.models, ", "))});
  for (const Evidence& entry : profile.evidence)
    facts.add_row(
        {to_text(entry.mark),
         printable(entry.fact.empty() ? entry.source : fmt::format("{} ({})", entry.source, entry.fact))});
  return fmt::format("{}{}\n{}\n{}", before, head.text(), fields.text(), facts.text());
}

std::string profiles_json(std::span<const Profile> profiles) {
  Json all = Json::array();
  for (const Profile& profile : profiles) all.push_back(profile_json(profile));
  return json_text({{"schema", 1}, {"profiles", all}});
}

}  // namespace metal_unlock
