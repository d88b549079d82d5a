// SPDX-License-Identifier: MIT
#include "cli/core/preflight.hpp"

#include "cli/core/program_library.hpp"
#include "tests/catch.hpp"
#include "tests/macho/program_builder.hpp"
#include "tests/unit/recorded_files.hpp"

using namespace metal_unlock;

namespace {

const Surroundings usual_surroundings{
    .sip = SipState::on, .shim_slices = {"x86_64", "arm64"}, .shim = "/c/shim"};
constexpr FileFacts guarded_program{FileKind::regular, true, false, true};
const Environment path_alone{std::vector<std::string>{"PATH=/usr/bin:/bin"}};

Clearance cleared(const std::vector<std::string>& command, const RecordedFiles& files,
                  const Surroundings& surroundings = usual_surroundings) {
  const auto target = resolve_target(command, path_alone, files);
  if (!target) FAIL(target.finding().sentence);
  return preflight(*target, surroundings, files);
}

std::string id_of(const Clearance& clearance) {
  return clearance.finding ? std::string{catalogue_row(clearance.finding->id).name} : "";
}

}  // namespace

TEST_CASE("the libraries of the slice that starts are told, by which a program is recognised") {
  const char* const library = "@rpath/libllama.0.dylib";
  RecordedFiles files;
  files.binary("/w/server", program_file({.library = library}));
  const Clearance clearance = cleared({"/w/server"}, files);
  CHECK(clearance.libraries == std::vector<std::string>{library});
  const ProgramLibrary programs{built_in_programs(), {}};
  const std::optional<Program> program = programs.recognise("/w/server", clearance.libraries);
  REQUIRE(program);
  CHECK(program->name == "llama.cpp");
  CHECK_FALSE(programs.recognise("/w/server", {}));
}

TEST_CASE(
    "a wrapper that the loader may insert the shim into is told as any program, where children are "
    "unlocked") {
  RecordedFiles files;
  files.program("/bin/tool");
  files.binary(
      "/usr/bin/nohup",
      program_file({.flags = hardened,
                    .entitlements = {entitlement::get_task_allow, entitlement::disable_library_validation}}));
  Surroundings surroundings = usual_surroundings;
  CHECK(id_of(cleared({"nohup", "tool"}, files, surroundings)) == "target-wrapper");
  surroundings.unlocks_children = true;
  const Clearance clearance = cleared({"nohup", "tool"}, files, surroundings);
  CHECK(id_of(clearance) == "target-uncertain");
  CHECK(clearance.finding->severity == Severity::note);
}

TEST_CASE("a signed copy is offered of a program, not of what only starts one") {
  RecordedFiles files;
  files.program("/bin/tool");
  for (const char* path : {"/usr/bin/nohup", "/w/tool"})
    files.binary(path, program_file({.flags = hardened}));
  CHECK(cleared({"/w/tool"}, files).offers_copy);
  CHECK_FALSE(cleared({"/usr/bin/nohup", "tool"}, files).offers_copy);
}

TEST_CASE("what stands in the way is told with a command that helps") {
  struct Row {
    std::string bytes;
    const char* id;
    const char* next;
  };
  const Row rows[] = {
      {program_file(), "", ""},
      {program_file({.flags = hardened}), "target-hardened",
       "metal-unlock prepare /w/tool --output ./tool-unlocked"},
      {program_file({.flags = validating}), "target-validates-libraries",
       "metal-unlock prepare /w/tool --output ./tool-unlocked"},
      {program_file({.architecture = arm64e}), "target-architecture", "Homebrew"},
      {program_file({.architecture = x86_64}), "target-rosetta", "arm64 build of tool"},
      {program_file({.is_signed = false}), "target-unsigned", "codesign --force --sign - /w/tool"},
      {program_file({.has_restrict_section = true}), "target-restricted", "tool"},
      {program_file({.system = 6}), "target-platform", "tool"},
      {program_file({.is_encrypted = true}), "target-encrypted", "tool"},
      {program_file({.entitlements = {entitlement::app_sandbox}}), "target-sandboxed",
       "metal-unlock prepare"},
      {program_file().substr(0, 100), "target-unreadable", "metal-unlock run -v -- /w/tool"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.id);
    RecordedFiles files;
    files.binary("/w/tool", row.bytes);
    const Clearance clearance = cleared({"/w/tool"}, files);
    CHECK(id_of(clearance) == row.id);
    if (!clearance.finding) continue;
    CHECK(clearance.finding->next.find(row.next) != std::string::npos);
    CHECK(clearance.finding->sentence.find("'/w/tool'") != std::string::npos);
    CHECK(clearance.finding->cause == Cause::circumstance);
  }
}

