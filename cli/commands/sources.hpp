// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/profile_library.hpp"
#include "cli/core/program_library.hpp"
#include "cli/core/select.hpp"
#include "cli/core/settings.hpp"
#include "cli/platform/system.hpp"

#include <string>

namespace metal_unlock {

/// The version of this program, "0.1.0".
std::string_view program_version();

/// Where the user's own configuration lives: $XDG_CONFIG_HOME/metal-unlock, else ~/.config/metal-unlock;
/// empty where there is no home folder.
std::string config_folder(const System& system);

/// The nearest `.metal-unlock.toml` in the working folder or above it; empty where there is none.
std::string project_file(const System& system);

/// Joins the command line, the environment and the configuration files.
Settings load_settings(const System& system, const SettingFlags& flags);

/// The built-in profiles and those in the user's folder.
ProfileLibrary load_library(const System& system);

/// What is known of programs: built in, and in the folder `programs` of the user's profiles.
ProgramLibrary load_programs(const System& system);

/// The profile setting, with the file's text where it is a path.
ProfileRequest profile_request(const System& system, const Settings& settings);

}  // namespace metal_unlock
