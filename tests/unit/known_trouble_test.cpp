// SPDX-License-Identifier: MIT
#include "cli/core/known_trouble.hpp"

#include "cli/core/diagnosis.hpp"
#include "cli/core/foreign_shim.hpp"
#include "tests/catch.hpp"

#include <map>

using namespace metal_unlock;

namespace {

const Loader mac_loader{.preload_variable = "DYLD_INSERT_LIBRARIES",
                        .separators = ":",
                        .shim_name = "libmetal-unlock.dylib",
                        .metal = ""};

Program troubled_program() {
  Program program;
  program.name = "llama.cpp";
  ProgramItem guest;
  guest.kind = ItemKind::bad_guest;
  guest.name = "maps";
  guest.says = "mapped weights are read wrong";
  guest.otherwise = "start it with --no-mmap";
  guest.versions = {"14", "15.1"};
  ProgramItem trap;
  trap.kind = ItemKind::trap;
  trap.name = "sessions";
  trap.says = "a shell needs --children";
  ProgramItem other = trap;
  other.name = "residency";
  other.says = "residency sets";
  program.items = {guest, trap, other};
  return program;
}

Machine machine_with(std::string version) {
  Machine machine;
  machine.os_version = std::move(version);
  return machine;
}

std::vector<std::string> sentences(const std::vector<Finding>& findings) {
  std::vector<std::string> all;
  for (const Finding& finding : findings) all.push_back(finding.sentence);
  return all;
}

std::optional<Finding> foreign_in(const std::vector<std::string>& entries) {
  return find_foreign_shim(Environment{entries}, mac_loader);
}

}  // namespace

TEST_CASE("a bad guest is told where the machine is one, and nobody has done what helps") {
  const Program program = troubled_program();
  const auto told = [&](const char* version, const std::vector<std::string>& argv) {
    return bad_guest_findings(program, machine_with(version), argv);
  };
  const auto findings = told("14.5", {"llama-cli", "-m", "x"});
  REQUIRE(findings.size() == 1);
  CHECK(findings.front().id == FindingId::bad_guest);
  CHECK(findings.front().sentence == "llama.cpp on macOS 14.5: mapped weights are read wrong");
  CHECK(findings.front().next == "start it with --no-mmap");
  CHECK(told("15.1", {}).size() == 1);
  CHECK(told("15.1.2", {}).size() == 1);
  CHECK(told("15.10", {}).empty());
  CHECK(told("140", {}).empty());
  CHECK(told("15.2", {}).empty());
  CHECK(told("14.5", {"llama-cli", "--no-mmap"}).empty());
  for (const char* word : {"--", "--no-mlock", "no-mmap", "-"}) {
    CAPTURE(word);
    CHECK(told("14.5", {"llama-cli", word}).size() == 1);
  }
}

TEST_CASE("what is known of a program is told, unless it is seen to already") {
  Program program = troubled_program();
  CHECK(sentences(program_notes(program, false)) ==
        std::vector<std::string>{"llama.cpp, sessions: a shell needs --children",
                                 "llama.cpp, residency: residency sets"});
  CHECK(sentences(program_notes(program, true)) ==
        std::vector<std::string>{"llama.cpp, residency: residency sets"});
  program.gain = GainFact{.gain = Gain::none, .why = "it asks nothing", .fact = {}, .origin = {}};
  const auto findings = program_notes(program, true);
  REQUIRE(findings.size() == 2);
  CHECK(findings.front().id == FindingId::gains_nothing);
  CHECK(findings.front().sentence == "llama.cpp gains nothing from the unlock: it asks nothing");
  program.gain->gain = Gain::some;
  CHECK(program_notes(program, true).size() == 1);
}

