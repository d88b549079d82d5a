// SPDX-License-Identifier: MIT
#include "tests/macho/program_builder.hpp"

#include "tests/macho/signature_builder.hpp"

namespace metal_unlock {

std::string program_file(const BuiltProgram& program) {
  SliceBuilder builder{program.architecture, 2, 0x200085};
  builder.segment("__TEXT");
  if (program.has_restrict_section) builder.segment("__RESTRICT", {{"__RESTRICT", "__restrict"}});
  builder.text_command(0xe, "/usr/lib/dyld").build_version(program.system, 0x000d0000, 0x000f0000);
  builder.entry_point(0x4a0).dylib(0xc, program.library);
  if (program.is_encrypted) builder.encryption(1);
  if (!program.is_signed) return builder.bytes();
  std::string xml;
  std::string der;
  for (const std::string_view name : program.entitlements) {
    xml += "<key>" + std::string{name} + "</key><true/>";
    der += der_pair(name, der_truth(true));
  }
  std::vector<std::pair<std::uint32_t, std::string>> blobs{
      {0, code_directory({.flags = program.flags, .team = program.team, .platform = program.platform})}};
  if (!xml.empty()) {
    blobs.emplace_back(5, xml_entitlements(property_list(xml)));
    blobs.emplace_back(7, der_entitlements(der_root(der)));
  }
  return builder.signature(super_blob(blobs)).bytes();
}

std::string fat_program_file(const std::vector<BuiltProgram>& programs) {
  std::vector<FatEntry> slices;
  for (const BuiltProgram& program : programs)
    slices.push_back({program.architecture, program_file(program)});
  return fat_file(slices);
}

}  // namespace metal_unlock
