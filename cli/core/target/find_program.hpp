// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/target.hpp"

namespace metal_unlock {

/// A file and what is known of it.
struct FoundProgram {
  std::string file;
  FileFacts facts;
};

/// Searches as execvp(3): a word with a slash is a path; else the first executable file on `path`, where an
/// empty entry is the current folder. Findings: not-found (127), not-executable (126).
Result<FoundProgram> find_program(const std::string& word, std::string_view path, const FileLookup& files);

/// What execvp(3) searches in this environment.
std::string_view search_path(const Environment& environment);

/// "python3" of "/usr/bin/python3"
std::string_view file_name(std::string_view path);

/// "/usr/bin" of "/usr/bin/python3"; "." where there is no slash.
std::string folder_name(std::string_view path);

/// At most the first `most` bytes of a file; empty where it cannot be read.
std::string start_of(const std::string& path, std::size_t most, const FileLookup& files);

}  // namespace metal_unlock
