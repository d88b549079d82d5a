// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"
#include "tests/cli/started_process.hpp"
#include "tests/text_search.hpp"

#include <algorithm>
#include <csignal>

using namespace metal_unlock;

namespace {

using Failing = std::map<std::string, std::string>;

/// A guest whose GPU has faults, and in which nothing but metal-unlock makes files.
struct VerifySandbox : Sandbox {
  explicit VerifySandbox(const json& faults = json::array()) {
    set("TMPDIR", temporary());
    set("METAL_UNLOCK_SIMULATED_GPU_STATE", work() / "wedged");
    std::filesystem::create_directory(temporary());
    choose_faults(faults);
  }

  std::filesystem::path temporary() const { return home() / "tmp"; }
  std::filesystem::path memory() const { return shim_folder() / "verdict.json"; }

  /// The default guest with these faults and, where it is given, another build.
  void choose_faults(const json& faults, const json& build = nullptr) {
    json guest = json::parse(read_file(guest_file("tahoe-26-m1-ultra")));
    guest["faults"] = faults;
    guest["machine"]["os_build"] = build;
    set("METAL_UNLOCK_GUEST", write("guest.json", guest.dump()));
  }

  /// metal-caps under `run --verify`: what it sees, and what is said.
  Outcome run_verified(Words options = {}) const {
    options.insert(options.begin(), "--verify");
    return run_caps(options);
  }

  /// Every file below the cache and the folder for temporary ones, but the shim.
  Words files() const {
    Words names;
    for (const auto& folder : {cache(), temporary()}) {
      if (!std::filesystem::exists(folder)) continue;
      for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (!entry.is_directory() && entry.path().filename() != "libmetal-unlock.so")
          names.push_back(entry.path().filename());
    }
    return names;
  }
};

json fault(const char* kind, const char* kernel) {
  return json::array({{{"fault", kind}, {"kernel", kernel}}});
}

Failing failing(const json& document) {
  Failing all;
  for (const json& capability : document.at("capabilities"))
    if (!capability.at("verdict").get<std::string>().starts_with("works"))
      all[capability.at("check")] = capability.at("verdict");
  return all;
}

bool is_unlocked(const Outcome& outcome) {
  return std::ranges::count(apple_families(json::parse(outcome.out)), 1007) == 1;
}

}  // namespace

TEST_CASE("everything that the default guest claims is computed correctly", "[verify]") {
  const VerifySandbox sandbox;
  const Outcome outcome = sandbox.metal_unlock({"verify", "--json"});
  CAPTURE(outcome.err);
  CHECK(outcome.exit_status == 0);
  CHECK(outcome.err.empty());
  const json document = json::parse(outcome.out);
  CHECK(document.at("good") == true);
  CHECK(failing(document).empty());
  // Without the unlock Metal refuses some of it: the passes really differ.
  for (const json& capability : document.at("capabilities"))
    if (capability.at("check") == "matrix-half") {
      CHECK(capability.at("verdict") == "works unlocked");
      CHECK(capability.at("stock").at("outcome") == "refused");
    }
  CHECK(sandbox.files() == Words{"verdict.json"});
  const Outcome table = sandbox.metal_unlock({"verify"});
  CHECK(table.exit_status == 0);
  CHECK(holds(table.out, "verdict: 12 of 12 claimed capabilities compute correctly\n"));
}

TEST_CASE("each fault of a GPU is found where it is, as what it is, and nothing else fails", "[verify]") {
  std::size_t guests = 0;
  for (const auto& entry : std::filesystem::directory_iterator(guests_directory() / "faults")) {
    CAPTURE(entry.path().filename());
    const json guest = json::parse(read_file(entry.path()));
    const json& faults = guest.at("faults");
    const auto expected = guest.at("expected").get<Failing>();
    // Has a test of its own.
    if (entry.path().stem() == "wedge") continue;
    ++guests;
    const VerifySandbox sandbox{faults};
    const Outcome outcome = sandbox.metal_unlock({"verify", "--json", "--timeout", "3"});
    CHECK(outcome.exit_status == 3);
    CHECK(finding_ids(outcome.err) == Words{"gpu-faulty"});
    const json document = json::parse(outcome.out);
    CHECK(failing(document) == expected);
    CHECK(document.at("needs_restart") == false);
    CHECK(processes_with(sandbox.home().string()).empty());
  }
  CHECK(guests >= 11);
}

