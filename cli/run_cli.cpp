// SPDX-License-Identifier: MIT
#include "cli/run_cli.hpp"

#include "cli/args/parse.hpp"
#include "cli/commands/commands.hpp"
#include "cli/text/findings_text.hpp"

#include <variant>

namespace metal_unlock {
namespace {

/// A mistake before `run` is 125, as with env and nohup; every other command says 2.
int usage_status(const std::vector<std::string>& words) {
  return !words.empty() && words.front() == "run" ? catalogue_row(FindingId::usage).run_status : status_usage;
}

}  // namespace

int run_cli(System& system, const std::vector<std::string>& words) {
  const Result<Command> command = parse_command(words);
  if (command) return std::visit([&](const auto& known) { return run(system, known); }, *command);
  system.write(Stream::err, findings_text({&command.finding(), 1}, Style{system.terminal(Stream::err)}));
  return usage_status(words);
}

}  // namespace metal_unlock
