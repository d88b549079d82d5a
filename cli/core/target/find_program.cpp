// SPDX-License-Identifier: MIT
#include "cli/core/target/find_program.hpp"

#include "cli/core/near_names.hpp"
#include "cli/core/shell_word.hpp"
#include "cli/core/text_format.hpp"

#include <algorithm>
#include <span>

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

Result<FoundProgram> find_program(const std::string& word, std::string_view path, const FileLookup& files) {
  if (word.find('/') != std::string::npos) {
    const FileFacts facts = files.facts(word);
    if (facts.kind == FileKind::missing)
      return Finding{FindingId::not_found, formatted("'{}' does not exist", word), "check the path"};
    if (!can_run(facts)) return not_executable(word, facts);
    return FoundProgram{word, facts};
  }
  const std::vector<std::string> folders = folders_of(path);
  std::optional<Finding> blocked;
  if (!word.empty())
    for (const std::string& folder : folders) {
      const std::string file = file_in(folder, word);
      const FileFacts facts = files.facts(file);
      if (can_run(facts)) return FoundProgram{file, facts};
      // execvp remembers a file it may not run, and goes on looking; a folder of that name is just passed
      // over.
      if (facts.kind != FileKind::missing && facts.kind != FileKind::directory && !blocked)
        blocked = not_executable(file, facts);
    }
  if (blocked) return *std::move(blocked);
  return not_found(word, folders, files);
}

std::string_view search_path(const Environment& environment) {
  constexpr std::string_view path_where_none_is_set = "/usr/bin:/bin";
  return environment.get("PATH").value_or(path_where_none_is_set);
}

std::string_view file_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string folder_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return std::string{path.substr(0, slash == 0 ? 1 : slash)};
}

std::string start_of(const std::string& path, std::size_t most, const FileLookup& files) {
  const auto source = files.open_bytes(path);
  if (!source) return {};
  std::string bytes(static_cast<std::size_t>(std::min<std::uint64_t>((*source)->size(), most)), '\0');
  if (!(*source)->read(0, std::as_writable_bytes(std::span{bytes}))) return {};
  return bytes;
}

}  // namespace metal_unlock