TEST_CASE("a wedged GPU is said to need a restart, and a restart helps", "[verify]") {
  const VerifySandbox sandbox{fault("wedge", "sum_of_lanes")};
  const Outcome outcome = sandbox.metal_unlock({"verify", "--json"});
  CHECK(outcome.exit_status == 3);
  CHECK(finding_ids(outcome.err) == Words{"gpu-stuck"});
  const Failing failed = failing(json::parse(outcome.out));
  CHECK(failed.at("matrix-float") == "not run");
  CHECK_FALSE(failed.contains("custom"));

  VerifySandbox restarted;
  write_file(restarted.work() / "wedged", "");
  CHECK(restarted.metal_unlock({"verify"}).exit_status == 3);
  std::filesystem::remove(restarted.work() / "wedged");
  CHECK(restarted.metal_unlock({"verify"}).exit_status == 0);
}

TEST_CASE("where a matrix kernel is wrong, run --verify starts stock or refuses", "[verify]") {
  VerifySandbox sandbox{fault("wrong-matrix", "matrix_half")};
  const Outcome preferred = sandbox.run_verified();
  CHECK(preferred.exit_status == 0);
  CHECK_FALSE(is_unlocked(preferred));
  CHECK(finding_ids(preferred.err) == Words{"gpu-faulty"});
  CHECK(holds(preferred.err, "SIMD-group matrices, half: wrong"));
  const Outcome required = sandbox.run_verified({"--require"});
  CHECK(required.exit_status == 125);
  CHECK(required.out.empty());
  CHECK(finding_ids(required.err) == Words{"gpu-faulty"});
  CHECK(is_unlocked(sandbox.run_caps()));
  CHECK(is_unlocked(VerifySandbox{}.run_verified({"--require"})));
}

TEST_CASE("the second start uses the verdict of the first, and runs no kernel", "[verify]") {
  VerifySandbox sandbox;
  const Outcome first = sandbox.run_verified({"-v"});
  CHECK(is_unlocked(first));
  CHECK(holds(first.err, "GPU verified now, "));
  CHECK_FALSE(holds(first.err, "GPU verdict from "));

  // A GPU that has gone wrong meanwhile would be noticed by any kernel.
  sandbox.choose_faults(json::array({{{"fault", "zeros"}}}));
  const std::string memory = read_file(sandbox.memory());
  const Outcome second = sandbox.run_verified({"-v"});
  CHECK(is_unlocked(second));
  CHECK(holds(second.err, "GPU verdict from "));
  CHECK(read_file(sandbox.memory()) == memory);

  // A new build is a new guest.
  sandbox.choose_faults(fault("wrong-matrix", "matrix_half"), "25G10");
  const Outcome doctor = sandbox.metal_unlock({"doctor"});
  CHECK(holds(doctor.out, "it is of macOS 26.5.2, this is macOS 25G10 [verdict-out-of-date]"));
  const Outcome third = sandbox.run_verified({"-v"});
  CHECK_FALSE(is_unlocked(third));
  CHECK(holds(third.err, "GPU verified now, "));
  CHECK(holds(sandbox.metal_unlock({"doctor"}).out, "warn  the GPU fails at 1 of 12"));

  CHECK(sandbox.metal_unlock({"verify", "--forget"}).exit_status == 0);
  CHECK_FALSE(std::filesystem::exists(sandbox.memory()));
  CHECK(holds(sandbox.metal_unlock({"doctor"}).out, "not verified yet"));
}

