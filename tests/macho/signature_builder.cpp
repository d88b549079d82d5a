// SPDX-License-Identifier: MIT
#include "tests/macho/signature_builder.hpp"

namespace metal_unlock {
namespace {

std::uint64_t header_size(std::uint32_t version) {
  if (version >= 0x20500) return 96;
  if (version >= 0x20400) return 88;
  if (version >= 0x20300) return 64;
  return version >= 0x20200 ? 52 : 44;
}

/// The fields of the versions up to the one that is wanted.
ByteWriter later_fields(const BuiltDirectory& directory, std::uint64_t team_at) {
  constexpr std::uint32_t runtime_14_2 = 0x000e0200;
  ByteWriter fields;
  if (directory.version >= 0x20200) fields.big32(0).big32(team_at);
  if (directory.version >= 0x20300) fields.big32(0).big64(directory.code_limit);
  if (directory.version >= 0x20400) fields.big64(0).big64(0x1000).big64(1);
  if (directory.version >= 0x20500) fields.big32(runtime_14_2).big32(0);
  return fields;
}

}  // namespace

std::string code_directory(const BuiltDirectory& directory) {
  const std::uint64_t identifier_at = header_size(directory.version);
  const std::uint64_t behind_identifier = identifier_at + directory.identifier.size() + 1;
  const std::uint64_t team_at = directory.team.empty() ? 0 : behind_identifier;
  const std::uint64_t special_at = behind_identifier + (team_at == 0 ? 0 : directory.team.size() + 1);
  const std::uint64_t hashes_at = special_at + std::uint64_t{directory.special_slots} * directory.hash_size;
  ByteWriter payload;
  payload.big32(directory.version).big32(directory.flags).big32(hashes_at).big32(identifier_at);
  payload.big32(directory.special_slots).big32(directory.code_slots);
  payload.big32(directory.version >= 0x20300 ? 0 : directory.code_limit);
  payload.byte(directory.hash_size).byte(directory.hash_type).byte(directory.platform).byte(12).big32(0);
  payload.text(later_fields(directory, team_at).bytes()).text(directory.identifier).byte(0);
  if (team_at != 0) payload.text(directory.team).byte(0);
  payload.field({}, (std::size_t{directory.special_slots} + directory.code_slots) * directory.hash_size);
  return signature_blob(0xfade0c02, payload.bytes());
}

std::string signature_blob(std::uint32_t magic, std::string_view payload) {
  return ByteWriter{}.big32(magic).big32(8 + payload.size()).text(payload).bytes();
}

std::string xml_entitlements(std::string_view xml) { return signature_blob(0xfade7171, xml); }

std::string der_entitlements(std::string_view der) { return signature_blob(0xfade7172, der); }

std::string super_blob(const std::vector<std::pair<std::uint32_t, std::string>>& blobs) {
  ByteWriter index;
  ByteWriter content;
  for (const auto& [slot, blob] : blobs) {
    index.big32(slot).big32(12 + 8 * blobs.size() + content.size());
    content.text(blob);
  }
  const std::string payload =
      ByteWriter{}.big32(blobs.size()).text(index.bytes()).text(content.bytes()).bytes();
  return signature_blob(0xfade0cc0, payload);
}

std::string property_list(std::string_view entries) {
  return std::string{
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
             "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" "
             "\"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n"
             "<plist version=\"1.0\">\n<dict>\n"} +
         std::string{entries} + "</dict>\n</plist>\n";
}

std::string der_element(unsigned tag, std::string_view content) {
  ByteWriter element;
  element.byte(tag);
  if (content.size() < 0x80) {
    element.byte(static_cast<unsigned>(content.size()));
  } else {
    element.byte(0x82).byte(static_cast<unsigned>(content.size() >> 8)).byte(content.size() & 0xff);
  }
  return element.text(content).bytes();
}

std::string der_text(std::string_view text) { return der_element(0x0c, text); }

std::string der_truth(bool truth) { return der_element(0x01, truth ? "\xff" : std::string_view{"\0", 1}); }

std::string der_pair(std::string_view name, std::string_view value) {
  return der_element(0x30, der_text(name) + std::string{value});
}

std::string der_dictionary(std::string_view pairs) { return der_element(0xb0, pairs); }

std::string der_root(std::string_view pairs) {
  return der_element(0x70, der_element(0x02, "\x01") + der_dictionary(pairs));
}

}  // namespace metal_unlock
