// SPDX-License-Identifier: MIT
#pragma once

#include "cli/args/declarations.hpp"

#include <string>
#include <string_view>

namespace metal_unlock {

// What a shell completes our command lines with, made from the declarations. Each script asks the program for
// the names of profiles, and hands over to the shell's own completion where the target's words begin.

std::string bash_completions();
std::string zsh_completions();
std::string fish_completions();

// What the three have in common.

/// What the scripts call it: "profile_or_file".
std::string_view to_text(Completing completing);

/// Whether options end at the first word that is none, which is then the target.
bool stops_at_word(const CommandRow& command);

/// Whether a target may follow "--".
bool takes_target(const CommandRow& command);

/// Every kind of word that always has the same values.
std::span<const Completing> fixed_kinds();

}  // namespace metal_unlock
