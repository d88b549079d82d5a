// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/files.hpp"
#include "tests/macos_files/inspection.hpp"
#include "tests/macos_files/sha256.hpp"
#include "tests/macos_files/variants.hpp"

#include <algorithm>

using namespace metal_unlock;

namespace {

std::vector<AllowedImport> shim_imports() {
  return parse_allow_list(read_file(source_directory() / "tests" / "macos_files" / "shim_imports.tsv"));
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("the shim has a slice for each kind of program that a guest runs") {
  const auto images = images_of(built_shim());
  REQUIRE(images.size() == 2);
  CHECK(images[0].slice.architecture.kind() == SliceKind::x86_64);
  CHECK(images[1].slice.architecture.kind() == SliceKind::arm64);
  for (const Image& image : images) CHECK_FALSE(image.slice.is_hidden);
  // What is not aligned to the pages of its processor, dyld refuses.
  CHECK(images[0].slice.offset % 0x1000 == 0);
  CHECK(images[1].slice.offset % 0x4000 == 0);
}

TEST_CASE("each slice of the shim is what it has to be, and nothing more") {
  for (const Image& image : images_of(built_shim())) {
    CAPTURE(to_text(image.slice.architecture));
    CHECK(inspect(image, expected_shim(), shim_imports()) == Texts{});
  }
}

TEST_CASE("the shim links neither Foundation, nor Metal, nor a C++ library") {
  for (const Image& image : images_of(built_shim())) {
    REQUIRE(image.slice.dylibs.size() == 2);
    for (const Dylib& dylib : image.slice.dylibs)
      for (const char* other : {"Foundation", "Metal", "libc++"})
        CHECK(dylib.path.find(other) == std::string::npos);
  }
}

TEST_CASE("every import that is allowed is used, and every reason is given") {
  CHECK(unused(shim_imports(), images_of(built_shim())) == Texts{});
  CHECK(unused({{"_fork", "libSystem.B.dylib", "no reason at all"}}, images_of(built_shim())) ==
        Texts{"_fork"});
}

TEST_CASE("nothing that registers for notifications can be allowed by accident") {
  for (const AllowedImport& entry : shim_imports()) {
    CAPTURE(entry.name);
    CHECK_FALSE(entry.name.starts_with("__dyld_register"));
    CHECK(entry.name != "_objc_addLoadImageFunc");
    CHECK(entry.name != "_objc_setHook_getClass");
  }
}

TEST_CASE("the shim inside the program is byte for byte the file") {
  const std::string shim = built_shim();
  const std::string program = built_program();
  const std::size_t at = program.find(shim);
  REQUIRE(at != std::string::npos);
  CHECK(program.find(shim, at + 1) == std::string::npos);
  // Behind it stands the name under which it is placed: the first half of its digest.
  CHECK(program.substr(at + shim.size(), 17) == in_hex(sha256(shim)).substr(0, 16) + '\0');
  // No other universal file is in it, such as one of an earlier build.
  const std::string_view fat_magic{"\xca\xfe\xba\xbe\0\0\0\x02", 8};
  CHECK(program.find(fat_magic) == at);
  CHECK(program.find(fat_magic, at + 1) == std::string::npos);
}
