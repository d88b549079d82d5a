// SPDX-License-Identifier: MIT
#include "shim/handoff.hpp"
#include "tests/catch.hpp"
#include "tests/files.hpp"
#include "tests/unit/recorded_system.hpp"

#include <functional>

using namespace metal_unlock;

namespace {

using Words = std::vector<std::string>;
using Prepare = std::function<void(RecordedSystem&)>;

const std::string run_head = "schema = 1\ndescription = \"a sample\"\n";
const std::string run_evidence = "[[evidence]]\nmark = \"inferred\"\nsource = \"a test\"\n";
const std::string profiles = "/home/me/.config/metal-unlock/profiles/";
const std::string user_file = "/home/me/.config/metal-unlock/config.toml";

void nothing(RecordedSystem&) {}

Words tool(const Words& options = {}) {
  Words words{"run"};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"--", "tool", "-x", ""});
  return words;
}

/// What the shim was told; a start without a well-formed handoff fails the test.
shim::Handoff told(const RecordedSystem& system, const Ran& ran) {
  REQUIRE(ran.started);
  const Environment environment = system.environment_of(*ran.started);
  const auto text = environment.get(shim::handoff_variable);
  REQUIRE(text);
  shim::Handoff handoff;
  REQUIRE(shim::parse_handoff(std::string{*text}.c_str(), handoff) == shim::HandoffState::well_formed);
  return handoff;
}

bool is_unlocked(const RecordedSystem& system, const Ran& ran) {
  return ran.started && system.environment_of(*ran.started).get(shim::handoff_variable).has_value();
}

}  // namespace

TEST_CASE("in a guest the target is started unlocked, silently") {
  RecordedSystem system;
  const Ran ran = system.run(tool());
  CHECK(system.acts == Words{"observe", "place shim", "start"});
  REQUIRE(ran.started);
  CHECK(ran.started->file == "/usr/bin/tool");
  CHECK(ran.started->argv == Words{"tool", "-x", ""});
  CHECK(ran.started->change.unset.empty());
  CHECK(system.environment_of(*ran.started).get("LD_PRELOAD") == system.shim);
  CHECK(system.environment_of(*ran.started).get("HOME") == "/home/me");
  const shim::Handoff handoff = told(system, ran);
  CHECK(handoff.apple_family == 1007);
  CHECK(handoff.max_threadgroup_memory == 32768);
  CHECK(handoff.recommended_max_working_set == 0);
  CHECK(handoff.open == shim::OpenMetal::always);
  CHECK(std::string{handoff.metal} == "/opt/libMetal.so");
  CHECK_FALSE((handoff.children || handoff.require || handoff.log || handoff.beyond_host));
  CHECK(system.out.empty());
  CHECK(system.err.empty());
}

TEST_CASE("every recorded guest is started as its machine needs") {
  struct Row {
    const char* guest;
    std::uint32_t family;  ///< 0: stock
    const char* told;      ///< the finding; "": silence
  };
  const Row rows[] = {
      {"amd-mac", 0, ""},
      {"bare-metal-m1-ultra", 0, ""},
      {"bare-metal-m3-pro", 0, ""},
      {"bare-metal-m5", 0, ""},
      {"mac2-only", 1007, ""},
      {"no-device", 0, ""},
      {"not-a-mac", 0, ""},
      {"sequoia-15-m3-pro", 1009, ""},
      {"sonoma-14-runner", 1007, ""},
      {"tahoe-26-m1-ultra", 1007, ""},
      {"tahoe-26-m4-max", 1009, ""},
      {"unknown-future-chip", 0, "[profile-none]"},
  };
  CHECK(std::size(rows) == guest_files().size());
  for (const Row& row : rows) {
    CAPTURE(row.guest);
    RecordedSystem system(row.guest);
    const Ran ran = system.run(tool());
    REQUIRE(ran.started);
    CHECK(is_unlocked(system, ran) == (row.family != 0));
    if (row.family != 0) CHECK(told(system, ran).apple_family == row.family);
    if (row.family == 0) CHECK(ran.started->change.empty());
    CHECK(system.did("place shim") == (row.family != 0));
    CHECK(system.err.empty() == std::string_view{row.told}.empty());
    CHECK(system.err.find(row.told) != std::string::npos);
    CHECK(system.out.empty());
    CHECK_FALSE(system.did("ask metal"));
  }
}

