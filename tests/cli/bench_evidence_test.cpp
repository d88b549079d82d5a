// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"

#include <set>

using namespace metal_unlock;

namespace {

struct Surroundings : Sandbox {
  Surroundings() { set("METAL_UNLOCK_MACHINE_STATE", write("state", "busy 0\n")); }

  std::filesystem::path folder() const { return work() / "evidence"; }

  Outcome bench(const Words& events = {}) const {
    Words words{"bench",       "--runs",   "2",      "--warmup", "1",
                "--evidence",  "evidence", "--json", "--",       build_directory() / "bench-target",
                work() / "log"};
    words.insert(words.end(), events.begin(), events.end());
    return metal_unlock(words);
  }
};

std::set<std::string> names_in(const std::filesystem::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) names.insert(entry.path().filename());
  return names;
}

}  // namespace

TEST_CASE("a folder of evidence is complete and checks itself", "[bench]") {
  Surroundings sandbox;
  sandbox.set("LLAMA_ARG_THREADS", "4");
  sandbox.set("LLAMA_API_KEY", "confidential");
  const Outcome outcome = sandbox.bench();
  CAPTURE(outcome.err);
  CHECK(outcome.exit_status == 0);

  std::set<std::string> expected{"SHA256SUMS",  "commands.txt", "evidence.json", "profile.json",
                                 "results.csv", "results.json", "results.md",    "results.svg"};
  for (const char* run :
       {"warmup-stock-1", "stock-1", "stock-2", "warmup-unlocked-1", "unlocked-1", "unlocked-2"}) {
    expected.insert(std::string{run} + ".stdout");
    expected.insert(std::string{run} + ".stderr");
    if (std::string_view{run}.find("unlocked") != std::string_view::npos)
      expected.insert(std::string{run} + ".report.jsonl");
  }
  CHECK(names_in(sandbox.folder()) == expected);

  const Outcome sums = sandbox.execute(shell("cd evidence && sha256sum --strict --check SHA256SUMS"));
  CHECK(sums.exit_status == 0);
  const std::string list = read_file(sandbox.folder() / "SHA256SUMS");
  CHECK(static_cast<std::size_t>(std::ranges::count(list, '\n')) == expected.size() - 1);

  CHECK(read_file(sandbox.folder() / "results.json") == outcome.out);
  const json facts = json::parse(read_file(sandbox.folder() / "evidence.json"));
  CHECK(facts.at("machine").at("chip") == "Apple M1 Ultra (Virtual)");
  CHECK(facts.at("environment").at("LLAMA_ARG_THREADS") == "4");
  CHECK(facts.dump().find("confidential") == std::string::npos);
  const std::string shim = sandbox.placed_shim();
  const Outcome hash = sandbox.execute({"sha256sum", shim});
  CHECK(facts.at("sha256").at("shim " + shim) == hash.out.substr(0, 64));
}

TEST_CASE("the evidence holds what was overridden and how each run was started", "[bench]") {
  const Surroundings sandbox;
  REQUIRE(sandbox.bench().exit_status == 0);
  const std::string report = read_file(sandbox.folder() / "unlocked-2.report.jsonl");
  for (const char* event : {"\"plan\"", "\"loaded\"", "\"overridden\"", "\"effective\"", "\"answer\""}) {
    CAPTURE(event);
    CHECK(report.find(event) != std::string::npos);
  }
  // A command line can be repeated as it stands.
  const std::string commands = read_file(sandbox.folder() / "commands.txt");
  const std::size_t start = commands.find("# unlocked-2\n") + std::string_view{"# unlocked-2\n"}.size();
  const std::string line = commands.substr(start, commands.find('\n', start) - start);
  CHECK(line.find("METAL_UNLOCK_HANDOFF") != std::string::npos);
  CHECK(sandbox.execute(shell(line)).out.find("\"n_prompt\": 512") != std::string::npos);
}

TEST_CASE("the model is hashed", "[bench]") {
  const Surroundings sandbox;
  const auto model = sandbox.write("work/model.gguf", "weights");
  REQUIRE(sandbox.bench({"-m", "model.gguf"}).exit_status == 0);
  const json facts = json::parse(read_file(sandbox.folder() / "evidence.json"));
  CHECK(facts.at("sha256").at("model model.gguf") == sandbox.execute({"sha256sum", model}).out.substr(0, 64));
}

TEST_CASE("a folder that exists is refused and left alone", "[bench]") {
  const Surroundings sandbox;
  sandbox.write("work/evidence/mine", "text");
  const Outcome outcome = sandbox.bench();
  CHECK(outcome.exit_status == 2);
  CHECK(finding_ids(outcome.err) == Words{"evidence-unwritten"});
  CHECK(names_in(sandbox.folder()) == std::set<std::string>{"mine"});
  CHECK_FALSE(std::filesystem::exists(sandbox.work() / "log"));
  // So is a link to nowhere, which would be written through.
  std::filesystem::remove_all(sandbox.folder());
  std::filesystem::create_symlink("elsewhere", sandbox.folder());
  CHECK(sandbox.bench().exit_status == 2);
  std::filesystem::remove(sandbox.folder());
  CHECK(sandbox.bench().exit_status == 0);
}

TEST_CASE("an interrupted bench leaves evidence of what it finished", "[bench]") {
  const Surroundings sandbox;
  CHECK(sandbox.bench({"interrupt-at", "6"}).exit_status == 1);
  CHECK(json::parse(read_file(sandbox.folder() / "results.json")).at("complete") == false);
  CHECK(std::filesystem::exists(sandbox.folder() / "unlocked-1.stdout"));
  CHECK_FALSE(std::filesystem::exists(sandbox.folder() / "stock-2.stdout"));
  CHECK(sandbox.execute(shell("cd evidence && sha256sum --strict --check SHA256SUMS")).exit_status == 0);
}
