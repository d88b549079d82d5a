// SPDX-License-Identifier: MIT
#include "cli/text/explain_text.hpp"
#include "cli/text/json_document.hpp"

namespace metal_unlock {
namespace {

void add_fact(Json& json, const FactSource& fact, const std::string& origin) {
  json["source"] = fact.source;
  json["date"] = fact.date;
  json["origin"] = origin;
}

/// True, false, the text of another answer, null where it is not known.
Json answer_json(const ProgramItem& gate, const std::optional<DeviceAnswers>& answers) {
  if (!answers) return {};
  if (const auto open = is_open(gate.condition, *answers)) return *open;
  const std::string text = answer_text(gate.question, *answers);
  return text.empty() ? Json{} : Json(text);
}

Json gate_json(const ProgramItem& gate, const ComparedAnswers* answers) {
  Json json{{"name", gate.name}, {"question", gate.question}, {"needs", to_text(gate.condition)}};
  if (answers != nullptr) {
    json["stock"] = answer_json(gate, answers->stock);
    json["unlocked"] = answer_json(gate, answers->unlocked);
    json["bare_metal"] = answer_json(gate, answers->bare_metal);
  }
  json["decides"] = gate.says;
  json["otherwise"] = gate.otherwise;
  json["operations"] = gate.operations;
  json["types"] = gate.types;
  json["not_types"] = gate.not_types;
  return json;
}

Json item_json(const ProgramItem& item, const ComparedAnswers* answers) {
  Json json =
      item.kind == ItemKind::gate ? gate_json(item, answers) : Json{{"name", item.name}, {"says", item.says}};
  if (item.kind == ItemKind::bad_guest) {
    json["versions"] = item.versions;
    json["remedy"] = item.otherwise;
  }
  if (item.kind == ItemKind::advice) json["value"] = item.value;
  add_fact(json, item.fact, item.origin);
  return json;
}

Json program_json(const Program& program, const ComparedAnswers* answers) {
  Json json{{"name", program.name},
            {"path", program.path},
            {"layer", to_text(program.layer)},
            {"description", program.description},
            {"extends", program.extends ? Json(*program.extends) : Json{}},
            {"gain", {}},
            {"recognise", {}}};
  if (program.gain) {
    json["gain"] = {{"unlock", to_text(program.gain->gain)}, {"why", program.gain->why}};
    add_fact(json["gain"], program.gain->fact, program.gain->origin);
  }
  if (program.recognition) {
    json["recognise"] = {{"names", program.recognition->names},
                         {"libraries", program.recognition->libraries}};
    add_fact(json["recognise"], program.recognition->fact, program.recognition->origin);
  }
  for (const ItemKind kind : item_kinds) {
    Json& items = json[to_text(kind)] = Json::array();
    for (const ProgramItem& item : program.items_of(kind)) items.push_back(item_json(item, answers));
  }
  Json& dropped = json["without"] = Json::array();
  for (const DroppedItem& item : program.without)
    dropped.push_back({{"kind", to_text(item.kind)}, {"name", item.name}, {"origin", item.origin}});
  Json& variables = json["environment"] = Json::array();
  for (const ProgramVariable& variable : program.environment)
    variables.push_back({{"name", variable.name}, {"setting", variable.value}, {"origin", variable.origin}});
  return json;
}

Json programs_of(std::span<const Program> programs, const ComparedAnswers* answers) {
  Json all = Json::array();
  for (const Program& program : programs) all.push_back(program_json(program, answers));
  return all;
}

}  // namespace

std::string explain_json(std::span<const Program> programs, const ExplainedPlace& place) {
  const Machine& machine = place.machine;
  return json_document(
      {{"machine", {{"os", machine.os}, {"os_version", machine.os_version}, {"chip", machine.chip}}},
       {"profile", place.profile},
       {"ceiling", place.ceiling},
       {"programs", programs_of(programs, &place.answers)}});
}

std::string programs_json(std::span<const Program> programs) {
  return json_document({{"programs", programs_of(programs, nullptr)}});
}

}  // namespace metal_unlock
