// SPDX-License-Identifier: MIT
#include "tests/cli/sandbox.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <thread>
#include <unistd.h>

extern char** environ;

namespace metal_unlock {
namespace {

bool speaks_to_metal_unlock(std::string_view name) {
  constexpr std::string_view others[] = {"LD_PRELOAD", "NO_COLOR", "CLICOLOR_FORCE", "LC_CTYPE", "LANG"};
  return name.starts_with("METAL_UNLOCK") || std::ranges::find(others, name) != std::end(others);
}

Words joined(Words first, const Words& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

}  // namespace

std::string metal_unlock_program() { return build_directory() / "metal-unlock"; }
std::string metal_caps_program() { return build_directory() / "metal-caps"; }

Sandbox::Sandbox(std::string_view guest) {
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view name = std::string_view{*entry}.substr(0, std::string_view{*entry}.find('='));
    if (speaks_to_metal_unlock(name)) set(std::string{name}, std::nullopt);
  }
  set("HOME", home());
  set("XDG_CACHE_HOME", cache());
  set("XDG_CONFIG_HOME", config());
  set("LC_ALL", "C");
  choose_guest(guest);
  for (const auto& folder : {home(), config(), work()}) std::filesystem::create_directory(folder);
}

std::filesystem::path Sandbox::placed_shim() const {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(shim_folder()))
    if (!entry.is_directory()) files.push_back(entry.path());
  if (files.size() != 1)
    throw std::runtime_error(std::to_string(files.size()) + " files below " + shim_folder().string());
  return files.front();
}

std::filesystem::path Sandbox::write(const std::filesystem::path& name, std::string_view text) const {
  const std::filesystem::path path = root() / name;
  std::filesystem::create_directories(path.parent_path());
  write_file(path, text);
  return path;
}

std::filesystem::path Sandbox::write_program(const std::filesystem::path& name, std::string_view text) const {
  const std::filesystem::path path = write(name, text);
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

std::filesystem::path Sandbox::write_user_profile(const std::string& name, std::string_view text) const {
  return write(std::filesystem::path("config/metal-unlock/profiles") / (name + ".toml"), text);
}

ProcessCommand Sandbox::command(Words argv) const {
  return {.argv = std::move(argv), .environment = environment_, .input = {}, .directory = work()};
}

Outcome Sandbox::execute(Words argv) const { return run_process(command(std::move(argv))); }

Outcome Sandbox::metal_unlock(Words words) const { return execute(joined({metal_unlock_program()}, words)); }

Outcome Sandbox::run_caps(Words options) const {
  return execute(run_words({metal_caps_program(), "--json"}, options));
}

json Sandbox::stock_answers() const { return json::parse(execute({metal_caps_program(), "--json"}).out); }

Words finding_ids(std::string_view text) {
  Words ids;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t bracket = line.rfind('[');
    if (line.starts_with("metal-unlock: ") && line.ends_with(']') && bracket != std::string_view::npos)
      ids.emplace_back(line.substr(bracket + 1, line.size() - bracket - 2));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return ids;
}

Words zero_terminated(std::string_view text) {
  Words words;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find('\0'));
    words.emplace_back(word);
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
  return words;
}

Words shell(std::string script, const Words& words) {
  return joined({"/bin/sh", "-c", std::move(script), "sh"}, words);
}

Words run_words(const Words& target, const Words& options) {
  return joined(joined(joined({metal_unlock_program(), "run"}, options), {"--"}), target);
}

Words without_override(const Words& argv) {
  if (geteuid() != 0) return argv;
  return joined({"setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all", "--"}, argv);
}

std::vector<int> apple_families(const json& answers) {
  std::vector<int> families;
  for (const auto& [number, supported] : answers.at("families").items())
    if (supported.get<bool>() && number.starts_with("1")) families.push_back(std::stoi(number));
  return families;
}

std::vector<Outcome> run_all(const std::vector<ProcessCommand>& commands) {
  std::vector<Outcome> outcomes(commands.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < commands.size(); i = next++) outcomes[i] = run_process(commands[i]);
  };
  std::vector<std::jthread> workers(std::max(2U, std::thread::hardware_concurrency()));
  for (std::jthread& worker : workers) worker = std::jthread(work);
  workers.clear();
  return outcomes;
}

}  // namespace metal_unlock
