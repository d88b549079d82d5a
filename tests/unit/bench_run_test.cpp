// SPDX-License-Identifier: MIT
#include "cli/core/bench_run.hpp"

#include "cli/text/progress_text.hpp"
#include "tests/catch.hpp"

#include <array>

using namespace metal_unlock;

namespace {

constexpr std::array both{Side::stock, Side::unlocked};

std::string names_of(const std::vector<Turn>& turns) {
  std::string names;
  for (const Turn& turn : turns) names += (names.empty() ? "" : " ") + name_of(turn);
  return names;
}

constexpr Turn stock_turn{Side::stock, 1, false};
constexpr Turn unlocked_turn{Side::unlocked, 1, false};

Finished finished(double wall = 10, double processor = 8) {
  Finished run;
  run.heard = "{\"event\":\"loaded\",\"beyond-host\":false}\n";
  run.wall_seconds = wall;
  run.processor_seconds = processor;
  return run;
}

MachineState busy(double seconds, unsigned processors = 4) {
  MachineState state;
  state.processors = processors;
  state.busy_seconds = seconds;
  return state;
}

std::string judged(const Finished& run, const Turn& turn = stock_turn, RunCircumstances seen = {}) {
  return exclusion_of(turn, run, seen);
}

BenchRun bench_run(Side side, double seconds, SampleFormat format = SampleFormat::llama_bench) {
  BenchRun run;
  run.turn = {side, 1, false};
  run.wall_seconds = seconds;
  run.measurements = {
      format,
      {{{.test = "pp", .model = {}, .model_size = {}, .build = {}, .threads = {}, .settings = {}},
        Unit::tokens_per_second,
        {seconds}}}};
  return run;
}

}  // namespace

TEST_CASE("turns alternate, and so does who begins") {
  CHECK(names_of(turns_of(3, 1, both)) ==
        "warmup-stock-1 warmup-unlocked-1 stock-1 unlocked-1 unlocked-2 stock-2 stock-3 unlocked-3");
  CHECK(names_of(turns_of(1, 0, both)) == "stock-1 unlocked-1");
  CHECK(names_of(turns_of(2, 0, std::array{Side::stock})) == "stock-1 stock-2");
}

TEST_CASE("a run that speaks against nothing counts") {
  CHECK(judged(finished()).empty());
  CHECK(judged(finished(), unlocked_turn).empty());
}

TEST_CASE("each failure excludes a run") {
  Finished run = finished();
  run.status = 1;
  CHECK(judged(run) == "it ended with status 1");
  run.status = 128 + 11;
  CHECK(judged(run) == "signal 11 ended it");
  run.timed_out = true;
  CHECK(judged(run) == "it was ended after 10 s");
  run = finished();
  run.printed_too_much = true;
  CHECK(judged(run) == "it printed more than is kept");
  run = finished();
  run.heard.clear();
  CHECK(judged(run, unlocked_turn) == "the shim was not loaded");
  CHECK(judged(run, stock_turn).empty());
}

TEST_CASE("what other programs did is what is left of all that was done") {
  CHECK(others_busy(finished(10, 8), busy(100), busy(128)) == 2.0);
  CHECK(others_busy(finished(10, 8), busy(100), busy(105)) == 0.0);
  CHECK_FALSE(others_busy(finished(10, 8), MachineState{}, busy(128)));
  CHECK_FALSE(others_busy(finished(0, 0), busy(1), busy(2)));
}