TEST_CASE("where nobody knows, the shim is tried only if the loader would not end the program") {
  RecordedFiles files;
  files.binary("/w/debugged",
               program_file({.flags = hardened, .entitlements = {entitlement::get_task_allow}}));
  files.binary(
      "/w/open",
      program_file({.flags = hardened,
                    .entitlements = {entitlement::get_task_allow, entitlement::disable_library_validation}}));
  const Clearance risky = cleared({"/w/debugged"}, files);
  const Clearance safe = cleared({"/w/open"}, files);
  CHECK(risky.verdict == LoaderVerdict::unknown);
  CHECK(safe.verdict == LoaderVerdict::unknown);
  CHECK(risky.finding->severity == Severity::warn);
  CHECK(safe.finding->severity == Severity::note);
}

TEST_CASE("a protected interpreter is told as the script's") {
  RecordedFiles files;
  files.program("/bin/sh", guarded_program).program("/usr/bin/env", guarded_program).program("/opt/python3");
  files.script("/w/shell", "#!/bin/sh\ncd /x\nexec ./llama-server\n")
      .script("/w/python", "#!/usr/bin/env /opt/python3\n");
  files.script("/w/none", "echo\n");
  const Clearance shell = cleared({"/w/shell"}, files);
  CHECK(shell.verdict == LoaderVerdict::dropped);
  CHECK(id_of(shell) == "script-interpreter");
  CHECK(shell.finding->sentence.find("'/w/shell' is run by '/bin/sh'") != std::string::npos);
  CHECK(shell.finding->next.find("exec ./llama-server") != std::string::npos);
  CHECK(id_of(cleared({"/w/none"}, files)) == "script-interpreter");
  CHECK(id_of(cleared({"/w/python"}, files)).empty());
  CHECK(id_of(cleared({"/bin/sh", "-c", "x"}, files)) == "target-wrapper");
  // Without SIP the shell takes the shim like any other program.
  const Surroundings open{.sip = SipState::off, .shim_slices = {}, .shim = {}};
  CHECK(id_of(cleared({"/w/shell"}, files, open)).empty());
}

TEST_CASE("a wrapper would keep the shim to itself, unless it stays for the children") {
  RecordedFiles files;
  files.program("/usr/bin/nohup").program("/usr/bin/sudo", {FileKind::regular, true, true});
  Surroundings open{.sip = SipState::off, .shim_slices = {}, .shim = {}};
  const Clearance alone = cleared({"nohup", "x"}, files, open);
  CHECK(id_of(alone) == "target-wrapper");
  CHECK(alone.finding->next == "nohup metal-unlock run -- x");
  open.unlocks_children = true;
  CHECK(id_of(cleared({"nohup", "x"}, files, open)).empty());
  CHECK(id_of(cleared({"sudo", "x"}, files, open)) == "target-wrapper");
  CHECK(cleared({"sudo", "x"}, files, open).finding->next == "sudo metal-unlock run -- x");
}

TEST_CASE("quarantine of the target is a remark, of the shim an obstacle") {
  RecordedFiles files;
  files.binary("/w/tool", program_file(), {FileKind::regular, true, false, false, true});
  const Clearance target = cleared({"/w/tool"}, files);
  CHECK(id_of(target).empty());
  REQUIRE(target.remarks.size() == 1);
  CHECK(target.remarks.front().id == FindingId::target_quarantined);
  Surroundings quarantined = usual_surroundings;
  quarantined.shim_is_quarantined = true;
  CHECK(id_of(cleared({"/w/tool"}, files, quarantined)) == "shim-quarantined");
  CHECK(cleared({"/w/tool"}, files, quarantined).finding->next == "xattr -d com.apple.quarantine /c/shim");
}
