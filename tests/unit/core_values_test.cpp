// SPDX-License-Identifier: MIT
#include "cli/core/capabilities.hpp"
#include "cli/core/environment.hpp"
#include "cli/core/finding.hpp"
#include "cli/core/near_names.hpp"
#include "cli/core/need.hpp"
#include "tests/catch.hpp"
#include "tests/files.hpp"

#include <algorithm>
#include <map>
#include <set>

using namespace metal_unlock;

using Names = std::vector<std::string>;

TEST_CASE("near names are those within a third of the longer word, nearest first") {
  struct Row {
    std::string typed;
    Names names;
    Names near;
  };
  const Row rows[] = {
      {"m1-ultra", {"m1-ultra"}, {"m1-ultra"}},       // no edit
      {"m1-ulta", {"m1-ultra", "m2"}, {"m1-ultra"}},  // a letter left out
      {"m1-ultrra", {"m1-ultra"}, {"m1-ultra"}},      // one too many
      {"m1-uktra", {"m1-ultra"}, {"m1-ultra"}},       // another one
      {"sohw", {"show"}, {"show"}},                   // neighbours swapped: one edit, not two
      {"shwo", {"xhyo"}, {}},                         // two edits in four letters
      {"apple70", {"apple7", "apple8"}, {"apple7", "apple8"}},
      {"apple80", {"apple7", "apple8"}, {"apple8", "apple7"}},
      {"m1", {"m3", "m2"}, {"m2", "m3"}},  // as near: by name
      {"m1", {"n2"}, {}},
      {"x", {"ex"}, {"ex"}},               // at least one edit is allowed
      {"x", {"y"}, {}},                    // nothing is left of it
      {"abcdef", {"abcdxy"}, {"abcdxy"}},  // two of six
      {"abcdef", {"abcxyz"}, {}},          // three of six
      {"abc", {"abcdef"}, {}},
      {"same", {"same1", "same1"}, {"same1"}},
      {"a", {}, {}},
      {"", {"a", "ab"}, {}},
      {"profile", {"--profile"}, {"--profile"}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.typed, row.names);
    CHECK(near_names(row.typed, row.names) == row.near);
  }
}

TEST_CASE("no more near names are given than asked for, and none for a word that is no slip") {
  const Names names{"aa", "ab", "ac", "ad"};
  CHECK(near_names("a", names) == Names{"aa", "ab", "ac"});
  CHECK(near_names("a", names, 1) == Names{"aa"});
  CHECK(near_names("a", names, 0).empty());
  const std::string long_word(64, 'x');
  CHECK(near_names(long_word, Names{long_word}) == Names{long_word});
  const std::string longer_word(65, 'x');
  CHECK(near_names(longer_word, Names{longer_word}).empty());
}

TEST_CASE("near names are asked about in one sentence") {
  CHECK(did_you_mean({}).empty());
  CHECK(did_you_mean(Names{"a"}) == "did you mean a?");
  CHECK(did_you_mean(Names{"a", "b"}) == "did you mean a or b?");
  CHECK(did_you_mean(Names{"a", "b", "c"}) == "did you mean a, b or c?");
}

TEST_CASE("a variable is read as a C program reads it") {
  const Environment environment{{"A=1", "AB=2", "no equals sign", "EMPTY=", "A=3", "EQUALS=x=y", "=odd"}};
  CHECK(environment.get("A") == "1");
  CHECK(environment.get("AB") == "2");
  CHECK(environment.get("EMPTY") == "");
  CHECK(environment.get("EQUALS") == "x=y");
  CHECK_FALSE(environment.get("no equals sign"));
  CHECK_FALSE(environment.get("B"));
  CHECK(environment.get_non_empty("A") == "1");
  CHECK_FALSE(environment.get_non_empty("EMPTY"));
  CHECK_FALSE(environment.get_non_empty("B"));
}

