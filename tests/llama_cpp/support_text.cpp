// SPDX-License-Identifier: MIT
#include "llama_cpp_version.hpp"
#include "tests/llama_cpp/support.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace metal_unlock {
namespace {

json trio_json(const Trio& trio) {
  return {{"chip", trio.chip},
          {"stock", trio.stock.device},
          {"unlocked", trio.unlocked.device},
          {"bare_metal", trio.bare_metal.device}};
}

json exceptions_json() {
  json exceptions = json::array();
  for (const auto& [property, reason] : device_exceptions())
    exceptions.push_back({{"property", property}, {"reason", reason}});
  return exceptions;
}

/// "MUL_MAT q4_0 4096x4096, f32 4096x8", with whatever else tells the case from the others.
std::string case_name(const json& about) {
  std::string name = about.at("operation");
  const std::string variant = about.at("variant");
  if (!variant.empty()) name += " " + variant;
  const json& types = about.at("types");
  for (std::size_t i = 0; i < types.size(); ++i) {
    name += i == 0 ? " " : ", ";
    name += types[i].get<std::string>() + " " + about.at("shapes").at(i).get<std::string>();
  }
  name += " -> " + about.at("result").get<std::string>();
  const std::string note = about.at("note");
  return note.empty() ? name : name + " (" + note + ")";
}

json case_json(const SupportedCase& supported) {
  json line = supported.about;
  line["case"] = case_name(supported.about);
  line["stock"] = supported.stock;
  line["unlocked"] = supported.unlocked;
  line["bare_metal"] = supported.bare_metal;
  line["gates"] = supported.gates;
  return line;
}

std::string row(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text.append(" ").append(cell).append(" |");
  return text + "\n";
}

std::string header(const std::vector<std::string>& cells) {
  return row(cells) + row(std::vector<std::string>(cells.size(), "---"));
}

std::string property_text(const json& value) {
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_object()) return std::to_string(value.size());
  if (value == 0) return "unknown";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string device_table(const Trio& trio) {
  std::string text = header({trio.chip, "stock", "unlocked", "bare metal"});
  for (const auto& [name, stock] : trio.stock.device.items()) {
    text += row({"`" + name + "`", property_text(stock), property_text(trio.unlocked.device.at(name)),
                 property_text(trio.bare_metal.device.at(name))});
  }
  return text;
}

std::string exceptions_table() {
  std::string text = header({"property", "why it differs"});
  for (const auto& [property, reason] : device_exceptions()) text += row({"`" + property + "`", reason});
  return text;
}

/// How many of a group of cases each machine supports.
struct Tally {
  int cases = 0, stock = 0, unlocked = 0, bare_metal = 0;
  std::map<std::string, int> needs;  ///< of those that bare metal supports

  void add(const SupportedCase& supported) {
    ++cases;
    stock += supported.stock ? 1 : 0;
    unlocked += supported.unlocked ? 1 : 0;
    bare_metal += supported.bare_metal ? 1 : 0;
    if (!supported.bare_metal) return;
    std::string need;
    for (const std::string& gate : supported.gates) need += (need.empty() ? "`" : " + `") + gate + "`";
    ++needs[need.empty() ? "nothing" : need];
  }

  std::string needs_text() const {
    std::vector<std::pair<std::string, int>> sorted(needs.begin(), needs.end());
    std::ranges::stable_sort(sorted, std::greater{}, &std::pair<std::string, int>::second);
    std::string text;
    for (const auto& [need, count] : sorted) {
      if (!text.empty()) text += "; ";
      text += sorted.size() == 1 ? need : std::to_string(count) + " " + need;
    }
    return text;
  }

  std::string gain_text() const {
    const std::string after = std::to_string(unlocked) + " of " + std::to_string(cases);
    return stock == unlocked ? after : std::to_string(stock) + " → " + after;
  }
};

std::string operations_table(const Support& support) {
  std::map<std::string, Tally> operations;
  for (const SupportedCase& supported : support.cases)
    operations[supported.about.at("operation")].add(supported);
  std::string table = header({"operation", "needs", "cases", "stock", "unlocked", "bare metal"});
  std::string nowhere;
  for (const auto& [name, tally] : operations) {
    if (tally.bare_metal == 0) {
      nowhere += (nowhere.empty() ? "`" : ", `") + name + "`";
    } else {
      table +=
          row({"`" + name + "`", tally.needs_text(), std::to_string(tally.cases), std::to_string(tally.stock),
               std::to_string(tally.unlocked), std::to_string(tally.bare_metal)});
    }
  }
  return table + "\nOn no Mac: " + nowhere + ".\n";
}

/// Where the type stands that a user chooses: the weights', the cache's, the table's.
std::size_t chosen_source(const std::string& operation) { return operation == "FLASH_ATTN_EXT" ? 1 : 0; }

std::string types_table(const Support& support) {
  const std::vector<std::string> operations{"MUL_MAT", "MUL_MAT_ID", "FLASH_ATTN_EXT", "GET_ROWS"};
  std::map<std::string, std::map<std::string, Tally>> types;
  for (const SupportedCase& supported : support.cases) {
    const std::string operation = supported.about.at("operation");
    if (std::find(operations.begin(), operations.end(), operation) == operations.end()) continue;
    const std::string type = supported.about.at("types").at(chosen_source(operation));
    types[type][operation].add(supported);
  }
  std::string table = header({"type", "`MUL_MAT`", "`MUL_MAT_ID`", "`FLASH_ATTN_EXT`", "`GET_ROWS`"});
  for (auto& [type, tallies] : types) {
    std::vector<std::string> cells{type};
    for (const std::string& operation : operations) cells.push_back(tallies[operation].gain_text());
    table += row(cells);
  }
  return table;
}

std::string totals(const Support& support) {
  Tally all;
  for (const SupportedCase& supported : support.cases) all.add(supported);
  return "Of " + std::to_string(all.cases) + " cases stock supports " + std::to_string(all.stock) +
         ", unlocked " + std::to_string(all.unlocked) + ", bare metal " + std::to_string(all.bare_metal) +
         ".\n";
}

}  // namespace

std::string support_json(const Support& support) {
  const json about{
      {"version", llama_cpp_version}, {"package", llama_cpp_package}, {"commit", llama_cpp_commit}};
  std::string text = "{\"schema\": 1,\n\"llama.cpp\": " + about.dump() + ",\n\"devices\": [" +
                     trio_json(support.m1_ultra).dump() + ",\n" + trio_json(support.m5).dump() +
                     "],\n\"exceptions\": " + exceptions_json().dump() + ",\n\"cases\": [";
  const char* separator = "\n";
  for (const SupportedCase& supported : support.cases) {
    text.append(separator).append(case_json(supported).dump());
    separator = ",\n";
  }
  return text + "\n]}\n";
}

std::string support_markdown(const Support& support) {
  return "### Devices\n\n" + device_table(support.m1_ultra) + "\n" + device_table(support.m5) +
         "\n### Where an unlocked guest still differs\n\n" + exceptions_table() + "\n### Operations\n\n" +
         totals(support) + "\n" + operations_table(support) + "\n### Types\n\n" + types_table(support);
}

}  // namespace metal_unlock
