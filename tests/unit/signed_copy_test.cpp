// SPDX-License-Identifier: MIT
#include "cli/core/signed_copy.hpp"

#include "tests/catch.hpp"
#include "tests/macho/program_builder.hpp"
#include "tests/unit/recorded_files.hpp"

#include <algorithm>

using namespace metal_unlock;

namespace {

using Words = std::vector<std::string>;

Result<SignedCopy> planned(const RecordedFiles& files, const std::string& program,
                           const std::string& output) {
  const auto target = resolve_target({program}, Environment{}, files);
  if (!target) FAIL(target.finding().sentence);
  return plan_signed_copy(*target, output, files);
}

bool mentions(const Words& lines, const std::string& text) {
  return std::ranges::any_of(lines,
                             [&](const std::string& line) { return line.find(text) != std::string::npos; });
}

}  // namespace

TEST_CASE("a copy keeps the program's entitlements, gets two, and loses what only Apple can grant") {
  RecordedFiles files;
  files.binary("/w/tool",
               program_file({.flags = hardened,
                             .team = "AB12",
                             .entitlements = {"com.apple.security.cs.allow-jit", "com.apple.developer.x",
                                              "keychain-access-groups", "com.apple.private.y"}}));
  const auto copy = planned(files, "/w/tool", "/w/copy");
  REQUIRE(copy);
  CHECK(copy->source == "/w/tool");
  CHECK_FALSE(copy->is_bundle);
  CHECK(copy->added == Words{"com.apple.security.cs.allow-dyld-environment-variables",
                             "com.apple.security.cs.disable-library-validation"});
  CHECK(copy->stripped == Words{"com.apple.developer.x", "keychain-access-groups", "com.apple.private.y"});
  for (const std::string& name : copy->stripped) CHECK(mentions(copy->losses, name));
  CHECK(mentions(copy->losses, "AB12"));
  const auto plist = parse_xml_entitlements(copy->entitlements, 0);
  REQUIRE(plist);
  CHECK(plist->entries.size() == 3);
  CHECK(plist->grants("com.apple.security.cs.allow-jit"));
  for (const std::string& name : copy->added) CHECK(plist->grants(name));
}

TEST_CASE("what is granted already is not granted twice") {
  RecordedFiles files;
  files.binary("/w/tool",
               program_file({.flags = hardened,
                             .entitlements = {"com.apple.security.cs.disable-library-validation"}}));
  const auto copy = planned(files, "/w/tool", "/w/copy");
  REQUIRE(copy);
  CHECK(copy->added == Words{"com.apple.security.cs.allow-dyld-environment-variables"});
  CHECK(copy->stripped.empty());
  CHECK(parse_xml_entitlements(copy->entitlements, 0)->entries.size() == 2);
}

TEST_CASE("a program in an application's folder is copied with all of it") {
  RecordedFiles files;
  files.binary("/Applications/X.app/Contents/MacOS/X", program_file({.flags = hardened}));
  const auto copy = planned(files, "/Applications/X.app", "/w/Y.app");
  REQUIRE(copy);
  CHECK(copy->is_bundle);
  CHECK(copy->source == "/Applications/X.app");
  CHECK(copy_commands(*copy, "/t/e").front() == Words{"ditto", "/Applications/X.app", "/w/Y.app"});
  CHECK(copy_name("/Applications/X.app/Contents/MacOS/X") == "./X-unlocked.app");
  CHECK(copy_name("/opt/bin/tool") == "./tool-unlocked");
  CHECK_FALSE(planned(files, "/Applications/X.app", "/Applications/X.app/Y.app"));
}

TEST_CASE("the commands sign the copy, and nothing but the copy") {
  RecordedFiles files;
  files.binary("/w/tool", program_file({.flags = hardened}));
  const auto commands = copy_commands(*planned(files, "/w/tool", "/w/copy"), "/t/e.plist");
  REQUIRE(commands.size() == 4);
  CHECK(commands.at(0) == Words{"cp", "-p", "/w/tool", "/w/copy"});
  CHECK(commands.at(2) == Words{"codesign", "--force", "--sign", "-", "--options", "runtime",
                                "--entitlements", "/t/e.plist", "/w/copy"});
  for (std::size_t i = 1; i < commands.size(); ++i) {
    CHECK(commands.at(i).back() == "/w/copy");
    CHECK(std::ranges::find(commands.at(i), "--deep") == commands.at(i).end());
  }
}

TEST_CASE("no copy is made of the system's programs, nor over anything, nor of what is no program") {
  RecordedFiles files;
  files.binary("/w/guarded", program_file(), {FileKind::regular, true, false, true});
  files.binary("/usr/bin/tool", program_file()).binary("/w/platform", program_file({.platform = 14}));
  files.binary("/w/tool", program_file()).text("/w/there", "x").program("/w/elf");
  for (const char* program : {"/w/guarded", "/usr/bin/tool", "/w/platform", "/w/elf"}) {
    CAPTURE(program);
    const auto copy = planned(files, program, "/w/copy");
    REQUIRE_FALSE(copy);
    CHECK(copy.finding().id == FindingId::prepare_refused);
  }
  CHECK_FALSE(planned(files, "/w/tool", "/w/there"));
  CHECK(planned(files, "/w/tool", "/w/copy"));
}

TEST_CASE("entitlements are written as they were read, whatever they hold") {
  const Entitlements all{
      .form = EntitlementForm::xml,
      .entries = {{"a&b", EntitlementValue{std::string{"<x>"}}},
                  {"n", EntitlementValue{std::int64_t{-12}}},
                  {"no", EntitlementValue{false}},
                  {"list", EntitlementValue{EntitlementValue::List{{std::string{"1"}}, {true}}}},
                  {"table", EntitlementValue{EntitlementValue::Dictionary{{"k", EntitlementValue{true}}}}}}};
  const auto again = parse_xml_entitlements(entitlements_plist(all), 0);
  REQUIRE(again);
  CHECK(again->entries == all.entries);
}

TEST_CASE("a copy is not sandboxed, and is granted what the original says it does without") {
  RecordedFiles files;
  const std::string name = "com.apple.security.cs.disable-library-validation";
  std::string bytes =
      program_file({.flags = hardened, .entitlements = {"com.apple.security.app-sandbox", name}});
  // The byte of its truth, behind its kind and its length in DER.
  char& truth = bytes.at(bytes.rfind(name) + name.size() + 2);
  REQUIRE(truth != 0);
  truth = 0;
  files.binary("/w/tool", bytes);
  const auto copy = planned(files, "/w/tool", "/w/copy");
  REQUIRE(copy);
  CHECK(copy->stripped == Words{"com.apple.security.app-sandbox"});
  CHECK(mentions(copy->losses, "the copy is not sandboxed"));
  CHECK(std::ranges::count(copy->added, name) == 1);
  CHECK(parse_xml_entitlements(copy->entitlements, 0)->grants(name));
}
