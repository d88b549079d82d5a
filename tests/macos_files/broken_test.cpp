// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/files.hpp"
#include "tests/macos_files/inspection.hpp"
#include "tests/macos_files/variants.hpp"

#include <algorithm>

using namespace metal_unlock;

// Each of these libraries is wrong in one way, and what is wrong is all that the inspection finds. The twin
// of each is the same library without the mistake.

namespace {

using Texts = std::vector<std::string>;

Texts breaches(const std::string& file) {
  const std::vector<Image> images = images_of(file);
  REQUIRE(images.size() == 1);
  return inspect(
      images.front(), expected_shim(),
      parse_allow_list(read_file(source_directory() / "tests" / "macos_files" / "shim_imports.tsv")));
}

const SliceKind both[] = {SliceKind::arm64, SliceKind::x86_64};

}  // namespace

TEST_CASE("a slice taken out of the shim passes, and still does when it is signed anew") {
  for (const SliceKind kind : both) {
    const std::string good = thin(built_shim(), kind);
    CHECK(breaches(good) == Texts{});
    CHECK(signed_again(good) == good);
  }
}

TEST_CASE("a section that a linker dropped") {
  for (const SliceKind kind : both) {
    const std::string good = thin(built_shim(), kind);
    CHECK(breaches(without_section(good, "__TEXT", "__unwind_info")) == Texts{});
    CHECK(breaches(without_section(good, "__DATA", "__objc_selrefs")) ==
          Texts{"no section __DATA,__objc_selrefs"});
    CHECK(breaches(without_section(good, "__TEXT", "__objc_methname")) ==
          Texts{"no section __TEXT,__objc_methname"});
    CHECK(breaches(without_section(good, "__DATA_CONST", "__objc_imageinfo")) ==
          Texts{"no section __DATA_CONST,__objc_imageinfo"});
    CHECK(breaches(without_section(good, "__TEXT", "__init_offsets")) ==
          Texts{"no section __TEXT,__init_offsets"});
  }
}

TEST_CASE("a constructor that is missing, or is none") {
  const TemporaryDirectory folder;
  CHECK(breaches(linked_again(folder.path(), "")) == Texts{});
  const Texts without = breaches(linked_again(folder.path(), "", {}, "entry"));
  CHECK(std::ranges::find(without, "no section __TEXT,__init_offsets") != without.end());
  const Texts two =
      breaches(linked_again(folder.path(), "__attribute__((constructor)) static void more() { asm(\"\"); }"));
  CHECK(two == Texts{"not one constructor"});

  for (const SliceKind kind : both) {
    std::string elsewhere = thin(built_shim(), kind);
    const std::vector<Image> images = images_of(elsewhere);
    const Section* constructors = images.front().slice.find_section("__TEXT", "__init_offsets");
    REQUIRE(constructors != nullptr);
    elsewhere[constructors->offset] = static_cast<char>(elsewhere[constructors->offset] ^ 4);
    CHECK(breaches(signed_again(elsewhere)) == Texts{"the constructor is no function"});
  }
}

TEST_CASE("a page with one bit flipped") {
  for (const SliceKind kind : both) {
    const std::string good = thin(built_shim(), kind);
    const std::vector<Image> images = images_of(good);
    const Section* code = images.front().slice.find_section("__TEXT", "__text");
    REQUIRE(code != nullptr);
    for (const std::uint64_t at : {std::uint64_t{code->offset}, code->offset + code->size - 1}) {
      std::string flipped = good;
      flipped[at] = static_cast<char>(flipped[at] ^ 0x10);
      CHECK(breaches(flipped) == Texts{"page " + std::to_string(at / 4096) + " is not what was signed"});
    }
    // The last page is not a whole one.
    std::string last = good;
    const std::uint64_t end = images.front().slice.signature_range->offset;
    last[end - 1] = static_cast<char>(last[end - 1] ^ 1);
    CHECK(breaches(last) == Texts{"page " + std::to_string((end - 1) / 4096) + " is not what was signed"});
  }
}

