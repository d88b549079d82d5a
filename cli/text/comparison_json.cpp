// SPDX-License-Identifier: MIT
#include "cli/text/comparison_json.hpp"

#include "cli/text/comparison_text.hpp"
#include "cli/text/json_document.hpp"

namespace metal_unlock {
namespace {

template <class T>
Json or_null(const std::optional<T>& optional) {
  return optional ? Json(*optional) : Json(nullptr);
}

Json side_json(const std::vector<double>& samples, const Summary& summary) {
  return {{"samples", samples},
          {"median", summary.median},
          {"least", summary.least},
          {"most", summary.most},
          {"relative_range", or_null(summary.relative_range)},
          {"outliers", summary.outliers}};
}

Json interval_json(const std::optional<Interval>& interval) {
  return interval ? Json{{"low", interval->low}, {"high", interval->high}} : Json(nullptr);
}

Json row_json(const Row& row) {
  const Workload& workload = row.workload;
  Json json{{"test", workload.test}, {"model", workload.model}};
  json["model_size"] = workload.model_size ? Json(workload.model_size->count) : Json(nullptr);
  json["build"] = workload.build;
  json["threads"] = or_null(workload.threads);
  json["settings"] = workload.settings;
  json["unit"] = to_text(row.unit);
  for (const auto& [side, summary] : summaries_of(row))
    json[std::string{to_text(side)}] = side_json(row.samples(side), summary);
  const auto comparison = row.comparison();
  json["times_as_fast"] = comparison ? or_null(comparison->speedup) : Json(nullptr);
  json["times_as_fast_95"] = comparison ? interval_json(comparison->interval) : Json(nullptr);
  json["share_of_host"] = or_null(row.host_share());
  json["verdict"] = comparison ? Json(to_text(comparison->change)) : Json(nullptr);
  return json;
}

Json pairing_json(const Pairing& pairing) {
  Json rows = Json::array();
  for (const Row& row : pairing.rows) rows.push_back(row_json(row));
  return {{"rows", rows}, {"mismatches", pairing.mismatches}};
}

Json run_json(const BenchRun& run) {
  return {{"name", name_of(run.turn)},
          {"side", to_text(run.turn.side)},
          {"warmup", run.turn.is_warmup},
          {"status", run.status},
          {"wall_seconds", run.wall_seconds},
          {"cpu_seconds", run.processor_seconds},
          {"others_busy", or_null(run.others_busy)},
          {"excluded", run.exclusion.empty() ? Json(nullptr) : Json(run.exclusion)}};
}

Json object_of(const std::vector<std::pair<std::string, std::string>>& pairs) {
  Json object = Json::object();
  for (const auto& [name, text] : pairs) object[name] = text;
  return object;
}

}  // namespace

std::string comparison_json(const Pairing& pairing) { return json_document(pairing_json(pairing)); }

std::string bench_json(const Pairing& pairing, std::span<const BenchRun> runs, bool is_complete) {
  Json json = pairing_json(pairing);
  json["complete"] = is_complete;
  Json all = Json::array();
  for (const BenchRun& run : runs) all.push_back(run_json(run));
  json["runs"] = all;
  return json_document(json);
}

std::string evidence_json(const EvidenceFacts& facts) {
  const Machine& machine = facts.machine;
  const MachineState& state = facts.state;
  return json_document({{"tool", facts.version},
                        {"machine",
                         {{"os", machine.os},
                          {"os_version", machine.os_version},
                          {"os_build", machine.os_build},
                          {"model", machine.model},
                          {"chip", machine.chip},
                          {"architecture", machine.architecture},
                          {"virtual", machine.is_virtual},
                          {"accelerators", machine.accelerators},
                          {"processors", state.processors},
                          {"on_battery", or_null(state.on_battery)},
                          {"thermal_pressure", or_null(state.thermal_pressure)}}},
                        {"command", facts.command},
                        {"environment", object_of(facts.variables)},
                        {"sha256", object_of(facts.hashes)}});
}

}  // namespace metal_unlock
