// SPDX-License-Identifier: MIT
#include "cli/commands/bench_target.hpp"
#include "tests/catch.hpp"
#include "tests/json.hpp"
#include "tests/text_search.hpp"
#include "tests/unit/recorded_system.hpp"

#include <algorithm>

using namespace metal_unlock;

namespace {

using Words = std::vector<std::string>;

Finished exited(double wall) {
  Finished run;
  run.heard = "{\"event\":\"loaded\"}\n";
  run.wall_seconds = wall;
  run.processor_seconds = wall / 2;
  return run;
}

}  // namespace

TEST_CASE("every run is a process started as run would") {
  RecordedSystem system;
  system.runs = {exited(2), exited(1)};
  CHECK(system.run({"bench", "--runs", "2", "--warmup", "0", "--", "tool", "-x"}).status == 0);
  REQUIRE(system.run_plans.size() == 4);
  const std::string order = "SUUS";
  for (std::size_t i = 0; i < 4; ++i) {
    CAPTURE(i);
    const Plan& plan = system.run_plans[i];
    CHECK(plan.file == "/usr/bin/tool");
    CHECK(plan.argv == Words{"tool", "-x"});
    CHECK(system.environment_of(plan).get("METAL_UNLOCK_HANDOFF").has_value() == (order[i] == 'U'));
  }
  // What the shim says is heard, and a run that cannot be unlocked ends.
  const Environment unlocked = system.environment_of(system.run_plans[1]);
  const std::string_view handoff = unlocked.get("METAL_UNLOCK_HANDOFF").value_or("");
  CHECK(handoff.find(";report-fd=100;") != std::string_view::npos);
  CHECK(handoff.find(";require;") != std::string_view::npos);
}

TEST_CASE("a stock run inside an outer run is stock all the same") {
  RecordedSystem system;
  system.runs = {exited(1)};
  system.variables = Environment{
      {"PATH=/usr/bin", "HOME=/home/me", "LD_PRELOAD=/x/libmetal-unlock.so", "METAL_UNLOCK_HANDOFF=v1"}};
  system.run({"bench", "--runs", "1", "--warmup", "0", "tool"});
  REQUIRE(system.run_plans.size() == 2);
  const Environment stock = system.environment_of(system.run_plans[0]);
  CHECK_FALSE(stock.get("LD_PRELOAD"));
  CHECK_FALSE(stock.get("METAL_UNLOCK_HANDOFF"));
}

TEST_CASE("a terminal sees progress on stderr, a file does not") {
  RecordedSystem system;
  system.runs = {exited(60)};
  system.run({"bench", "--runs", "2", "--warmup", "0", "tool"});
  CHECK(system.err.empty());

  RecordedSystem at_a_terminal;
  at_a_terminal.runs = {exited(60)};
  at_a_terminal.err_terminal.is_terminal = true;
  at_a_terminal.run({"bench", "--runs", "2", "--warmup", "0", "tool"});
  CHECK(holds(at_a_terminal.err, "\rrun 1 of 4, stock-1"));
  CHECK(holds(at_a_terminal.err, "\rrun 3 of 4, unlocked-2, about 2:00 left"));
  CHECK(at_a_terminal.err.ends_with(" \r"));
  CHECK(at_a_terminal.out == system.out);
}

TEST_CASE("stopped before the first run is finished, nothing is printed") {
  RecordedSystem system;
  system.runs.front().interrupted = true;
  CHECK(system.run({"bench", "tool"}).status == 1);
  CHECK(system.out.empty());
  CHECK(holds(system.err, "stopped after 0 of 12 runs"));
  CHECK(system.run_plans.size() == 1);
}

TEST_CASE("a host file that cannot be used is found before the first run") {
  RecordedSystem system;
  system.add_file("/host.json", "[");
  CHECK(system.run({"bench", "--host", "/host.json", "tool"}).status == 2);
  CHECK_FALSE(system.did("run"));
}

TEST_CASE("a report in the evidence is where the shim is told to write") {
  RecordedSystem system;
  system.runs = {exited(1)};
  CHECK(system.run({"bench", "--runs", "1", "--warmup", "0", "--evidence", "there", "tool"}).status == 0);
  CHECK(holds(system.files.at("/home/me/app/there/unlocked-1.report.jsonl").text, "\"event\":\"plan\""));
  CHECK(system.files.contains("/home/me/app/there/SHA256SUMS"));
  const std::string handoff{
      system.environment_of(system.run_plans[1]).get("METAL_UNLOCK_HANDOFF").value_or("")};
  CHECK(handoff.find(";report=/home/me/app/there/unlocked-1.report.jsonl;") != std::string_view::npos);
}

TEST_CASE("evidence that cannot be written is a failure, and there are no sums") {
  RecordedSystem system;
  system.runs = {exited(1)};
  system.write_fault = Finding{FindingId::report_unwritten, "disk full", "make room"};
  CHECK(system.run({"bench", "--runs", "1", "--warmup", "0", "--evidence", "there", "tool"}).status == 1);
  CHECK(holds(system.err, "disk full [evidence-unwritten]"));
  CHECK(holds(system.out, "wall time"));
}

TEST_CASE("the words of a target say what it is") {
  const auto target = [](Words words) { return *bench_target(std::move(words)); };
  CHECK(target({"/x/llama-bench"}).words == Words{"/x/llama-bench", "-o", "jsonl"});
  CHECK(target({"llama-bench", "-o", "json"}).words == Words{"llama-bench", "-o", "json"});
  CHECK(target({"llama-bench", "--output=jsonl"}).words == Words{"llama-bench", "--output=jsonl"});
  CHECK(target({"llama-cli", "-x"}).words == Words{"llama-cli", "-x"});
  CHECK(target({"x", "-m", "a", "--model", "b"}).model == "b");
  CHECK(target({"x", "--model=c"}).model == "c");
  CHECK(target({"x", "-m"}).model.empty());
  CHECK_FALSE(bench_target({"llama-bench", "-o", "csv"}));
  CHECK(bench_target({"llama-cli", "-o", "csv"}));
}
