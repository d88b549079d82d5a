// SPDX-License-Identifier: MIT
#include "tests/macos_files/allow_list.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace metal_unlock {
namespace {

constexpr std::size_t shortest_reason = 10;

AllowedImport parse_line(const std::string& line, int number) {
  const std::size_t first = line.find('\t');
  const std::size_t second = first == std::string::npos ? first : line.find('\t', first + 1);
  const std::string place = "line " + std::to_string(number) + ": ";
  if (second == std::string::npos) throw std::runtime_error(place + "not a symbol, a library and a reason");
  AllowedImport entry{line.substr(0, first), line.substr(first + 1, second - first - 1),
                      line.substr(second + 1)};
  if (entry.reason.size() < shortest_reason) throw std::runtime_error(place + entry.name + " has no reason");
  return entry;
}

}  // namespace

std::vector<AllowedImport> parse_allow_list(const std::string& text) {
  std::vector<AllowedImport> entries;
  std::istringstream lines{text};
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    AllowedImport entry = parse_line(line, number);
    if (std::ranges::find(entries, entry.name, &AllowedImport::name) != entries.end())
      throw std::runtime_error("line " + std::to_string(number) + ": " + entry.name + " for the second time");
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace metal_unlock
