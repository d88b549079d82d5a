// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/hostile/surroundings.hpp"
#include "tests/text_search.hpp"

#include <fcntl.h>
#include <unistd.h>

using namespace metal_unlock;
using std::filesystem::perms;

namespace {

constexpr uid_t somebody_else = 65534;

/// A folder that everybody can write in, as careless people make them.
std::filesystem::path open_folder(const std::filesystem::path& path, bool is_sticky = false) {
  std::filesystem::create_directories(path);
  std::filesystem::permissions(path, is_sticky ? perms::all | perms::sticky_bit : perms::all);
  return path;
}

/// The target runs stock and the reason is said; with --require it does not run. Neither leaves a shim
/// behind.
void check_refused(const Sandbox& sandbox, const std::string& reason) {
  const Outcome preferred = sandbox.execute(caps_words());
  CAPTURE(preferred.err);
  CHECK(preferred.exit_status == 0);
  CHECK(highest_family(preferred) == stock_family);
  CHECK(finding_ids(preferred.err) == Words{"shim-unplaced"});
  CHECK(holds(preferred.err, reason));
  CHECK(holds(preferred.err, "\n  next: "));
  const Outcome required = sandbox.execute(caps_words({"--require"}));
  CHECK(required.exit_status == 125);
  CHECK(required.out.empty());
}

void check_unlocked(const Sandbox& sandbox) {
  const Outcome outcome = sandbox.execute(caps_words());
  CAPTURE(outcome.err);
  CHECK(highest_family(outcome) == unlocked_family);
  CHECK(outcome.err.empty());
}

bool is_root(const char* what) {
  if (geteuid() == 0) return true;
  WARN("only root can act as another user: " << what << " was not tested here");
  return false;
}

void give_away(const std::filesystem::path& path) { REQUIRE(lchown(path.c_str(), somebody_else, 0) == 0); }

}  // namespace

TEST_CASE("a cache below a folder in which everybody can write is refused: ours could be swapped there") {
  Sandbox sandbox;
  const auto shared = open_folder(sandbox.home() / "shared");
  for (const char* cache : {"shared", "shared/cache", "shared/a/b/c", "shared/./a/../cache"}) {
    CAPTURE(cache);
    sandbox.set("XDG_CACHE_HOME", (sandbox.home() / cache).string());
    check_refused(sandbox, "shared' can be written by other users");
  }
  // So is a link that leads through one, and a link that leads away from one.
  std::filesystem::create_directory(sandbox.home() / "mine");
  std::filesystem::create_directory_symlink("shared/cache", sandbox.home() / "to");
  std::filesystem::create_directory_symlink(sandbox.home() / "mine", shared / "from");
  for (const char* cache : {"to", "shared/from"}) {
    CAPTURE(cache);
    sandbox.set("XDG_CACHE_HOME", (sandbox.home() / cache).string());
    check_refused(sandbox, "shared' can be written by other users");
  }
  std::filesystem::permissions(shared, perms::owner_all);
  for (const char* cache : {"shared", "to", "shared/from"}) {
    sandbox.set("XDG_CACHE_HOME", (sandbox.home() / cache).string());
    check_unlocked(sandbox);
  }
}

TEST_CASE("a cache below a folder for everybody is used where each one's files are safe there") {
  Sandbox sandbox;
  const auto temporary = open_folder(sandbox.home() / "tmp", true);
  sandbox.set("XDG_CACHE_HOME", temporary.string());
  check_unlocked(sandbox);
  if (!is_root("the swap of a cache in a sticky folder")) return;
  // Nobody else can swap it: that is what the folder is for.
  const Words swap{"mv", (temporary / "metal-unlock").string(), (temporary / "gone").string()};
  CHECK(sandbox.execute(as_another_user(swap)).exit_status != 0);
  check_unlocked(sandbox);
  // What somebody else has put there first is not ours, be it a folder or a link.
  open_folder(temporary / "theirs");
  give_away(temporary / "theirs");
  std::filesystem::create_directory_symlink(sandbox.home(), temporary / "link");
  give_away(temporary / "link");
  for (const char* cache : {"theirs", "theirs/cache", "link"}) {
    CAPTURE(cache);
    sandbox.set("XDG_CACHE_HOME", (temporary / cache).string());
    check_refused(sandbox, "belongs to another user");
  }
}

