// SPDX-License-Identifier: MIT
#pragma once

#include "tests/cli/sandbox.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

/// One command of a transcript, and what it printed: "$ COMMAND", its output, "exit N" where that is not 0.
struct TranscriptStep {
  std::string command;
  std::string output;
};

std::vector<TranscriptStep> read_transcript(std::string_view text);
std::string transcript_text(const std::vector<TranscriptStep>& steps);

/// Runs the commands in one shell, in a sandbox of their own. `guests` is a variable with the folder of
/// recorded guests; paths of this machine are replaced by names in the output.
std::vector<TranscriptStep> replay(const std::vector<TranscriptStep>& steps);

}  // namespace metal_unlock
