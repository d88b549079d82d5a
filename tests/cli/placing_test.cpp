// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"

#include <fcntl.h>
#include <functional>
#include <sys/stat.h>
#include <unistd.h>

using namespace metal_unlock;
using std::filesystem::perms;

namespace {

perms mode_of(const std::filesystem::path& path) {
  return std::filesystem::symlink_status(path).permissions();
}

bool is_unlocked(const Outcome& outcome) {
  return outcome.exit_status == 0 && apple_families(json::parse(outcome.out)).back() == 1007;
}

/// The target must run stock and the user be told; with --require it must not run.
void check_unplaced(const Sandbox& sandbox, const std::string& id, const std::string& reason) {
  const Words caps = run_words({metal_caps_program(), "--json"});
  const Outcome preferred = sandbox.execute(without_override(caps));
  CHECK(preferred.exit_status == 0);
  CHECK(json::parse(preferred.out) == sandbox.stock_answers());
  CHECK(finding_ids(preferred.err) == Words{id});
  CAPTURE(preferred.err);
  CHECK(preferred.err.find(reason) != std::string::npos);
  const Outcome required =
      sandbox.execute(without_override(run_words({metal_caps_program(), "--json"}, {"--require"})));
  CHECK(required.exit_status == 125);
  CHECK(required.out.empty());
  CHECK(finding_ids(required.err) == Words{id});
}

/// A placed shim, then `spoil`, then the finding; and what `spoil` was given is the only thing in the way.
void check_spoiled(const std::function<void(const Sandbox&)>& spoil, const std::string& reason) {
  const Sandbox sandbox;
  REQUIRE(is_unlocked(sandbox.run_caps()));
  spoil(sandbox);
  check_unplaced(sandbox, "shim-unplaced", reason);
  std::filesystem::remove_all(sandbox.cache());
  CHECK(is_unlocked(sandbox.run_caps()));
}

}  // namespace

TEST_CASE("the shim is one private file in private folders, whatever the file mode mask") {
  for (const char* mask : {"000", "022", "077"}) {
    CAPTURE(mask);
    const Sandbox sandbox;
    sandbox.execute(shell("umask " + std::string(mask) + "; exec \"$@\"", run_words({"true"})));
    const std::filesystem::path shim = sandbox.placed_shim();
    CHECK(mode_of(shim) == (perms::owner_read | perms::owner_write));
    CHECK(mode_of(shim.parent_path()) == perms::owner_all);
    CHECK(mode_of(sandbox.shim_folder()) == perms::owner_all);
    CHECK(read_file(shim) == read_file(build_directory() / "libmetal-unlock.so"));
  }
}

TEST_CASE("a placed shim is used again, not written again") {
  const Sandbox sandbox;
  sandbox.run_caps();
  const auto shim = sandbox.placed_shim();
  struct stat first {};
  struct stat second {};
  REQUIRE(stat(shim.c_str(), &first) == 0);
  CHECK(is_unlocked(sandbox.run_caps()));
  REQUIRE(stat(shim.c_str(), &second) == 0);
  CHECK(first.st_ino == second.st_ino);
}

TEST_CASE("a shim file that is not ours to the last byte is replaced") {
  const auto truncate_it = [](const std::filesystem::path& shim) { std::filesystem::resize_file(shim, 100); };
  const auto empty_it = [](const std::filesystem::path& shim) { write_file(shim, ""); };
  const auto lengthen = [](const std::filesystem::path& shim) { write_file(shim, read_file(shim) + "x"); };
  const auto alter_last = [](const std::filesystem::path& shim) {
    std::string bytes = read_file(shim);
    bytes.back() = static_cast<char>(bytes.back() ^ 1);
    write_file(shim, bytes);
  };
  const auto open_up = [](const std::filesystem::path& shim) {
    std::filesystem::permissions(shim, perms::all);
  };
  const auto link_elsewhere = [](const std::filesystem::path& shim) {
    std::filesystem::rename(shim, shim.parent_path().parent_path() / "elsewhere");
    std::filesystem::create_symlink("../elsewhere", shim);
  };
  const auto dangle = [](const std::filesystem::path& shim) {
    std::filesystem::remove(shim);
    std::filesystem::create_symlink("nowhere", shim);
  };
  const auto pipe = [](const std::filesystem::path& shim) {
    std::filesystem::remove(shim);
    REQUIRE(mkfifo(shim.c_str(), 0600) == 0);
  };
  for (const std::function<void(const std::filesystem::path&)>& spoil :
       std::initializer_list<std::function<void(const std::filesystem::path&)>>{
           truncate_it, empty_it, lengthen, alter_last, open_up, link_elsewhere, dangle, pipe}) {
    const Sandbox sandbox;
    sandbox.run_caps();
    const std::filesystem::path shim = sandbox.placed_shim();
    const std::string bytes = read_file(shim);
    spoil(shim);
    const Outcome outcome = sandbox.run_caps();
    CHECK(is_unlocked(outcome));
    CHECK(outcome.err.empty());
    CHECK(std::filesystem::symlink_status(shim).type() == std::filesystem::file_type::regular);
    CHECK((read_file(shim) == bytes));
    CHECK(mode_of(shim) == (perms::owner_read | perms::owner_write));
  }
}

