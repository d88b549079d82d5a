// SPDX-License-Identifier: MIT

// What the processes that a target starts see of the shim: the table of docs/children.md.

#include "tests/catch.hpp"
#include "tests/files.hpp"
#include "tests/shim/shim_run.hpp"

using namespace metal_unlock;

namespace {

const std::vector<std::string> children{
    "system()",      "sh -c in sh -c", "posix_spawn, environ", "posix_spawn, third argument of main",
    "fork and exec", "exec of itself"};

std::string handoff_with(const std::string& fields) {
  return usual_handoff({"PlainDevice"}) + ";metal=" + variant_metal("with_init").string() + ";open=always" +
         fields;
}

ShimOutcome scope_client(const std::vector<std::string>& ways, const std::optional<std::string>& handoff,
                         const std::string& preload = shim_under_test()) {
  std::vector<std::string> argv{"scope-client"};
  argv.insert(argv.end(), ways.begin(), ways.end());
  return run_with_shim(
      {.argv = argv, .handoff = handoff, .environment = {{entrance().preload_variable, preload}}});
}

/// `text` with `;open=always` as a child gets it.
std::string for_children(std::string text) {
  const std::string always = "open=always";
  return text.replace(text.find(always), always.size(), "open=programs");
}

}  // namespace

TEST_CASE(
    "by default the target has the shim, and neither it nor any child sees a trace in the environment") {
  std::vector<std::string> ways{"self", "self, third argument of main", "fork"};
  const std::size_t own = ways.size();
  ways.insert(ways.end(), children.begin(), children.end());
  const ShimOutcome outcome = scope_client(ways, handoff_with(""));
  REQUIRE(outcome.lines.size() == ways.size());
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const json& seen = outcome.lines[i];
    CAPTURE(seen.dump());
    CHECK(seen.at("way") == ways[i]);
    CHECK(seen.at(entrance().preload_variable) == nullptr);
    CHECK(seen.at("METAL_UNLOCK_HANDOFF") == nullptr);
    CHECK(seen.at("shim") == (i < own));
    CHECK(seen.at("metal") == (i < own));
  }
  CHECK(outcome.events_named("loaded").size() == 1);
}

TEST_CASE("with children the whole tree has it") {
  const std::string fields = handoff_with(";children");
  std::vector<std::string> ways{"self"};
  ways.insert(ways.end(), children.begin(), children.end());
  const ShimOutcome outcome = scope_client(ways, fields + ";report-fd=77");
  REQUIRE(outcome.lines.size() == ways.size());
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const json& seen = outcome.lines[i];
    CAPTURE(seen.dump());
    CHECK(seen.at("way") == ways[i]);
    CHECK(seen.at(entrance().preload_variable) == shim_under_test().string());
    CHECK(seen.at("shim") == true);
    CHECK(seen.at("metal") == true);
    const std::string handoff = seen.at("METAL_UNLOCK_HANDOFF");
    CHECK(handoff.starts_with("v1;" + for_children(fields) + ";report="));
    CHECK(handoff.find("report-fd") == std::string::npos);
  }
  // One for each line and one for each shell: sh for system(), three of them for the nested one.
  CHECK(outcome.events_named("loaded").size() >= ways.size() + 2);
}

TEST_CASE("with children a system tool loads nothing but the shim, and another program opens Metal",
          "[native]") {
  const TemporaryDirectory directory;
  const std::filesystem::path copy = directory.path() / "cat";
  std::filesystem::copy_file("/bin/cat", copy);
  const auto maps_of = [](const std::filesystem::path& program, const std::string& open) {
    const std::string handoff = usual_handoff({"PlainDevice"}) +
                                ";children;metal=" + variant_metal("with_init").string() + ";open=" + open;
    const Outcome outcome = run_process(command_with_shim(
        {.argv = {program, "/proc/self/maps"}, .handoff = handoff, .with_report = false}, {}));
    CHECK(outcome.exit_status == 0);
    return outcome.out;
  };
  for (const auto& [program, open, opens] : {std::tuple{std::filesystem::path("/bin/cat"), "programs", false},
                                             {std::filesystem::path("/bin/cat"), "always", true},
                                             {copy, "programs", true}}) {
    CAPTURE(program, open);
    const std::string maps = maps_of(program, open);
    CHECK(maps.find("libmetal-unlock") != std::string::npos);
    CHECK((maps.find("libMetal.so") != std::string::npos) == opens);
    CHECK((maps.find("libstdc++") != std::string::npos) == opens);
  }
}

TEST_CASE("other entries of the preload list survive untouched and in order") {
  const TemporaryDirectory directory;
  const std::string ours = shim_under_test();
  // The loader only warns about entries that it cannot load, and dyld ends the process; these can be loaded.
  const std::vector<std::string> others = harmless_libraries(directory.path(), {"a", "b"});
  const std::string& a = others[0];
  const std::string& b = others[1];
  struct Row {
    std::string preload;
    json kept;
  };
  std::vector<Row> rows{{ours, nullptr}};
  for (const char letter : entrance().separators) {
    const std::string separator(1, letter);
    rows.push_back({ours + separator + a, a});
    rows.push_back({a + separator + ours, a});
    rows.push_back({a + separator + ours + separator + b, a + separator + b});
    rows.push_back({ours + separator + a + separator + b, a + separator + b});
  }
  for (const Row& row : rows) {
    CAPTURE(row.preload);
    const ShimOutcome outcome = scope_client({"self", "system()"}, handoff_with(""), row.preload);
    REQUIRE(outcome.lines.size() == 2);
    CHECK(outcome.lines[0].at(entrance().preload_variable) == row.kept);
    CHECK(outcome.lines[1].at(entrance().preload_variable) == row.kept);
    CHECK(outcome.lines[1].at("shim") == false);
    const ShimOutcome children_too = scope_client({"self"}, handoff_with(";children"), row.preload);
    REQUIRE(children_too.lines.size() == 1);
    CHECK(children_too.lines[0].at(entrance().preload_variable) == row.preload);
  }
}

TEST_CASE("without a well-formed handoff nothing is touched, written or opened") {
  const std::string good = "v1;" + handoff_with("") + ";end";
  struct Row {
    std::string name;
    std::optional<std::string> handoff;
  };
  const std::vector<Row> rows{{"unset", std::nullopt},
                              {"empty", ""},
                              {"malformed", "v1;" + handoff_with(";log;require")},
                              {"a later version", "v2" + good.substr(2)},
                              {"too long", "v1;" + std::string(9000, 'x') + ";end"}};
  const auto run = [](const std::optional<std::string>& handoff) {
    return run_with_shim(
        {.argv = {"scope-client", "self", "system()"}, .environment = {{"METAL_UNLOCK_HANDOFF", handoff}}});
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const ShimOutcome outcome = run(row.handoff);
    CHECK(outcome.process.exit_status == 0);
    CHECK(outcome.process.err == "");
    REQUIRE(outcome.lines.size() == 2);
    for (const json& seen : outcome.lines) {
      CHECK(seen.at(entrance().preload_variable) == shim_under_test().string());
      CHECK(seen.at("METAL_UNLOCK_HANDOFF") == (row.handoff ? json(*row.handoff) : json(nullptr)));
      CHECK(seen.at("shim") == true);
      CHECK(seen.at("metal") == false);
    }
  }
  const ShimOutcome twin = run(good);
  REQUIRE(twin.lines.size() == 2);
  CHECK(twin.lines[0].at("metal") == true);
  CHECK(twin.lines[0].at(entrance().preload_variable) == nullptr);
}