TEST_CASE("options reach the shim") {
  const auto flags = [](const Words& options) {
    RecordedSystem system;
    const shim::Handoff handoff = told(system, system.run(tool(options)));
    const auto sign = [](bool is_set, char letter) { return is_set ? letter : '.'; };
    return std::string{sign(handoff.children, 'c'), sign(handoff.require, 'r'), sign(handoff.log, 'v'),
                       sign(handoff.beyond_host, 'b')};
  };
  CHECK(flags({}) == "....");
  CHECK(flags({"--children"}) == "c...");
  CHECK(flags({"--require"}) == ".r..");
  CHECK(flags({"-v"}) == "..v.");
  CHECK(flags({"--allow-beyond-host"}) == "...b");
  CHECK(flags({"--children", "--require", "-v", "--allow-beyond-host"}) == "crvb");
  CHECK(flags({"-q"}) == "....");
}

TEST_CASE("a refused run never starts anything, and says why once") {
  const auto setuid = [](RecordedSystem& system) {
    system.add_program("/usr/bin/tool", {FileKind::regular, true, true});
  };
  const auto no_shim = [](RecordedSystem& system) {
    system.shim_fault = Finding{FindingId::shim_unplaced, "no folder", "make one"};
  };
  const auto variable = [](const char* entry) {
    return [entry](RecordedSystem& system) { system.variables = Environment{{"PATH=/usr/bin", entry}}; };
  };
  struct Row {
    const char* guest;
    Prepare prepare;
    Words words;
    int status;
    const char* told;
  };
  const Row rows[] = {
      {"tahoe-26-m1-ultra", nothing, {"run", "absent"}, 127, "[not-found]"},
      {"tahoe-26-m1-ultra", nothing, {"run", "/usr/bin/absent"}, 127, "[not-found]"},
      {"tahoe-26-m1-ultra", nothing, {"run", ""}, 127, "[not-found]"},
      {"tahoe-26-m1-ultra", nothing, {"run", "--", "-weird"}, 127, "[not-found]"},
      {"tahoe-26-m1-ultra",
       [](RecordedSystem& system) { system.add_program("/usr/bin/tool", {FileKind::regular}); }, tool(), 126,
       "[not-executable]"},
      {"not-a-mac", nothing, {"run", "absent"}, 127, "[not-found]"},
      {"tahoe-26-m1-ultra", nothing, {"run", "--bogus", "tool"}, 125, "[usage]"},
      {"tahoe-26-m1-ultra", nothing, {"run"}, 125, "[no-command]"},
      {"tahoe-26-m1-ultra", nothing, tool({"--profile", "m11"}), 125, "[profile-unknown]"},
      {"bare-metal-m5", nothing, tool({"--profile", "m11"}), 125, "[profile-unknown]"},
      {"not-a-mac", variable("METAL_UNLOCK_PROFILE=m11"), tool(), 125, "[profile-unknown]"},
      {"tahoe-26-m1-ultra", nothing, tool({"--profile", "x.toml"}), 125, "[file-unreadable]"},
      {"tahoe-26-m1-ultra", nothing, tool({"--profile", "m4"}), 125, "[claim-above-ceiling]"},
      {"tahoe-26-m1-ultra", variable("METAL_UNLOCK=on"), tool(), 125, "[setting-invalid]"},
      {"tahoe-26-m1-ultra", variable("METAL_UNLOCK_CONFIG=/absent.toml"), tool(), 125, "[file-unreadable]"},
      {"no-device", nothing, tool({"--require"}), 125, "[no-device]"},
      {"no-device", variable("METAL_UNLOCK=require"), tool(), 125, "[no-device]"},
      {"unknown-future-chip", nothing, tool({"--require"}), 125, "[profile-none]"},
      {"tahoe-26-m1-ultra", setuid, tool({"--require"}), 125, "[target-setuid]"},
      {"tahoe-26-m1-ultra", no_shim, tool({"--require"}), 125, "[shim-unplaced]"},
      {"tahoe-26-m1-ultra",
       [](RecordedSystem& system) {
         system.observe_fault = Finding{FindingId::no_metal, "nobody answers", "ask"};
       },
       tool({"--require"}), 125, "[no-metal]"},
      {"tahoe-26-m1-ultra", [](RecordedSystem& system) { system.shim = "/a b/x.so"; }, tool({"--require"}),
       125, "[shim-path]"},
      {"tahoe-26-m1-ultra", [](RecordedSystem& system) { system.add_file(user_file, "policy = 1\n"); },
       tool({"--require"}), 125, "[config-invalid]"},
      // METAL_UNLOCK=off passes over circumstances, never over a mistake.
      {"tahoe-26-m1-ultra", variable("METAL_UNLOCK=off"), {"run", "absent"}, 127, "[not-found]"},
      {"tahoe-26-m1-ultra", variable("METAL_UNLOCK=off"), tool({"--profile", "m11"}), 125,
       "[profile-unknown]"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.guest, row.words, row.told);
    for (const Words& extra : {Words{}, Words{"-q"}, Words{"-v"}, Words{"--dry-run"}}) {
      RecordedSystem system(row.guest);
      row.prepare(system);
      Words words = row.words;
      words.insert(words.begin() + 1, extra.begin(), extra.end());
      CAPTURE(extra);
      const Ran ran = system.run(words);
      CHECK(ran.status == row.status);
      CHECK_FALSE(system.did("start"));
      const std::size_t at = system.err.find(row.told);
      REQUIRE(at != std::string::npos);
      CHECK(system.err.find("metal-unlock: ", at) == std::string::npos);
      CHECK(system.err.find("  next: ", at) != std::string::npos);
      if (extra != Words{"--dry-run"}) CHECK(system.out.empty());
    }
  }
}

