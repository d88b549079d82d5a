// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/files.hpp"
#include "tests/process.hpp"

#include <algorithm>
#include <set>
#include <sstream>

using namespace metal_unlock;

namespace {

std::filesystem::path shim() { return build_directory() / "macos" / "libmetal-unlock.dylib"; }
std::filesystem::path program() { return build_directory() / "macos" / "metal-unlock"; }

/// What LLVM's tool says of one part of a file.
std::string otool(const std::string& option, const std::string& architecture,
                  const std::filesystem::path& file) {
  const Outcome outcome = run_process({.argv = {"llvm-otool-19", option, "-arch", architecture, file}});
  INFO(outcome.err);
  REQUIRE(outcome.exit_status == 0);
  return outcome.out;
}

/// The install names of the libraries that a part needs, its own left out.
std::set<std::string> needed_by(const std::string& architecture, const std::filesystem::path& file) {
  std::istringstream lines{otool("-L", architecture, file)};
  std::set<std::string> names;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with('\t')) names.insert(line.substr(1, line.find(" (") - 1));
  names.erase("@rpath/libmetal-unlock.dylib");
  return names;
}

std::string architectures_of(const std::filesystem::path& file) {
  return run_process({.argv = {"llvm-lipo-19", "-archs", file}}).out;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Symbols that other images could bind to.
std::string exported_by(const std::filesystem::path& file) {
  const Outcome outcome =
      run_process({.argv = {"llvm-nm-19", "--extern-only", "--defined-only", "--quiet", file}});
  REQUIRE(outcome.exit_status == 0);
  return outcome.out;
}

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

TEST_CASE("the shim is one library for both processors, and needs two of the system's") {
  CHECK(architectures_of(shim()) == "x86_64 arm64 \n");
  for (const char* architecture : {"x86_64", "arm64"}) {
    CAPTURE(architecture);
    CHECK(needed_by(architecture, shim()) ==
          std::set<std::string>{"/usr/lib/libobjc.A.dylib", "/usr/lib/libSystem.B.dylib"});
    const std::string commands = otool("-l", architecture, shim());
    CHECK(contains(commands, "name @rpath/libmetal-unlock.dylib "));
    CHECK(contains(commands, "cmd LC_CODE_SIGNATURE"));
    CHECK(contains(commands, "minos 13.0"));
    CHECK(contains(otool("-hv", architecture, shim()), " DYLIB "));
  }
  CHECK(exported_by(shim()).find(" T ") == std::string::npos);
}

TEST_CASE("the program is for Apple silicon and starts without Metal") {
  CHECK(architectures_of(program()) == "arm64 \n");
  CHECK(needed_by("arm64", program()) ==
        std::set<std::string>{"/System/Library/Frameworks/IOKit.framework/Versions/A/IOKit",
                              "/usr/lib/libobjc.A.dylib", "/usr/lib/libSystem.B.dylib"});
  const std::string commands = otool("-l", "arm64", program());
  CHECK(contains(commands, "cmd LC_CODE_SIGNATURE"));
  CHECK(contains(commands, "minos 13.0"));
  CHECK(contains(read_file(program()), "/System/Library/Frameworks/Metal.framework/Versions/A/Metal"));
  // A weak symbol of its C++ library would otherwise take the place of the system's in every framework.
  CHECK_FALSE(contains(otool("-hv", "arm64", program()), "WEAK"));
}

TEST_CASE("the program carries the shim, byte for byte") {
  const std::string bytes = read_file(program());
  const std::string carried = read_file(shim());
  CHECK(bytes.find(carried) != std::string::npos);
  std::string other = carried;
  other.back() = static_cast<char>(other.back() ^ 1);
  CHECK(bytes.find(other) == std::string::npos);
}

TEST_CASE("neither file names a folder of the machine that built it") {
  for (const auto& file : {shim(), program()}) {
    CAPTURE(file);
    const std::string bytes = read_file(file);
    for (const auto& folder : {source_directory(), build_directory()})
      CHECK_FALSE(contains(bytes, std::filesystem::canonical(folder).string() + "/"));
    CHECK(contains(bytes, "libmetal-unlock.dylib"));
  }
}

TEST_CASE("built in another folder, the shim has the same bytes") {
  const TemporaryDirectory folder;
  CHECK((rebuilt_shim(folder.path()) == read_file(shim())));
}
