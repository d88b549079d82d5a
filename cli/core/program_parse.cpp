// SPDX-License-Identifier: MIT
#include "cli/core/program_parse.hpp"

#include "cli/core/profile_parse.hpp"
#include "cli/core/shell_word.hpp"
#include "cli/core/text_format.hpp"
#include "cli/core/toml_reader.hpp"

#include <algorithm>
#include <limits>

namespace metal_unlock {
namespace {

using Handlers = std::vector<std::pair<std::string_view, TomlReader::Handler>>;

bool is_date(std::string_view text) {
  // The day may be unknown, the month is not.
  const std::string_view form = text.size() == 7 ? "dddd-dd" : "dddd-dd-dd";
  return std::ranges::equal(text, form, [](char letter, char wanted) {
    return wanted == 'd' ? letter >= '0' && letter <= '9' : letter == wanted;
  });
}

/// Reads text into a member.
TomlReader::Handler into_text(TomlReader& reader, std::string& into) {
  return [&](const TomlNode& node) { into = reader.text(node); };
}

TomlReader::Handler into_texts(TomlReader& reader, std::vector<std::string>& into) {
  return [&](const TomlNode& node) { into = reader.texts(node); };
}

/// Reads a table that is a fact: its own keys, and the source and date that every fact has.
void read_fact(TomlReader& reader, const TomlNode& table, Handlers handlers, FactSource& into) {
  const auto date = [&](const TomlNode& node) {
    into.date = reader.text(node);
    if (!is_date(into.date))
      reader.fail(node.at, formatted("date is '{}', not of the form \"2026-08-21\"", into.date));
  };
  handlers.emplace_back("source", into_text(reader, into.source));
  handlers.emplace_back("date", date);
  reader.read_table(table, handlers);
  if (into.source.empty()) reader.fail(table.at, "a fact needs its source");
  if (into.date.empty()) reader.fail(table.at, "a fact needs the date of its source");
}

GpuFamily read_family(TomlReader& reader, const TomlNode& node) {
  const GpuFamily family{static_cast<std::uint32_t>(reader.integer(node, 1, 99999))};
  if (range_of(family) == FamilyRange::unknown)
    reader.fail(node.at, formatted("{} is no number of a GPU family", family.number));
  return family;
}

/// `any_of = [1007, [1008, 2002]]`: a family, or families that must all be there.
std::vector<std::vector<GpuFamily>> read_any_of(TomlReader& reader, const TomlNode& node) {
  std::vector<std::vector<GpuFamily>> any;
  for (const TomlNode& element : reader.elements_of(node)) {
    std::vector<GpuFamily>& all = any.emplace_back();
    if (element.kind != TomlNode::Kind::array)
      // The list of lists grows before its last element is taken, not behind it.
      // cppcheck-suppress invalidContainerReference
      all.push_back(read_family(reader, element));
    else
      for (const TomlNode& family : reader.elements_of(element)) all.push_back(read_family(reader, family));
  }
  return any;
}

Handlers handlers_of(TomlReader& reader, ProgramItem& item) {
  Condition& condition = item.condition;
  switch (item.kind) {
    case ItemKind::gate:
      return {{"question", into_text(reader, item.question)},
              {"any_of", [&](const TomlNode& node) { condition.any_of = read_any_of(reader, node); }},
              {"name_has", into_texts(reader, condition.name_has)},
              {"name_lacks", into_texts(reader, condition.name_lacks)},
              {"never", [&](const TomlNode& node) { condition.never = reader.boolean(node); }},
              {"decides", into_text(reader, item.says)},
              {"otherwise", into_text(reader, item.otherwise)},
              {"operations", into_texts(reader, item.operations)},
              {"types", into_texts(reader, item.types)},
              {"not_types", into_texts(reader, item.not_types)}};
    case ItemKind::variable:
      return {{"effect", into_text(reader, item.says)}};
    case ItemKind::trap:
      return {{"breaks", into_text(reader, item.says)}};
    case ItemKind::bad_guest:
      return {{"versions", into_texts(reader, item.versions)},
              {"symptom", into_text(reader, item.says)},
              {"remedy", into_text(reader, item.otherwise)}};
    case ItemKind::advice:
      break;
  }
  return {{"value", into_text(reader, item.value)}, {"why", into_text(reader, item.says)}};
}

ProgramItem read_item(TomlReader& reader, const TomlNode& table, ItemKind kind, std::string_view path) {
  ProgramItem item;
  item.kind = kind;
  item.origin = path;
  Handlers handlers = handlers_of(reader, item);
  handlers.emplace_back("name", into_text(reader, item.name));
  read_fact(reader, table, std::move(handlers), item.fact);
  const std::string_view called = to_text(kind);
  // What it views is a constant of the program.
  // cppcheck-suppress danglingTemporaryLifetime
  if (item.name.empty()) reader.fail(table.at, formatted("a {} needs a name", called));
  if (item.says.empty())
    reader.fail(table.at, formatted("{} '{}' does not say what it does", called, item.name));
  if (kind == ItemKind::gate && item.question.empty())
    reader.fail(table.at, formatted("gate '{}' needs its question", item.name));
  if (kind == ItemKind::bad_guest && item.versions.empty())
    reader.fail(table.at, formatted("bad_guest '{}' needs versions", item.name));
  if (kind == ItemKind::advice && item.value.empty())
    reader.fail(table.at, formatted("advice '{}' needs a value", item.name));
  return item;
}

GainFact read_gain(TomlReader& reader, const TomlNode& table, std::string_view path) {
  GainFact fact;
  fact.origin = path;
  std::string word;
  read_fact(reader, table, {{"unlock", into_text(reader, word)}, {"why", into_text(reader, fact.why)}},
            fact.fact);
  bool is_known = false;
  for (const Gain gain : {Gain::much, Gain::some, Gain::none, Gain::unknown}) {
    if (word != to_text(gain)) continue;
    fact.gain = gain;
    is_known = true;
  }
  if (!is_known) reader.fail(table.at, formatted("unlock is '{}', not much, some, none or unknown", word));
  if (fact.why.empty()) reader.fail(table.at, "gain needs a why");
  return fact;
}

Recognition read_recognition(TomlReader& reader, const TomlNode& table, std::string_view path) {
  Recognition known;
  known.origin = path;
  read_fact(reader, table,
            {{"names", into_texts(reader, known.names)}, {"libraries", into_texts(reader, known.libraries)}},
            known.fact);
  if (known.names.empty() && known.libraries.empty())
    reader.fail(table.at, "recognise needs names or libraries");
  return known;
}

std::vector<ProgramVariable> read_environment(TomlReader& reader, const TomlNode& table,
                                              const Program& program) {
  std::vector<ProgramVariable> all;
  for (const TomlNode& entry : reader.entries_of(table)) {
    const bool is_ours = entry.key.starts_with("METAL_UNLOCK") || entry.key.starts_with("DYLD_") ||
                         entry.key.starts_with("LD_") || entry.key.find('=') != std::string::npos;
    if (is_ours || entry.key.empty())
      reader.fail(entry.key_at, formatted("'{}' is not for a profile to set", entry.key));
    all.push_back({entry.key, reader.text(entry), program.path});
  }
  if (program.layer == ProfileLayer::built_in)
    reader.fail(table.key_at, "only a user's own profile sets variables");
  return all;
}

/// `without = ["switch:GGML_METAL_NO_RESIDENCY"]`
std::vector<DroppedItem> read_without(TomlReader& reader, const TomlNode& node, std::string_view path) {
  std::vector<DroppedItem> all;
  for (const TomlNode& element : reader.elements_of(node)) {
    const std::string text = reader.text(element);
    const std::size_t colon = text.find(':');
    const auto* const kind = std::ranges::find(item_kinds, std::string_view{text}.substr(0, colon),
                                               [](ItemKind candidate) { return to_text(candidate); });
    if (colon == std::string::npos || kind == item_kinds.end())
      reader.fail(element.at, formatted("'{}' is not of the form \"gate:NAME\", with gate, switch, trap, "
                                        "bad_guest or advice",
                                        text));
    else
      all.push_back({*kind, text.substr(colon + 1), std::string{path}});
  }
  return all;
}

Handlers document_handlers(TomlReader& reader, Program& into, bool& has_schema) {
  Handlers handlers{
      {"schema",
       [&](const TomlNode& node) {
         const auto schema = reader.integer(node, 1, std::numeric_limits<std::int64_t>::max());
         if (schema != program_schema)
           reader.fail(node.at, formatted("schema is {}, this program reads {}", schema, program_schema));
         has_schema = true;
       }},
      {"description", into_text(reader, into.description)},
      {"extends",
       [&](const TomlNode& node) {
         into.extends = reader.text(node);
         into.extends_at = node.at;
       }},
      {"without", [&](const TomlNode& node) { into.without = read_without(reader, node, into.path); }},
      {"gain", [&](const TomlNode& node) { into.gain = read_gain(reader, node, into.path); }},
      {"recognise",
       [&](const TomlNode& node) { into.recognition = read_recognition(reader, node, into.path); }},
      {"environment", [&](const TomlNode& node) { into.environment = read_environment(reader, node, into); }},
  };
  for (const ItemKind kind : item_kinds)
    handlers.emplace_back(to_text(kind), [&reader, &into, kind](const TomlNode& node) {
      for (const TomlNode& table : reader.elements_of(node)) {
        ProgramItem item = read_item(reader, table, kind, into.path);
        const bool is_twice = std::ranges::any_of(into.items, [&](const ProgramItem& other) {
          return other.kind == kind && other.name == item.name;
        });
        if (is_twice) reader.fail(table.at, formatted("there are two {}s '{}'", to_text(kind), item.name));
        into.items.push_back(std::move(item));
      }
    });
  return handlers;
}

}  // namespace

Result<Program> parse_program(std::string_view text, std::string_view path, ProfileLayer layer) {
  const std::string next = formatted("metal-unlock profiles check {}", shell_word(path));
  const Result<TomlNode> document = parse_toml(text, path, FindingId::profile_invalid, next);
  if (!document) return document.finding();
  Program program;
  program.name = profile_name_of(path);
  program.path = path;
  program.layer = layer;
  TomlReader reader{path, FindingId::profile_invalid, next};
  bool has_schema = false;
  reader.read_table(*document, document_handlers(reader, program, has_schema));
  if (!has_schema) reader.fail({}, formatted("schema is missing: write schema = {}", program_schema));
  if (program.description.empty() && !program.extends) reader.fail({}, "description is missing");
  if (!program.extends && !program.gain) reader.fail({}, "[gain] is missing");
  if (!program.without.empty() && !program.extends)
    reader.fail({}, "without drops inherited items, and this profile extends none");
  if (auto finding = reader.first_finding()) return *std::move(finding);
  return program;
}

}  // namespace metal_unlock
