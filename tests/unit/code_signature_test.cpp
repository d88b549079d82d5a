// SPDX-License-Identifier: MIT
#include "cli/core/macho/code_signature.hpp"

#include "tests/catch.hpp"
#include "tests/macho/signature_builder.hpp"

using namespace metal_unlock;

namespace {

constexpr std::uint64_t place = 0x40;

Result<CodeSignature, ByteFault> read(const std::string& signature) {
  const MemorySource file{std::string(place, 'x') + signature + "what is behind the signature"};
  return read_code_signature(file, place, signature.size());
}

CodeSignature good(const std::string& signature) {
  const auto result = read(signature);
  if (!result) FAIL(to_text(result.fault()));
  return *result;
}

std::string fault(const std::string& signature) {
  const auto result = read(signature);
  return result ? "" : to_text(result.fault());
}

std::string with_word(std::string bytes, std::size_t at, std::uint32_t number) {
  set_big32(bytes, at, number);
  return bytes;
}

const std::string allow_xml = property_list("<key>allow</key><true/>");
const std::string deny_der = der_root(der_pair("allow", der_truth(false)));

}  // namespace

TEST_CASE("a linker's signature is ad hoc, without a team and without rights") {
  const CodeSignature signature = good(linker_signature());
  CHECK(signature.directory.flags.is_ad_hoc());
  CHECK(signature.directory.flags.is_linker_signed());
  CHECK_FALSE(signature.directory.flags.has_hardened_runtime());
  CHECK_FALSE(signature.directory.flags.requires_library_validation());
  CHECK_FALSE(signature.directory.flags.is_restricted());
  CHECK_FALSE(signature.directory.flags.kills_when_invalid());
  CHECK(signature.directory.identifier == "tool");
  CHECK(signature.directory.team.empty());
  CHECK(signature.directory.hash == HashKind::sha256);
  CHECK(signature.directory.code_limit == 0x1000);
  CHECK(signature.directory.page_size_log2 == 12);
  CHECK(signature.directory.exec_segment_flags == 1);
  CHECK(signature.directory.hashes_offset == place + 20 + 88 + 5);
  CHECK(signature.entitlements.form == EntitlementForm::none);
  CHECK_FALSE(signature.has_certificates);
}

TEST_CASE("a developer's signature has the hardened runtime, a team and certificates") {
  const std::string directory = code_directory({.flags = 0x12a00,
                                                .identifier = "com.example.tool",
                                                .team = "AB12CD34EF",
                                                .version = 0x20500,
                                                .platform = 7});
  const CodeSignature signature =
      good(super_blob({{0, directory}, {0x10000, signature_blob(0xfade0b01, "CMS")}}));
  CHECK(signature.directory.flags.has_hardened_runtime());
  CHECK(signature.directory.flags.requires_library_validation());
  CHECK(signature.directory.flags.is_restricted());
  CHECK(signature.directory.flags.kills_when_invalid());
  CHECK_FALSE(signature.directory.flags.is_ad_hoc());
  CHECK(signature.directory.team == "AB12CD34EF");
  CHECK(signature.directory.runtime_version == 0x000e0200);
  CHECK(signature.directory.platform == 7);
  CHECK(signature.has_certificates);
  CHECK_FALSE(good(super_blob({{0, directory}, {0x10000, signature_blob(0xfade0b01, "")}})).has_certificates);
}

TEST_CASE("a CodeDirectory of each version is read") {
  for (const std::uint32_t version : {0x20000U, 0x20200U, 0x20300U, 0x20400U, 0x20500U}) {
    CAPTURE(version);
    const CodeSignature signature = good(super_blob({{0, code_directory({.version = version})}}));
    CHECK(signature.directory.version == version);
    CHECK(signature.directory.identifier == "tool");
    CHECK(signature.directory.code_limit == 0x1000);
  }
  const CodeSignature old = good(super_blob({{0, code_directory({.team = "TEAM", .version = 0x20200})}}));
  CHECK(old.directory.team == "TEAM");
}