TEST_CASE("a memory that somebody else could have written, or that is damaged, is none", "[verify]") {
  const VerifySandbox sandbox;
  CHECK(sandbox.run_verified().exit_status == 0);
  const std::string good = read_file(sandbox.memory());
  const auto is_used = [&] { return holds(sandbox.run_verified({"-v"}).err, "GPU verdict from "); };
  CHECK(is_used());
  for (const std::string& text :
       {std::string{}, good.substr(0, good.size() / 2), std::string(100'000, ' ')}) {
    write_file(sandbox.memory(), text);
    CHECK_FALSE(is_used());
    CHECK(is_used());
  }
  std::filesystem::permissions(sandbox.memory(), std::filesystem::perms::all);
  CHECK_FALSE(is_used());
  std::filesystem::rename(sandbox.memory(), sandbox.work() / "elsewhere");
  std::filesystem::create_symlink(sandbox.work() / "elsewhere", sandbox.memory());
  CHECK_FALSE(is_used());
  CHECK(std::filesystem::is_regular_file(std::filesystem::symlink_status(sandbox.memory())));
  CHECK(is_used());
  CHECK(sandbox.files() == Words{"verdict.json"});
}

TEST_CASE("several verify at once, beside a run, and all are right", "[verify]") {
  const VerifySandbox sandbox;
  std::vector<ProcessCommand> commands;
  for (int i = 0; i < 4; ++i) {
    commands.push_back(sandbox.command({metal_unlock_program(), "verify"}));
    commands.push_back(sandbox.command(run_words({metal_caps_program(), "--json"}, {"--verify"})));
  }
  for (const Outcome& outcome : run_all(commands)) {
    CAPTURE(outcome.err);
    CHECK(outcome.exit_status == 0);
    CHECK(outcome.err.empty());
  }
  CHECK(sandbox.files() == Words{"verdict.json"});
}

TEST_CASE("the target of a verified run is the process that was started, with nothing of ours", "[verify]") {
  const VerifySandbox sandbox;
  const Outcome outcome = sandbox.execute(
      run_words(shell("echo $$; ls /proc/self/fd | wc -l; kill -INT $$; sleep 5"), {"--verify", "-q"}));
  CHECK(outcome.signal == SIGINT);
  CHECK(outcome.out.starts_with(std::to_string(outcome.pid) + "\n"));
  // The same descriptors as without --verify.
  const Outcome plain = sandbox.execute(run_words(shell("echo $$; ls /proc/self/fd | wc -l"), {"-q"}));
  CHECK(outcome.out.substr(outcome.out.find('\n')) == plain.out.substr(plain.out.find('\n')));
}

TEST_CASE("whoever kills verify leaves no child, no temporary file, no half verdict", "[verify]") {
  constexpr int moments = 16;
  for (const int signal : {SIGKILL, SIGTERM, SIGINT})
    for (int moment = 0; moment < moments; ++moment) {
      CAPTURE(signal, moment);
      // Every other time there is a kernel that would never end.
      const VerifySandbox sandbox{moment % 2 == 0 ? json::array() : fault("hang", "quantised_dot")};
      StartedProcess verify{sandbox.command({metal_unlock_program(), "verify"})};
      wait_milliseconds(moment * 30);
      verify.send(signal);
      const auto ended = verify.wait();
      const bool is_said = ended.exit_status == 130 || ended.exit_status == 0;
      CHECK((is_said || ended.signal == signal));
      CHECK(none_left_with(sandbox.home().string()));
      const Words files = sandbox.files();
      CHECK((files.empty() || files == Words{"verdict.json"}));
      if (!files.empty()) CHECK(json::parse(read_file(sandbox.memory())).at("capabilities").size() == 12);
    }
}

TEST_CASE("a check that hangs is there while verify is, and stopped by Ctrl-C is said", "[verify]") {
  const VerifySandbox sandbox{fault("hang", "write_index")};
  StartedProcess verify{sandbox.command({metal_unlock_program(), "verify"})};
  const std::string marker = sandbox.home();
  for (int i = 0; i < 1000 && !runs_with(marker, "verify-check"); ++i) wait_milliseconds(10);
  CHECK(processes_with(marker).size() == 2);
  verify.send(SIGINT);
  const auto ended = verify.wait();
  CHECK(ended.exit_status == 130);
  CHECK(none_left_with(marker));
}
