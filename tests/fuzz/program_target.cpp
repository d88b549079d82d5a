// SPDX-License-Identifier: MIT
#include "cli/core/program_parse.hpp"
#include "tests/fuzz/promise.hpp"
#include "tests/fuzz/targets.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

constexpr std::string_view program_path = "mlx.toml";

void check_fact(const FactSource& fact) {
  promise(!fact.source.empty(), "a fact has a source");
  promise(fact.date.size() == 7 || fact.date.size() == 10, "a fact has a date");
}

void check_items(const Program& program) {
  for (const ProgramItem& item : program.items) {
    check_fact(item.fact);
    promise(!item.name.empty() && !item.says.empty(), "an item has a name and says what it does");
    const auto same = [&](const ProgramItem& other) {
      return other.kind == item.kind && other.name == item.name;
    };
    promise(std::ranges::count_if(program.items, same) == 1, "an item stands there once");
    promise(item.condition.empty() || is_open(item.condition, {}).has_value(), "a condition has an answer");
    promise(item.condition.empty() || item.condition.never || !to_text(item.condition).empty(),
            "a condition is put into words");
  }
}

void check_variables(const Program& program) {
  for (const ProgramVariable& variable : program.environment) {
    promise(!variable.name.empty() && variable.name.find('=') == std::string::npos, "a variable has a name");
    for (const std::string_view reserved : {"METAL_UNLOCK", "DYLD_", "LD_"})
      promise(!variable.name.starts_with(reserved), "no profile sets what starts the shim");
  }
}

}  // namespace

void fuzz_program(std::string_view bytes) {
  const auto program = parse_program(bytes, program_path, ProfileLayer::user);
  const auto built_in = parse_program(bytes, program_path, ProfileLayer::built_in);
  promise(program || !built_in, "what may be built in may be a user's");
  if (!program) return promise_placed(program.finding(), program_path, bytes);
  promise(!built_in || built_in->environment.empty(), "only a user's own file sets variables");
  if (program->gain) check_fact(program->gain->fact);
  if (program->recognition) check_fact(program->recognition->fact);
  check_items(*program);
  check_variables(*program);
}

}  // namespace metal_unlock
