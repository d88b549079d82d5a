// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/files.hpp"
#include "tests/macos_files/variants.hpp"
#include "tests/process.hpp"

using namespace metal_unlock;

namespace {

/// Compiles the shim as the build does, from a copy of its sources, in another folder.
std::string rebuilt_shim(const std::filesystem::path& folder) {
  const auto source = folder / "a-copy";
  std::filesystem::create_directories(source);
  for (const char* name : {"CMakeLists.txt", "shim", "cli", "profiles", ".ci"})
    std::filesystem::copy(source_directory() / name, source / name, std::filesystem::copy_options::recursive);
  const auto build = source / "elsewhere";
  const std::string toolchain = source / ".ci/macos/toolchain.cmake";
  const std::string sdk = build_directory() / "macos-sdk";
  for (const std::vector<std::string>& argv :
       {std::vector<std::string>{"cmake", "-S", source, "-B", build, "-G", "Ninja",
                                 "-DCMAKE_TOOLCHAIN_FILE=" + toolchain, "-DCMAKE_OSX_SYSROOT=" + sdk},
        std::vector<std::string>{"cmake", "--build", build, "--target", "metal_unlock_shim"}}) {
    const Outcome outcome = run_process({.argv = argv, .limit = std::chrono::seconds{300}});
    INFO(outcome.out << outcome.err);
    REQUIRE(outcome.exit_status == 0);
  }
  return read_file(build / "libmetal-unlock.dylib");
}

}  // namespace

TEST_CASE("built in another folder, the shim has the same bytes") {
  const TemporaryDirectory folder;
  CHECK((rebuilt_shim(folder.path()) == read_file(build_directory() / "macos" / "libmetal-unlock.dylib")));
}
