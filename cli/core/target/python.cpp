// SPDX-License-Identifier: MIT
#include "cli/core/target/python.hpp"

#include "cli/core/target/find_program.hpp"
#include "cli/core/text_format.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

constexpr std::string_view root_assignment = "export PYENV_ROOT=\"";

std::string first_word(std::string_view text) {
  constexpr std::string_view separators = " \t\r\n:";
  const std::size_t first = text.find_first_not_of(separators);
  if (first == std::string_view::npos) return {};
  return std::string{text.substr(first, text.find_first_of(separators, first) - first)};
}

/// The version that pyenv chooses: PYENV_VERSION, the nearest .python-version, the file of the whole pyenv.
std::string chosen_version(const std::string& root, const Environment& environment, const FileLookup& files) {
  constexpr std::size_t longest_version_file = 1024;
  if (const auto named = environment.get_non_empty("PYENV_VERSION")) return first_word(*named);
  std::string folder = files.canonical(".");
  while (!folder.empty()) {
    const std::string file = folder + (folder == "/" ? "" : "/") + ".python-version";
    std::string version = first_word(start_of(file, longest_version_file, files));
    if (!version.empty()) return version;
    if (folder == "/") break;
    folder = folder_name(folder);
  }
  return first_word(start_of(root + "/version", longest_version_file, files));
}

/// A version's folder. "3.12" stands for the only installed "3.12.x".
std::string version_folder(const std::string& root, const std::string& version, const FileLookup& files) {
  const std::string versions = root + "/versions";
  std::string exact = versions + "/" + version;
  if (files.facts(exact).kind == FileKind::directory) return exact;
  std::vector<std::string> matching;
  for (const std::string& name : files.names_in(versions))
    if (name.starts_with(version + ".")) matching.push_back(name);
  return matching.size() == 1 ? versions + "/" + matching.front() : std::string{};
}

}  // namespace

std::string framework_python(const std::string& canonical, const FileLookup& files) {
  const std::string folder = folder_name(canonical);
  if (!folder.ends_with("/bin") || folder.find("ython") == std::string::npos ||
      folder.find(".framework/Versions/") == std::string::npos || !file_name(canonical).starts_with("python"))
    return {};
  std::string inner = folder_name(folder) + "/Resources/Python.app/Contents/MacOS/Python";
  return files.facts(inner).is_executable ? inner : std::string{};
}

EnvironmentChange framework_change(const std::string& file, const FileLookup& files) {
  const std::string launcher = formatted("{}/{}", files.canonical(folder_name(file)), file_name(file));
  return {.set = {{"__PYVENV_LAUNCHER__", launcher}}, .unset = {}};
}

bool is_pyenv_shim(std::string_view text) {
  return text.find(root_assignment) != std::string_view::npos &&
         text.find("pyenv\" exec \"$program\" \"$@\"") != std::string_view::npos;
}

std::optional<ManagedProgram> pyenv_program(std::string_view shim_text, std::string_view name,
                                            const Environment& environment, const FileLookup& files) {
  // Older shims look for a version beside a script among their arguments.
  if (shim_text.find("PYENV_FILE_ARG") != std::string_view::npos) return std::nullopt;
  shim_text.remove_prefix(shim_text.find(root_assignment) + root_assignment.size());
  const std::string root{shim_text.substr(0, shim_text.find('"'))};
  const std::string version = chosen_version(root, environment, files);
  if (version.empty() || version == "system") return std::nullopt;
  const std::string folder = version_folder(root, version, files);
  if (folder.empty()) return std::nullopt;
  const std::string bin = folder + "/bin";
  const std::string file = formatted("{}/{}", bin, name);
  if (!files.facts(file).is_executable) return std::nullopt;
  const std::string path = formatted("{}:{}", bin, search_path(environment));
  return ManagedProgram{
      file,
      {.set = {{"PYENV_ROOT", root}, {"PYENV_VERSION", std::string{file_name(folder)}}, {"PATH", path}},
       .unset = {}}};
}

}  // namespace metal_unlock