TEST_CASE("the strongest hash decides, wherever it stands") {
  const std::string weak = code_directory({.flags = 2, .hash_type = 1, .hash_size = 20});
  const std::string strong = code_directory({.flags = 0x10000});
  for (const auto& signature :
       {good(super_blob({{0, weak}, {0x1000, strong}})), good(super_blob({{0, strong}, {0x1000, weak}}))}) {
    CHECK(signature.directory.hash == HashKind::sha256);
    CHECK(signature.directory.flags.has_hardened_runtime());
    REQUIRE(signature.other_directories.size() == 1);
    CHECK(signature.other_directories.front().hash == HashKind::sha1);
  }
  const std::string truncated = code_directory({.hash_type = 3, .hash_size = 20});
  const std::string strongest = code_directory({.hash_type = 4, .hash_size = 48});
  CHECK(good(super_blob({{0, truncated}, {0x1000, strong}, {0x1004, strongest}})).directory.hash ==
        HashKind::sha384);
  CHECK(good(super_blob({{0, weak}, {0x1001, truncated}})).directory.hash == HashKind::sha256_truncated);
  CHECK(fault(super_blob({{0, strong}, {0x1000, strong}}))
            .starts_with("two CodeDirectories with one kind of hash"));
  CHECK(fault(super_blob({{5, xml_entitlements(allow_xml)}}))
            .starts_with("the signature has no CodeDirectory"));
  CHECK(fault("") == "a part of the signature has no header in 0 bytes (at 0x40)");
  CHECK(fault("1234567") == "a part of the signature has no header in 7 bytes (at 0x40)");
  CHECK(fault(super_blob({})) == "the signature has no CodeDirectory (at 0x40)");
  CHECK(good(super_blob({{0, strong}, {0x1005, weak}})).other_directories.empty());
}

TEST_CASE("a bare CodeDirectory is a signature too") {
  CHECK(good(code_directory({.identifier = "bare"})).directory.identifier == "bare");
  CHECK(fault(xml_entitlements(allow_xml)).starts_with("a signature that begins with 0xfade7171"));
}

TEST_CASE("the DER form of the entitlements decides, and XML where there is no other") {
  const auto xml = std::pair{5U, xml_entitlements(allow_xml)};
  const auto der = std::pair{7U, der_entitlements(deny_der)};
  const auto directory = std::pair{0U, code_directory()};
  const CodeSignature both = good(super_blob({directory, xml, der}));
  CHECK(both.entitlements.form == EntitlementForm::der);
  CHECK(both.entitlements.find("allow") != nullptr);
  CHECK_FALSE(both.entitlements.grants("allow"));
  const CodeSignature one = good(super_blob({directory, xml}));
  CHECK(one.entitlements.form == EntitlementForm::xml);
  CHECK(one.entitlements.grants("allow"));
}

TEST_CASE("broken entitlements are no entitlements, and are told from none") {
  const auto directory = std::pair{0U, code_directory()};
  const auto xml = std::pair{5U, xml_entitlements(allow_xml)};
  const CodeSignature broken = good(super_blob({directory, xml, {7U, der_entitlements("x")}}));
  CHECK(broken.entitlements_fault);
  CHECK(broken.entitlements.form == EntitlementForm::none);
  CHECK_FALSE(broken.entitlements.grants("allow"));
  CHECK_FALSE(good(super_blob({directory, xml})).entitlements_fault);
  CHECK(good(super_blob({directory, {5U, signature_blob(0xfade7172, allow_xml)}})).entitlements_fault);
  const std::string huge(std::size_t{1} << 20, ' ');
  const CodeSignature large = good(super_blob({directory, {5U, xml_entitlements(huge)}}));
  REQUIRE(large.entitlements_fault);
  CHECK(large.entitlements_fault->kind == ByteFaultKind::too_large);
}