TEST_CASE("a folder in the shim's place is a finding") {
  check_spoiled(
      [](const Sandbox& sandbox) {
        const auto shim = sandbox.placed_shim();
        std::filesystem::remove(shim);
        std::filesystem::create_directory(shim);
      },
      "cannot write");
}

TEST_CASE("a folder of ours that is a link is refused") {
  check_spoiled(
      [](const Sandbox& sandbox) {
        std::filesystem::rename(sandbox.shim_folder(), sandbox.home() / "moved");
        std::filesystem::create_directory_symlink(sandbox.home() / "moved", sandbox.shim_folder());
      },
      "is not a folder of its own");
  check_spoiled(
      [](const Sandbox& sandbox) {
        const auto inner = sandbox.placed_shim().parent_path();
        std::filesystem::rename(inner, sandbox.home() / "moved");
        std::filesystem::create_directory_symlink(sandbox.home() / "moved", inner);
      },
      "is not a folder of its own");
}

TEST_CASE("a folder of ours in which others can write is refused") {
  check_spoiled(
      [](const Sandbox& sandbox) {
        std::filesystem::permissions(sandbox.shim_folder(), perms::group_write,
                                     std::filesystem::perm_options::add);
      },
      "can be written by other users");
  check_spoiled(
      [](const Sandbox& sandbox) {
        std::filesystem::permissions(sandbox.placed_shim().parent_path(), perms::all);
      },
      "can be written by other users");
}

TEST_CASE("a folder or file of another user is not trusted") {
  if (geteuid() != 0) {
    WARN("only root can give a file away: nothing was tested here");
    return;
  }
  constexpr uid_t nobody = 65534;
  const auto give_away = [](const std::filesystem::path& folder) {
    // Readable, so that the owner is the only fault.
    std::filesystem::permissions(folder, perms::owner_all | perms::others_read | perms::others_exec |
                                             perms::group_read | perms::group_exec);
    REQUIRE(chown(folder.c_str(), nobody, 0) == 0);
  };
  check_spoiled([&](const Sandbox& sandbox) { give_away(sandbox.shim_folder()); }, "belongs to another user");
  check_spoiled([&](const Sandbox& sandbox) { give_away(sandbox.placed_shim().parent_path()); },
                "belongs to another user");
  const Sandbox sandbox;
  sandbox.run_caps();
  REQUIRE(chown(sandbox.placed_shim().c_str(), nobody, 0) == 0);
  CHECK(is_unlocked(sandbox.run_caps()));
  struct stat status {};
  REQUIRE(stat(sandbox.placed_shim().c_str(), &status) == 0);
  CHECK(status.st_uid == 0);
}

TEST_CASE("a cache that cannot hold a folder or a file is a finding") {
  const Sandbox in_the_way;
  write_file(in_the_way.cache(), "no folder");
  check_unplaced(in_the_way, "shim-unplaced", "cannot make");

  const Sandbox closed;
  std::filesystem::create_directory(closed.cache());
  std::filesystem::permissions(closed.cache(), perms::owner_read | perms::owner_exec);
  check_unplaced(closed, "shim-unplaced", "Permission denied");

  const Sandbox read_only;
  read_only.run_caps();
  const auto folder = read_only.placed_shim().parent_path();
  std::filesystem::remove(read_only.placed_shim());
  std::filesystem::permissions(folder, perms::owner_read | perms::owner_exec);
  check_unplaced(read_only, "shim-unplaced", "cannot write");
}
