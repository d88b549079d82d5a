// SPDX-License-Identifier: MIT
#include "cli/core/profile_parse.hpp"

#include "cli/core/near_names.hpp"
#include "cli/core/shell_word.hpp"
#include "cli/core/text_format.hpp"
#include "cli/core/toml_reader.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

namespace metal_unlock {
namespace {

bool is_name(std::string_view word) {
  const auto is_inner = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
  };
  return !word.empty() && word.front() != '-' && word.front() != '.' && std::ranges::all_of(word, is_inner);
}

/// [claims] or [ceiling]: one entry for each field, within what makes sense for it.
void read_capabilities(TomlReader& reader, const TomlNode& table, Capabilities& into) {
  std::vector<std::string> keys;
  for (const FieldRow& row : field_rows()) keys.emplace_back(row.key);
  for (const TomlNode& entry : reader.entries_of(table)) {
    const auto row = std::ranges::find(field_rows(), entry.key, &FieldRow::key);
    if (row != field_rows().end()) {
      into[row->field] = reader.amount(entry, *row);
      continue;
    }
    const auto never = std::ranges::find(never_claimable(), entry.key, &NeverRow::key);
    if (never != never_claimable().end())
      reader.refuse(entry.key_at, formatted("'{}' is never claimed: {}", entry.key, never->reason));
    else
      reader.unknown_key(entry, keys);
  }
}

/// `without`: the names of fields whose inherited answers are dropped.
std::vector<Field> read_without(TomlReader& reader, const TomlNode& node) {
  std::vector<std::string> keys;
  for (const FieldRow& row : field_rows()) keys.emplace_back(row.key);
  std::vector<Field> dropped;
  for (const TomlNode& element : reader.elements_of(node)) {
    const std::string key = reader.text(element);
    const auto row = std::ranges::find(field_rows(), key, &FieldRow::key);
    if (row != field_rows().end()) {
      dropped.push_back(row->field);
      continue;
    }
    const std::string hint = did_you_mean(near_names(key, keys, 1));
    reader.fail(element.at, formatted("without names '{}'{}{}", key, hint.empty() ? "" : ", ", hint));
  }
  return dropped;
}

/// One file says one thing about a field.
void check_once(TomlReader& reader, const ProfileFile& file) {
  for (const FieldRow& row : field_rows()) {
    const bool is_dropped = std::ranges::find(file.without, row.field) != file.without.end();
    const int mentions =
        (file.claims[row.field] ? 1 : 0) + (file.simulated[row.field] ? 1 : 0) + (is_dropped ? 1 : 0);
    if (mentions > 1)
      reader.fail({}, formatted("'{}' is in more than one of [claims], [simulate] and without", row.key));
  }
  if (!file.without.empty() && !file.extends)
    reader.fail({}, "without drops inherited claims, and this profile extends none");
  if (!file.simulated.empty() && !file.match.empty())
    reader.fail({}, "a profile with [simulate] is only used by name: it cannot have match");
}

std::optional<EvidenceMark> mark_of(std::string_view word) {
  for (const EvidenceMark mark : {EvidenceMark::measured, EvidenceMark::documented, EvidenceMark::inferred})
    if (word == to_text(mark)) return mark;
  return std::nullopt;
}

void read_evidence_entry(TomlReader& reader, const TomlNode& table, Evidence& into) {
  bool has_mark = false;
  reader.read_table(
      table, {
                 {"mark",
                  [&](const TomlNode& node) {
                    const std::string word = reader.text(node);
                    const auto mark = mark_of(word);
                    if (mark)
                      into.mark = *mark;
                    else
                      reader.fail(node.at,
                                  formatted("mark is '{}', not measured, documented or inferred", word));
                    has_mark = true;
                  }},
                 {"source", [&](const TomlNode& node) { into.source = reader.text(node); }},
                 {"fact", [&](const TomlNode& node) { into.fact = reader.text(node); }},
             });
  if (!has_mark) reader.fail(table.at, "evidence needs a mark: measured, documented or inferred");
  if (into.source.empty()) reader.fail(table.at, "evidence needs a source");
}

void read_chip(TomlReader& reader, const TomlNode& table, ChipFacts& into) {
  reader.read_table(
      table, {
                 {"architecture", [&](const TomlNode& node) { into.architecture = reader.text(node); }},
                 {"gpu_cores",
                  [&](const TomlNode& node) {
                    for (const TomlNode& count : reader.elements_of(node))
                      into.gpu_cores.push_back(static_cast<std::uint32_t>(reader.integer(count, 1, 1024)));
                  }},
                 {"models", [&](const TomlNode& node) { into.models = reader.texts(node); }},
             });
}

void read_document(TomlReader& reader, const TomlNode& document, ProfileFile& into) {
  bool has_schema = false;
  reader.read_table(
      document,
      {
          {"schema",
           [&](const TomlNode& node) {
             const auto schema = reader.integer(node, 1, std::numeric_limits<std::int64_t>::max());
             if (schema != profile_schema)
               reader.fail(node.at, formatted("schema is {}, this program reads {}", schema, profile_schema));
             has_schema = true;
           }},
          {"description", [&](const TomlNode& node) { into.description = reader.text(node); }},
          {"extends",
           [&](const TomlNode& node) {
             into.extends = reader.text(node);
             into.extends_at = node.at;
             if (!is_name(*into.extends))
               reader.fail(node.at, formatted("'{}' is no profile name", *into.extends));
           }},
          {"match", [&](const TomlNode& node) { into.match = reader.texts(node); }},
          {"fallback", [&](const TomlNode& node) { into.fallback = reader.boolean(node); }},
          {"claims", [&](const TomlNode& node) { read_capabilities(reader, node, into.claims); }},
          {"simulate", [&](const TomlNode& node) { read_capabilities(reader, node, into.simulated); }},
          {"without", [&](const TomlNode& node) { into.without = read_without(reader, node); }},
          {"ceiling", [&](const TomlNode& node) { read_capabilities(reader, node, into.ceiling); }},
          {"chip", [&](const TomlNode& node) { read_chip(reader, node, into.chip); }},
          {"evidence",
           [&](const TomlNode& node) {
             for (const TomlNode& entry : reader.elements_of(node))
               read_evidence_entry(reader, entry, into.evidence.emplace_back());
           }},
      });
  check_once(reader, into);
  if (!has_schema) reader.fail({}, formatted("schema is missing: write schema = {}", profile_schema));
  if (into.description.empty()) reader.fail({}, "description is missing");
  const bool states_facts = !into.match.empty() || !into.ceiling.empty();
  if (states_facts && into.evidence.empty())
    reader.fail({}, "evidence is missing: a profile with match or [ceiling] names its source");
}

}  // namespace

