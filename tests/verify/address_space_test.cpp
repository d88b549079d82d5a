// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/files.hpp"
#include "tests/metal_stdlib/kernel_reader.hpp"
#include "tests/process.hpp"

using namespace metal_unlock;

namespace {

/// What clang says of a kernel whose pointers know their address space; empty is nothing.
std::string complaints(const std::string& kernel) {
  const std::string headers = source_directory() / "tests" / "metal_stdlib" / "address_spaces";
  const Outcome outcome =
      run_process({.argv = {METAL_UNLOCK_CLANG, "-x", "c++", "-std=c++17", "-fsyntax-only", "-Wall",
                            "-Wextra", "-Wno-unused", "-Werror", "-I" + headers, "-"},
                   .input = without_attributes(kernel)});
  CHECK(outcome.exit_status == (outcome.err.empty() ? 0 : 1));
  return outcome.err;
}

std::string kernel_text(const char* name) {
  return read_file(source_directory() / "cli" / "verify" / "kernels" / name);
}

std::string with(std::string text, std::string_view before, std::string_view after) {
  const std::size_t at = text.find(before);
  REQUIRE(at != std::string::npos);
  return text.replace(at, before.size(), after);
}

}  // namespace

TEST_CASE("no kernel mixes address spaces") {
  int kernels = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(source_directory() / "cli" / "verify" / "kernels")) {
    CAPTURE(entry.path().filename());
    CHECK(complaints(read_file(entry.path())).empty());
    ++kernels;
  }
  CHECK(kernels == 12);
}

TEST_CASE("a kernel that mixes them is found") {
  const std::string mapped =
      with(kernel_text("mapped_file.metal"), "device const uint* block", "const uint* block");
  CHECK(complaints(mapped).find("cannot initialize") != std::string::npos);
  const std::string quantised =
      with(kernel_text("quantised.metal"), "device const Block& block", "const Block& block");
  CHECK(complaints(quantised).find("changes address space") != std::string::npos);
  const std::string shared =
      with(kernel_text("threadgroup_memory.metal"), "words[thread_index] = next", "words = results");
  CHECK(complaints(shared).find("error") != std::string::npos);
}