TEST_CASE("a change of the environment touches what it names and nothing else") {
  struct Row {
    const char* what;
    Names before;
    EnvironmentChange change;
    Names after;
  };
  const Row rows[] = {
      {"nothing", {"B=1", "odd", "B=2", "A="}, {}, {"B=1", "odd", "B=2", "A="}},
      {"a new name goes to the end", {"A=1"}, {{{"B", "2"}}, {}}, {"A=1", "B=2"}},
      {"a known one keeps its place", {"A=1", "B=2"}, {{{"A", "3"}}, {}}, {"A=3", "B=2"}},
      {"a second entry goes", {"A=1", "B=2", "A=4"}, {{{"A", "3"}}, {}}, {"A=3", "B=2"}},
      {"set to nothing", {"A=1"}, {{{"A", ""}}, {}}, {"A="}},
      {"unset everywhere", {"A=1", "AB=2", "A=3"}, {{}, {"A"}}, {"AB=2"}},
      {"unset what is not there", {"A=1"}, {{}, {"B"}}, {"A=1"}},
      {"an entry without '=' is nobody's", {"A"}, {{}, {"A"}}, {"A"}},
      {"set after unset", {"A=1", "B=2"}, {{{"A", "3"}}, {"A"}}, {"B=2", "A=3"}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    CHECK(Environment{row.before}.with(row.change) == Environment{row.after});
  }
  CHECK(EnvironmentChange{}.empty());
  CHECK_FALSE(EnvironmentChange{{{"A", "1"}}, {}}.empty());
  CHECK_FALSE(EnvironmentChange{{}, {"A"}}.empty());
}

TEST_CASE("every field has one row, in order, with bounds that its amounts can meet") {
  std::set<std::string_view> keys;
  std::size_t next = 0;
  for (const FieldRow& row : field_rows()) {
    CAPTURE(row.key);
    CHECK(static_cast<std::size_t>(row.field) == next++);
    CHECK(&field_row(row.field) == &row);
    CHECK(keys.insert(row.key).second);
    CHECK_FALSE(row.metal.empty());
    CHECK(row.least <= row.most);
    CHECK(row.least % row.multiple == 0);
    CHECK(row.most % row.multiple == 0);
  }
  CHECK(next == 3);
}

TEST_CASE("every key that is never claimable gives a reason and is no field") {
  std::set<std::string_view> keys;
  for (const NeverRow& row : never_claimable()) {
    CAPTURE(row.key);
    CHECK(keys.insert(row.key).second);
    CHECK_FALSE(row.reason.empty());
    CHECK(std::ranges::find(field_rows(), row.key, &FieldRow::key) == field_rows().end());
  }
  for (const char* key : {"name", "device_name", "architecture_name", "metal_family", "mac_family",
                          "common_family", "mac_catalyst_family"})
    CHECK(keys.contains(key));
}

TEST_CASE("only an Apple family has no reason against claiming it") {
  CHECK(never_claimed_because({1001}).empty());
  CHECK(never_claimed_because({1999}).empty());
  const std::map<std::uint32_t, std::string_view> rows{{2002, "PyTorch"}, {3003, "Common"}, {4002, "Mac"},
                                                       {5001, "MLX"},     {5002, "MLX"},    {1000, "1001"},
                                                       {0, "1001"}};
  for (const auto& [number, word] : rows) {
    CAPTURE(number);
    CHECK(never_claimed_because({number}).find(word) != std::string_view::npos);
  }
}

TEST_CASE("an amount is printed as what its field means") {
  CHECK(amount_text(Field::apple_family, 1007) == "Apple7");
  CHECK(amount_text(Field::max_threadgroup_memory, 32768) == "32 KiB");
  CHECK(amount_text(Field::recommended_max_working_set, 17179869184) == "16 GiB");
}

TEST_CASE("the stock capabilities are those the device answers") {
  CHECK(Capabilities{}.empty());
  DeviceAnswers device;
  device.families = {{1001}, {1005}, {2002}, {3003}, {5001}};
  device.max_threadgroup_memory = {32768};
  const Capabilities without_working_set = capabilities_of(device);
  CHECK(without_working_set[Field::apple_family] == 1005);
  CHECK(without_working_set[Field::max_threadgroup_memory] == 32768);
  CHECK_FALSE(without_working_set[Field::recommended_max_working_set]);
  CHECK_FALSE(without_working_set.empty());
  device.families = {{2002}, {3003}};
  device.recommended_max_working_set = Bytes{4096};
  CHECK_FALSE(capabilities_of(device)[Field::apple_family]);
  CHECK(capabilities_of(device)[Field::recommended_max_working_set] == 4096);
}

namespace {

bool is_kebab_case(std::string_view name) {
  const bool has_edge = name.empty() || name.front() == '-' || name.back() == '-';
  return !has_edge && name.find("--") == std::string_view::npos &&
         std::ranges::all_of(name, [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; });
}

}  // namespace

TEST_CASE("every finding has one row in the catalogue") {
  CHECK(is_kebab_case("not-found"));
  for (const char* name : {"", "Not-found", "not_found", "-found", "found-", "not--found"})
    CHECK_FALSE(is_kebab_case(name));

  std::set<std::string_view> names;
  std::size_t next = 0;
  for (const CatalogueRow& row : finding_catalogue()) {
    CAPTURE(row.name);
    CHECK(static_cast<std::size_t>(row.id) == next++);
    CHECK(&catalogue_row(row.id) == &row);
    CHECK(is_kebab_case(row.name));
    CHECK(names.insert(row.name).second);
    CHECK((row.run_status >= 125 && row.run_status <= 127));
    const Finding finding{row.id, "sentence", "next"};
    CHECK(finding.severity == row.severity);
    CHECK(finding.cause == row.cause);
  }
  CHECK(next == static_cast<std::size_t>(FindingId::output_failed) + 1);
}

TEST_CASE("only a target that is missing or cannot run has a status of its own") {
  for (const CatalogueRow& row : finding_catalogue()) {
    CAPTURE(row.name);
    const bool is_missing = row.id == FindingId::not_found || row.id == FindingId::interpreter_missing;
    const bool cannot_run = row.id == FindingId::not_executable || row.id == FindingId::exec_failed ||
                            row.id == FindingId::script_cycle;
    CHECK(row.run_status == (is_missing ? 127 : cannot_run ? 126 : 125));
  }
}

TEST_CASE("every recorded guest needs what its machine says") {
  const std::map<std::string, Need> rows{
      {"amd-mac", Need::no_mac},
      {"bare-metal-m1-ultra", Need::bare_metal},
      {"bare-metal-m3-pro", Need::bare_metal},
      {"bare-metal-m5", Need::bare_metal},
      {"mac2-only", Need::guest},
      {"no-device", Need::guest_without_gpu},
      {"not-a-mac", Need::no_mac},
      {"sequoia-15-m3-pro", Need::guest},
      {"sonoma-14-runner", Need::guest},
      {"tahoe-26-m1-ultra", Need::guest},
      {"tahoe-26-m4-max", Need::guest},
      {"unknown-future-chip", Need::guest},
  };
  for (const auto& file : guest_files()) {
    CAPTURE(file.filename());
    const auto report = parse_guest_report(read_file(file), "guest");
    REQUIRE(report);
    CHECK(need_of(report->machine) == rows.at(file.stem()));
  }
  CHECK(guest_files().size() == rows.size());
}

namespace {

Machine guest_machine() {
  Machine machine;
  machine.os = "macOS";
  machine.model = "VirtualMac2,1";
  machine.chip = "Apple M1 Ultra (Virtual)";
  machine.architecture = "arm64";
  machine.is_virtual = true;
  machine.accelerators = {"AppleParavirtGPU"};
  return machine;
}

}  // namespace

TEST_CASE("a guest is recognised by the hypervisor flag or the model, and needs Apple silicon") {
  CHECK(need_of(guest_machine()) == Need::guest);
  Machine machine = guest_machine();
  machine.is_virtual = false;
  CHECK(need_of(machine) == Need::guest);
  machine.model = "Mac13,2";
  CHECK(need_of(machine) == Need::bare_metal);
  machine.is_virtual = true;
  CHECK(need_of(machine) == Need::guest);
  machine.accelerators = {"AppleParavirtGPUx"};
  CHECK(need_of(machine) == Need::guest_without_gpu);
  machine.accelerators = {"Another", "AppleParavirtGPU"};
  CHECK(need_of(machine) == Need::guest);
  machine.architecture = "x86_64";
  CHECK(need_of(machine) == Need::no_mac);
  machine = guest_machine();
  machine.os = "Linux";
  CHECK(need_of(machine) == Need::no_mac);
}

TEST_CASE("the reason names what was seen") {
  Machine machine = guest_machine();
  CHECK(reason_text(Need::guest, machine) == "this is a guest on Apple M1 Ultra");
  CHECK(reason_text(Need::guest_without_gpu, machine) == "this guest has no paravirtual GPU");
  machine.model = "Mac13,2";
  CHECK(reason_text(Need::bare_metal, machine) == "this is bare metal (Mac13,2)");
  machine.os = "Linux";
  machine.architecture = "x86_64";
  CHECK(reason_text(Need::no_mac, machine) == "this is no Mac with Apple silicon (Linux on x86_64)");
}