TEST_CASE("signatures that lie about their parts") {
  const std::string signature = super_blob({{0, code_directory()}, {5, xml_entitlements(allow_xml)}});
  REQUIRE(fault(signature).empty());
  CHECK(fault(signature.substr(0, 7)).starts_with("a part of the signature has"));
  CHECK(fault(with_word(signature, 4, 7)).starts_with("a part of the signature has 7 bytes"));
  CHECK(fault(with_word(signature, 4, 8)).starts_with("the signature has no index"));
  CHECK(
      fault(with_word(signature, 4, 0xffffffff)).starts_with("a part of the signature has 4294967295 bytes"));
  CHECK(fault(with_word(signature, 8, 65)).starts_with("65 parts of a signature (at 0x48)"));
  CHECK(fault(with_word(signature, 4, 20)).starts_with("an index of 2 parts in a signature of 20 bytes"));
  CHECK(fault(with_word(signature, 16, 0xfffffffc)).starts_with("a part at 4294967292 of a signature"));
  CHECK(fault(with_word(signature, 16, 0)).starts_with("a CodeDirectory that begins with 0xfade0cc0"));
}

TEST_CASE("a CodeDirectory that lies about what is in it") {
  const std::string directory = code_directory({.team = "TEAM", .special_slots = 2});
  REQUIRE(fault(directory).empty());
  CHECK(good(directory).directory.special_slots == 2);
  CHECK(fault(with_word(directory, 16, 63)).starts_with("2 + 1 hashes around 63 of a CodeDirectory"));
  CHECK(fault(with_word(directory, 24, 0xffffffff)).starts_with("4294967295 + 1 hashes around"));
  CHECK(fault(with_word(directory, 28, 2)).starts_with("2 + 2 hashes around"));
  CHECK(fault(with_word(directory, 28, 0xffffffff)).starts_with("2 + 4294967295 hashes around"));
  CHECK(fault(with_word(directory, 20, 43)).starts_with("the identifier at 43 of a CodeDirectory"));
  CHECK(fault(with_word(directory, 20, 0xffffffff))
            .starts_with("the identifier at 4294967295 of a CodeDirectory"));
  CHECK(fault(with_word(directory, 48, 0xffffffff)).starts_with("the team at 4294967295 of a CodeDirectory"));
  CHECK(fault(with_word(directory, 36, 0x1402000c)).starts_with("hashes of kind 2 with 20 bytes"));
  CHECK(fault(with_word(directory, 36, 0x2005000c)).starts_with("hashes of kind 5 with 32 bytes"));
  CHECK(fault(with_word(directory, 36, 0x20020015)).starts_with("pages of 2^21 bytes"));
  const std::string small =
      code_directory({.version = 0x20000, .hash_type = 1, .hash_size = 20, .code_slots = 0});
  CHECK(fault(small).empty());
  CHECK(fault(with_word(small, 8, 0x20500)).starts_with("a CodeDirectory of version 0x20500 with 49 bytes"));
  std::string endless = code_directory({.code_slots = 0});
  REQUIRE(fault(endless).empty());
  endless.back() = 'x';
  CHECK(fault(endless).starts_with("the identifier does not end"));
}

TEST_CASE("a field that a CodeDirectory leaves out, or that is younger than it, is not read") {
  const std::string without_long_limit = with_word(code_directory({.code_limit = 0}), 32, 0x1234);
  CHECK(good(without_long_limit).directory.code_limit == 0x1234);
  CHECK(good(code_directory({.code_limit = 0x5678})).directory.code_limit == 0x5678);
  // Where later versions have the team's place, one without has letters of its identifier.
  const std::string early = code_directory({.identifier = "com.example.tool", .version = 0x20100});
  CHECK(good(early).directory.team.empty());
  CHECK(good(code_directory({.identifier = "com.example.tool", .team = "TEAM"})).directory.team == "TEAM");
}
