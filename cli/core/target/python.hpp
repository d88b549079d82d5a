// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/target.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace metal_unlock {

/// The program that the small one in a Python framework's bin folder starts; empty for every other file.
/// `canonical` is the file's canonical path.
std::string framework_python(const std::string& canonical, const FileLookup& files);

/// What that small program leaves in the environment: where it was started, so that a venv is recognised.
EnvironmentChange framework_change(const std::string& file, const FileLookup& files);

/// What a shim of pyenv starts.
struct ManagedProgram {
  std::string file;
  EnvironmentChange change;
  bool operator==(const ManagedProgram&) const = default;
};

/// Whether a script is a shim of pyenv.
bool is_pyenv_shim(std::string_view text);

/// The program that such a shim stands for in the current folder; nothing where that is not certain.
std::optional<ManagedProgram> pyenv_program(std::string_view shim_text, std::string_view name,
                                            const Environment& environment, const FileLookup& files);

}  // namespace metal_unlock
