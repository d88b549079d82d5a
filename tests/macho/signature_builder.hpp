// SPDX-License-Identifier: MIT
#pragma once

#include "tests/macho/byte_writer.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace metal_unlock {

/// What a CodeDirectory is to say. Its hashes are bytes 0: nothing that reads it here goes by them.
struct BuiltDirectory {
  std::uint32_t flags = 0x20002;
  std::string_view identifier = "tool";
  std::string_view team = {};
  std::uint32_t version = 0x20400;
  std::uint8_t hash_type = 2;
  std::uint8_t hash_size = 32;
  std::uint32_t special_slots = 0;
  std::uint32_t code_slots = 1;
  std::uint64_t code_limit = 0x1000;
  std::uint8_t platform = 0;
};

std::string code_directory(const BuiltDirectory& directory = {});

/// Any blob of a signature: its magic, its length, its payload.
std::string signature_blob(std::uint32_t magic, std::string_view payload);

std::string xml_entitlements(std::string_view xml);
std::string der_entitlements(std::string_view der);

/// A signature: an index of {slot, blob}, and the blobs.
std::string super_blob(const std::vector<std::pair<std::uint32_t, std::string>>& blobs);

/// An ad-hoc signature as a linker makes it.
inline std::string linker_signature() { return super_blob({{0, code_directory()}}); }

/// A property list around what stands in its root dictionary.
std::string property_list(std::string_view entries);

// DER, as entitlements use it.
std::string der_element(unsigned tag, std::string_view content);
std::string der_text(std::string_view text);
std::string der_truth(bool truth);
std::string der_pair(std::string_view name, std::string_view value);
std::string der_dictionary(std::string_view pairs);
/// The whole, around its pairs.
std::string der_root(std::string_view pairs);

}  // namespace metal_unlock