TEST_CASE("a busy machine excludes a run, unless that is allowed") {
  // Of 4 processors up to half of one is tolerated, of 16 up to 1.6.
  CHECK(judged(finished(10, 8), stock_turn, {busy(0), busy(0), busy(8 + 5.1), false}) ==
        "other programs kept 0.5 of 4 processors busy");
  CHECK(judged(finished(10, 8), stock_turn, {busy(0), busy(0), busy(8 + 4.9), false}).empty());
  CHECK(judged(finished(10, 8), stock_turn, {busy(0), busy(0), busy(8 + 5.1), true}).empty());
  CHECK(judged(finished(10, 8), stock_turn, {busy(0, 16), busy(0, 16), busy(8 + 15, 16), false}).empty());
  CHECK_FALSE(
      judged(finished(10, 8), stock_turn, {busy(0, 16), busy(0, 16), busy(8 + 17, 16), false}).empty());
  // The clock ticks: a moment says nothing.
  CHECK(judged(finished(0.01, 0), stock_turn, {busy(0), busy(0), busy(0.03), false}).empty());
}

TEST_CASE("heat and another power source exclude a run, load allowed or not") {
  MachineState cool = busy(0);
  cool.thermal_pressure = 0;
  cool.on_battery = false;
  MachineState hot = cool;
  hot.thermal_pressure = 1;
  MachineState unplugged = cool;
  unplugged.on_battery = true;
  for (const bool allows_load : {false, true}) {
    CHECK(judged(finished(), stock_turn, {cool, cool, cool, allows_load}).empty());
    CHECK(judged(finished(), stock_turn, {cool, hot, cool, allows_load}) ==
          "the machine was slowed down by heat");
    CHECK(judged(finished(), stock_turn, {cool, cool, hot, allows_load}) ==
          "the machine was slowed down by heat");
    CHECK(judged(finished(), stock_turn, {cool, cool, unplugged, allows_load}) == "the power source changed");
    CHECK(judged(finished(), stock_turn, {cool, unplugged, unplugged, allows_load}) ==
          "the power source changed");
    // On a battery all along is the same for all.
    CHECK(judged(finished(), stock_turn, {unplugged, unplugged, unplugged, allows_load}).empty());
  }
}

TEST_CASE("runs of another form than most do not count") {
  std::vector<BenchRun> runs{bench_run(Side::stock, 1), bench_run(Side::unlocked, 2, SampleFormat::times),
                             bench_run(Side::stock, 3)};
  exclude_other_forms(runs);
  CHECK(runs[0].counts());
  CHECK(runs[1].exclusion == "it has wall and CPU time, others have llama-bench JSON");
  CHECK(runs[2].counts());
}

TEST_CASE("only what counts is in the series of a side") {
  std::vector<BenchRun> runs{bench_run(Side::stock, 1), bench_run(Side::stock, 2), bench_run(Side::stock, 3),
                             bench_run(Side::unlocked, 4)};
  runs[1].exclusion = "failed";
  runs[2].turn.is_warmup = true;
  REQUIRE(series_of(runs, Side::stock).size() == 1);
  CHECK(series_of(runs, Side::stock).front().samples == std::vector<double>{1});
  CHECK(series_of(runs, Side::unlocked).front().samples == std::vector<double>{4});
}

TEST_CASE("the time left is that of the turns left, each as long as those of its side") {
  const std::vector<Turn> turns = turns_of(3, 0, both);  // S U U S S U
  CHECK_FALSE(seconds_left({}, turns));
  const std::vector<BenchRun> one{bench_run(Side::stock, 100)};
  CHECK(seconds_left(one, turns) == 500.0);
  const std::vector<BenchRun> two{bench_run(Side::stock, 100), bench_run(Side::unlocked, 10)};
  CHECK(seconds_left(two, turns) == 220.0);
}

TEST_CASE("progress in one line") {
  CHECK(progress_text(1, 12, stock_turn, std::nullopt) == "run 1 of 12, stock-1");
  CHECK(progress_text(3, 12, unlocked_turn, 6.2) == "run 3 of 12, unlocked-1, about 0:07 left");
  CHECK(progress_text(3, 12, {Side::stock, 1, true}, 125) == "run 3 of 12, warmup-stock-1, about 2:05 left");
  CHECK(progress_text(3, 12, stock_turn, 3605) == "run 3 of 12, stock-1, about 1:00:05 left");
}
