// SPDX-License-Identifier: MIT
#include "cli/core/loader_rules.hpp"

#include "tests/catch.hpp"
#include "tests/macho/program_builder.hpp"

#include <algorithm>
#include <set>

using namespace metal_unlock;

namespace {

using Slices = std::vector<std::string>;
using enum LoaderVerdict;
using enum Certainty;

const Slices universal{"x86_64", "arm64", "arm64e"};
constexpr FileFacts ordinary{FileKind::regular, true, false};
constexpr FileFacts setuid{FileKind::regular, true, true};
constexpr FileFacts guarded{FileKind::regular, true, false, true};

constexpr std::string_view variables = entitlement::allow_dyld_variables;
constexpr std::string_view libraries = entitlement::disable_library_validation;
constexpr std::string_view debugged = entitlement::get_task_allow;
constexpr std::string_view sandboxed = entitlement::app_sandbox;

LoaderQuestion question_for(const std::string& bytes, const FileFacts& facts, SipState sip,
                            const Slices& slices) {
  LoaderQuestion question{.facts = facts,
                          .is_mach_o = false,
                          .slice = std::nullopt,
                          .sip = sip,
                          .shim_slices = slices,
                          .shim_is_quarantined = false};
  const auto file = read_mach_file(MemorySource{bytes});
  question.is_mach_o = static_cast<bool>(file);
  if (file) question.slice = starting_slice(*file);
  return question;
}

struct LoaderRow {
  const char* name;
  std::string bytes;
  LoaderVerdict verdict;
  Certainty certainty;
  const char* rule;
  FileFacts facts = ordinary;
  SipState sip = SipState::on;
  Slices slices = universal;
};

std::string with_unreadable_signature(std::string program) {
  program.at(program.find("\xfa\xde\x0c\xc0")) = '\0';
  return program;
}

std::vector<LoaderRow> rows() {
  const std::string plain = program_file();
  const std::string elf(
      "\x7f"
      "ELF\2\1\1\0",
      8);
  return {
      // The rows of the table of injection rules, in its order.
      {"linker-signed", plain, inserts, measured, "an ordinary signature"},
      {"ad hoc", program_file({.flags = signed_ad_hoc}), inserts, measured, "an ordinary signature"},
      {"signed by a team, not hardened", program_file({.flags = 0, .team = "AB12"}), inserts, measured,
       "an ordinary signature"},
      {"hardened", program_file({.flags = hardened}), dropped, documented,
       "hardened runtime, DYLD variables not allowed"},
      {"hardened, another entitlement", program_file({.flags = hardened, .entitlements = {libraries}}),
       dropped, documented, "hardened runtime, DYLD variables not allowed"},
      {"hardened, variables only", program_file({.flags = hardened, .entitlements = {variables}}), would_kill,
       documented, "library validation"},
      {"hardened, both", program_file({.flags = hardened, .entitlements = {variables, libraries}}), inserts,
       documented, "hardened runtime, both entitlements"},
      {"library validation without the runtime", program_file({.flags = validating}), would_kill, documented,
       "library validation"},
      {"library validation, disabled", program_file({.flags = validating, .entitlements = {libraries}}),
       inserts, measured, "an ordinary signature"},
      {"hardened, a debugger only", program_file({.flags = hardened, .entitlements = {debugged}}), unknown,
       unconfirmed, "only get-task-allow, libraries validated"},
      {"hardened, a debugger and libraries",
       program_file({.flags = hardened, .entitlements = {debugged, libraries}}), unknown, unconfirmed,
       "only get-task-allow"},
      {"hardened, all three",
       program_file({.flags = hardened, .entitlements = {debugged, variables, libraries}}), inserts,
       documented, "hardened runtime, both entitlements"},
      {"set-user-id", plain, dropped, source_code, "set-user-id or set-group-id", setuid},
      {"set-user-id, SIP off", plain, dropped, source_code, "set-user-id or set-group-id", setuid,
       SipState::off},
      {"__RESTRICT", program_file({.has_restrict_section = true}), dropped, source_code,
       "__RESTRICT segment, SIP on"},
      {"__RESTRICT, SIP off", program_file({.has_restrict_section = true}), inserts, measured,
       "an ordinary signature", ordinary, SipState::off},
      {"__RESTRICT, SIP not known", program_file({.has_restrict_section = true}), unknown, documented,
       "protected, SIP not known", ordinary, SipState::unknown},
      {"restricted flag", program_file({.flags = restricted}), dropped, source_code,
       "restricted by its signature, SIP on"},
      {"restricted flag, SIP off", program_file({.flags = restricted}), inserts, measured,
       "an ordinary signature", ordinary, SipState::off},
      {"a guarded file", plain, dropped, documented, "protected by SIP", guarded},
      {"a guarded file that is a script's interpreter", elf, dropped, documented, "protected by SIP",
       guarded},
      {"a guarded file, SIP off", plain, inserts, measured, "protected, SIP off", guarded, SipState::off},
      {"a guarded file, SIP not known", plain, unknown, documented, "protected, SIP not known", guarded,
       SipState::unknown},
      {"a platform program", program_file({.architecture = arm64e, .platform = 15}), dropped, documented,
       "protected by SIP"},
      {"a platform program, SIP off", program_file({.architecture = arm64e, .platform = 15}), inserts,
       measured, "protected, SIP off", ordinary, SipState::off},
      {"the same without that slice",
       program_file({.architecture = arm64e, .platform = 15}),
       would_kill,
       source_code,
       "no slice of the shim fits",
       ordinary,
       SipState::off,
       {"x86_64", "arm64"}},
      {"sandboxed", program_file({.entitlements = {sandboxed}}), would_kill, unconfirmed, "app sandbox"},
      {"sandboxed and hardened", program_file({.flags = hardened, .entitlements = {sandboxed}}), dropped,
       documented, "hardened runtime, DYLD variables not allowed"},
      {"encrypted", program_file({.is_encrypted = true}), dropped, reverse_engineered,
       "encrypted by the App Store"},
      {"for iOS", program_file({.system = 2}), dropped, reverse_engineered,
       "built for another system than macOS"},
      {"for Mac Catalyst", program_file({.system = 6}), would_kill, source_code, "built for Mac Catalyst"},
      // Architectures.
      {"arm64e", program_file({.architecture = arm64e}), inserts, measured, "an ordinary signature"},
      {"arm64e, no such slice",
       program_file({.architecture = arm64e}),
       would_kill,
       source_code,
       "no slice of the shim fits",
       ordinary,
       SipState::on,
       {"arm64"}},
      {"x86_64", program_file({.architecture = x86_64}), unknown, unconfirmed, "Rosetta"},
      {"x86_64h", program_file({.architecture = x86_64h}), unknown, unconfirmed, "Rosetta"},
      {"x86_64, no such slice",
       program_file({.architecture = x86_64}),
       would_kill,
       source_code,
       "Rosetta, no slice of the shim",
       ordinary,
       SipState::on,
       {"arm64", "arm64e"}},
      {"x86_64 without a signature", program_file({.architecture = x86_64, .is_signed = false}), unknown,
       unconfirmed, "Rosetta"},
      {"x86_64 and arm64",
       fat_program_file({{.architecture = x86_64}, {}}),
       inserts,
       measured,
       "an ordinary signature",
       ordinary,
       SipState::on,
       {"arm64"}},
      {"x86_64 and hardened arm64", fat_program_file({{.architecture = x86_64}, {.flags = hardened}}),
       dropped, documented, "hardened runtime, DYLD variables not allowed"},
      {"arm64e and hardened arm64", fat_program_file({{.architecture = arm64e}, {.flags = hardened}}),
       inserts, measured, "an ordinary signature"},
      {"hardened x86_64 and arm64", fat_program_file({{.architecture = x86_64, .flags = hardened}, {}}),
       inserts, measured, "an ordinary signature"},
      {"arm64, a shim for this machine only",
       plain,
       inserts,
       measured,
       "an ordinary signature",
       ordinary,
       SipState::on,
       {}},
      // What is no ordinary program.
      {"no signature", program_file({.is_signed = false}), would_kill, documented, "no signature"},
      {"PowerPC", program_file({.architecture = {CpuType::powerpc, 0}}), unknown, unconfirmed,
       "a Mach-O file that cannot be read"},
      {"a signature that cannot be read", with_unreadable_signature(plain), unknown, unconfirmed,
       "a Mach-O file that cannot be read"},
      {"cut off", program_file().substr(0, 200), unknown, unconfirmed, "a Mach-O file that cannot be read"},
      {"another system's program", elf, inserts, documented, "not a Mach-O file"},
      {"an empty file", "", inserts, documented, "not a Mach-O file"},
  };
}

}  // namespace

