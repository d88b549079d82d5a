// SPDX-License-Identifier: MIT
#include "cli/commands/commands.hpp"
#include "cli/commands/output.hpp"
#include "cli/commands/service_agent.hpp"
#include "cli/core/shell_word.hpp"
#include "cli/core/target/find_program.hpp"
#include "cli/core/text_format.hpp"
#include "cli/text/json_text.hpp"
#include "cli/text/printable.hpp"

namespace metal_unlock {
namespace {

constexpr Bytes largest_agent{65536};

/// One service of this user, and the file that it is loaded from.
class Service {
 public:
  Service(System& system, std::string label) : system_(system), label_(std::move(label)) {}

  std::string folder() const { return system_.home_folder() + "/Library/LaunchAgents"; }
  std::string file() const { return folder() + "/" + label_ + ".plist"; }
  std::string domain() const { return formatted("gui/{}", system_.user_number()); }
  std::string target() const { return domain() + "/" + label_; }

  AgentFile file_state() const {
    if (system_.facts(file()).kind == FileKind::missing) return AgentFile::missing;
    const Result<std::string> text = system_.read_file(file(), largest_agent);
    return text && is_own_agent(*text) ? AgentFile::own : AgentFile::foreign;
  }

  Result<Finished> launchctl(std::vector<std::string> words) const {
    const auto program = find_program("launchctl", search_path(system_.environment()), system_);
    if (!program)
      return Finding{FindingId::launchd_failed, "'launchctl' is not on PATH: there is no launchd here",
                     "run it on a Mac; to read the agent: metal-unlock env --launchd -- COMMAND"};
    words.insert(words.begin(), "launchctl");
    return system_.run_to_end({program->file, std::move(words), {}}, {60, Bytes{65536}});
  }

  /// What launchd says of it; nothing where it is not loaded.
  Result<std::optional<AgentState>> loaded() const {
    const Result<Finished> printed = launchctl({"print", target()});
    if (!printed) return printed.finding();
    if (printed->status != 0) return std::optional<AgentState>{};
    return std::optional{read_agent_state(printed->output)};
  }

  /// launchd lets a service go by and by: waits until it has, for at most five seconds.
  std::optional<Finding> unload() const {
    const Result<Finished> asked = launchctl({"bootout", target()});
    if (!asked) return asked.finding();
    constexpr int most_tries = 50;
    for (int i = 0; i < most_tries; ++i) {
      const Result<std::optional<AgentState>> state = loaded();
      if (!state) return state.finding();
      if (!*state) return std::nullopt;
      pause();
    }
    return failure("did not let the service go", *asked, formatted("launchctl bootout {}", target()));
  }

  std::optional<Finding> load() const {
    const Result<Finished> asked = launchctl({"bootstrap", domain(), file()});
    if (!asked) return asked.finding();
    if (asked->status == 0) return std::nullopt;
    return failure(
        "did not take the agent", *asked,
        formatted("log in on the screen, then: launchctl bootstrap {} {}", domain(), shell_word(file())));
  }

  Finding foreign_file() const {
    return {FindingId::agent_refused,
            formatted("'{}' was not written by metal-unlock, and stays as it is", file()),
            "choose another label, or move that file away"};
  }

  Finding foreign_service(const AgentState& state) const {
    return {FindingId::agent_refused, formatted("'{}' is loaded from '{}' already", label_, state.file),
            "choose another label"};
  }

 private:
  static Finding failure(std::string_view what, const Finished& finished, std::string next) {
    std::vector<std::string> details;
    if (!finished.errors.empty()) details.push_back(finished.errors.substr(0, finished.errors.find('\n')));
    return {FindingId::launchd_failed, formatted("launchd {} (status {})", what, finished.status),
            std::move(next), std::move(details)};
  }

  void pause() const {
    const auto sleep = find_program("sleep", search_path(system_.environment()), system_);
    if (sleep) static_cast<void>(system_.run_to_end({sleep->file, {"sleep", "0.1"}, {}}, {5, Bytes{1024}}));
  }

  System& system_;
  std::string label_;
};

std::optional<Finding> make_agent_folders(System& system, const Service& service) {
  const std::string folder = service.folder();
  for (const std::string& path : {folder_name(folder), folder}) {
    if (system.facts(path).kind != FileKind::missing) continue;
    const Result<std::string> made = system.make_folder(path);
    if (!made)
      return Finding{FindingId::agent_refused, made.finding().sentence,
                     "check the folder and its permissions"};
  }
  return std::nullopt;
}

std::optional<Finding> install_agent(System& system, const Service& service, const LaunchdCommand& command) {
  const Result<std::string> text = agent_text(system, command.launch, command.agent);
  if (!text) return text.finding();
  if (service.file_state() == AgentFile::foreign) return service.foreign_file();
  const Result<std::optional<AgentState>> before = service.loaded();
  if (!before) return before.finding();
  if (*before && !(*before)->file.empty() && (*before)->file != service.file())
    return service.foreign_service(**before);
  if (auto fault = make_agent_folders(system, service)) return fault;
  const Result<std::string> written = system.replace_file(service.file(), *text);
  if (!written) return written.finding();
  if (*before)
    if (auto fault = service.unload()) return fault;
  return service.load();
}

std::optional<Finding> remove_agent(System& system, const Service& service) {
  const AgentFile file = service.file_state();
  if (file == AgentFile::foreign) return service.foreign_file();
  const Result<std::optional<AgentState>> before = service.loaded();
  if (!before) return before.finding();
  if (*before && !(*before)->file.empty() && (*before)->file != service.file())
    return service.foreign_service(**before);
  if (*before)
    if (auto fault = service.unload()) return fault;
  if (file == AgentFile::missing) return std::nullopt;
  const Result<std::string> removed = system.remove_file(service.file());
  return removed ? std::nullopt : std::optional{removed.finding()};
}

int show_agent(System& system, const Service& service, bool as_json) {
  const Result<std::optional<AgentState>> state = service.loaded();
  if (!state) return fail(system, state.finding());
  const ShownAgent shown{service.target(), service.file(), service.file_state(), *state};
  if (!print_answer(system, as_json ? agent_json(shown) : agent_status_text(shown))) return status_wrong;
  return shown.state ? status_fine : status_wrong;
}

}  // namespace

int run(System& system, const LaunchdCommand& command) {
  using Wanted = LaunchdCommand::Action;
  const Service service{system, command.agent.label};
  if (system.home_folder().empty())
    return fail(system, {FindingId::agent_refused, "there is no home folder for an agent", "set HOME"});
  if (command.action == Wanted::status) return show_agent(system, service, command.json);
  const bool is_install = command.action == Wanted::install;
  const std::optional<Finding> fault =
      is_install ? install_agent(system, service, command) : remove_agent(system, service);
  if (fault) return fail(system, *fault);
  const std::string words =
      is_install ? formatted("{} is loaded, from {}\nnext: metal-unlock launchd status {}\n",
                             service.target(), printable(service.file()), command.agent.label)
                 : formatted("{} is gone, and so is {}\n", service.target(), printable(service.file()));
  return print_answer(system, words) ? status_fine : status_wrong;
}

}  // namespace metal_unlock
