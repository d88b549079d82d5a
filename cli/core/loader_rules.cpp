// SPDX-License-Identifier: MIT
#include "cli/core/loader_rules.hpp"

#include <algorithm>
#include <array>

namespace metal_unlock {
namespace {

using Question = LoaderQuestion;

bool is_intel(const Question& question) {
  const SliceKind kind = question.slice ? question.slice->architecture.kind() : SliceKind::other;
  return kind == SliceKind::x86_64 || kind == SliceKind::x86_64h;
}

}  // namespace

bool grants(const LoaderQuestion& question, std::string_view name) {
  return question.slice && question.slice->signature && question.slice->signature->entitlements.grants(name);
}

bool is_hardened(const LoaderQuestion& question) {
  return question.slice && question.slice->signature &&
         question.slice->signature->directory.flags.has_hardened_runtime();
}

bool validates_libraries(const LoaderQuestion& question) {
  if (!question.slice || !question.slice->signature) return false;
  const SigningFlags flags = question.slice->signature->directory.flags;
  return (flags.requires_library_validation() || flags.has_hardened_runtime()) &&
         !grants(question, entitlement::disable_library_validation);
}

bool is_protected(const LoaderQuestion& question) {
  return question.facts.is_restricted ||
         (question.slice && question.slice->signature && question.slice->signature->directory.platform != 0);
}

bool has_shim_slice(const LoaderQuestion& question) {
  if (!question.slice) return true;
  const std::string wanted = is_intel(question)                                         ? "x86_64"
                             : question.slice->architecture.kind() == SliceKind::arm64e ? "arm64e"
                                                                                        : "arm64";
  if (question.shim_slices.empty()) return wanted == "arm64";
  return std::ranges::find(question.shim_slices, wanted) != question.shim_slices.end();
}

namespace {

bool has_restrict_section(const Question& question) {
  return question.slice && question.slice->has_restrict_section();
}

bool has_restrict_flag(const Question& question) {
  return question.slice && question.slice->signature &&
         question.slice->signature->directory.flags.is_restricted();
}

bool is_sip_on(const Question& question) { return question.sip == SipState::on; }

bool is_built_for_others(const Question& question) {
  return question.slice && !question.slice->builds.empty() &&
         question.slice->build_for(Platform::macos) == nullptr;
}

bool is_for_catalyst(const Question& question) {
  return is_built_for_others(question) && question.slice->build_for(Platform::mac_catalyst) != nullptr;
}

using enum LoaderVerdict;
using enum Certainty;
using enum FindingId;

constexpr std::array rules{
    LoaderRule{"set-user-id or set-group-id", [](const Question& q) { return q.facts.changes_identity; },
               dropped, source_code, "dyld, pruneEnvVars", target_setuid,
               "is set-user-id or set-group-id, so the loader drops the shim", Remedy::inside},
    LoaderRule{"encrypted by the App Store",
               [](const Question& q) { return q.slice && q.slice->is_encrypted(); }, dropped,
               reverse_engineered, "AMFI, state bit 13", target_encrypted,
               "is encrypted by the App Store, so the loader drops the shim", Remedy::other_build},
    LoaderRule{"built for another system than macOS",
               [](const Question& q) { return is_built_for_others(q) && !is_for_catalyst(q); }, dropped,
               reverse_engineered, "AMFI, state bit 16", target_platform,
               "is built for iOS or another system, so the loader drops the shim", Remedy::other_build},
    LoaderRule{"__RESTRICT segment, SIP on",
               [](const Question& q) { return has_restrict_section(q) && is_sip_on(q); }, dropped,
               source_code, "dyld, AMFI input bit 1", target_restricted,
               "has a __RESTRICT segment, so the loader drops the shim while SIP is on", Remedy::other_build},
    LoaderRule{"restricted by its signature, SIP on",
               [](const Question& q) { return has_restrict_flag(q) && is_sip_on(q); }, dropped, source_code,
               "dyld 852, CS_RESTRICT", target_restricted,
               "is restricted by its signature, so the loader drops the shim while SIP is on",
               Remedy::signed_copy},
    LoaderRule{"protected by SIP", [](const Question& q) { return is_protected(q) && is_sip_on(q); }, dropped,
               documented, "Apple, System Integrity Protection Guide", target_protected,
               "is protected by SIP, so the loader drops the shim", Remedy::other_build},
    LoaderRule{"no signature",
               [](const Question& q) {
                 return q.slice && !is_intel(q) && !q.slice->fault && !q.slice->signature &&
                        !q.slice->signature_range;
               },
               would_kill, documented, "Apple, code on Apple silicon must be signed", target_unsigned,
               "has no signature, and macOS ends every arm64 program without one", Remedy::sign},
    LoaderRule{
        "hardened runtime, DYLD variables not allowed",
        [](const Question& q) {
          return is_hardened(q) && !grants(q, entitlement::allow_dyld_variables) &&
                 !grants(q, entitlement::get_task_allow);
        },
        dropped, documented, "Apple, Allow DYLD environment variables entitlement", target_hardened,
        "is signed with the hardened runtime and does not allow DYLD variables, so the loader drops the shim",
        Remedy::signed_copy},
    LoaderRule{"built for Mac Catalyst", is_for_catalyst, would_kill, source_code,
               "dyld, incompatible platform", target_platform,
               "is built for Mac Catalyst, and the loader ends it over a library for macOS",
               Remedy::other_build},
    LoaderRule{"Rosetta, no slice of the shim",
               [](const Question& q) { return is_intel(q) && !has_shim_slice(q); }, would_kill, source_code,
               "dyld, GradedArchitectures", target_rosetta,
               "runs under Rosetta, and the loader ends it over a shim without x86_64", Remedy::native_build},
    LoaderRule{"no slice of the shim fits", [](const Question& q) { return !has_shim_slice(q); }, would_kill,
               source_code, "dyld, GradedArchitectures", target_architecture,
               "is arm64e, and the loader ends it over a shim without that slice", Remedy::other_build},
    LoaderRule{"only get-task-allow, libraries validated",
               [](const Question& q) {
                 return is_hardened(q) && !grants(q, entitlement::allow_dyld_variables) &&
                        validates_libraries(q);
               },
               unknown, unconfirmed, "AMFI, state bit 10", target_uncertain,
               "allows a debugger, but neither DYLD variables nor foreign libraries; what the loader does is "
               "not known",
               Remedy::signed_copy},
    LoaderRule{"library validation", validates_libraries, would_kill, documented,
               "Apple, Disable Library Validation entitlement", target_validates_libraries,
               "only loads libraries of its own team, and the loader ends it over the shim",
               Remedy::signed_copy},
    LoaderRule{"app sandbox", [](const Question& q) { return grants(q, entitlement::app_sandbox); },
               would_kill, unconfirmed, "AMFI, state bit 14; the shim lies outside the sandbox",
               target_sandboxed, "is sandboxed and cannot read the shim, so the loader ends it",
               Remedy::signed_copy},
    LoaderRule{"the shim is in quarantine",
               [](const Question& q) { return q.is_mach_o && q.shim_is_quarantined; }, would_kill, measured,
               "reports of \"library load disallowed by system policy\"", shim_quarantined,
               "would be ended, since the shim is in quarantine", Remedy::approve_shim},
    LoaderRule{
        "only get-task-allow",
        [](const Question& q) { return is_hardened(q) && !grants(q, entitlement::allow_dyld_variables); },
        unknown, unconfirmed, "AMFI, state bit 10", target_uncertain,
        "allows a debugger, but not DYLD variables; the loader usually takes the shim", Remedy::look_closer,
        true},
    LoaderRule{"protected, SIP not known",
               [](const Question& q) {
                 const bool is_weighed = has_restrict_section(q) || has_restrict_flag(q) || is_protected(q);
                 return is_weighed && q.sip == SipState::unknown;
               },
               unknown, documented, "Apple, System Integrity Protection Guide", target_uncertain,
               "is protected where SIP is on, and whether it is on is not known", Remedy::look_closer, true},
    LoaderRule{"Rosetta", is_intel, unknown, unconfirmed,
               "nobody measured the paravirtual device under Rosetta", target_rosetta,
               "runs under Rosetta, where the unlock was never measured", Remedy::native_build},
    LoaderRule{"a Mach-O file that cannot be read",
               [](const Question& q) {
                 return q.is_mach_o && (!q.slice || q.slice->fault || q.slice->signature_fault);
               },
               unknown, unconfirmed, "none", target_unreadable,
               "cannot be read as a program for this Mac, so what the loader does is not known",
               Remedy::look_closer, true},
    LoaderRule{"protected, SIP off", [](const Question& q) { return is_protected(q); }, inserts, measured,
               "logs of system tools with SIP off", std::nullopt},
    LoaderRule{"hardened runtime, both entitlements", is_hardened, inserts, documented,
               "Apple, Allow DYLD environment variables entitlement", std::nullopt},
    LoaderRule{"an ordinary signature", [](const Question& q) { return q.is_mach_o; }, inserts, measured,
               "dyld 852; every user of the existing shims", std::nullopt},
    LoaderRule{"not a Mach-O file", [](const Question&) { return true; }, inserts, documented, "ld.so(8)",
               std::nullopt},
};

}  // namespace

std::string_view to_text(LoaderVerdict verdict) {
  switch (verdict) {
    case LoaderVerdict::inserts:
      return "inserts";
    case LoaderVerdict::dropped:
      return "dropped";
    case LoaderVerdict::would_kill:
      return "would kill";
    case LoaderVerdict::unknown:
      break;
  }
  return "unknown";
}

std::string_view to_text(Certainty certainty) {
  switch (certainty) {
    case Certainty::measured:
      return "measured";
    case Certainty::documented:
      return "documented";
    case Certainty::source_code:
      return "source code";
    case Certainty::reverse_engineered:
      return "reverse-engineered";
    case Certainty::unconfirmed:
      break;
  }
  return "unconfirmed";
}

std::span<const LoaderRule> loader_rules() { return rules; }

const LoaderRule& deciding_rule(const LoaderQuestion& question) {
  return *std::ranges::find_if(rules, [&](const LoaderRule& rule) { return rule.applies(question); });
}

std::optional<Slice> starting_slice(const MachFile& file) {
  for (const SliceKind kind : {SliceKind::arm64e, SliceKind::arm64, SliceKind::x86_64h, SliceKind::x86_64})
    if (const Slice* slice = file.slice(kind)) return *slice;
  return std::nullopt;
}

}  // namespace metal_unlock
