// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"

using namespace metal_unlock;

namespace {

/// A sandbox on a machine where nothing else goes on, with a target that counts its runs.
struct BenchSandbox : Sandbox {
  explicit BenchSandbox(std::string_view guest = "tahoe-26-m1-ultra") : Sandbox(guest) {
    set("METAL_UNLOCK_MACHINE_STATE", write("state", "busy 0\nbattery 0\nheat 0\n"));
  }

  std::filesystem::path log() const { return work() / "log"; }
  std::string order() const { return read_file(log()); }

  Outcome bench(const Words& options, const Words& events = {}) const {
    Words words{"bench"};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"--", build_directory() / "bench-target", log()});
    words.insert(words.end(), events.begin(), events.end());
    return metal_unlock(words);
  }
};

std::size_t samples_of(const json& document, const char* side) {
  return document.at("rows").at(0).at(side).at("samples").size();
}

/// The runs that were excluded, by name, with the reason.
std::map<std::string, std::string> exclusions(const json& document) {
  std::map<std::string, std::string> all;
  for (const json& run : document.at("runs"))
    if (!run.at("excluded").is_null()) all[run.at("name")] = run.at("excluded");
  return all;
}

}  // namespace

TEST_CASE("stock and unlocked take turns, and which comes first alternates", "[bench]") {
  const BenchSandbox sandbox;
  const Outcome outcome = sandbox.bench({"--runs", "4", "--warmup", "1", "--json"});
  CAPTURE(outcome.err);
  CHECK(outcome.exit_status == 0);
  CHECK(outcome.err.empty());
  CHECK(sandbox.order() ==
        "SU"
        "SUUSSUUS");
  const json document = json::parse(outcome.out);
  CHECK(document.at("complete") == true);
  CHECK(exclusions(document).empty());
  CHECK(samples_of(document, "stock") == 8);
  CHECK(samples_of(document, "unlocked") == 8);
  for (const json& row : document.at("rows")) CHECK(row.at("verdict") == "faster");
}

TEST_CASE("the same answers give the same rows", "[bench]") {
  const BenchSandbox one;
  const BenchSandbox other;
  const json rows = json::parse(one.bench({"--json"}).out).at("rows");
  CHECK(rows == json::parse(other.bench({"--json"}).out).at("rows"));
  CHECK(rows.at(0).at("test") == "pp512");
  CHECK(rows.at(0).at("times_as_fast").get<double>() == Approx(12).epsilon(0.01));
  CHECK(rows.at(1).at("times_as_fast").get<double>() == Approx(16).epsilon(0.01));
}

TEST_CASE("the table says it for people", "[bench]") {
  const BenchSandbox sandbox;
  const Outcome outcome = sandbox.bench({"--runs", "2", "--warmup", "0"});
  CHECK(outcome.exit_status == 0);
  CHECK(outcome.out.find("unlocked") != std::string::npos);
  CHECK(outcome.out.find(": faster\n") != std::string::npos);
}

TEST_CASE("a run that failed is named and never averaged in", "[bench]") {
  struct Case {
    std::string event;
    std::string reason;
  };
  // The fifth run of all, after two to warm up, is unlocked-2.
  const std::vector<Case> cases{{"fail", "it ended with status 3"},
                                {"crash", "signal 9 ended it"},
                                {"quiet", "it has wall and CPU time, others have llama-bench JSON"},
                                {"garble", "it has wall and CPU time, others have llama-bench JSON"},
                                {"busy", "other programs kept"},
                                {"heat", "the machine was slowed down by heat"},
                                {"battery", "the power source changed"}};
  for (const auto& [event, reason] : cases) {
    CAPTURE(event);
    const BenchSandbox sandbox;
    const std::string last = event == "heat" || event == "battery" || event == "busy" ? "10" : "5";
    const Outcome outcome = sandbox.bench({"--runs", "4", "--json"}, {event + "-at", last});
    CAPTURE(outcome.err);
    CHECK(outcome.exit_status == 1);
    CHECK(finding_ids(outcome.err) == Words{"run-excluded"});
    const json document = json::parse(outcome.out);
    const auto excluded = exclusions(document);
    REQUIRE(excluded.size() == 1);
    const auto& [name, why] = *excluded.begin();
    CHECK(name == (last == "5" ? "unlocked-2" : "stock-4"));
    CHECK(why.find(reason) != std::string::npos);
    CHECK(outcome.err.find(name + ": ") != std::string::npos);
    CHECK(samples_of(document, "stock") + samples_of(document, "unlocked") == 14);
    CHECK(document.at("rows").at(0).at("verdict") == "faster");
  }
}

