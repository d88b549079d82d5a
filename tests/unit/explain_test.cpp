// SPDX-License-Identifier: MIT
#include "cli/core/comparison.hpp"
#include "tests/catch.hpp"
#include "tests/files.hpp"
#include "tests/json.hpp"
#include "tests/text_search.hpp"
#include "tests/unit/recorded_system.hpp"

#include <algorithm>

using namespace metal_unlock;

namespace {

using Words = std::vector<std::string>;

const std::string programs = "/home/me/.config/metal-unlock/profiles/programs/";
const std::string fact = "source = \"my notes\"\ndate = \"2026-11-30\"\n";

/// The line that begins with these words.
std::string line_of(const std::string& text, const std::string& start) {
  const std::size_t at = ("\n" + text).find("\n" + start);
  return at == std::string::npos ? "" : text.substr(at, text.find('\n', at) - at);
}

json gate_of(const json& document, const std::string& name) {
  for (const json& gate : document.at("programs").at(0).at("gate"))
    if (gate.at("name") == name) return gate;
  return {};
}

json explained(RecordedSystem& system, Words words) {
  words.insert(words.begin(), "explain");
  words.emplace_back("--json");
  CHECK(system.run(words).status == 0);
  return json::parse(system.out);
}

}  // namespace

TEST_CASE("explain shows for each gate what stock, unlocked and bare metal answer") {
  RecordedSystem system;
  CHECK(system.run({"explain", "llama.cpp"}).status == 0);
  CAPTURE(system.out);
  CHECK(system.err.empty());
  const std::string reduction = line_of(system.out, "SIMD-group reduction");
  CHECK(holds(reduction, "Apple7 or Metal3"));
  CHECK(holds(squeezed(reduction), " no yes yes "));
  CHECK(holds(squeezed(line_of(system.out, "tensor units")), " no no no "));
  CHECK(holds(line_of(system.out, "threadgroup memory"), "32 KiB"));
  CHECK(holds(system.out, "  need Apple7 or Metal3: stock no, unlocked yes\n    SUM, SUM_ROWS,"));
  CHECK(holds(system.out, "MUL_MAT, MUL_MAT_ID,"));
  CHECK(holds(system.out, "GGML_METAL_BF16_DISABLE"));
  CHECK(holds(system.out, "2026-08-21, ggml-org/ggml"));
  CHECK_FALSE(holds(system.out, "This guest is one of them"));

  RecordedSystem old;
  old.guest.machine.os_version = "14.5";
  CHECK(old.run({"explain", "llama.cpp"}).status == 0);
  CHECK(holds(old.out, "This guest is one of them: mapped models on macOS 14"));
}

TEST_CASE("explain agrees with what each recorded machine answers") {
  struct Row {
    const char* guest;
    json stock;
    json unlocked;
    json bare_metal;
  };
  const Row rows[] = {
      {"tahoe-26-m1-ultra", false, true, true},  {"sequoia-15-m3-pro", false, true, true},
      {"bare-metal-m1-ultra", true, true, true}, {"unknown-future-chip", false, false, nullptr},
      {"not-a-mac", nullptr, nullptr, nullptr},  {"no-device", nullptr, nullptr, nullptr},
  };
  for (const Row& row : rows) {
    CAPTURE(row.guest);
    RecordedSystem system(row.guest);
    const json gate = gate_of(explained(system, {"llama.cpp"}), "SIMD-group reduction");
    CHECK(gate.at("stock") == row.stock);
    CHECK(gate.at("unlocked") == row.unlocked);
    CHECK(gate.at("bare_metal") == row.bare_metal);
  }
}

TEST_CASE("explain speaks of a recorded guest, on any machine") {
  RecordedSystem system("not-a-mac");
  system.add_file("g.json", read_file(guest_file("tahoe-26-m4-max")));
  const json document = explained(system, {"tinygrad", "--guest", "g.json"});
  CHECK(document.at("machine").at("chip") == "Apple M4 Max (Virtual)");
  CHECK(document.at("profile") == "m4-max");
  CHECK(gate_of(document, "tensor cores").at("unlocked") == true);
  CHECK(gate_of(document, "graph").at("unlocked") == false);
  CHECK(gate_of(document, "graph").at("bare_metal") == true);
  CHECK_FALSE(system.did("ask metal"));
  RecordedSystem absent;
  CHECK(absent.run({"explain", "mlx", "--guest", "none.json"}).status == 1);
  CHECK(holds(absent.err, "[file-unreadable]"));
}

