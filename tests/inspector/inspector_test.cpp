// SPDX-License-Identifier: MIT
// Real programs for macOS, from npm at pinned versions: what `doctor` says of each, and whether LLVM reads
// the same in their headers.
#include "cli/core/loader_rules.hpp"
#include "tests/catch.hpp"
#include "tests/files.hpp"
#include "tests/json.hpp"
#include "tests/process.hpp"

#include <algorithm>
#include <sstream>

using namespace metal_unlock;

namespace {

struct Row {
  const char* folder;
  const char* file;
  std::uint32_t flags;
  const char* team;
  bool has_both_entitlements;
  const char* verdict;
  const char* rule;
};

const Row rows[] = {
    {"esbuild-darwin-arm64-0.28.2", "bin/esbuild", 0x20002, "", false, "inserts", "an ordinary signature"},
    {"lefthook-darwin-arm64-2.2.2", "bin/lefthook", 0x20002, "", false, "inserts", "an ordinary signature"},
    {"turbo-darwin-arm64-2.8.17", "bin/turbo", 0x20002, "", false, "inserts", "an ordinary signature"},
    {"oven-bun-darwin-aarch64-1.4.5", "bin/bun", 0x10000, "7FRXF46ZSN", true, "inserts",
     "hardened runtime, both entitlements"},
    {"typescript-native-preview-darwin-arm64-7.0.0-dev.20260707.2", "lib/tsgo", 0x10000, "UBF8T346G9", false,
     "dropped", "hardened runtime, DYLD variables not allowed"},
};

/// Fetches once, and fails the test where a package is missing.
const std::filesystem::path& programs() {
  static const std::filesystem::path folder = [] {
    const std::filesystem::path npm = build_directory() / "npm";
    const Outcome fetched = run_process(
        {.argv = {source_directory() / "tests/inspector/fetch", npm}, .limit = std::chrono::seconds{300}});
    CAPTURE(fetched.err);
    REQUIRE(fetched.exit_status == 0);
    return npm;
  }();
  return folder;
}

std::string path_of(const Row& row) { return programs() / row.folder / "package" / row.file; }

/// The load commands as LLVM lists them: "LC_SEGMENT_64 552", in order; and the libraries they name.
struct Listing {
  std::vector<std::uint32_t> sizes;
  std::vector<std::string> dylibs;
};

Listing listing_by_llvm(const std::string& file) {
  const Outcome listed = run_process({.argv = {METAL_UNLOCK_OBJDUMP, "--macho", "--private-headers", file}});
  REQUIRE(listed.exit_status == 0);
  Listing listing;
  std::istringstream words{listed.out};
  bool is_library = false;
  for (std::string word; words >> word;) {
    if (word == "cmd") {
      words >> word;
      is_library = word.find("_DYLIB") != std::string::npos;
    } else if (word == "cmdsize") {
      words >> word;
      listing.sizes.push_back(static_cast<std::uint32_t>(std::stoul(word)));
    } else if (word == "name" && is_library) {
      words >> word;
      listing.dylibs.push_back(word);
      is_library = false;
    }
  }
  return listing;
}

}  // namespace

TEST_CASE("doctor knows what the loader does with real programs") {
  for (const Row& row : rows) {
    CAPTURE(row.file);
    const std::string file = path_of(row);
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    const Outcome doctor =
        run_process({.argv = {build_directory() / "metal-unlock", "doctor", "--json", "--", file},
                     .environment = {{"METAL_UNLOCK_GUEST", guest_file("tahoe-26-m1-ultra")}}});
    const json answer = json::parse(doctor.out);
    const json& loader = answer.at("target").at("loader");
    CHECK(loader.at("verdict") == row.verdict);
    CHECK(loader.at("rule") == row.rule);
    CHECK(loader.at("architecture") == "arm64");
    CHECK(answer.at("target").at("program") == file);
    CHECK(doctor.exit_status == (std::string{"inserts"} == row.verdict ? 0 : 3));
  }
}

TEST_CASE("LLVM reads the same headers") {
  for (const Row& row : rows) {
    CAPTURE(row.file);
    const auto read = read_mach_file(MemorySource{read_file(path_of(row))});
    REQUIRE(read);
    REQUIRE(read->slices.size() == 1);
    const Slice& slice = read->slices.front();
    CHECK_FALSE(slice.fault);
    REQUIRE(slice.signature);
    CHECK(slice.signature->directory.flags.bits == row.flags);
    CHECK(slice.signature->directory.team == row.team);
    for (const std::string_view name :
         {entitlement::allow_dyld_variables, entitlement::disable_library_validation})
      CHECK(slice.signature->entitlements.grants(name) == row.has_both_entitlements);

    const Listing listing = listing_by_llvm(path_of(row));
    std::vector<std::uint32_t> sizes;
    for (const LoadCommand& command : slice.commands) sizes.push_back(command.size);
    CHECK(sizes == listing.sizes);
    std::vector<std::string> dylibs;
    for (const Dylib& dylib : slice.dylibs) dylibs.push_back(dylib.path);
    CHECK(dylibs == listing.dylibs);
    CHECK_FALSE(dylibs.empty());
  }
}
