// SPDX-License-Identifier: MIT
#include "cli/core/attach.hpp"

#include "cli/core/debugger_script.hpp"
#include "cli/core/preflight.hpp"
#include "tests/catch.hpp"
#include "tests/macho/program_builder.hpp"
#include "tests/text_search.hpp"
#include "tests/unit/recorded_files.hpp"
#include "tests/unit/recorded_system.hpp"

using namespace metal_unlock;

namespace {

using Words = std::vector<std::string>;

constexpr std::string_view shim_name = "libmetal-unlock.so";

ProcessFacts running(std::string program = "/w/server") {
  ProcessFacts process;
  process.pid = 4242;
  process.state = ProcessState::running;
  process.program = std::move(program);
  return process;
}

std::string id_of(const std::optional<Finding>& finding) {
  return finding ? std::string{catalogue_row(finding->id).name} : "";
}

std::string signed_obstacle(const std::string& bytes, SipState sip = SipState::on) {
  RecordedFiles files;
  files.binary("/w/server", bytes);
  const Surroundings surroundings{.sip = sip, .shim_slices = {"x86_64", "arm64"}, .shim = {}};
  return id_of(signature_obstacle(
      running(), question_about("/w/server", files.facts("/w/server"), surroundings, files)));
}

constexpr std::string_view good_report =
    "{\"event\":\"plan\",\"schema\":1}\n"
    "{\"event\":\"loaded\",\"claims\":{\"apple_family\":1007}}\n"
    "{\"event\":\"metal\",\"origin\":\"linked\"}\n"
    "{\"event\":\"effective\",\"class\":\"AppleParavirtDevice\"}\n";

/// A world with one process, and a debugger that says this.
RecordedSystem world(const std::string& said, std::string report = std::string{good_report}) {
  RecordedSystem system;
  system.add_program("/usr/bin/gdb");
  system.processes = {running()};
  Finished debugger;
  debugger.output = said;
  system.runs = {debugger};
  system.written_by_run = {{"/home/me/.cache/metal-unlock/attach-4242/report", std::move(report)}};
  return system;
}

}  // namespace

TEST_CASE("a protected process is left alone unless SIP is known to be off") {
  LoaderQuestion question;
  question.is_mach_o = true;
  question.facts.is_restricted = true;
  for (const SipState sip : {SipState::on, SipState::unknown}) {
    question.sip = sip;
    const auto finding = signature_obstacle(ProcessFacts{}, question);
    REQUIRE(finding);
    CHECK(finding->id == FindingId::target_protected);
  }
  question.sip = SipState::off;
  CHECK_FALSE(signature_obstacle(ProcessFacts{}, question));
}