TEST_CASE("explain without a program says which of the known ones gain") {
  RecordedSystem system;
  CHECK(system.run({"explain"}).status == 0);
  CAPTURE(system.out);
  CHECK(holds(line_of(system.out, "llama.cpp "),
              "much     SIMD-group reduction, SIMD-group matrix and 3 more"));
  CHECK(holds(line_of(system.out, "mlx "), "none     nothing"));
  CHECK(holds(line_of(system.out, "tinygrad "), "some     tensor cores, bfloat16"));
  RecordedSystem as_json;
  CHECK(explained(as_json, {}).at("programs").size() == 15);
}

TEST_CASE("a program that is not known is an error with near names") {
  RecordedSystem system;
  CHECK(system.run({"explain", "lama.cpp"}).status == 1);
  CHECK(holds(system.err, "nothing is known of a program 'lama.cpp' [profile-unknown]"));
  CHECK(holds(system.err, "did you mean llama.cpp?"));
  CHECK(system.out.empty());
  CHECK(system.run({"explain", "mlx", "candle"}).status == 2);
}

TEST_CASE("run -v names the gates that open, for a program that is known") {
  RecordedSystem system;
  system.add_program("/usr/bin/llama-server");
  CHECK(system.run({"run", "-v", "llama-server"}).started);
  CHECK(holds(system.err, "metal-unlock: llama.cpp: opens SIMD-group reduction (Apple7 or Metal3), "));
  CHECK_FALSE(system.did("ask metal"));
  RecordedSystem silent;
  silent.add_program("/usr/bin/llama-server");
  CHECK(silent.run({"run", "llama-server"}).started);
  CHECK(silent.err.empty());
  RecordedSystem other;
  CHECK(other.run({"run", "-v", "tool"}).started);
  CHECK_FALSE(holds(other.err, "opens"));
  RecordedSystem mlx;
  mlx.add_program("/usr/bin/mlx_lm.generate");
  CHECK(mlx.run({"run", "-v", "mlx_lm.generate"}).started);
  CHECK(holds(mlx.err, "metal-unlock: mlx: no gate depends on what is claimed\n"));
}

TEST_CASE("a variable is set only where the user's own profile of the program says so") {
  const auto started = [](const std::string& profile, Words variables, const std::string& guest) {
    RecordedSystem system(guest);
    system.add_program("/usr/bin/mlx_lm.generate");
    if (!profile.empty()) system.add_file(programs + "mlx.toml", "schema = 1\nextends = \"mlx\"\n" + profile);
    variables.insert(variables.end(), {"PATH=/usr/bin", "HOME=/home/me"});
    system.variables = Environment{variables};
    const Ran ran = system.run({"run", "mlx_lm.generate"});
    REQUIRE(ran.started);
    return std::pair{
        std::string{system.environment_of(*ran.started).get("MLX_METAL_GPU_ARCH").value_or("unset")},
        system.err};
  };
  const std::string own = "[environment]\nMLX_METAL_GPU_ARCH = \"{architecture}\"\n";
  const std::string guest = "tahoe-26-m1-ultra";
  CHECK(started("", {}, guest).first == "unset");
  CHECK(started(own, {}, guest).first == "applegpu_g13d");
  CHECK(started("[environment]\nMLX_METAL_GPU_ARCH = \"applegpu_g13s\"\n", {}, guest).first ==
        "applegpu_g13s");
  CHECK(started(own, {"MLX_METAL_GPU_ARCH=mine"}, guest).first == "mine");
  CHECK(started(own, {"METAL_UNLOCK=off"}, guest).first == "unset");
  CHECK(started(own, {}, "bare-metal-m1-ultra").first == "unset");
  const auto [unset, told] = started(own, {}, "unknown-future-chip");
  CHECK(unset == "unset");
  CHECK(holds(told, "[variable-unset]"));
}

