// SPDX-License-Identifier: MIT
#include "cli/commands/commands.hpp"
#include "cli/commands/output.hpp"
#include "cli/commands/signed_copy_lines.hpp"
#include "cli/core/shell_word.hpp"
#include "cli/core/target/find_program.hpp"
#include "cli/core/text_format.hpp"
#include "cli/text/joined.hpp"
#include "cli/text/printable.hpp"

namespace metal_unlock {
namespace {

std::string words_before(const SignedCopy& copy) {
  std::string text = formatted("{} is copied to {}, and the copy is signed ad hoc.\nThe copy loses:\n",
                               printable(copy.source), printable(copy.output));
  for (const std::string& loss : copy.losses) text += formatted("  {}\n", printable(loss));
  if (!copy.added.empty()) text += formatted("It gets:\n  {}\n", joined(copy.added, "\n  "));
  return text;
}

/// Everything that would be done, for a shell.
std::string shell_text(const SignedCopy& copy) {
  const std::string file = entitlements_file(copy);
  std::string text = formatted("cat > {} <<'END'\n{}END\n", shell_word(file), copy.entitlements);
  for (const auto& words : copy_commands(copy, file)) text += command_line(words) + "\n";
  return text;
}

/// The programs of all commands, by absolute path; a finding where one is missing, before anything is done.
Result<std::vector<Plan>> plans_for(const System& system, const SignedCopy& copy) {
  std::vector<Plan> plans;
  for (const auto& words : copy_commands(copy, entitlements_file(copy))) {
    const auto program = find_program(words.front(), search_path(system.environment()), system);
    if (!program)
      return Finding{FindingId::prepare_failed,
                     formatted("'{}' is not on PATH, and a copy cannot be made without it", words.front()),
                     "prepare it on a Mac: xcode-select --install brings codesign"};
    plans.push_back({program->file, words, {}});
  }
  return plans;
}

std::optional<Finding> make_copy(System& system, const SignedCopy& copy) {
  const auto plans = plans_for(system, copy);
  if (!plans) return plans.finding();
  const auto written = system.replace_file(entitlements_file(copy), copy.entitlements);
  if (!written) return written.finding();
  for (const Plan& plan : *plans) {
    const Result<Captured> ran = system.capture(plan);
    if (ran && ran->status == 0) continue;
    return Finding{
        FindingId::prepare_failed,
        ran ? formatted("'{}' ended with {}", command_line(plan.argv), ran->status) : ran.finding().sentence,
        formatted("remove what is left, and try again: rm -rf {} {}", shell_word(copy.output),
                  shell_word(entitlements_file(copy)))};
  }
  return std::nullopt;
}

}  // namespace

std::string entitlements_file(const SignedCopy& copy) { return copy.output + ".entitlements"; }

std::string command_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + shell_word(word);
  return line;
}

std::vector<std::string> signed_copy_lines(const System& system, const Target& target) {
  const auto copy = plan_signed_copy(target, copy_name(target.program), system);
  if (!copy) return {copy.finding().sentence};
  std::vector<std::string> lines{
      "or by hand, with the entitlements that `metal-unlock prepare --dry-run` prints:"};
  for (const auto& words : copy_commands(*copy, entitlements_file(*copy)))
    lines.push_back(command_line(words));
  return lines;
}

int run(System& system, const PrepareCommand& command) {
  const auto target = resolve_target({command.target}, system.environment(), system);
  if (!target) return fail(system, target.finding());
  const std::string output = command.output.empty() ? copy_name(target->program) : command.output;
  const auto copy = plan_signed_copy(*target, output, system);
  if (!copy) return fail(system, copy.finding());
  if (command.dry_run)
    return print_answer(system, words_before(*copy) + "The commands:\n" + shell_text(*copy)) ? status_fine
                                                                                             : status_wrong;
  if (const std::string file = entitlements_file(*copy); system.facts(file).kind != FileKind::missing)
    return fail(system,
                {FindingId::prepare_refused, formatted("'{}' is there already, and is not overwritten", file),
                 formatted("name another place, or: rm {}", shell_word(file))});
  if (!print_answer(system, words_before(*copy))) return status_wrong;
  if (const auto failed = make_copy(system, *copy)) return fail(system, *failed);
  return print_answer(system, formatted("next: metal-unlock run -- {}\n", shell_word(copy->output)))
             ? status_fine
             : status_wrong;
}

}  // namespace metal_unlock
