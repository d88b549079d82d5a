// SPDX-License-Identifier: MIT
#include "cli/text/json_text.hpp"

#include "cli/text/doctor_text.hpp"
#include "cli/text/host_text.hpp"
#include "cli/text/json_document.hpp"

namespace metal_unlock {
namespace {

Json capabilities_json(const Capabilities& capabilities) {
  Json json = Json::object();
  for (const FieldRow& row : field_rows())
    if (capabilities[row.field]) json[row.key] = *capabilities[row.field];
  return json;
}

/// Each field that a file speaks about: a claim, a simulated answer, or null where an inherited one is
/// dropped.
Json claims_json(const Profile& profile) {
  const auto amount_or_null = [](const std::optional<std::uint64_t>& amount) {
    return amount ? Json(*amount) : Json{};
  };
  Json json = Json::object();
  for (const auto& [field, origin] : profile.claim_origins) {
    Json& entry = json[field_row(field).key];
    entry = {{"claim", amount_or_null(profile.claims[field])}, {"origin", origin}};
    if (profile.simulated[field]) entry["simulated"] = *profile.simulated[field];
  }
  return json;
}

Json here_json(const Here& here) {
  const auto amount_or_null = [](const std::optional<std::uint64_t>& amount) {
    return amount ? Json(*amount) : Json{};
  };
  Json fields = Json::array();
  for (const FieldVerdict& field : here.verdict.fields)
    fields.push_back({{"answer", field_row(field.field).key},
                      {"stock", amount_or_null(field.stock)},
                      {"claim", amount_or_null(field.claim)},
                      {"simulated", amount_or_null(field.simulated)},
                      {"ceiling", amount_or_null(field.ceiling)},
                      {"decision", to_text(field.decision)},
                      {"told", amount_or_null(field.granted)},
                      {"reason", field.reason}});
  return {{"ceiling", here.ceiling}, {"fields", fields}};
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

std::string_view action_name(Action action) {
  switch (action) {
    case Action::start_unlocked:
      return "unlocked";
    case Action::start_stock:
      return "stock";
    case Action::refuse:
      break;
  }
  return "refused";
}

Json target_json(const Launch& launch) {
  if (!launch.target) return nullptr;
  const Target& target = *launch.target;
  Json chain = Json::array();
  for (const Link& link : target.chain)
    chain.push_back({{"from", link.from}, {"relation", to_text(link.kind)}, {"to", link.to}});
  Json json{{"word", target.word},     {"file", target.typed_file}, {"program", target.program},
            {"executes", target.file}, {"argv", target.argv},       {"chain", chain}};
  json["loader"] = nullptr;
  if (const auto& clearance = launch.clearance)
    json["loader"] = {{"verdict", to_text(clearance->verdict)},
                      {"rule", clearance->rule},
                      {"certainty", to_text(clearance->certainty)},
                      {"source", clearance->source},
                      {"architecture", clearance->architecture}};
  return json;
}

Json section_json(const DiagnosisSection& section) {
  Json entries = Json::array();
  for (const DiagnosisEntry& entry : section.entries)
    entries.push_back({{"severity", to_text(entry.severity)},
                       {"id", entry.id},
                       {"sentence", entry.sentence},
                       {"next", entry.next},
                       {"details", entry.details}});
  return {{"title", section.title}, {"entries", entries}};
}

}  // namespace

std::string agent_json(const ShownAgent& agent) {
  Json json{{"service", agent.service},
            {"file", agent.path},
            {"written_by_us", agent.file == AgentFile::own},
            {"file_state", to_text(agent.file)},
            {"loaded", agent.state.has_value()}};
  if (agent.state)
    json.update({{"loaded_from", agent.state->file},
                 {"state", agent.state->state},
                 {"pid", agent.state->pid},
                 {"last_exit", agent.state->last_exit}});
  return json_document(json);
}

std::string paths_json(std::span<const ShownPath> paths) {
  Json list = Json::array();
  for (const ShownPath& shown : paths)
    list.push_back({{"path", shown.path.path},
                    {"state", state_of(shown)},
                    {"written_by", shown.path.written_by},
                    {"what", shown.path.what}});
  return json_document({{"paths", list}});
}

std::string doctor_json(const Diagnosis& diagnosis, const Launch& launch) {
  Json sections = Json::array();
  for (const DiagnosisSection& section : diagnosis.sections) sections.push_back(section_json(section));
  return json_document({{"ready", diagnosis.is_ready()},
                        {"verdict", diagnosis.verdict()},
                        {"sections", sections},
                        {"target", target_json(launch)}});
}

std::string profiles_json(std::span<const Profile> profiles, std::span<const std::optional<Here>> here) {
  Json all = Json::array();
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    all.push_back(profile_json(profiles[i]));
    if (i < here.size() && here[i]) all.back()["here"] = here_json(*here[i]);
  }
  return json_document({{"profiles", all}});
}

std::string plan_event(const Launch& launch) {
  Json findings = Json::array();
  for (const Finding& finding : launch.decision.findings)
    findings.push_back({{"id", catalogue_row(finding.id).name}, {"sentence", finding.sentence}});
  Json event{{"event", "plan"}, {"schema", 1}, {"decision", action_name(launch.decision.action)}};
  event["policy"] = to_text(launch.settings.policy.value);
  event["target"] = launch.target ? launch.target->typed_file : "";
  event["chip"] = physical_chip(launch.machine);
  event["profile"] = launch.selection ? launch.selection->profile.name : "";
  event["ceiling"] = launch.selection ? launch.selection->ceiling.origin : "";
  event["claims"] = launch.verdict ? capabilities_json(launch.verdict->granted()) : Json::object();
  if (!launch.scope.simulated.empty()) event["simulated"] = capabilities_json(launch.scope.simulated);
  event["beyond-host"] = launch.scope.beyond_host;
  event["findings"] = findings;
  return event.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string change_json(const Launch& launch) {
  Json set = Json::object();
  for (const auto& [name, text] : launch.plan.change.set) set[name] = text;
  const bool is_unlocked = launch.decision.action == Action::start_unlocked;
  return json_document({{"unlocked", is_unlocked}, {"set", set}, {"unset", launch.plan.change.unset}});
}

std::string host_report_json(const HostReport& report) {
  const DeviceAnswers& device = report.device;
  const auto text_or_null = [](const std::string& text) { return text.empty() ? Json{} : Json(text); };
  const auto size_or_null = [](const std::optional<Bytes>& size) {
    return size ? Json(size->count) : Json{};
  };
  const auto numbers = [](const std::vector<GpuFamily>& families) {
    Json all = Json::array();
    for (const GpuFamily family : families)
      all.push_back({{"number", family.number}, {"name", to_text(family)}});
    return all;
  };
  return json_document({{"tool", report.tool_version},
                        {"host",
                         {{"chip", report.chip},
                          {"model", text_or_null(report.model)},
                          {"os_version", text_or_null(report.os_version)},
                          {"os_build", text_or_null(report.os_build)}}},
                        {"device",
                         {{"name", device.name},
                          {"architecture", text_or_null(device.architecture)},
                          {"gpu_cores", report.gpu_cores ? Json(*report.gpu_cores) : Json{}},
                          {"unified_memory", device.unified_memory},
                          {"max_threadgroup_memory", device.max_threadgroup_memory.count},
                          {"recommended_max_working_set", size_or_null(device.recommended_max_working_set)},
                          {"max_buffer_length", size_or_null(device.max_buffer_length)},
                          {"families", numbers(device.families)},
                          {"refused_families", numbers(report.refused)}}}});
}

std::string host_preference_json(PreferenceState state) {
  return json_document({{"domain", preference_domain}, {"key", preference_key}, {"state", to_text(state)}});
}

std::string config_json(const std::vector<ShownRow>& settings, const std::vector<ShownRow>& files) {
  Json in_force = Json::object();
  for (const ShownRow& row : settings)
    in_force[row.name] = {{"in_force", row.content}, {"origin", row.remark}};
  Json places = Json::array();
  for (const ShownRow& row : files)
    places.push_back({{"what", row.name}, {"path", row.content}, {"state", row.remark}});
  return json_document({{"settings", in_force}, {"files", places}});
}

}  // namespace metal_unlock
