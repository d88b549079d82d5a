// SPDX-License-Identifier: MIT
#include "tests/files.hpp"
#include "tests/macos_files/inspection.hpp"

#include <algorithm>
#include <set>

namespace metal_unlock {
namespace {

/// Folders of whoever builds, and none of those that our files name for a reason.
std::vector<std::string> texts_of_a_build() {
  return {source_directory().string(),
          build_directory().string(),
          "/root/",
          "/home/",
          "/Users/",
          "/usr/include/",
          "/usr/lib/llvm"};
}

bool is_in(const Section& section, std::uint64_t address) {
  return address >= section.address && address - section.address < section.size;
}

}  // namespace

ExpectedImage expected_shim() {
  ExpectedImage shim;
  shim.type = MachFileType::dylib;
  shim.flags = 0x100085;  // no undefined symbols, for dyld, two-level names, no libraries to re-export
  shim.install_name = "@rpath/libmetal-unlock.dylib";
  shim.deployment_target = {13, 0, 0};
  shim.libraries = {"/usr/lib/libobjc.A.dylib", "/usr/lib/libSystem.B.dylib"};
  shim.commands = {"__TEXT r-x",
                   "__DATA_CONST rw-",
                   "__DATA rw-",
                   "__LINKEDIT r--",
                   "LC_DYLD_CHAINED_FIXUPS",
                   "LC_DYLD_EXPORTS_TRIE",
                   "LC_SYMTAB",
                   "LC_DYSYMTAB",
                   "LC_ID_DYLIB",
                   "LC_UUID",
                   "LC_BUILD_VERSION",
                   "LC_LOAD_DYLIB",
                   "LC_LOAD_DYLIB",
                   "LC_FUNCTION_STARTS",
                   "LC_DATA_IN_CODE",
                   "LC_CODE_SIGNATURE"};
  // Without the image's information the runtime does not look at the selectors, and every message would be
  // lost.
  shim.sections = {
      {"__TEXT", "__text"},      {"__TEXT", "__init_offsets"},         {"__TEXT", "__objc_methname"},
      {"__DATA_CONST", "__got"}, {"__DATA_CONST", "__objc_imageinfo"}, {"__DATA", "__objc_selrefs"},
      {"__DATA", "__data"}};
  shim.identifier = "libmetal-unlock.dylib";
  shim.foreign_texts = texts_of_a_build();
  return shim;
}

ExpectedImage expected_program() {
  ExpectedImage program;
  program.type = MachFileType::executable;
  program.flags = 0x200085;  // as the shim, and at any address
  program.deployment_target = {13, 0, 0};
  program.libraries = {"/usr/lib/libobjc.A.dylib", "/usr/lib/libSystem.B.dylib",
                       "/System/Library/Frameworks/CoreFoundation.framework/Versions/A/CoreFoundation",
                       "/System/Library/Frameworks/IOKit.framework/Versions/A/IOKit"};
  program.commands = {"__PAGEZERO ---",
                      "__TEXT r-x",
                      "__DATA_CONST rw-",
                      "__DATA rw-",
                      "__LINKEDIT r--",
                      "LC_DYLD_CHAINED_FIXUPS",
                      "LC_DYLD_EXPORTS_TRIE",
                      "LC_SYMTAB",
                      "LC_DYSYMTAB",
                      "LC_LOAD_DYLINKER",
                      "LC_UUID",
                      "LC_BUILD_VERSION",
                      "LC_MAIN",
                      "LC_LOAD_DYLIB",
                      "LC_LOAD_DYLIB",
                      "LC_LOAD_DYLIB",
                      "LC_LOAD_DYLIB",
                      "LC_FUNCTION_STARTS",
                      "LC_DATA_IN_CODE",
                      "LC_CODE_SIGNATURE"};
  program.sections = {{"__TEXT", "__text"}, {"__TEXT", "__const"}, {"__DATA_CONST", "__got"}};
  program.identifier = "metal-unlock";
  program.exec_segment_flags = 1;
  program.foreign_texts = texts_of_a_build();
  return program;
}

std::vector<std::string> inspect_start(const Image& image) {
  std::vector<std::string> breaches;
  const Section* constructors = image.slice.find_section("__TEXT", "__init_offsets");
  const Section* code = image.slice.find_section("__TEXT", "__text");
  const Section* selectors = image.slice.find_section("__DATA", "__objc_selrefs");
  const Section* names = image.slice.find_section("__TEXT", "__objc_methname");
  if (constructors == nullptr || code == nullptr || selectors == nullptr || names == nullptr) return breaches;
  const std::uint64_t constructor = image.bytes.little32(constructors->offset);
  const auto starts = read_function_starts(image);
  if (constructors->size != 4) breaches.emplace_back("not one constructor");
  if (!is_in(*code, constructor) || std::ranges::find(starts, constructor) == starts.end())
    breaches.emplace_back("the constructor is no function");
  std::set<std::uint64_t> read;
  for (const Fixup& fixup : read_fixups(image).pointers) {
    if (!is_in(*selectors, fixup.address)) continue;
    read.insert(fixup.address);
    if (fixup.is_import || !is_in(*names, fixup.target) || text_at(image, fixup.target).empty())
      breaches.emplace_back("a selector without a name");
  }
  if (read.size() * 8 != selectors->size)
    breaches.emplace_back("a selector that dyld does not point at its name");
  return breaches;
}

}  // namespace metal_unlock
