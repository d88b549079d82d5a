// SPDX-License-Identifier: MIT
#include "cli/core/macho/mach_file.hpp"
#include "cli/platform/system.hpp"
#include "tests/catch.hpp"
#include "tests/files.hpp"
#include "tests/macos_files/variants.hpp"

using namespace metal_unlock;

namespace {

Result<std::unique_ptr<ByteSource>> open(const std::filesystem::path& path) {
  char* no_environment[] = {nullptr};
  return make_system(no_environment)->open_bytes(path);
}

}  // namespace

TEST_CASE("a file on disk reads as the same file in memory") {
  const auto file = open(build_directory() / "macos" / "libmetal-unlock.dylib");
  REQUIRE(file);
  const std::string bytes = built_shim();
  CHECK((*file)->size() == bytes.size());
  const auto from_disk = read_mach_file(**file);
  const auto from_memory = read_mach_file(MemorySource{bytes});
  REQUIRE(from_disk);
  REQUIRE(from_memory);
  CHECK(*from_disk == *from_memory);
}

TEST_CASE("bytes behind the end of a file are not there, also where the file got shorter") {
  const TemporaryDirectory folder;
  write_file(folder.path() / "file", "abcdef");
  const auto file = open(folder.path() / "file");
  REQUIRE(file);
  std::array<std::byte, 4> into{};
  CHECK((*file)->read(2, into));
  CHECK(into[3] == std::byte{'f'});
  CHECK_FALSE((*file)->read(3, into));
  CHECK_FALSE((*file)->read(std::uint64_t{1} << 63, into));
  std::filesystem::resize_file(folder.path() / "file", 3);
  CHECK_FALSE((*file)->read(2, into));
}

TEST_CASE("what is no regular file is not opened") {
  const TemporaryDirectory folder;
  for (const std::filesystem::path& path :
       {folder.path() / "missing", folder.path(), std::filesystem::path{"/dev/null"}}) {
    CAPTURE(path);
    const auto file = open(path);
    REQUIRE_FALSE(file);
    CHECK(file.finding().id == FindingId::file_unreadable);
  }
}
