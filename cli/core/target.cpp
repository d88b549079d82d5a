// SPDX-License-Identifier: MIT
#include "cli/core/target.hpp"

#include "cli/core/near_names.hpp"
#include "cli/core/shell_word.hpp"
#include "cli/core/text_format.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

std::vector<std::string> folders_of(std::string_view path) {
  std::vector<std::string> folders;
  while (true) {
    const std::size_t colon = path.find(':');
    folders.emplace_back(path.substr(0, colon));
    if (colon == std::string_view::npos) return folders;
    path.remove_prefix(colon + 1);
  }
}

std::string file_in(const std::string& folder, const std::string& word) {
  if (folder.empty()) return word;
  return folder.back() == '/' ? folder + word : folder + "/" + word;
}

bool can_run(const FileFacts& facts) {
  return facts.is_executable && (facts.kind == FileKind::regular || facts.kind == FileKind::other);
}

Finding not_found(const std::string& word, const std::vector<std::string>& folders, const FileLookup& files) {
  std::vector<std::string> names;
  for (const std::string& folder : folders)
    for (std::string& name : files.names_in(folder.empty() ? "." : folder)) names.push_back(std::move(name));
  const std::string hint = did_you_mean(near_names(word, names));
  return {FindingId::not_found, formatted("'{}' is not on PATH", word),
          hint.empty() ? "give the path of the program" : hint};
}

Finding not_executable(const std::string& file, const FileFacts& facts) {
  if (facts.kind == FileKind::directory)
    return {FindingId::not_executable, formatted("'{}' is a directory", file), "give the path of a program"};
  return {FindingId::not_executable, formatted("'{}' is not an executable file", file),
          formatted("check the path, or: chmod +x {}", shell_word(file))};
}

}  // namespace

Result<Target> resolve_target(const std::string& word, std::string_view path, const FileLookup& files) {
  if (word.find('/') != std::string::npos) {
    const FileFacts facts = files.facts(word);
    if (facts.kind == FileKind::missing)
      return Finding{FindingId::not_found, formatted("'{}' does not exist", word), "check the path"};
    if (!can_run(facts)) return not_executable(word, facts);
    return Target{word, word, facts};
  }
  const std::vector<std::string> folders = folders_of(path);
  std::optional<Finding> blocked;
  if (!word.empty())
    for (const std::string& folder : folders) {
      const std::string file = file_in(folder, word);
      const FileFacts facts = files.facts(file);
      if (can_run(facts)) return Target{word, file, facts};
      // execvp remembers a file it may not run, and goes on looking; a folder of that name is just passed
      // over.
      if (facts.kind != FileKind::missing && facts.kind != FileKind::directory && !blocked)
        blocked = not_executable(file, facts);
    }
  if (blocked) return *std::move(blocked);
  return not_found(word, folders, files);
}

}  // namespace metal_unlock
