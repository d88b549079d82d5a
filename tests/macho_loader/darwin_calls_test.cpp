// SPDX-License-Identifier: MIT

// What the loader has in place of libSystem, seen by code compiled for macOS, with both forms of fixups.

#include "tests/catch.hpp"
#include "tests/files.hpp"
#include "tests/shim/shim_run.hpp"

#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace metal_unlock;

namespace {

struct Seen {
  std::string said;
  std::vector<json> lines;  ///< of scope-client
};

/// In a folder with what the probe looks for.
Seen run_probe(const std::string& library, const std::filesystem::path& folder, bool closes) {
  write_file(folder / "file", "abcdefgh");
  std::filesystem::create_symlink(folder / "file", folder / "link");
  REQUIRE(mkfifo((folder / "fifo").c_str(), 0600) == 0);
  const Outcome outcome = run_process(command_with_shim(
      {.argv = {"scope-client", "self", "fork and exec"},
       .environment = {{entrance().preload_variable, build_directory() / "macho-loader" / library},
                       {"DARWIN_PROBE_FOLDER", std::filesystem::canonical(folder)},
                       {"DARWIN_PROBE_CLOSES", closes ? std::optional<std::string>("") : std::nullopt}}},
      {}));
  CHECK(outcome.exit_status == 0);
  CHECK(outcome.err == "");
  Seen seen;
  std::istringstream stream(outcome.out);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with('{')) {
      seen.lines.push_back(json::parse(line));
    } else {
      seen.said += line + "\n";
    }
  }
  return seen;
}

}  // namespace

TEST_CASE("code for macOS finds its numbers, names and conventions") {
  for (const std::string library : {"chained_fixups.dylib", "opcode_fixups.dylib"}) {
    CAPTURE(library);
    const TemporaryDirectory directory;
    const mode_t mask = umask(022);
    const Seen seen = run_probe(library, directory.path(), false);
    umask(mask);
    CHECK(
        seen.said ==
        "1 first constructor\n0 create\n17 create again\n0 append\n0 cut\n62 no link\n20 no folder\n"
        "6 nobody reads\n63 long name\n9 close\n1 room\n35 full\n0 no room\n-1 short buffer\n0 long buffer\n"
        "1 same size\n1 real\n2 not real\n1 default\n0 no library\n");
    CHECK(read_file(directory.path() / "made") == "01230123");
    CHECK(read_file(directory.path() / "file") == "0123");
    struct stat made {};
    REQUIRE(stat((directory.path() / "made").c_str(), &made) == 0);
    CHECK((made.st_mode & 0777) == 0640);
  }
}

TEST_CASE("a descriptor that closes itself is closed in the next program, any other is not") {
  for (const bool closes : {true, false}) {
    const TemporaryDirectory directory;
    const Seen seen = run_probe("chained_fixups.dylib", directory.path(), closes);
    REQUIRE(seen.lines.size() == 2);
    CHECK(seen.lines[0].at("descriptor") == true);
    CHECK(seen.lines[1].at("descriptor") == !closes);
  }
}
