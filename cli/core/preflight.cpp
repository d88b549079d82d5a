// SPDX-License-Identifier: MIT
#include "cli/core/preflight.hpp"

#include "cli/core/shell_word.hpp"
#include "cli/core/signed_copy.hpp"
#include "cli/core/target/find_program.hpp"
#include "cli/core/text_format.hpp"

#include <utility>

namespace metal_unlock {
namespace {

std::string remedy_text(Remedy remedy, const std::string& file, const std::string& shim) {
  switch (remedy) {
    case Remedy::inside:
      return "run metal-unlock inside it instead, for example: sudo metal-unlock run -- COMMAND";
    case Remedy::other_build:
      return formatted("use a build of {} that is not Apple's or the App Store's, for example Homebrew's",
                       file_name(file));
    case Remedy::signed_copy:
      return formatted("metal-unlock prepare {} --output {}", shell_word(file), shell_word(copy_name(file)));
    case Remedy::sign:
      return formatted("codesign --force --sign - {}", shell_word(file));
    case Remedy::native_build:
      return formatted("install the arm64 build of {}", file_name(file));
    case Remedy::approve_shim:
      return formatted("xattr -d com.apple.quarantine {}", shell_word(shim));
    case Remedy::look_closer:
    case Remedy::nothing:
      break;
  }
  return formatted("see what happens: metal-unlock run -v -- {}", shell_word(file));
}

/// A program of the system that only starts another one is told by where metal-unlock belongs.
Finding about_wrapper(const Wrapper& wrapper, const Target& target, const LoaderRule& rule) {
  const std::string_view why =
      rule.finding ? rule.sentence
                   : std::string_view{"starts another program, which the shim would not reach"};
  const bool is_script = !target.chain.empty();
  if (!is_script) return {FindingId::target_wrapper, formatted("'{}' {}", target.program, why), wrapper.next};
  return {FindingId::script_interpreter,
          formatted("'{}' is run by '{}', which {}", target.chain.back().from, target.program, why),
          wrapper.next};
}

std::optional<Finding> finding_for(const LoaderRule& rule, const Target& target,
                                   const Surroundings& surroundings) {
  // A set-user-id program keeps its own words, whatever it starts.
  const bool is_in_the_way = rule.finding && !rule.is_attempted;
  if (target.wrapper) {
    const bool loses_shim = !target.wrapper->is_shell && !surroundings.unlocks_children;
    if (is_in_the_way || loses_shim) return about_wrapper(*target.wrapper, target, rule);
  }
  if (!rule.finding) return std::nullopt;
  Finding finding{*rule.finding, formatted("'{}' {}", target.program, rule.sentence),
                  remedy_text(rule.remedy, target.program, surroundings.shim)};
  if (rule.verdict == LoaderVerdict::unknown)
    finding.severity = rule.is_attempted ? Severity::note : Severity::warn;
  return finding;
}

std::vector<Finding> remarks_about(const Target& target, const Surroundings& surroundings) {
  std::vector<Finding> remarks;
  if (target.wrapper && target.wrapper->is_shell && !surroundings.unlocks_children) {
    Finding remark{FindingId::target_wrapper,
                   formatted("'{}' keeps the shim to itself, and what it starts runs stock", target.program),
                   target.wrapper->next};
    remark.severity = Severity::note;
    remarks.push_back(std::move(remark));
  }
  if (target.facts.is_quarantined)
    remarks.push_back({FindingId::target_quarantined,
                       formatted("'{}' is in quarantine, so macOS may ask before it starts", target.program),
                       formatted("xattr -d com.apple.quarantine {}", shell_word(target.program))});
  return remarks;
}

}  // namespace

LoaderQuestion question_about(const std::string& program, const FileFacts& facts,
                              const Surroundings& surroundings, const FileLookup& files) {
  LoaderQuestion question{.facts = facts,
                          .is_mach_o = false,
                          .slice = std::nullopt,
                          .sip = surroundings.sip,
                          .shim_slices = surroundings.shim_slices,
                          .shim_is_quarantined = surroundings.shim_is_quarantined};
  if (facts.kind != FileKind::regular) return question;
  const auto source = files.open_bytes(program);
  if (!source) return question;
  const Result<MachFile, ByteFault> file = read_mach_file(**source);
  question.is_mach_o = file || file.fault().kind != ByteFaultKind::not_mach_o;
  if (file) question.slice = starting_slice(*file);
  return question;
}

std::vector<std::string> libraries_of(const LoaderQuestion& question) {
  std::vector<std::string> names;
  if (question.slice)
    for (const Dylib& library : question.slice->dylibs) names.push_back(library.path);
  return names;
}

Clearance preflight(const Target& target, const Surroundings& surroundings, const FileLookup& files) {
  const LoaderQuestion question = question_about(target.program, target.facts, surroundings, files);
  const LoaderRule& rule = deciding_rule(question);
  return {.verdict = rule.verdict,
          .rule = std::string{rule.condition},
          .certainty = rule.certainty,
          .source = std::string{rule.source},
          .architecture = question.slice ? to_text(question.slice->architecture) : std::string{},
          .libraries = libraries_of(question),
          .finding = finding_for(rule, target, surroundings),
          .offers_copy = rule.remedy == Remedy::signed_copy && !target.wrapper,
          .remarks = remarks_about(target, surroundings)};
}

}  // namespace metal_unlock
