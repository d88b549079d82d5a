// SPDX-License-Identifier: MIT
#include "cli/core/attach.hpp"

#include "cli/core/shell_word.hpp"
#include "cli/core/target/find_program.hpp"
#include "cli/core/text_format.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace metal_unlock {
namespace {

using Facts = ProcessFacts;

/// One reason to leave a process alone.
struct ProcessRule {
  bool (*applies)(const Facts& process, const DebugMeans& means);
  FindingId finding;
  std::string_view sentence;  ///< follows the name of the process
  std::string_view next;      ///< {pid} stands for the number
};

bool needs_administrator(const DebugMeans& means) {
  return means.scope != TraceScope::same_user && !means.is_administrator;
}

using enum FindingId;

constexpr std::string_view start_anew = "start it under the unlock instead: metal-unlock run -- COMMAND";

constexpr std::array rules{
    ProcessRule{[](const Facts& p, const DebugMeans&) { return p.state == ProcessState::missing; },
                process_unsuitable, "does not exist", "find its number: pgrep -l NAME"},
    ProcessRule{[](const Facts& p, const DebugMeans&) { return p.state == ProcessState::ended; },
                process_unsuitable, "has ended, and only its status is left",
                "find the number of the one that runs: pgrep -l NAME"},
    ProcessRule{[](const Facts& p, const DebugMeans&) { return p.waits_for_us; }, process_unsuitable,
                "is metal-unlock itself, or waits for it", "name the process that uses Metal"},
    ProcessRule{[](const Facts& p, const DebugMeans&) { return !p.is_same_user; }, process_unsuitable,
                "belongs to another user", "attach as that user: sudo -u USER metal-unlock attach {pid}"},
    ProcessRule{[](const Facts& p, const DebugMeans&) { return p.is_traced; }, process_unsuitable,
                "has a debugger already", "leave that debugger first"},
    ProcessRule{[](const Facts& p, const DebugMeans&) { return p.state == ProcessState::stopped; },
                process_unsuitable, "is stopped, and would load nothing", "let it go on: kill -CONT {pid}"},
    ProcessRule{[](const Facts& p, const DebugMeans&) { return !p.is_open; }, attach_denied,
                "lets nobody look into it", start_anew},
    ProcessRule{[](const Facts& p, const DebugMeans&) { return !p.is_native; }, target_architecture,
                "was built for another processor than this one", "start a build for this processor"},
    ProcessRule{[](const Facts& p, const DebugMeans&) { return !p.has_loader; }, process_unsuitable,
                "is linked statically, and can load no library", "use a build that is linked dynamically"},
    ProcessRule{[](const Facts&, const DebugMeans& m) { return m.scope == TraceScope::nobody; },
                attach_denied, "cannot be attached to: kernel.yama.ptrace_scope is 3", start_anew},
    ProcessRule{[](const Facts&, const DebugMeans& m) { return needs_administrator(m); }, attach_denied,
                "cannot be attached to: kernel.yama.ptrace_scope keeps debuggers from it",
                "until the next start: sudo sysctl kernel.yama.ptrace_scope=0"},
};

std::string with_pid(std::string_view text, const Facts& process) {
  constexpr std::string_view placeholder = "{pid}";
  std::string words{text};
  const std::size_t at = words.find(placeholder);
  return at == std::string::npos ? words
                                 : words.replace(at, placeholder.size(), formatted("{}", process.pid));
}

bool is_shim(std::string_view path, std::string_view shim_name) {
  return path.substr(path.rfind('/') + 1).starts_with(shim_name);
}

/// The text of a field of an event; events have no quote or backslash in the fields that are asked for.
std::string field_of(std::string_view event, std::string_view name) {
  const std::string key = formatted("\"{}\":\"", name);
  const std::size_t at = event.find(key);
  if (at == std::string_view::npos) return {};
  event.remove_prefix(at + key.size());
  return std::string{event.substr(0, event.find('"'))};
}

std::string signed_copy_of(const Facts& process) {
  return formatted("metal-unlock prepare {}, then start the copy with metal-unlock run",
                   shell_word(process.program));
}

}  // namespace