TEST_CASE("another project's shim that will be loaded is in the way, one that is set up is a note") {
  const auto loaded =
      foreign_in({"DYLD_INSERT_LIBRARIES=/a/libother.dylib:/x/libTartMetalCapabilities.dylib"});
  REQUIRE(loaded);
  CHECK(loaded->severity > Severity::note);
  CHECK(loaded->sentence ==
        "Tart's shim is in DYLD_INSERT_LIBRARIES already; two shims in one process contradict each other");
  CHECK(loaded->next == "env -u DYLD_INSERT_LIBRARIES metal-unlock run -- COMMAND");
  const auto configured = foreign_in({"TART_METAL_APPLE_FAMILY_MAX=1009"});
  REQUIRE(configured);
  CHECK(configured->severity == Severity::note);
  CHECK(configured->next == "unset TART_METAL_APPLE_FAMILY_MAX");
  CHECK(foreign_in({"VEERTU_ANKA_GPU_APPLE_FAMILY_MAX=1009", "LUME_METAL_APPLE_FAMILY_MAX="})
            ->sentence.starts_with("VEERTU"));
  for (const char* entry : {"TART_METAL_APPLE_FAMILY_MAX=0", "TART_METAL_APPLE_FAMILY_MAX=",
                            "DYLD_INSERT_LIBRARIES=/TartMetalCapabilities/libother.dylib", "OTHER=1"}) {
    CAPTURE(entry);
    CHECK_FALSE(foreign_in({entry}));
  }
}

TEST_CASE("every finding has its part of a diagnosis") {
  std::map<DiagnosisPart, int> counts;
  for (const CatalogueRow& row : finding_catalogue()) ++counts[part_of(row.id)];
  CHECK(counts.size() == 5);
  for (const FindingId id : {FindingId::target_setuid, FindingId::script_cycle, FindingId::not_found,
                             FindingId::known_trap, FindingId::variable_unset})
    CHECK(part_of(id) == DiagnosisPart::target);
  for (const FindingId id : {FindingId::profile_none, FindingId::host_report_stale, FindingId::simulated})
    CHECK(part_of(id) == DiagnosisPart::profile);
  for (const FindingId id : {FindingId::foreign_shim, FindingId::shim_path})
    CHECK(part_of(id) == DiagnosisPart::shim);
  for (const FindingId id : {FindingId::config_invalid, FindingId::switched_off})
    CHECK(part_of(id) == DiagnosisPart::settings);
  CHECK(part_of(FindingId::no_device) == DiagnosisPart::guest);
}

TEST_CASE("what is in the way of the unlock is a failure of a diagnosis") {
  DiagnosisSection section{"shim", {}};
  Finding finding{FindingId::foreign_shim, "another shim", "remove it"};
  finding.severity = Severity::warn;
  section.add(finding);
  finding.severity = Severity::note;
  section.add(finding);
  CHECK(section.entries[0].severity == Severity::fail);
  CHECK(section.entries[1].severity == Severity::note);
}

TEST_CASE("the verdict of a diagnosis counts what it found, and tells the guest from the target") {
  Diagnosis diagnosis;
  diagnosis.sections = {{"guest", {}}, {"target", {}}};
  CHECK(diagnosis.verdict() == "ready");
  diagnosis.has_need = false;
  CHECK(diagnosis.verdict() == "ready, with nothing to unlock here");
  diagnosis.sections[0].entries.push_back({Severity::warn, "", "", "", {}});
  CHECK(diagnosis.verdict() == "ready, with nothing to unlock here (1 warn)");
  diagnosis.sections[1].entries.push_back({Severity::fail, "", "", "", {}});
  CHECK(diagnosis.verdict() == "not ready (1 fail, 1 warn)");
  diagnosis.target = "ollama";
  CHECK(diagnosis.verdict() == "guest ready, 'ollama' is not (1 fail, 1 warn)");
  diagnosis.sections[0].entries.push_back({Severity::fail, "", "", "", {}});
  CHECK(diagnosis.verdict() == "not ready (2 fail, 1 warn)");
}