TEST_CASE("each reason to leave a process alone is told with a next step") {
  struct Row {
    void (*changes)(ProcessFacts&, DebugMeans&);
    const char* id;
    const char* words;
  };
  const Row rows[] = {
      {[](ProcessFacts&, DebugMeans&) {}, "", ""},
      {[](ProcessFacts& p, DebugMeans&) { p.state = ProcessState::missing; }, "process-unsuitable",
       "not exist"},
      {[](ProcessFacts& p, DebugMeans&) { p.state = ProcessState::ended; }, "process-unsuitable", "ended"},
      {[](ProcessFacts& p, DebugMeans&) { p.state = ProcessState::stopped; }, "process-unsuitable",
       "stopped"},
      {[](ProcessFacts& p, DebugMeans&) { p.waits_for_us = true; }, "process-unsuitable", "waits for it"},
      {[](ProcessFacts& p, DebugMeans&) { p.is_same_user = false; }, "process-unsuitable", "another user"},
      {[](ProcessFacts& p, DebugMeans&) { p.is_traced = true; }, "process-unsuitable", "debugger already"},
      {[](ProcessFacts& p, DebugMeans&) { p.has_loader = false; }, "process-unsuitable", "statically"},
      {[](ProcessFacts& p, DebugMeans&) { p.is_native = false; }, "target-architecture", "another processor"},
      {[](ProcessFacts& p, DebugMeans&) { p.is_open = false; }, "attach-denied", "lets nobody look"},
      {[](ProcessFacts&, DebugMeans& m) { m.scope = TraceScope::descendants; }, "attach-denied",
       "ptrace_scope"},
      {[](ProcessFacts&, DebugMeans& m) { m.scope = TraceScope::administrators; }, "attach-denied",
       "ptrace_scope"},
      {[](ProcessFacts&, DebugMeans& m) {
         m = {DebuggerKind::gdb, TraceScope::nobody, true};
       },
       "attach-denied", "ptrace_scope is 3"},
      {[](ProcessFacts&, DebugMeans& m) {
         m = {DebuggerKind::gdb, TraceScope::administrators, true};
       },
       "", ""},
      {[](ProcessFacts& p, DebugMeans&) {
         p.libraries = {"/lib/libc.so.6", "/c/1/libmetal-unlock.so (deleted)"};
       },
       "already-loaded", "has the shim already"},
      {[](ProcessFacts& p, DebugMeans&) {
         p.libraries = {"/lib/libc.so.6", "/libmetal-unlock.so/other"};
       },
       "", ""},
      {[](ProcessFacts& p, DebugMeans& m) {
         p.libraries = {"/c/libmetal-unlock.so"};
         m.scope = TraceScope::descendants;
       },
       "already-loaded", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.id, row.words);
    ProcessFacts process = running();
    DebugMeans means;
    row.changes(process, means);
    const auto obstacle = obstacle_to_attach(process, means, shim_name);
    CHECK(id_of(obstacle) == row.id);
    if (!obstacle) continue;
    CHECK(holds(obstacle->sentence, "process 4242 ('/w/server') "));
    CHECK(holds(obstacle->sentence, row.words));
    CHECK_FALSE(holds(obstacle->next, "{pid}"));
    CHECK_FALSE(obstacle->next.empty());
  }
}

TEST_CASE("a signature decides on macOS whether a debugger is let in, and a library of ours") {
  CHECK(signed_obstacle("no Mach-O file").empty());
  CHECK(signed_obstacle(program_file()).empty());
  CHECK(signed_obstacle(program_file({.flags = hardened})) == "attach-denied");
  CHECK(signed_obstacle(program_file({.flags = hardened}), SipState::off) == "target-validates-libraries");
  CHECK(signed_obstacle(program_file({.flags = validating})) == "target-validates-libraries");
  CHECK(signed_obstacle(program_file({.architecture = arm64e})) == "target-architecture");
}

