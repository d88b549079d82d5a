// SPDX-License-Identifier: MIT
#include "cli/core/target/places.hpp"

#include "cli/core/target/find_program.hpp"
#include "cli/core/text_format.hpp"

#include <algorithm>
#include <array>

namespace metal_unlock {
namespace {

/// The placeholders whose tools may use Metal.
constexpr std::array<std::string_view, 4> placeholders{"python3", "pip3", "swift", "lldb"};

std::vector<std::string> developer_folders(const Environment& environment, const FileLookup& files) {
  std::vector<std::string> folders;
  if (const auto chosen = environment.get_non_empty("DEVELOPER_DIR")) {
    folders.emplace_back(*chosen);
    folders.push_back(std::string{*chosen} + "/Contents/Developer");
  }
  folders.push_back(files.canonical("/var/db/xcode_select_link"));
  folders.emplace_back("/Applications/Xcode.app/Contents/Developer");
  folders.emplace_back("/Library/Developer/CommandLineTools");
  return folders;
}

/// The text between the tags that follow a key of a property list in XML.
std::string string_of_key(std::string_view plist, std::string_view key) {
  const std::size_t at = plist.find(formatted("<key>{}</key>", key));
  constexpr std::string_view opening = "<string>";
  const std::size_t first = at == std::string_view::npos ? at : plist.find(opening, at);
  if (first == std::string_view::npos) return {};
  plist.remove_prefix(first + opening.size());
  return std::string{plist.substr(0, plist.find('<'))};
}

}  // namespace

std::string developer_tool(const std::string& file, const Environment& environment, const FileLookup& files) {
  if (folder_name(file) != "/usr/bin" ||
      std::ranges::find(placeholders, file_name(file)) == placeholders.end())
    return {};
  for (const std::string& folder : developer_folders(environment, files))
    for (const std::string_view tools : {"/usr/bin/", "/Toolchains/XcodeDefault.xctoolchain/usr/bin/"}) {
      if (folder.empty()) continue;
      std::string tool = formatted("{}{}{}", folder, tools, file_name(file));
      if (files.facts(tool).is_executable) return tool;
    }
  return {};
}

std::string bundle_program(std::string folder, const FileLookup& files) {
  constexpr std::size_t largest_plist = 65536;
  while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
  if (!folder.ends_with(".app")) return {};
  const std::string programs = folder + "/Contents/MacOS/";
  std::string name =
      string_of_key(start_of(folder + "/Contents/Info.plist", largest_plist, files), "CFBundleExecutable");
  if (name.empty()) name = file_name(folder).substr(0, file_name(folder).size() - 4);
  return files.facts(programs + name).is_executable ? programs + name : std::string{};
}

}  // namespace metal_unlock
