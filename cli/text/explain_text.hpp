// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/comparison.hpp"
#include "cli/core/program.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

/// Where a program is explained for.
struct ExplainedPlace {
  Machine machine;
  ComparedAnswers answers;
  std::string profile;  ///< empty: none is used
  std::string ceiling;  ///< who states it
};

/// Which question decides what in one program, for one place.
std::string explain_text(const Program& program, const ExplainedPlace& place);

/// Which programs gain, one on each line.
std::string explain_list_text(std::span<const Program> programs, const ExplainedPlace& place);

/// Everything that is known of a program, each value with the file it comes from.
std::string program_text(const Program& program, std::string_view before);

/// "SIMD-group reduction (Apple7 or Metal3)" for each gate.
std::string gates_text(std::span<const ProgramItem> gates);

// The same for programs: one object, "schema": 1.

std::string explain_json(std::span<const Program> programs, const ExplainedPlace& place);
std::string programs_json(std::span<const Program> programs);

/// The answer to a gate's question where it is no yes or no: "Apple5", "32 KiB"; empty where there is none.
std::string answer_text(std::string_view question, const DeviceAnswers& answers);

}  // namespace metal_unlock
