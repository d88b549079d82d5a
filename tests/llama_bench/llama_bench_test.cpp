// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"
#include "tests/llama_bench/tiny_model.hpp"

using namespace metal_unlock;

namespace {

Words bench_words(const Words& options, const std::string& model, const Words& more = {}) {
  Words words{"bench", "--runs", "3", "--allow-load"};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"--", LLAMA_BENCH, "-m", model, "-p", "64", "-n", "16", "-r", "4", "-t", "1"});
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

TEST_CASE("a real llama-bench on the CPU: measured, matched, and nothing changed") {
  const Sandbox sandbox;
  const std::string model = sandbox.write("work/tiny.gguf", tiny_model());
  const Outcome outcome = sandbox.metal_unlock(bench_words({"--json", "--evidence", "evidence"}, model));
  CAPTURE(outcome.err);
  CHECK(outcome.exit_status == 0);
  CHECK(finding_ids(outcome.err) == Words{"option-added"});
  const json document = json::parse(outcome.out);
  CHECK(document.at("mismatches").empty());
  REQUIRE(document.at("rows").size() == 2);
  CHECK(document.at("rows").at(0).at("test") == "pp64");
  CHECK(document.at("rows").at(1).at("test") == "tg16");
  for (const json& row : document.at("rows")) {
    CHECK(row.at("stock").at("samples").size() == 12);
    CHECK(row.at("unlocked").at("samples").size() == 12);
    CHECK(row.at("threads") == 1);
    CHECK(row.at("verdict") == "no measurable change");
  }

  // Whatever it printed, its own files can be compared as they are.
  const Outcome compared =
      sandbox.metal_unlock({"compare", "--json", "evidence/stock-2.stdout", "evidence/unlocked-2.stdout"});
  CHECK(compared.exit_status == 0);
  CHECK(json::parse(compared.out).at("rows").size() == 2);
}

TEST_CASE("a real llama-bench with each form of samples, and one that fails") {
  const Sandbox sandbox;
  const std::string model = sandbox.write("work/tiny.gguf", tiny_model());
  for (const char* form : {"json", "jsonl"}) {
    CAPTURE(form);
    const Outcome outcome = sandbox.metal_unlock(bench_words({"--json"}, model, {"-o", form}));
    CHECK(outcome.exit_status == 0);
    CHECK(outcome.err.empty());
    CHECK(json::parse(outcome.out).at("rows").size() == 2);
  }
  const Outcome missing = sandbox.metal_unlock(bench_words({"--warmup", "0"}, "no-such-model.gguf"));
  CHECK(missing.exit_status == 1);
  CHECK(missing.out.empty());
  CHECK(missing.err.find("6 of 6 runs are not counted") != std::string::npos);
}