TEST_CASE("a circumstance in the way starts the target stock and says why, unless -q") {
  struct Row {
    const char* what;
    Prepare prepare;
    const char* told;
  };
  const Row rows[] = {
      {"set-user-id",
       [](RecordedSystem& system) {
         system.add_program("/usr/bin/tool", {FileKind::regular, true, true});
       },
       "[target-setuid]"},
      {"an unknown chip", [](RecordedSystem& system) { system.guest.machine.chip = "Apple M9 (Virtual)"; },
       "[profile-none]"},
      {"no folder for the shim",
       [](RecordedSystem& system) {
         system.shim_fault = Finding{FindingId::shim_unplaced, "no folder", "make one"};
       },
       "[shim-unplaced]"},
      {"a folder that cannot be named", [](RecordedSystem& system) { system.shim = "/a b/x.so"; },
       "[shim-path]"},
      {"a broken user file", [](RecordedSystem& system) { system.add_file(user_file, "x = 1\n"); },
       "[config-invalid]"},
      {"a broken project file",
       [](RecordedSystem& system) { system.add_file("/home/me/.metal-unlock.toml", "children = true\n"); },
       "[config-invalid]"},
      {"a project that brings a profile's file",
       [](RecordedSystem& system) {
         system.add_file("/home/me/app/.metal-unlock.toml", "profile = \"evil.toml\"\n");
         system.add_file("evil.toml", run_head + "[claims]\napple_family = 1001\n");
       },
       "[config-invalid]"},
      {"a later version",
       [](RecordedSystem& system) { system.add_file(user_file, "min_version = \"99\"\n"); }, "[min-version]"},
      {"a broken profile of the user",
       [](RecordedSystem& system) { system.add_file(profiles + "a.toml", "x = 1\n"); }, "[profile-invalid]"},
      {"a machine that cannot be asked",
       [](RecordedSystem& system) {
         system.observe_fault = Finding{FindingId::no_metal, "nobody answers", "ask"};
       },
       "[no-metal]"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    for (const bool is_quiet : {false, true}) {
      RecordedSystem system;
      row.prepare(system);
      const Ran ran = system.run(tool(is_quiet ? Words{"-q"} : Words{}));
      REQUIRE(ran.started);
      CHECK(ran.started->change.empty());
      CHECK(ran.started->file == "/usr/bin/tool");
      CHECK(system.out.empty());
      CHECK(system.err.empty() == is_quiet);
      CHECK((is_quiet || system.err.find(row.told) != std::string::npos));
    }
  }
}

TEST_CASE("off starts the target without a look at the machine") {
  RecordedSystem system;
  system.variables = Environment{{"PATH=/usr/bin", "METAL_UNLOCK=off"}};
  const Ran ran = system.run(tool());
  CHECK(system.acts == Words{"start"});
  REQUIRE(ran.started);
  CHECK(ran.started->change.empty());
  CHECK(system.err.empty());
  // --require on the command line comes before the variable.
  CHECK(is_unlocked(system, system.run(tool({"--require"}))));
}

TEST_CASE("a nested run replaces the decision of the outer one") {
  const std::string outer = "v1;class=AppleParavirtDevice;apple-family=1001;children;end";
  const auto with_outer = [&](const char* guest) {
    RecordedSystem system(guest);
    system.variables = Environment{
        {"PATH=/usr/bin", "LD_PRELOAD=/x/a.so:/old/libmetal-unlock.so", "METAL_UNLOCK_HANDOFF=" + outer}};
    return system;
  };
  RecordedSystem guest = with_outer("tahoe-26-m1-ultra");
  const Ran unlocked = guest.run(tool());
  CHECK(told(guest, unlocked).apple_family == 1007);
  CHECK_FALSE(told(guest, unlocked).children);
  CHECK(guest.environment_of(*unlocked.started).get("LD_PRELOAD") == guest.shim + " /x/a.so");
  RecordedSystem machine = with_outer("not-a-mac");
  const Ran stock = machine.run(tool());
  REQUIRE(stock.started);
  CHECK(machine.environment_of(*stock.started) == Environment{{"PATH=/usr/bin", "LD_PRELOAD=/x/a.so"}});
}

TEST_CASE("a target that cannot be started after all ends with its status") {
  for (const FindingId id : {FindingId::exec_failed, FindingId::not_found}) {
    RecordedSystem system;
    system.start_fault = Finding{id, "cannot execute", "check the file"};
    const Ran ran = system.run(tool({"-q"}));
    CHECK(ran.status == catalogue_row(id).run_status);
    CHECK(system.acts == Words{"observe", "place shim", "start"});
    CHECK(system.err.find("cannot execute") != std::string::npos);
    CHECK(system.out.empty());
  }
}

TEST_CASE("what a profile of the user claims is weighed against the chip") {
  RecordedSystem lowered;
  lowered.add_file(profiles + "own.toml",
                   run_head + "match = [\"Apple M1 Ultra\"]\n[claims]\napple_family = 1009\n" + run_evidence);
  CHECK(told(lowered, lowered.run(tool())).apple_family == 1007);
  CHECK(lowered.err.find("[claim-lowered]") != std::string::npos);

  RecordedSystem beyond;
  const shim::Handoff handoff = told(beyond, beyond.run(tool({"--profile", "m4", "--allow-beyond-host"})));
  CHECK(handoff.apple_family == 1009);
  CHECK(handoff.beyond_host);
  CHECK(beyond.err.find("[beyond-host]") != std::string::npos);

  RecordedSystem file;
  file.add_file("dir/less.toml", run_head + "[claims]\napple_family = 1006\n");
  CHECK(told(file, file.run(tool({"--profile", "dir/less.toml"}))).apple_family == 1006);
}

TEST_CASE("a profile that claims nothing starts the target stock, and says so where it wanted more") {
  RecordedSystem modest;
  modest.add_file(profiles + "m1-ultra.toml", run_head);
  CHECK_FALSE(is_unlocked(modest, modest.run(tool())));
  CHECK(modest.err.empty());
  CHECK_FALSE(modest.did("place shim"));
  CHECK(modest.run(tool({"--require"})).status == 125);
  CHECK(modest.err.find("[nothing-claimed]") != std::string::npos);

  RecordedSystem greedy;
  greedy.add_file(profiles + "m1-ultra.toml",
                  run_head + "[claims]\nrecommended_max_working_set = 17179869184\n");
  CHECK_FALSE(is_unlocked(greedy, greedy.run(tool())));
  CHECK(greedy.err.find("[claim-lowered]") != std::string::npos);
}