TEST_CASE("a shim that another user swaps in between check and use is never loaded") {
  if (!is_root("a swap by another user")) return;
  Sandbox sandbox;
  const auto shared = open_folder(sandbox.home() / "shared");
  for (const auto& folder : {sandbox.home(), sandbox.home().parent_path()})
    std::filesystem::permissions(folder, perms::owner_all | perms::group_exec | perms::others_exec);
  sandbox.set("XDG_CACHE_HOME", shared.string());
  // A folder with a library of theirs under the shim's name, exchanged with ours as fast as they can.
  const std::string swap =
      "mkdir theirs; for i in 1 2 3 4 5 6 7 8 9 10 11 12; do mv metal-unlock ours; mv theirs metal-unlock; "
      "mv metal-unlock theirs; mv ours metal-unlock; done 2>/dev/null; rmdir theirs && echo swapped";
  ProcessCommand swapper = sandbox.command(as_another_user(shell(swap)));
  swapper.directory = shared;
  std::vector<ProcessCommand> commands(4, sandbox.command(caps_words()));
  commands.push_back(swapper);
  for (int i = 0; i < 4; ++i) commands.push_back(sandbox.command(caps_words()));
  const std::vector<Outcome> outcomes = run_all(commands);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    CAPTURE(outcomes[i].err);
    if (i == 4) {
      CHECK(outcomes[i].out == "swapped\n");
      continue;
    }
    CHECK(highest_family(outcomes[i]) == stock_family);
    CHECK(finding_ids(outcomes[i].err) == Words{"shim-unplaced"});
  }
}

TEST_CASE("what a killed start left in the making is no obstacle and no shim") {
  const Sandbox sandbox;
  check_unlocked(sandbox);
  const auto shim = sandbox.placed_shim();
  const std::string whole = read_file(shim);
  write_file(shim.string() + ".1.part", whole.substr(0, 1000));
  write_file(shim, whole.substr(0, 1000));
  check_unlocked(sandbox);
  CHECK((read_file(shim) == whole));
}

TEST_CASE("a full disk costs a report or evidence, not what was there before") {
  const Sandbox sandbox;
  const auto disk = sandbox.work() / "disk";
  std::filesystem::create_directory(disk);
  // The file system has room for one file of each kind, and then is filled.
  const auto on_disk = [&](const std::string& script, const Words& words) {
    return sandbox.execute(
        shell("exec unshare --mount sh -c 'mount -t tmpfs -o size=64k none disk && cd disk && " + script +
                  "' sh \"$@\"",
              words));
  };
  if (on_disk("true", {}).exit_status != 0) {
    WARN("this machine lets the tests mount nothing: full disks are covered by injected faults alone");
    return;
  }
  const std::string fill = "echo before >r; cat /dev/zero >filler 2>/dev/null; ";
  const std::string after = "; status=$?; cat r; ls | wc -l; exit $status";
  const Outcome report = on_disk(fill + "\"$@\"" + after, run_words({"true"}, {"--report", "r"}));
  CHECK(report.exit_status == 125);
  CHECK(finding_ids(report.err) == Words{"report-unwritten"});
  CHECK(report.out == "before\n2\n");
  const Outcome room = on_disk("echo before >r; \"$@\"" + after, run_words({"true"}, {"--report", "r"}));
  CHECK(room.exit_status == 0);
  CHECK(room.out.starts_with("{\"event\":\"plan\""));
  const auto sample = [](const char* name) { return (source_directory() / "tests/samples" / name).string(); };
  const Words chart = metal_unlock_words(
      {"compare", sample("tinyllama-stock.json"), sample("tinyllama-unlocked.json"), "--json", "--svg", "r"});
  const Outcome unwritten = on_disk(fill + "\"$@\" >/dev/null" + after, chart);
  CHECK(unwritten.exit_status == 1);
  CHECK(finding_ids(unwritten.err) == Words{"report-unwritten"});
  CHECK(unwritten.out == "before\n2\n");
}

TEST_CASE("a file that only its owner could read stays so when it is replaced") {
  const Sandbox sandbox;
  const auto report = sandbox.write("work/report.jsonl", "");
  for (const perms mode : {perms::owner_read | perms::owner_write, perms::owner_all | perms::group_read}) {
    std::filesystem::permissions(report, mode);
    CHECK(sandbox.execute(run_words({"true"}, {"--report", "report.jsonl"})).exit_status == 0);
    CHECK(std::filesystem::status(report).permissions() == mode);
    CHECK(read_file(report).starts_with("{\"event\":\"plan\""));
  }
}

TEST_CASE("entitlements that were there before are not overwritten") {
  const Sandbox sandbox;
  sandbox.execute({build_directory() / "make-program", "tool", "hardened"});
  const auto mine = sandbox.write("work/copy.entitlements", "mine");
  const Outcome outcome = sandbox.metal_unlock({"prepare", "./tool", "--output", "copy"});
  CHECK(outcome.exit_status == 1);
  CHECK(finding_ids(outcome.err) == Words{"prepare-refused"});
  CHECK(read_file(mine) == "mine");
  CHECK_FALSE(std::filesystem::exists(sandbox.work() / "copy"));
}