TEST_CASE("the command line of either debugger carries the whole script, and no file") {
  const DebuggerTask task{4242, "v1;report=/a b/\"c\"\\'?/\xc3\xa9;end", "/c ache/lib'm.so"};
  for (const DebuggerKind kind : {DebuggerKind::gdb, DebuggerKind::lldb}) {
    const Words words = debugger_command(kind, task);
    CAPTURE(words.back());
    CHECK(words.front() == program_of(kind));
    CHECK(holds(words.back(), "pid = 4242"));
    // For C inside of Python: as octal digits, whatever either language could take for its own.
    CHECK_FALSE(holds(words.back(), "\xc3"));
    CHECK_FALSE(holds(words.back(), "/a b/\"c"));
    const bool is_one_line = words.back().find('\n') == std::string::npos;
    CHECK(is_one_line == (kind == DebuggerKind::lldb));
    for (const std::string& word : words) CHECK(word != "-x");
  }
  const std::string gdb = debugger_command(DebuggerKind::gdb, task).back();
  CHECK(holds(
      gdb, R"(handoff = '"METAL_UNLOCK_HANDOFF", "v1;report=/a b/\\042c\\042\\134\'\\077/\\303\\251;end"')"));
  CHECK(holds(gdb, R"(shim = '"/c ache/lib\'m.so"')"));
}

TEST_CASE("what the debugger said last counts, and what it did not say is no success") {
  using enum DebuggerVerdict;
  const auto outcome = [](std::string_view said) { return read_debugger_outcome(said); };
  CHECK(outcome("noise\n\nmetal-unlock-attach: loaded \n") == DebuggerOutcome{loaded, ""});
  CHECK(outcome("\nmetal-unlock-attach: busy malloc\n") == DebuggerOutcome{busy, "malloc"});
  CHECK(outcome("\nmetal-unlock-attach: loaded \nx\nmetal-unlock-attach: gone it exited\n") ==
        DebuggerOutcome{gone, "it exited"});
  CHECK(outcome("\nmetal-unlock-attach: loaded").verdict == loaded);
  CHECK(outcome("\nmetal-unlock-attach: loadedly \n").verdict == silent);
  CHECK(outcome("metal-unlock-attach: loaded in the middle of nothing").verdict == silent);
  CHECK(outcome("").verdict == silent);
  for (const DebuggerVerdict verdict : {busy, refused, denied, gone, failed, silent}) {
    const Finding finding = attach_failure(running(), DebuggerKind::lldb, {verdict, "WHY"});
    CHECK((finding.id == (verdict == denied ? FindingId::attach_denied : FindingId::attach_failed)));
    CHECK(holds(finding.sentence, "WHY") == (verdict != gone && verdict != silent));
  }
}

TEST_CASE("a process is unlocked when its device says so, not when the library is in it") {
  const auto missing = [](std::string_view report) {
    const auto finding = missing_effect(running(), read_attach_proof(report));
    return finding ? finding->sentence : "";
  };
  CHECK(missing(good_report).empty());
  CHECK(holds(missing("{\"event\":\"plan\"}\n"), "says nothing"));
  CHECK(holds(missing("{\"event\":\"loaded\"}\n{\"event\":\"metal\",\"origin\":\"absent\"}\n"), "no Metal"));
  CHECK(holds(missing("{\"event\":\"loaded\"}\n{\"event\":\"metal\",\"origin\":\"opened\"}\n"), "no device"));
  CHECK(holds(missing("{\"event\":\"loaded\"}\n{\"event\":\"metal\",\"origin\":\"linked\"}\n"
                      "{\"event\":\"ineffective\",\"class\":\"D\",\"reason\":\"not "
                      "reached\",\"question\":\"supportsFamily:\"}"),
              "D: supportsFamily:, not reached"));
}

TEST_CASE("attach runs the debugger once, keeps no report of its own, and tells what was shown") {
  RecordedSystem system = world("\nmetal-unlock-attach: loaded \n");
  CHECK(system.run({"attach", "4242"}).status == 0);
  REQUIRE(system.run_plans.size() == 1);
  CHECK(system.run_plans.front().file == "/usr/bin/gdb");
  CHECK(holds(system.run_plans.front().argv.back(), ";attached;"));
  CHECK(holds(system.out, "process 4242 ('/w/server') is unlocked: its AppleParavirtDevice"));
  CHECK_FALSE(system.files.contains("/home/me/.cache/metal-unlock/attach-4242/report"));
  CHECK_FALSE(system.files.contains("/home/me/.cache/metal-unlock/attach-4242"));

  RecordedSystem ineffective = world("\nmetal-unlock-attach: loaded \n", "{\"event\":\"loaded\"}\n");
  CHECK(ineffective.run({"attach", "4242"}).status == 1);
  CHECK(holds(ineffective.err, "[attach-failed]"));
  CHECK(ineffective.out.empty());
}

TEST_CASE("attach does nothing where it knows that it cannot be done") {
  RecordedSystem system = world("");
  system.processes.front().is_traced = true;
  CHECK(system.run({"attach", "4242"}).status == 1);
  CHECK(system.acts.empty());

  RecordedSystem missing = world("");
  missing.files.erase("/usr/bin/gdb");
  CHECK(missing.run({"attach", "4242"}).status == 1);
  CHECK(holds(missing.err, "[debugger-missing]"));
  CHECK_FALSE(missing.did("place shim"));
}

TEST_CASE("a debugger that ran out of time, or was interrupted, is told as such") {
  RecordedSystem system = world("");
  system.runs.front().timed_out = true;
  CHECK(system.run({"attach", "--timeout", "5", "4242"}).status == 1);
  CHECK(holds(system.err, "gdb was not done with process 4242 ('/w/server') after 5 s"));
  RecordedSystem interrupted = world("");
  interrupted.runs.front().interrupted = true;
  CHECK(interrupted.run({"attach", "4242"}).status == 1);
  CHECK(holds(interrupted.err, "gdb was interrupted"));
}