std::string profile_name_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  if (name.ends_with(".toml")) name.remove_suffix(5);
  return std::string{name};
}

Result<ProfileFile> parse_profile(std::string_view text, std::string_view path, ProfileLayer layer) {
  const std::string next = formatted("metal-unlock profiles check {}", shell_word(path));
  const Result<TomlNode> document = parse_toml(text, path, FindingId::profile_invalid, next);
  if (!document) return document.finding();
  ProfileFile file;
  file.name = profile_name_of(path);
  file.path = path;
  file.layer = layer;
  TomlReader reader{path, FindingId::profile_invalid, next};
  if (!is_name(file.name))
    reader.fail({},
                formatted("'{}' is no profile name: use lower-case letters, digits, '-' and '.'", file.name));
  read_document(reader, *document, file);
  if (auto finding = reader.first_finding()) return *std::move(finding);
  return file;
}

std::string to_text(EvidenceMark mark) {
  switch (mark) {
    case EvidenceMark::measured:
      return "measured";
    case EvidenceMark::documented:
      return "documented";
    case EvidenceMark::inferred:
      break;
  }
  return "inferred";
}

std::string to_text(ProfileLayer layer) {
  switch (layer) {
    case ProfileLayer::built_in:
      return "built in";
    case ProfileLayer::user:
      return "user";
    case ProfileLayer::named_file:
      break;
  }
  return "file";
}

}  // namespace metal_unlock
