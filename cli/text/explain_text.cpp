// SPDX-License-Identifier: MIT
#include "cli/text/explain_text.hpp"

#include "cli/core/text_format.hpp"
#include "cli/text/joined.hpp"
#include "cli/text/printable.hpp"
#include "cli/text/table.hpp"

#include <algorithm>
#include <set>

namespace metal_unlock {
namespace {

/// "no", "yes", "32 KiB", "-" where it is not known.
std::string cell(const ProgramItem& gate, const std::optional<DeviceAnswers>& answers) {
  if (!answers) return "-";
  if (const auto open = is_open(gate.condition, *answers)) return *open ? "yes" : "no";
  const std::string answer = answer_text(gate.question, *answers);
  return answer.empty() ? "-" : printable(answer);
}

std::string needs_text(const ProgramItem& gate) {
  return gate.condition.empty() ? formatted("asks {}", gate.question) : to_text(gate.condition);
}

std::string place_text(const ExplainedPlace& place) {
  const Machine& machine = place.machine;
  Table table;
  table.add_row({"machine", printable(formatted("{} {}, {}", machine.os, machine.os_version, machine.chip))});
  if (!place.profile.empty()) table.add_row({"profile", place.profile});
  if (!place.ceiling.empty()) table.add_row({"ceiling", printable(place.ceiling)});
  return table.text();
}

std::string gate_table(const Program& program, const ComparedAnswers& answers) {
  Table table;
  table.add_row({"GATE", "NEEDS", "STOCK", "UNLOCKED", "BARE METAL", "DECIDES"});
  for (const ProgramItem& gate : program.items_of(ItemKind::gate))
    table.add_row({gate.name, needs_text(gate), cell(gate, answers.stock), cell(gate, answers.unlocked),
                   cell(gate, answers.bare_metal), gate.says});
  return table.text();
}

/// Words in lines of bounded length, each after a margin.
std::string wrapped(const std::string& words, std::string_view margin) {
  constexpr std::size_t widest = 100;
  std::string text;
  std::string line{margin};
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    const std::string word = words.substr(at, end - at);
    if (line.size() > margin.size() && line.size() + 1 + word.size() > widest) {
      text += line + "\n";
      line = margin;
    }
    line += (line.size() > margin.size() ? " " : "") + word;
    at = end + 1;
  }
  return text + line + "\n";
}

void add_operations(std::string& text, const Program& program, const ComparedAnswers& answers) {
  std::string lines;
  for (const ProgramItem& gate : program.items_of(ItemKind::gate)) {
    if (gate.operations.empty()) continue;
    const bool is_all = gate.operations.front() == "*";
    std::string about = is_all ? "every operation" : joined(gate.operations, ", ");
    if (!gate.types.empty()) about += " with " + joined(gate.types, ", ");
    if (!gate.not_types.empty()) about += " but not " + joined(gate.not_types, ", ");
    lines += formatted("  {}: stock {}, unlocked {}\n",
                       gate.condition.never ? to_text(gate.condition) : "need " + to_text(gate.condition),
                       cell(gate, answers.stock), cell(gate, answers.unlocked)) +
             wrapped(about, "    ");
  }
  if (!lines.empty()) text += "\nOperations\n" + lines;
}

void add_items(std::string& text, const Program& program, ItemKind kind, std::string_view title) {
  const std::vector<ProgramItem> items = program.items_of(kind);
  if (items.empty()) return;
  text += formatted("\n{}\n", title);
  for (const ProgramItem& item : items) {
    std::string words =
        formatted("{}{}{}: {}", item.name, item.value.empty() ? "" : "=", item.value, item.says);
    if (!item.otherwise.empty()) words += "; " + item.otherwise;
    text += wrapped(printable(words), "  ");
  }
}

/// Each source once, without the lines in it; `profiles show` has those.
std::string sources_text(const Program& program) {
  std::set<std::string> sources;
  const auto add = [&](const FactSource& fact) {
    const std::string where = fact.source.substr(0, fact.source.find(", line"));
    sources.insert(printable(formatted("  {}, {}", fact.date, where)));
  };
  if (program.gain) add(program.gain->fact);
  for (const ProgramItem& item : program.items) add(item.fact);
  return joined(sources, "\n") + "\n";
}

std::string opened_here(const Program& program, const ComparedAnswers& answers) {
  if (!answers.stock || !answers.unlocked) return "-";
  std::vector<std::string> names;
  for (const ProgramItem& gate : opened_gates(program, *answers.stock, *answers.unlocked))
    names.push_back(gate.name);
  if (names.empty()) return "nothing";
  constexpr std::size_t most = 2;
  const std::size_t more = names.size() > most ? names.size() - most : 0;
  names.resize(names.size() - more);
  return joined(names, ", ") + (more == 0 ? "" : formatted(" and {} more", more));
}

}  // namespace