TEST_CASE("a busy machine can be allowed, a hot one cannot", "[bench]") {
  const BenchSandbox busy;
  CHECK(busy.bench({"--allow-load", "--json"}, {"busy-at", "10"}).exit_status == 0);
  const BenchSandbox hot;
  CHECK(hot.bench({"--allow-load", "--json"}, {"heat-at", "10"}).exit_status == 1);
}

TEST_CASE("a run that takes too long is ended and named", "[bench]") {
  const BenchSandbox sandbox;
  const Outcome outcome = sandbox.bench({"--timeout", "1", "--json"}, {"hang-at", "4"});
  CHECK(outcome.exit_status == 1);
  const auto excluded = exclusions(json::parse(outcome.out));
  CHECK(excluded == std::map<std::string, std::string>{{"unlocked-1", "it was ended after 1 s"}});
}

TEST_CASE("Ctrl-C keeps what is finished", "[bench]") {
  const BenchSandbox sandbox;
  const Outcome outcome = sandbox.bench({"--runs", "50", "--warmup", "0", "--json"}, {"interrupt-at", "7"});
  CAPTURE(outcome.err);
  CHECK(outcome.exit_status == 1);
  CHECK(finding_ids(outcome.err) == Words{"bench-interrupted"});
  CHECK(outcome.err.find("stopped after 6 of 100 runs") != std::string::npos);
  const json document = json::parse(outcome.out);
  CHECK(document.at("complete") == false);
  CHECK(document.at("runs").size() == 6);
  CHECK(samples_of(document, "stock") == 6);
  CHECK(sandbox.order() == "SUUSSUU");
}

TEST_CASE("a program without samples is compared by its times", "[bench]") {
  const BenchSandbox sandbox;
  const Outcome outcome =
      sandbox.metal_unlock({"bench", "--runs", "3", "--allow-load", "--json", "--", metal_caps_program()});
  CAPTURE(outcome.err);
  CHECK(outcome.exit_status == 0);
  const json rows = json::parse(outcome.out).at("rows");
  REQUIRE(rows.size() == 2);
  CHECK(rows.at(0).at("test") == "wall time");
  CHECK(rows.at(1).at("test") == "CPU time");
  CHECK(rows.at(0).at("model") == "metal-caps");
  CHECK(rows.at(0).at("unit") == "s");
  for (const double seconds : rows.at(0).at("stock").at("samples")) CHECK(seconds > 0);
}

TEST_CASE("timing lines on stderr are samples", "[bench]") {
  const BenchSandbox sandbox;
  const std::string line =
      "llama_perf_context_print: eval time = 1.0 ms / 2 runs ( 0.5 ms per token, 2000 tokens per "
      "second)";
  const Outcome outcome = sandbox.metal_unlock(
      {"bench", "--runs", "3", "--json", "--", "/bin/sh", "-c", "echo hello; echo '" + line + "' >&2"});
  CAPTURE(outcome.err);
  const json rows = json::parse(outcome.out).at("rows");
  REQUIRE(rows.size() == 1);
  CHECK(rows.at(0).at("test") == "tg");
  CHECK(rows.at(0).at("stock").at("median") == 2000);
  CHECK(rows.at(0).at("verdict") == "no measurable change");
}

TEST_CASE("a target has nothing to read, and what it leaves running is ended", "[bench]") {
  const BenchSandbox sandbox;
  const Outcome outcome =
      sandbox.metal_unlock({"bench", "--runs", "3", "--", "/bin/sh", "-c", "cat; sleep 1000 & exit 0"});
  CAPTURE(outcome.err);
  CHECK(outcome.exit_status == 0);
}

