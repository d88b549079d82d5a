// SPDX-License-Identifier: MIT
#include "cli/args/given_options.hpp"
#include "cli/core/text_format.hpp"

#include <array>
#include <charconv>

namespace metal_unlock {
namespace {

Result<ComparisonOutput> output_of(const CommandRow& row, const GivenOptions& given) {
  using enum ComparisonOutput::Form;
  constexpr std::array<std::pair<std::string_view, ComparisonOutput::Form>, 3> forms{
      {{"--json", as_json}, {"--csv", as_csv}, {"--markdown", as_markdown}}};
  ComparisonOutput output{as_table, given.value("--svg").value_or("")};
  for (const auto& [name, form] : forms) {
    if (!given.has(name)) continue;
    if (output.form != as_table) return usage_finding(row, "--json, --csv and --markdown exclude each other");
    output.form = form;
  }
  return output;
}

}  // namespace

Result<std::size_t> number_of(const CommandRow& row, const GivenOptions& given, const NumberRow& wanted,
                              std::size_t where_not_given) {
  const auto text = given.value(wanted.option);
  if (!text) return where_not_given;
  std::size_t number = 0;
  const char* const last = text->data() + text->size();
  const auto [end, error] = std::from_chars(text->data(), last, number);
  if (error == std::errc{} && end == last && number >= wanted.least && number <= wanted.most) return number;
  return usage_finding(row, formatted("option '{}' needs a number from {} to {}, not '{}'", wanted.option,
                                      wanted.least, wanted.most, *text));
}

Result<Command> bench_command(const CommandRow& row, const GivenOptions& given,
                              std::vector<std::string> target) {
  if (target.empty())
    return Finding{FindingId::no_command, "bench needs a command",
                   formatted("usage: metal-unlock {}", row.usage)};
  BenchCommand command;
  const auto runs = number_of(row, given, {"--runs", 1, 1000}, command.runs);
  if (!runs) return runs.finding();
  const auto warmups = number_of(row, given, {"--warmup", 0, 100}, command.warmups);
  if (!warmups) return warmups.finding();
  const auto timeout = number_of(row, given, {"--timeout", 1, 86400}, command.timeout_in_seconds);
  if (!timeout) return timeout.finding();
  Result<ComparisonOutput> output = output_of(row, given);
  if (!output) return output.finding();
  command.launch = launch_options(given);
  command.runs = *runs;
  command.warmups = *warmups;
  command.timeout_in_seconds = *timeout;
  command.allow_load = given.has("--allow-load");
  command.host = given.value("--host").value_or("");
  command.evidence = given.value("--evidence").value_or("");
  command.output = *std::move(output);
  command.target = std::move(target);
  return Command{std::move(command)};
}

Result<Command> verify_command(const CommandRow& row, const GivenOptions& given) {
  VerifyCommand command{
      .launch = launch_options(given), .json = given.has("--json"), .forget = given.has("--forget")};
  const auto timeout = number_of(row, given, {"--timeout", 1, 3600}, command.timeout_in_seconds);
  if (!timeout) return timeout.finding();
  command.timeout_in_seconds = *timeout;
  return Command{std::move(command)};
}

Result<Command> compare_command(const CommandRow& row, const GivenOptions& given,
                                std::vector<std::string> files) {
  Result<ComparisonOutput> output = output_of(row, given);
  if (!output) return output.finding();
  if (files.size() < 2 || files.size() > 3)
    return usage_finding(row, formatted("compare needs two or three files, not {}", files.size()));
  return Command{CompareCommand{std::move(files), *std::move(output)}};
}

}  // namespace metal_unlock