TEST_CASE("a shim of which no slices are told is this machine's own, for arm64 alone") {
  const auto fits = [](Architecture architecture, std::vector<std::string> slices) {
    LoaderQuestion question;
    question.slice.emplace().architecture = architecture;
    question.shim_slices = std::move(slices);
    return has_shim_slice(question);
  };
  const Architecture plain_arm64{CpuType::arm64, 0};
  const Architecture systems_own{CpuType::arm64, 2};
  const Architecture intel{CpuType::x86_64, 3};
  CHECK(fits(plain_arm64, {}));
  CHECK_FALSE(fits(systems_own, {}));
  CHECK_FALSE(fits(intel, {}));
  CHECK(fits(systems_own, {"arm64", "arm64e"}));
  CHECK(fits(intel, {"x86_64"}));
  CHECK_FALSE(fits(plain_arm64, {"x86_64"}));
  CHECK(has_shim_slice(LoaderQuestion{}));
}

TEST_CASE("each row of the loader's rules decides what it is for") {
  std::set<std::string_view> decided;
  for (const LoaderRow& row : rows()) {
    CAPTURE(row.name);
    const LoaderRule& rule = deciding_rule(question_for(row.bytes, row.facts, row.sip, row.slices));
    CHECK(rule.condition == row.rule);
    CHECK(rule.verdict == row.verdict);
    CHECK(rule.certainty == row.certainty);
    decided.insert(rule.condition);
  }
  LoaderQuestion quarantined = question_for(program_file(), ordinary, SipState::off, universal);
  CHECK(deciding_rule(quarantined).verdict == inserts);
  quarantined.shim_is_quarantined = true;
  CHECK(deciding_rule(quarantined).verdict == would_kill);
  CHECK(deciding_rule(quarantined).certainty == measured);
  decided.insert(deciding_rule(quarantined).condition);
  for (const LoaderRule& rule : loader_rules()) {
    CAPTURE(rule.condition);
    CHECK(decided.contains(rule.condition));
  }
}

TEST_CASE("each row of the loader's rules says what it needs to say") {
  std::set<std::string_view> conditions;
  for (const LoaderRule& rule : loader_rules()) {
    CAPTURE(rule.condition);
    CHECK(conditions.insert(rule.condition).second);
    CHECK_FALSE(rule.source.empty());
    CHECK(rule.finding.has_value() == (rule.verdict != inserts));
    CHECK(rule.sentence.empty() == !rule.finding);
    CHECK((rule.remedy == Remedy::nothing) == !rule.finding);
    // What dyld would kill is never attempted.
    if (rule.is_attempted) CHECK(rule.verdict == unknown);
    if (rule.verdict == unknown && !rule.is_attempted)
      CHECK(catalogue_row(*rule.finding).severity >= Severity::note);
  }
  CHECK(loader_rules().back().applies(LoaderQuestion{}));
}