TEST_CASE("an import that is not on the list") {
  for (const SliceKind kind : both) {
    const std::string good = thin(built_shim(), kind);
    CHECK(breaches(with_text_replaced(good, "_strcspn", "_strcspx")) ==
          Texts{"an import that is not on the list: _strcspx"});
  }
  const TemporaryDirectory folder;
  const std::string listening =
      linked_again(folder.path(),
                   "extern \"C\" void _dyld_register_func_for_add_image(void (*)());\n"
                   "__attribute__((used)) static void more() {\n"
                   "  _dyld_register_func_for_add_image(nullptr);\n"
                   "}\n");
  CHECK(breaches(listening) ==
        Texts{"an import that is not on the list: __dyld_register_func_for_add_image"});
}

TEST_CASE("a symbol that is exported") {
  const TemporaryDirectory folder;
  const std::string_view hidden = "extern \"C\" __attribute__((used)) int more() { return 1; }";
  const std::string_view visible =
      "extern \"C\" __attribute__((used, visibility(\"default\"))) int more() { return 1; }";
  CHECK(breaches(linked_again(folder.path(), hidden)) == Texts{});
  CHECK(breaches(linked_again(folder.path(), visible)) == Texts{"an export that should not be there: _more"});
}

TEST_CASE("a framework that is linked") {
  const TemporaryDirectory folder;
  write_file(folder.path() / "Foundation.tbd",
             "--- !tapi-tbd\ntbd-version: 4\ntargets: [ arm64-macos ]\n"
             "install-name: '/System/Library/Frameworks/Foundation.framework/Versions/C/Foundation'\n...\n");
  CHECK(breaches(linked_again(folder.path(), "")) == Texts{});
  CHECK(breaches(linked_again(folder.path(), "", {folder.path() / "Foundation.tbd"})) ==
        Texts{"a library that should not be there: "
              "/System/Library/Frameworks/Foundation.framework/Versions/C/Foundation",
              "a load command that should not be there: LC_LOAD_DYLIB"});
}

TEST_CASE("a path of the machine that built it") {
  const TemporaryDirectory folder;
  const auto with_text = [&](const std::string& text) {
    return linked_again(folder.path(), "__attribute__((used)) static const char more[] = \"" + text + "\";");
  };
  CHECK(breaches(with_text("/usr/bin/true")) == Texts{});
  const std::string source = source_directory() / "shim" / "entry.mm";
  const Texts found = breaches(with_text(source));
  CHECK(std::ranges::find(found, "the bytes hold " + source_directory().string()) != found.end());
  CHECK(breaches(with_text("/Users/me/x.mm")) == Texts{"the bytes hold /Users/"});
}

TEST_CASE("a library for another system, of another name, or found by another path") {
  const TemporaryDirectory folder;
  CHECK(breaches(linked_again(folder.path(), "", {"-platform_version", "macos", "14.0", "14.0"})) ==
        Texts{"the deployment target: not as expected"});
  CHECK(
      breaches(linked_again(folder.path(), "", {"-install_name", "/usr/local/lib/libmetal-unlock.dylib"})) ==
      Texts{"the install name: not as expected"});
  CHECK(breaches(linked_again(folder.path(), "", {"-rpath", "/opt"})) ==
        Texts{"a run path: /opt", "a load command that should not be there: 0x8000001c"});
}

TEST_CASE("a library without a signature, or signed for the hardened runtime") {
  const TemporaryDirectory folder;
  CHECK(breaches(linked_again(folder.path(), "", {"-no_adhoc_codesign"})) ==
        Texts{"a load command that is missing: LC_CODE_SIGNATURE", "no signature"});
  std::string hardened = thin(built_shim(), SliceKind::arm64);
  const std::uint64_t directory = images_of(hardened).front().slice.signature->directory.offset;
  hardened[directory + 13] = static_cast<char>(hardened[directory + 13] | 1);
  CHECK(breaches(hardened) == Texts{"the signature's flags: not as expected"});
}
