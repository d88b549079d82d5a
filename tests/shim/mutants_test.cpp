// SPDX-License-Identifier: MIT

// Twins of the other tests in this directory: the shim is built again with one line changed, and the test
// named with the change must fail. Built again with no change, all of them pass.

#include "tests/catch.hpp"
#include "tests/files.hpp"
#include "tests/process.hpp"
#include "tests/shim/rebuilt_shim.hpp"
#include "tests/shim/shim_build.hpp"

#include <vector>

using namespace metal_unlock;

namespace {

struct Mutant {
  std::string file;
  std::string line;
  std::string changed;
  std::string test;  ///< the beginning of the test's name
};

const std::vector<Mutant> mutants{
    {"entry.mm", "  override_loaded_classes();\n", "", "a named device"},
    {"entry.mm", "= override_device_init();", "= true;", "a named device"},
    {"entry.mm", "if (!every_device_passes || handoff.attached)", "if (handoff.attached)", "a named device"},
    {"entry.mm", "|| handoff.attached", "", "attaching"},
    {"entry.mm", "dlopen(handoff.metal, RTLD_LAZY);", "{}", "a named device"},
    {"entry.mm", "    unsetenv(handoff_variable);\n", "", "by default"},
    {"entry.mm", "    leave_preload_list();\n", "", "by default"},
    {"entry.mm", "    setenv(handoff_variable, for_children, 1);\n", "", "with children the whole"},
    {"entry.mm", "if (handoff.children && ", "if (", "by default"},
    {"entry.mm", "!= HandoffState::well_formed", "== HandoffState::unset", "without a well-formed"},
    {"entry.mm", "  close_report_descriptor();\n", "", "the inherited descriptor"},
    {"entry.mm", "if (!handoff.log) continue;", "", "another shim"},
    {"front_door.mm", "call_metal(handoff, \"MTLCopyAllDevices\")", "nil", "a named device"},
    {"front_door.mm", "  override_loaded_classes();\n", "", "a named device"},
    {"front_door.mm", "&& handoff.require) refuse", "&& false) refuse", "under require"},
    {"front_door.mm", "if (failed == nullptr && handoff.log)", "if (failed == nullptr)", "the log"},
    {"front_door.mm", "[door supportsFamily:static_cast<long>(claim)] != NO", "true",
     "an override that does not"},
    {"front_door.mm", "!slot->is_met.set_first()", "false", "the report tells"},
    {"override.mm", "if (const Method own = own_method(cls, selector))", "if (const Method own = method)",
     "a named device"},
    {"override.mm", "method_setImplementation(own, imp);", "static_cast<void>(own);", "a named device"},
    {"override.mm", "for (; cls != Nil; cls = class_getSuperclass(cls))", "for (; cls != Nil; cls = Nil)",
     "a named device"},
    {"override.mm", "behind_overrides(method_getImplementation(methods[question]), question)",
     "method_getImplementation(methods[question])", "stock is what"},
    {"override.mm", "if (methods[question] != nullptr) continue;", "continue;", "a class without"},
    {"override.mm", "raised(stock, claims[question])", "claims[question]", "the size of the working set"},
    {"override.mm", "return claimed ? YES : NO;", "return YES;", "a simulated smaller GPU"},
    {"override.mm", "lowered(raised(stock, claims[question]), simulated[question])",
     "raised(stock, claims[question])", "a simulated smaller GPU"},
    {"front_door.mm", "if (claim == 0) return is_simulated(device, question);",
     "if (claim == 0) return false;", "a simulated smaller GPU"},
    {"override.mm", "  publish(original_init, method_getImplementation(init));\n", "", "a named device"},
    {"override.mm", "return stock(self, selector, family);", "return YES;", "a named device"},
    {"override.mm", "  device_seen(device);\n  report_family", "  report_family", "the report tells"},
    {"events.mm", "!= this_thread() &&", "!= 0 &&", "a question is reported"},
    {"events.mm", "told.set_first() &&", "true &&", "a question is reported"},
    {"events.mm", "  if (stock == told) return;\n", "", "the report of a real run"},
    {"handoff.cpp", "!field.has_key(\"report-fd\", 9) && ", "", "with children the whole"},
    {"handoff.cpp", "strncmp(executable, folder, strlen(folder)) == 0", "false",
     "with children a system tool"},
    {"preload_list.cpp", "memmove(entry, rest, strlen(rest) + 1);", "*entry = '\\0';", "other entries"},
};

const ShimBuild build{compile_shim, link_shim};

Outcome tests_with(const std::filesystem::path& library, const std::vector<std::string>& names) {
  std::string pattern;
  for (const std::string& name : names) pattern += (pattern.empty() ? "" : ",") + name + "*";
  return run_process({.argv = {build_directory() / "shim_process_test", pattern},
                      .environment = {{"METAL_UNLOCK_SHIM_UNDER_TEST", library}}});
}

}  // namespace

TEST_CASE("every line of the shim that a test is about makes that test fail when it is changed") {
  for (const Mutant& mutant : mutants) {
    CAPTURE(mutant.file, mutant.line, mutant.changed, mutant.test);
    const TemporaryDirectory directory;
    const auto library = rebuilt_shim(build, {mutant.file, mutant.line, mutant.changed}, directory.path());
    const Outcome outcome = tests_with(library, {mutant.test});
    CHECK(outcome.exit_status.value_or(0) > 0);
    CHECK(outcome.out.find("FAILED:") != std::string::npos);
  }
}

TEST_CASE("built again without a change the shim passes all of these tests") {
  for (const std::string file : {"entry.mm", "front_door.mm", "override.mm", "events.mm", "handoff.cpp"}) {
    CAPTURE(file);
    const TemporaryDirectory directory;
    std::vector<std::string> names;
    std::string line;
    for (const Mutant& mutant : mutants) {
      if (mutant.file != file) continue;
      names.push_back(mutant.test);
      line = mutant.line;
    }
    const Outcome outcome = tests_with(rebuilt_shim(build, {file, line, line}, directory.path()), names);
    CHECK(outcome.exit_status == 0);
    CHECK(outcome.out.find("All tests passed") != std::string::npos);
  }
}

TEST_CASE("an original is published before its override, however long the step from one to the other takes") {
  const std::string publish =
      "    publish(slot.originals[question],\n"
      "            behind_overrides(method_getImplementation(methods[question]), question));\n";
  const std::string replace = "    replace(cls, methods[question], override_of(slot, question));\n";
  const std::string stock =
      "    const IMP stock = behind_overrides(method_getImplementation(methods[question]), question);\n";
  const std::string wait = "    usleep(3000);\n";
  const auto outcome_of = [&](const std::string& changed) {
    const TemporaryDirectory directory;
    const ShimChange change{"override.mm", publish + replace, changed};
    return tests_with(rebuilt_shim(build, change, directory.path()), {"while 64 threads"});
  };
  CHECK(outcome_of(publish + wait + replace).exit_status == 0);
  const Outcome reversed =
      outcome_of(stock + replace + wait + "    publish(slot.originals[question], stock);\n");
  CHECK(reversed.exit_status.value_or(0) > 0);
  CHECK(reversed.out.find("signal") != std::string::npos);
}