TEST_CASE("profiles show gives the origin of everything that is known of a program") {
  RecordedSystem system;
  system.add_file(
      programs + "llama.cpp.toml",
      "schema = 1\nextends = \"llama.cpp\"\nwithout = [\"switch:GGML_METAL_NO_RESIDENCY\"]\n[[switch]]\n"
      "name = \"MINE\"\neffect = \"mine\"\n" +
          fact + "[environment]\nX = \"1\"\n");
  CHECK(system.run({"profiles", "show", "llama.cpp"}).status == 0);
  CAPTURE(system.out);
  const std::string own = programs + "llama.cpp.toml";
  for (const auto& [start, part] : {std::pair<std::string, std::string>{"switch       MINE ", own},
                                    {"switch       GGML_METAL_NO_RESIDENCY ", "dropped"},
                                    {"environment  X ", own},
                                    {"gate         SIMD-group matrix ", "profiles/programs/llama.cpp.toml"},
                                    {"gain         much ", "profiles/programs/llama.cpp.toml"}})
    CHECK(holds(line_of(system.out, start), part));
  RecordedSystem as_json;
  CHECK(as_json.run({"profiles", "show", "llama.cpp", "--json"}).status == 0);
  CHECK(json::parse(as_json.out).at("programs").at(0).at("gate").at(0).at("origin") ==
        "profiles/programs/llama.cpp.toml");
  RecordedSystem check;
  check.add_file("x/programs/p.toml", "schema = 1\ndescription = \"p\"\n");
  CHECK(check.run({"profiles", "check", "x/programs/p.toml"}).status == 1);
  CHECK(holds(check.err, "[gain] is missing"));
  check.add_file("x/programs/p.toml", "schema = 1\nextends = \"mlx\"\n");
  CHECK(check.run({"profiles", "check", "x/programs/p.toml"}).status == 0);
}

TEST_CASE("what is unlocked is stock with the granted answers, and a simulated GPU has less") {
  DeviceAnswers stock;
  stock.families = {{1001}, {1002}, {1003}, {1004}, {1005}, {3001}};
  stock.max_threadgroup_memory = Bytes{32768};
  Verdict verdict;
  verdict.fields = {{.field = Field::apple_family,
                     .stock = {},
                     .claim = {},
                     .ceiling = {},
                     .granted = 1007,
                     .simulated = {},
                     .decision = FieldDecision::raised,
                     .reason = {}}};
  const DeviceAnswers raised = unlocked_answers(stock, verdict);
  CHECK(raised.families ==
        std::vector<GpuFamily>{{1001}, {1002}, {1003}, {1004}, {1005}, {1006}, {1007}, {3001}});
  CHECK(raised.max_threadgroup_memory == stock.max_threadgroup_memory);
  verdict.fields.front().decision = FieldDecision::simulated;
  verdict.fields.front().granted = 1002;
  CHECK(unlocked_answers(stock, verdict).families == std::vector<GpuFamily>{{1001}, {1002}, {3001}});
  CHECK(unlocked_answers(stock, {}) == stock);
}

TEST_CASE("bare metal answers what every Mac of the family does, or what its report says") {
  Machine guest;
  guest.chip = "Apple M1 Ultra (Virtual)";
  guest.os_version = "26.5";
  Capabilities ceiling;
  CHECK_FALSE(bare_metal_answers(guest, ceiling, std::nullopt));
  ceiling[Field::apple_family] = 1007;
  const auto answers = bare_metal_answers(guest, ceiling, std::nullopt);
  REQUIRE(answers);
  CHECK(answers->name == "Apple M1 Ultra");
  const auto recorded = parse_guest_report(read_file(guest_file("bare-metal-m1-ultra")), "host");
  REQUIRE(recorded);
  CHECK(answers->families == recorded->devices.front().families);
  guest.os_version = "15.5";
  CHECK_FALSE(bare_metal_answers(guest, ceiling, std::nullopt)->supports({5002}));
  HostReport report;
  report.device.name = "reported";
  CHECK(bare_metal_answers(guest, ceiling, report)->name == "reported");
}
