// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"

#include <signal.h>
#include <sys/stat.h>

using namespace metal_unlock;

namespace {

int highest(const Outcome& outcome) { return apple_families(json::parse(outcome.out)).back(); }

constexpr int stock = 1005;
constexpr char profile_for_this_chip[] =
    "schema = 1\ndescription = \"mine\"\nmatch = [\"Apple M1 Ultra\"]\n\n[claims]\napple_family = 1006\n\n"
    "[[evidence]]\nmark = \"measured\"\nsource = \"a log\"\n";

/// The script, with "$@" as metal-caps under run: with the finding it runs stock, with --require not at all.
void check_in_the_way(const Sandbox& sandbox, const std::string& script, const std::string& id,
                      const std::string& reason) {
  CAPTURE(script);
  const Words caps{metal_caps_program(), "--json"};
  const Outcome preferred = sandbox.execute(shell(script, run_words(caps)));
  CHECK(highest(preferred) == stock);
  CHECK(finding_ids(preferred.err) == Words{id});
  CAPTURE(preferred.err);
  CHECK(preferred.err.find(reason) != std::string::npos);
  const Outcome required = sandbox.execute(shell(script, run_words(caps, {"--require"})));
  CHECK(required.exit_status == 125);
  CHECK(required.out.empty());
}

/// A script that mounts an empty file system over the cache, in a name space of its own.
std::string mounted(const std::string& options) {
  return "exec unshare --mount sh -c 'mount -t tmpfs -o " + options +
         " none \"$XDG_CACHE_HOME\" && exec \"$@\"' sh \"$@\"";
}

}  // namespace

TEST_CASE("a file system that holds no file, or no code, is a finding") {
  const Sandbox sandbox;
  std::filesystem::create_directory(sandbox.cache());
  if (sandbox.execute(shell(mounted("size=10m"), {"true"})).exit_status != 0) {
    WARN("this machine lets the tests mount nothing: nothing was tested here");
    return;
  }
  const Words caps = run_words({metal_caps_program(), "--json"});
  CHECK(highest(sandbox.execute(shell(mounted("size=10m"), caps))) == 1007);
  check_in_the_way(sandbox, mounted("ro"), "shim-unplaced", "Read-only file system");
  check_in_the_way(sandbox, mounted("size=20k"), "shim-unplaced", "No space left on device");
  check_in_the_way(sandbox, mounted("noexec"), "shim-unplaced", "mounted noexec");
}

TEST_CASE("a limit on files ends no start") {
  const Sandbox sandbox;
  check_in_the_way(sandbox, "ulimit -f 0; exec \"$@\"", "shim-unplaced", "File too large");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(sandbox.shim_folder()))
    CHECK(entry.is_directory());
  const Outcome kept = sandbox.execute(shell("ulimit -f 0; exec \"$@\"", run_words(shell("kill -XFSZ $$"))));
  CHECK(kept.signal == SIGXFSZ);
  Sandbox without_file;
  without_file.set("METAL_UNLOCK_GUEST", std::nullopt);
  check_in_the_way(without_file, "exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; ulimit -n 4; exec \"$@\"",
                   "shim-unplaced", "Too many open files");
}

TEST_CASE("a set-user-id target runs stock, since the loader would drop the shim") {
  const Sandbox sandbox;
  const auto target = sandbox.write("other/tool", read_file("/bin/echo"));
  REQUIRE(chmod(target.c_str(), 04755) == 0);
  const Outcome preferred = sandbox.metal_unlock({"run", "--", target, "ran"});
  CHECK(preferred.out == "ran\n");
  CHECK(finding_ids(preferred.err) == Words{"target-setuid"});
  CHECK(sandbox.metal_unlock({"run", "--require", "--", target, "ran"}).exit_status == 125);
  REQUIRE(chmod(target.c_str(), 0755) == 0);
  CHECK(sandbox.metal_unlock({"run", "--", target, "ran"}).err.empty());
  // Of a script the kernel ignores that bit.
  const auto script = sandbox.write("other/script", "#!/bin/sh\necho ran\n");
  REQUIRE(chmod(script.c_str(), 04755) == 0);
  CHECK(sandbox.metal_unlock({"run", "--require", "--", script}).out == "ran\n");
}

TEST_CASE("hidden files and other files in the profile folder are no profiles") {
  const Sandbox sandbox;
  const std::filesystem::path folder =
      sandbox.write_user_profile("mine", profile_for_this_chip).parent_path();
  std::filesystem::create_symlink("me@host.1234:5678", folder / ".#mine.toml");
  write_file(folder / "._mine.toml", std::string_view("\0\5\26\7", 4));
  write_file(folder / "mine.toml~", "not a profile");
  write_file(folder / "README.md", "not a profile");
  const Outcome outcome = sandbox.run_caps();
  CHECK(outcome.err.empty());
  CHECK(highest(outcome) == 1006);
  write_file(folder / "also.toml", "not a profile");
  CHECK(finding_ids(sandbox.run_caps().err) == Words{"profile-invalid"});
}

TEST_CASE("a pipe where a file is looked for stops nothing") {
  for (const char* name : {"work/.metal-unlock.toml", "config/metal-unlock/config.toml",
                           "config/metal-unlock/profiles/mine.toml"}) {
    CAPTURE(name);
    const Sandbox sandbox;
    const std::filesystem::path path = sandbox.write(name, "");
    std::filesystem::remove(path);
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    const Outcome outcome = sandbox.run_caps();
    CHECK_FALSE(outcome.timed_out);
    CHECK(highest(outcome) == stock);
    CHECK(finding_ids(outcome.err) == Words{"file-unreadable"});
  }
}

TEST_CASE("no word of the user's moves the cursor or starts a line on stderr") {
  const Sandbox sandbox;
  const std::string odd = "\x1b[2J\nmetal-unlock: all is well\r\x07";
  for (const Words& words : {Words{"run", "--", odd}, Words{"run", "--profile", odd, "--", "true"},
                             Words{"run", "--" + odd, "--", "true"}, Words{odd}, Words{"help", odd}}) {
    const Outcome outcome = sandbox.metal_unlock(words);
    CHECK(finding_ids(outcome.err).size() == 1);
    CHECK(outcome.err.find_first_of("\x1b\r\x07") == std::string::npos);
    CHECK(outcome.err.find("\nmetal-unlock: all") == std::string::npos);
    CHECK(outcome.err.find("all is well") != std::string::npos);
  }
}

TEST_CASE("a command in a next step can be pasted, whatever is in the path") {
  Sandbox sandbox;
  sandbox.set("XDG_CACHE_HOME", (sandbox.home() / "my cache").string());
  sandbox.run_caps();
  const std::filesystem::path folder = sandbox.home() / "my cache/metal-unlock";
  std::filesystem::permissions(folder, std::filesystem::perms::all);
  const Outcome outcome = sandbox.run_caps();
  CHECK(outcome.err.find("  next: rm -r '" + folder.string() + "'\n") != std::string::npos);
  sandbox.write("work/it's", "");
  CHECK(sandbox.metal_unlock({"run", "./it's"}).err.find("chmod +x './it'\\''s'\n") != std::string::npos);
}
