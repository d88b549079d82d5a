// SPDX-License-Identifier: MIT
#include "tests/macho/macho_samples.hpp"

#include "cli/core/macho/byte_piece.hpp"
#include "tests/macho/macho_builder.hpp"
#include "tests/macho/signature_builder.hpp"

namespace metal_unlock {
namespace {

const std::string rights_xml = property_list(
    "<!-- rights --><key>com.apple.security.cs.allow-dyld-environment-variables</key><true/>\n"
    "<key>groups</key><array><string>a&amp;b</string><integer>12</integer></array>\n"
    "<key>table</key><dict><key>x</key><false/></dict>\n");

std::string rights_der() {
  return der_root(der_pair("com.apple.security.cs.allow-dyld-environment-variables", der_truth(true)) +
                  der_pair("groups", der_element(0x30, der_text("a&b") + der_element(2, "\x0c"))) +
                  der_pair("table", der_dictionary(der_pair("x", der_truth(false)))));
}

std::string developer_signature() {
  const std::string directory = code_directory({.flags = 0x10000,
                                                .identifier = "com.example.tool",
                                                .team = "AB12CD34EF",
                                                .version = 0x20500,
                                                .special_slots = 7});
  const std::string weak = code_directory({.hash_type = 1, .hash_size = 20});
  return super_blob({{0, weak},
                     {0x1000, directory},
                     {5, xml_entitlements(rights_xml)},
                     {7, der_entitlements(rights_der())},
                     {0x10000, signature_blob(0xfade0b01, "CMS")}});
}

SliceBuilder program(Architecture architecture) {
  SliceBuilder builder{architecture, 2, 0x200085};
  builder.segment("__PAGEZERO").segment("__TEXT", {{"__TEXT", "__text", 0x80000400}, {"__TEXT", "__const"}});
  builder.segment("__RESTRICT", {{"__RESTRICT", "__restrict"}}).text_command(0xe, "/usr/lib/dyld");
  builder.command(0x1b, "0123456789abcdef").build_version(1, 0x000d0000, 0x000f0200).entry_point(0x4a0);
  builder.dylib(0xc, "/usr/lib/libSystem.B.dylib").dylib_use(0x80000018, "@rpath/x.dylib", 1);
  builder.text_command(0x8000001c, "@loader_path").text_command(0x27, "DYLD_INSERT_LIBRARIES=/x");
  builder.encryption(0).signature(developer_signature());
  return builder;
}

SliceBuilder library(Architecture architecture) {
  SliceBuilder builder{architecture, 6, 0x100085};
  builder.segment("__DATA", {{"__DATA", "__interpose", 0xd}}).dylib(0xd, "@rpath/x.dylib");
  builder.command(0x24, ByteWriter{}.little32(0x000a0f00).little32(0x000b0000).bytes());
  builder.signature(super_blob({{0, code_directory()}, {5, xml_entitlements(rights_xml)}}));
  return builder;
}

}  // namespace

std::vector<MachSample> mach_samples() {
  const std::string arm64_library = library(arm64).bytes();
  return {
      {"program-arm64", program(arm64).bytes()},
      {"program-arm64e", program(arm64e).bytes()},
      {"library-x86_64", library(x86_64).bytes()},
      {"bare-directory", SliceBuilder{x86_64h}.signature(code_directory()).bytes()},
      {"fat-32", fat_file({{x86_64, library(x86_64).bytes()}, {arm64, arm64_library}})},
      {"fat-64", fat_file({{arm64e, library(arm64e).bytes()}, {arm64, arm64_library}}, true)},
      {"fat-hidden", fat_file({{x86_64, library(x86_64).bytes()}, {arm64, arm64_library}}, false, true)},
      {"i386", ByteWriter{}.little32(0xfeedface).little32(7).little32(3).field({}, 20).bytes()},
      {"entitlements.xml", rights_xml},
      {"entitlements.der", rights_der()},
  };
}

std::string broken_promise(const MachFile& file, std::uint64_t size) {
  if (file.slices.empty()) return "a file has a slice";
  for (const Slice& slice : file.slices) {
    if (slice.fault) continue;
    if (!is_within(slice.offset, slice.size, size)) return "a slice lies within its file";
    for (const Segment& segment : slice.segments)
      if (!is_within(segment.file_offset, segment.file_size, slice.size))
        return "a segment lies within its slice";
    if (slice.signature_range.has_value() != (slice.signature || slice.signature_fault))
      return "a signature is read, or it is said why not";
    if (!slice.signature) continue;
    const CodeDirectory& directory = slice.signature->directory;
    const std::uint64_t hash_bytes = std::uint64_t{directory.code_slots} * directory.hash_size;
    if (!is_within(directory.hashes_offset, hash_bytes, slice.offset + slice.size))
      return "the hashes of the pages lie within the slice";
    if (slice.signature->entitlements_fault && !slice.signature->entitlements.entries.empty())
      return "broken entitlements grant nothing";
  }
  return "";
}

}  // namespace metal_unlock
