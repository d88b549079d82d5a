// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/files.hpp"
#include "tests/macos_files/inspection.hpp"
#include "tests/macos_files/variants.hpp"

using namespace metal_unlock;

namespace {

/// Any import from the libraries that are expected anyway: the program is a program, it may use them.
std::vector<AllowedImport> imports_of(const Image& image) {
  std::vector<AllowedImport> entries;
  for (const Import& import : read_fixups(image).imports)
    entries.push_back(
        {import.name, import.library.substr(import.library.rfind('/') + 1), "of a library it links"});
  return entries;
}

}  // namespace

TEST_CASE("the program is for Apple silicon, and what it has to be") {
  const auto images = images_of(built_program());
  REQUIRE(images.size() == 1);
  const Image& image = images.front();
  CHECK(image.slice.architecture.kind() == SliceKind::arm64);
  CHECK(inspect(image, expected_program(), imports_of(image)) == std::vector<std::string>{});
  CHECK(image.slice.loader == "/usr/lib/dyld");
  REQUIRE(image.slice.entry_point);
  CHECK(image.slice.entry_point->stack_size == 0);
}

TEST_CASE("the program starts no process behind the user's back and opens no connection") {
  for (const Import& import : read_fixups(images_of(built_program()).front()).imports) {
    CAPTURE(import.name);
    for (const char* forbidden :
         {"_system", "_popen", "_socket", "_connect", "_setuid", "_seteuid", "_task_for_pid"})
      CHECK(import.name != forbidden);
  }
}