std::string answer_text(std::string_view question, const DeviceAnswers& answers) {
  if (question == "supportsFamily:") {
    const auto family = answers.highest_apple_family();
    return family ? to_text(*family) : std::string{};
  }
  const auto size = [](const std::optional<Bytes>& bytes) { return bytes ? to_text(*bytes) : std::string{}; };
  if (question == "name") return answers.name;
  if (question == "architecture.name") return answers.architecture;
  if (question == "maxThreadgroupMemoryLength") return to_text(answers.max_threadgroup_memory);
  if (question == "recommendedMaxWorkingSetSize") return size(answers.recommended_max_working_set);
  if (question == "maxBufferLength") return size(answers.max_buffer_length);
  return {};
}

std::string gates_text(std::span<const ProgramItem> gates) {
  std::vector<std::string> parts;
  for (const ProgramItem& gate : gates)
    parts.push_back(formatted("{} ({})", gate.name, to_text(gate.condition)));
  return joined(parts, ", ");
}

std::string explain_text(const Program& program, const ExplainedPlace& place) {
  std::string text = printable(formatted("{}: {}", program.name, program.description)) + "\n";
  if (program.gain)
    text += printable(formatted("The unlock gains {}: {}", to_text(program.gain->gain), program.gain->why)) +
            "\n";
  text += "\n" + place_text(place) + "\n" + gate_table(program, place.answers);
  add_operations(text, program, place.answers);
  add_items(text, program, ItemKind::variable, "Switches in the environment");
  add_items(text, program, ItemKind::advice,
            "Advice, followed only where a profile of yours sets the variable");
  add_items(text, program, ItemKind::trap, "Traps");
  add_items(text, program, ItemKind::bad_guest, "Known bad guests");
  for (const ProgramItem& item : bad_guests_here(program, place.machine))
    text += formatted("  This guest is one of them: {}\n", printable(item.name));
  return text + "\nSources, with more in: metal-unlock profiles show " + program.name + "\n" +
         sources_text(program);
}

std::string explain_list_text(std::span<const Program> programs, const ExplainedPlace& place) {
  Table table;
  table.add_row({"PROGRAM", "GAINS", "OPENED HERE", "WHY"});
  for (const Program& program : programs)
    table.add_row({program.name, program.gain ? std::string{to_text(program.gain->gain)} : "unknown",
                   opened_here(program, place.answers), program.gain ? printable(program.gain->why) : "-"});
  return place_text(place) + "\n" + table.text();
}

std::string program_text(const Program& program, std::string_view before) {
  Table head;
  head.add_row({"program", program.name});
  head.add_row({"what", printable(program.description)});
  head.add_row({"from", printable(formatted("{} ({})", program.path, to_text(program.layer)))});
  if (program.extends) head.add_row({"extends", printable(*program.extends)});
  Table table;
  table.add_row({"WHAT", "NAME", "SAYS", "SAID BY", "SOURCE"});
  const auto source_text = [](const FactSource& fact) {
    return printable(formatted("{}, {}", fact.date, fact.source));
  };
  if (program.gain)
    table.add_row({"gain", std::string{to_text(program.gain->gain)}, printable(program.gain->why),
                   printable(program.gain->origin), source_text(program.gain->fact)});
  if (program.recognition) {
    const Recognition& known = *program.recognition;
    const std::string origin = printable(known.origin);
    if (!known.names.empty())
      table.add_row(
          {"recognise", "files", printable(joined(known.names, ", ")), origin, source_text(known.fact)});
    if (!known.libraries.empty())
      table.add_row({"recognise", "libraries", printable(joined(known.libraries, ", ")), origin,
                     source_text(known.fact)});
  }
  for (const ProgramItem& item : program.items) {
    const bool is_gate = item.kind == ItemKind::gate && !item.condition.empty();
    const std::string says = is_gate ? formatted("{}: {}", to_text(item.condition), item.says) : item.says;
    table.add_row({std::string{to_text(item.kind)}, printable(item.name), printable(says),
                   printable(item.origin), source_text(item.fact)});
  }
  for (const DroppedItem& item : program.without)
    table.add_row(
        {std::string{to_text(item.kind)}, printable(item.name), "dropped", printable(item.origin), "-"});
  for (const ProgramVariable& variable : program.environment)
    table.add_row({"environment", printable(variable.name), printable(variable.value),
                   printable(variable.origin), "-"});
  return formatted("{}{}\n{}", before, head.text(), table.text());
}

}  // namespace metal_unlock