TEST_CASE("llama-bench is told to print its samples", "[bench]") {
  const BenchSandbox sandbox;
  const auto program = sandbox.write("llama/llama-bench", "");
  std::filesystem::remove(program);
  std::filesystem::create_symlink(build_directory() / "bench-target", program);
  const auto bench = [&](const Words& more) {
    Words words{"bench", "--runs", "3", "--json", "--", program, sandbox.log()};
    words.insert(words.end(), more.begin(), more.end());
    return sandbox.metal_unlock(words);
  };
  CHECK(finding_ids(bench({}).err) == Words{"option-added"});
  CHECK(finding_ids(bench({"-o", "jsonl"}).err).empty());
  CHECK(finding_ids(bench({"--output", "json"}).err).empty());
  const Outcome refused = bench({"-o", "md"});
  CHECK(refused.exit_status == 2);
  CHECK(finding_ids(refused.err) == Words{"usage"});
  // Of llama-bench, output without samples is a failure, not a program to be timed.
  const Outcome broken = bench({"garble-at", "30"});
  CHECK(broken.exit_status == 1);
  CHECK(broken.err.find(":2:1 is not valid JSON") != std::string::npos);
}

TEST_CASE("where nothing is to be unlocked, stock alone is measured", "[bench]") {
  const BenchSandbox sandbox{"bare-metal-m5"};
  const Outcome outcome = sandbox.bench({"--runs", "3", "--json"});
  CHECK(outcome.exit_status == 0);
  CHECK(finding_ids(outcome.err) == Words{"bench-needless"});
  CHECK(sandbox.order().size() == 4);
  const json row = json::parse(outcome.out).at("rows").at(0);
  CHECK(row.at("verdict").is_null());
  CHECK_FALSE(row.contains("unlocked"));
  CHECK(row.at("stock").at("samples").size() == 6);
}

TEST_CASE("what was measured on the host gives the share", "[bench]") {
  const BenchSandbox host{"tahoe-26-m1-ultra"};
  const auto file = host.work() / "host.json";
  const BenchSandbox sandbox;
  const auto samples = sandbox.write("host.json", host.bench({"--json"}).out);
  const Outcome outcome = sandbox.bench({"--json", "--host", samples});
  CAPTURE(outcome.err);
  CHECK(outcome.exit_status == 0);
  CHECK(json::parse(outcome.out).at("rows").at(0).at("share_of_host").get<double>() ==
        Approx(12).epsilon(0.01));
}

TEST_CASE("where the unlock is switched off or impossible there is nothing to compare", "[bench]") {
  BenchSandbox off;
  off.set("METAL_UNLOCK", "off");
  const Outcome outcome = off.bench({});
  CHECK(outcome.exit_status == 1);
  CHECK(finding_ids(outcome.err) == Words{"bench-impossible"});
  CHECK_FALSE(std::filesystem::exists(off.log()));

  const BenchSandbox unknown{"unknown-future-chip"};
  CHECK(unknown.bench({}).exit_status == 1);
  CHECK_FALSE(std::filesystem::exists(unknown.log()));
}

TEST_CASE("wrong usage of bench starts nothing", "[bench]") {
  const BenchSandbox sandbox;
  for (const Words& options : {Words{"--runs", "0"}, Words{"--runs", "1001"}, Words{"--runs", "3x"},
                               Words{"--warmup", "101"}, Words{"--timeout", "0"}, Words{"--json", "--csv"},
                               Words{"--host", "/nowhere"}, Words{"--nonsense"}}) {
    CAPTURE(options);
    CHECK(sandbox.bench(options).exit_status == 2);
    CHECK_FALSE(std::filesystem::exists(sandbox.log()));
  }
  CHECK(sandbox.metal_unlock({"bench"}).exit_status == 2);
  CHECK(sandbox.bench({"--runs", "1", "--warmup", "0"}).exit_status == 0);
}