std::string name_of(const ProcessFacts& process) {
  return process.program.empty() ? formatted("process {}", process.pid)
                                 : formatted("process {} ('{}')", process.pid, process.program);
}

std::optional<Finding> obstacle_to_attach(const ProcessFacts& process, const DebugMeans& means,
                                          std::string_view shim_name) {
  // A span's iterator is a class with every library; an array's is a pointer with some.
  const std::span<const ProcessRule> table = rules;
  const auto rule =
      std::ranges::find_if(table, [&](const ProcessRule& row) { return row.applies(process, means); });
  if (rule != table.end() && rule->finding != attach_denied)
    return Finding{rule->finding, formatted("{} {}", name_of(process), rule->sentence),
                   with_pid(rule->next, process)};
  // Where it cannot be attached to, it may still be known that there is no need to.
  const auto loaded = std::ranges::find_if(process.libraries,
                                           [&](const std::string& path) { return is_shim(path, shim_name); });
  if (loaded != process.libraries.end())
    return Finding{already_loaded, formatted("{} has the shim already", name_of(process)),
                   "to change what it answers, start it anew: metal-unlock run -- COMMAND"};
  if (rule == table.end()) return std::nullopt;
  return Finding{rule->finding, formatted("{} {}", name_of(process), rule->sentence),
                 with_pid(rule->next, process)};
}

std::optional<Finding> signature_obstacle(const ProcessFacts& process, const LoaderQuestion& question) {
  if (!question.is_mach_o) return std::nullopt;
  const auto finding = [&](FindingId id, std::string_view why, std::string next) {
    return Finding{id, formatted("{} {}", name_of(process), why), std::move(next)};
  };
  const bool may_be_guarded = question.sip != SipState::off;
  if (is_protected(question) && may_be_guarded)
    return finding(target_protected, "is protected by SIP, so no debugger may attach to it",
                   formatted("use a build of {} that is not Apple's", file_name(process.program)));
  if (is_hardened(question) && !grants(question, entitlement::get_task_allow) && may_be_guarded)
    return finding(
        attach_denied,
        "is signed with the hardened runtime and without get-task-allow, so no debugger may attach",
        signed_copy_of(process));
  if (!has_shim_slice(question))
    return finding(target_architecture, "has an architecture that the shim was not built for",
                   "start a build for arm64");
  if (validates_libraries(question))
    return finding(target_validates_libraries, "only loads libraries of its own team",
                   signed_copy_of(process));
  if (grants(question, entitlement::app_sandbox))
    return finding(target_sandboxed, "is sandboxed and cannot read the shim", signed_copy_of(process));
  return std::nullopt;
}

AttachProof read_attach_proof(std::string_view report) {
  AttachProof proof;
  while (!report.empty()) {
    const std::string_view line = report.substr(0, report.find('\n'));
    const std::string event = field_of(line, "event");
    if (event == "loaded") proof.is_loaded = true;
    if (event == "metal") proof.found_metal = field_of(line, "origin") != "absent";
    if (event == "effective") proof.device_class = field_of(line, "class");
    if (event == "ineffective")
      proof.ineffective = formatted("{}: {}, {}", field_of(line, "class"), field_of(line, "question"),
                                    field_of(line, "reason"));
    report.remove_prefix(std::min(report.size(), line.size() + 1));
  }
  return proof;
}

std::optional<Finding> missing_effect(const ProcessFacts& process, const AttachProof& proof) {
  const auto finding = [&](std::string_view why) {
    return Finding{attach_failed, formatted("the shim is in {}, but {}", name_of(process), why),
                   std::string{start_anew}};
  };
  if (!proof.is_loaded) return finding("says nothing");
  if (!proof.found_metal) return finding("found no Metal there");
  if (!proof.ineffective.empty()) return finding(formatted("is not effective ({})", proof.ineffective));
  if (proof.device_class.empty()) return finding("Metal has no device there that it may unlock");
  return std::nullopt;
}

}  // namespace metal_unlock
