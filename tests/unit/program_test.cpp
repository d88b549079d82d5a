// SPDX-License-Identifier: MIT
#include "cli/core/program.hpp"

#include "cli/core/program_library.hpp"
#include "cli/core/program_parse.hpp"
#include "tests/catch.hpp"
#include "tests/files.hpp"
#include "tests/text_search.hpp"

#include <algorithm>
#include <filesystem>

using namespace metal_unlock;

namespace {

const std::string program_fact = "source = \"a log\"\ndate = \"2026-08-21\"\n";
const std::string program_head =
    "schema = 1\ndescription = \"a program\"\n[gain]\nunlock = \"much\"\nwhy = \"it does\"\n" + program_fact;

ProgramLibrary program_library(std::vector<UserProfile> files = {}) {
  return {built_in_programs(), std::move(files)};
}

UserProfile user_program(const std::string& name, const std::string& text) {
  return {"/home/me/programs/" + name + ".toml", text};
}

Program loaded_program(const ProgramLibrary& programs, const std::string& name) {
  auto program = programs.load(name);
  INFO((program ? "" : program.finding().sentence));
  REQUIRE(program);
  return *std::move(program);
}

std::string program_fault(const std::string& text, ProfileLayer layer = ProfileLayer::user) {
  const auto program = parse_program(text, "p.toml", layer);
  return program ? "" : program.finding().sentence;
}

DeviceAnswers device(std::vector<GpuFamily> families, std::string name = "Apple Paravirtual device") {
  DeviceAnswers answers;
  answers.name = std::move(name);
  answers.families = std::move(families);
  return answers;
}

const ProgramItem* item(const Program& program, ItemKind kind, const std::string& name) {
  const auto found = std::ranges::find_if(
      program.items, [&](const ProgramItem& each) { return each.kind == kind && each.name == name; });
  return found == program.items.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("every program file is well formed, and every fact in it has source and date") {
  std::size_t facts = 0;
  const auto check_fact = [&](const FactSource& source, const std::string& origin, const std::string& path) {
    ++facts;
    CHECK_FALSE(source.source.empty());
    CHECK((source.date >= "2023" && source.date < "2100"));
    CHECK(origin == path);
  };
  for (const BuiltInProfile& file : built_in_programs()) {
    CAPTURE(file.path);
    const auto program = parse_program(file.text, file.path, ProfileLayer::built_in);
    INFO((program ? "" : program.finding().sentence));
    REQUIRE(program);
    CHECK(std::string{file.text} == read_file(source_directory() / file.path));
    check_fact(program->gain->fact, program->gain->origin, program->path);
    if (program->recognition)
      check_fact(program->recognition->fact, program->recognition->origin, program->path);
    for (const ProgramItem& each : program->items) check_fact(each.fact, each.origin, program->path);
    CHECK_FALSE(program->items_of(ItemKind::gate).empty());
  }
  CHECK(facts > 120);
  std::vector<std::string> names = program_library().names();
  const std::vector<std::string> wanted{"blender",     "candle",      "godot",      "llama.cpp",
                                        "metal.jl",    "mlx",         "moltenvk",   "ollama",
                                        "onnxruntime", "pytorch-mps", "slang-rhi",  "stable-diffusion.cpp",
                                        "tinygrad",    "wgpu",        "whisper.cpp"};
  CHECK(names == wanted);
}

TEST_CASE("a fact without source or date is refused, in every kind of table") {
  const std::pair<std::string, std::string> tables[] = {
      {"[[gate]]\n", "name = \"g\"\nquestion = \"supportsFamily:\"\nany_of = [1007]\ndecides = \"x\"\n"},
      {"[[switch]]\n", "name = \"V\"\neffect = \"x\"\n"},
      {"[[trap]]\n", "name = \"t\"\nbreaks = \"x\"\n"},
      {"[[bad_guest]]\n", "name = \"b\"\nversions = [\"14\"]\nsymptom = \"x\"\n"},
      {"[[advice]]\n", "name = \"A\"\nvalue = \"1\"\nwhy = \"x\"\n"},
      {"[recognise]\n", "names = [\"p\"]\n"},
  };
  for (const auto& [title, keys] : tables) {
    CAPTURE(title);
    CHECK(program_fault(program_head + title + keys + program_fact).empty());
    CHECK(holds(program_fault(program_head + title + keys + "date = \"2026-08-21\"\n"),
                "a fact needs its source"));
    CHECK(
        holds(program_fault(program_head + title + keys + "source = \"a log\"\n"), "a fact needs the date"));
    CHECK(holds(program_fault(program_head + title + keys + "source = \"\"\ndate = \"2026-08-21\"\n"),
                "'source' is empty"));
    for (const char* date : {"21.8.2026", "2026", "2026-8-21", "yesterday"})
      CHECK(holds(program_fault(program_head + title + keys + "source = \"s\"\ndate = \"" + date + "\"\n"),
                  "not of the form"));
    CHECK(program_fault(program_head + title + keys + "source = \"s\"\ndate = \"2026-08\"\n").empty());
  }
  const std::string gain = "schema = 1\ndescription = \"x\"\n[gain]\nunlock = \"much\"\nwhy = \"x\"\n";
  CHECK(program_fault(gain + program_fact).empty());
  CHECK(holds(program_fault(gain + "source = \"s\"\n"), "a fact needs the date"));
}

TEST_CASE("each mistake in a program file is named, and its nearest correct form is not one") {
  const std::string gate = "[[gate]]\nname = \"g\"\nquestion = \"q\"\ndecides = \"d\"\n" + program_fact;
  struct Row {
    std::string mistake;
    std::string part;
    std::string correct;
  };
  const Row rows[] = {
      {"description = \"x\"\n", "schema is missing", program_head},
      {"schema = 2\n" + program_head.substr(11), "schema is 2", program_head},
      {"schema = 1\ndescription = \"x\"\n", "[gain] is missing", program_head},
      {program_head + "[[gat]]\n", "did you mean gate", program_head + gate},
      {program_head + gate + "any_of = [7]\n", "7 is no number of a GPU family",
       program_head + gate + "any_of = [1007]\n"},
      {program_head + gate + "any_of = [\"Apple7\"]\n", "not an integer",
       program_head + gate + "any_of = [[1008, 2002], 1009]\n"},
      {program_head + gate + gate, "there are two gates 'g'", program_head + gate},
      {program_head + "[[gate]]\nname = \"g\"\ndecides = \"d\"\n" + program_fact, "needs its question",
       program_head + gate},
      {program_head + "[[gate]]\nquestion = \"q\"\ndecides = \"d\"\n" + program_fact, "a gate needs a name",
       program_head + gate},
      {program_head + "[[switch]]\nname = \"V\"\n" + program_fact, "does not say what it does",
       program_head + "[[switch]]\nname = \"V\"\neffect = \"e\"\n" + program_fact},
      {program_head + "[[bad_guest]]\nname = \"b\"\nsymptom = \"s\"\n" + program_fact, "needs versions",
       program_head + "[[bad_guest]]\nname = \"b\"\nsymptom = \"s\"\nversions = [\"14\"]\n" + program_fact},
      {program_head + "[[advice]]\nname = \"A\"\nwhy = \"w\"\n" + program_fact, "needs a value",
       program_head + "[[advice]]\nname = \"A\"\nwhy = \"w\"\nvalue = \"v\"\n" + program_fact},
      {program_head + "[recognise]\n" + program_fact, "needs names or libraries",
       program_head + "[recognise]\nlibraries = [\"l\"]\n" + program_fact},
      {"without = [\"gate:g\"]\n" + program_head, "extends none",
       "extends = \"mlx\"\nwithout = [\"trap:Metal 3\"]\n" + program_head},
      {"extends = \"mlx\"\nwithout = [\"gates:g\"]\n" + program_head, "not of the form",
       "extends = \"mlx\"\nwithout = [\"gate:g\"]\n" + program_head},
      {program_head + "[environment]\nDYLD_X = \"1\"\n", "not for a profile to set",
       program_head + "[environment]\nX = \"1\"\n"},
      {program_head + "[environment]\nMETAL_UNLOCK = \"off\"\n", "not for a profile to set",
       program_head + "[environment]\nMETAL = \"off\"\n"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.mistake);
    CHECK(holds(program_fault(row.mistake), row.part));
    CHECK(program_fault(row.correct).empty());
  }
  CHECK(holds(program_fault(program_head + "[environment]\nX = \"1\"\n", ProfileLayer::built_in),
              "only a user's own profile"));
}

TEST_CASE("a gate is open where one alternative and the name fit") {
  struct Row {
    Condition condition;
    DeviceAnswers answers;
    bool is_open;
    const char* text;
  };
  const std::string paravirtual_name = "Apple Paravirtual device";
  const Condition seven_or_metal3{{{{1007}}, {{5001}}}, {}, {}, false};
  const Condition atomics{{{{1009}}, {{1008}, {2002}}}, {}, {}, false};
  const Condition has_name{{}, {"M5", "M6"}, {}, false};
  const Condition lacks_name{{}, {}, {"virtual"}, false};
  const Condition tensor{{{{5002}}}, {"M5"}, {}, false};
  const Condition never{{}, {}, {}, true};
  const Row rows[] = {
      {seven_or_metal3, device({{1005}}), false, "Apple7 or Metal3"},
      {seven_or_metal3, device({{1005}, {1007}}), true, "Apple7 or Metal3"},
      {seven_or_metal3, device({{5001}}), true, "Apple7 or Metal3"},
      {atomics, device({{1008}}), false, "Apple9 or Apple8 and Mac2"},
      {atomics, device({{1008}, {2002}}), true, "Apple9 or Apple8 and Mac2"},
      {has_name, device({}, "Apple M5 Max"), true, "name has M5 or M6"},
      {has_name, device({}, paravirtual_name), false, "name has M5 or M6"},
      {lacks_name, device({}, paravirtual_name), false, "name lacks virtual"},
      {lacks_name, device({}, "Apple M5"), true, "name lacks virtual"},
      {tensor, device({{5002}}), false, "Metal4, name has M5"},
      {tensor, device({}, "Apple M5"), false, "Metal4, name has M5"},
      {tensor, device({{5002}}, "Apple M5"), true, "Metal4, name has M5"},
      {never, device({{1007}, {5001}}), false, "nothing opens it"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text, row.answers.name);
    CHECK(is_open(row.condition, row.answers) == row.is_open);
    CHECK(to_text(row.condition) == row.text);
  }
  CHECK_FALSE(is_open({}, device({{1007}})));
}

TEST_CASE("an operation is done where every gate about it is open") {
  const Program llama = loaded_program(program_library(), "llama.cpp");
  struct Row {
    Operation operation;
    bool apple5;
    bool apple6;
    bool metal3;
    bool apple7;
  };
  const Row rows[] = {
      {{"ADD", {"f32", "f32"}, "f32"}, true, true, true, true},
      {{"CPY", {"f32", "bf16"}, "bf16"}, false, true, true, true},
      {{"CPY", {"f32"}, "bf16"}, false, true, true, true},
      {{"MUL_MAT", {"q4_K", "f32"}, "f32"}, false, false, true, true},
      {{"MUL_MAT", {"bf16", "f32"}, "f32"}, false, false, true, true},
      {{"MUL_MAT", {"q4_K", "f16"}, "f32"}, false, false, false, true},
      {{"MUL_MAT", {"f16", "f16"}, "f32"}, false, false, true, true},
      {{"MUL_MAT_ID", {"f16", "f16", "i32"}, "f32"}, false, false, false, true},
      {{"MUL_MAT", {"nvfp4", "f32"}, "f32"}, false, false, false, false},
      {{"FLASH_ATTN_EXT", {"f32", "f16", "f16"}, "f32"}, false, false, false, true},
      {{"RMS_NORM", {"f32"}, "f32"}, false, false, true, true},
      {{"UNKNOWN", {}, ""}, true, true, true, true},
  };
  for (const Row& row : rows) {
    CAPTURE(row.operation.name, row.operation.operands);
    CHECK(does_operation(llama, row.operation, device({{1005}})) == row.apple5);
    CHECK(does_operation(llama, row.operation, device({{1005}, {1006}})) == row.apple6);
    CHECK(does_operation(llama, row.operation, device({{2002}, {5001}})) == row.metal3);
    CHECK(does_operation(llama, row.operation, device({{1005}, {1006}, {1007}})) == row.apple7);
  }
}

TEST_CASE("a program is recognised by the name of its file, or by a library it is linked with") {
  struct Row {
    std::string file;
    std::vector<std::string> libraries;
    std::string program;
  };
  const Row rows[] = {
      {"/opt/homebrew/bin/llama-server", {}, "llama.cpp"},
      {"llama-server", {}, "llama.cpp"},
      {"/opt/llama-server/bin/tool", {}, ""},
      {"/x/llama-server-2", {}, ""},
      {"/x/my-app", {"/usr/lib/libSystem.B.dylib", "@rpath/libggml-metal.0.dylib"}, "llama.cpp"},
      {"/x/my-app", {"@rpath/libggml-metal.dylib"}, "llama.cpp"},
      {"/x/my-app", {"libmlx.dylib"}, "mlx"},
      {"/x/my-app", {"libmlx-other.dylib"}, ""},
      {"/x/my-app", {"/usr/lib/libSystem.B.dylib"}, ""},
      {"/x/venv/bin/mlx_lm.generate", {}, "mlx"},
      {"ollama", {"libmlx.dylib"}, "ollama"},
      {"", {}, ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.file, row.libraries);
    const auto program = program_library().recognise(row.file, row.libraries);
    CHECK((program ? program->name : "") == row.program);
  }
}

TEST_CASE("a known bad guest is one of its versions") {
  const Program llama = loaded_program(program_library(), "llama.cpp");
  Machine machine;
  for (const char* version : {"14", "14.5", "14.6.1"}) {
    machine.os_version = version;
    CHECK(bad_guests_here(llama, machine).size() == 1);
  }
  for (const char* version : {"", "1", "15.4", "140.1", "26.14"}) {
    machine.os_version = version;
    CHECK(bad_guests_here(llama, machine).empty());
  }
}

TEST_CASE("a user's file adds one item to a built-in program, replaces one and drops one") {
  const std::string path = "/home/me/programs/llama.cpp.toml";
  const std::string own = "[[switch]]\nname = \"MY_SWITCH\"\neffect = \"mine\"\n" + program_fact;
  const std::size_t before = loaded_program(program_library(), "llama.cpp").items.size();
  const std::string start = "schema = 1\nextends = \"llama.cpp\"\n";

  const Program added =
      loaded_program(program_library({user_program("llama.cpp", start + own)}), "llama.cpp");
  CHECK(added.items.size() == before + 1);
  REQUIRE(item(added, ItemKind::variable, "MY_SWITCH") != nullptr);
  CHECK(item(added, ItemKind::variable, "MY_SWITCH")->origin == path);
  CHECK(item(added, ItemKind::gate, "SIMD-group matrix")->origin == "profiles/programs/llama.cpp.toml");
  CHECK(added.description == "language models from GGUF files");
  CHECK(added.gain->origin == "profiles/programs/llama.cpp.toml");
  CHECK(added.layer == ProfileLayer::user);

  const Program dropped = loaded_program(
      program_library(
          {user_program("llama.cpp", start + "without = [\"switch:GGML_METAL_NO_RESIDENCY\"]\n")}),
      "llama.cpp");
  CHECK(dropped.items.size() == before - 1);
  CHECK(item(dropped, ItemKind::variable, "GGML_METAL_NO_RESIDENCY") == nullptr);
  CHECK(dropped.without == std::vector<DroppedItem>{{ItemKind::variable, "GGML_METAL_NO_RESIDENCY", path}});

  const std::string other =
      "[[switch]]\nname = \"GGML_METAL_NO_RESIDENCY\"\neffect = \"mine\"\n" + program_fact;
  const Program replaced =
      loaded_program(program_library({user_program("llama.cpp", start + other)}), "llama.cpp");
  CHECK(replaced.items.size() == before);
  CHECK(item(replaced, ItemKind::variable, "GGML_METAL_NO_RESIDENCY")->origin == path);

  const auto absent =
      program_library({user_program("llama.cpp", start + "without = [\"switch:GGML_METAL_NO_RESIDENC\"]\n")})
          .load("llama.cpp");
  REQUIRE_FALSE(absent);
  CHECK(holds(absent.finding().sentence, "which is not inherited"));
}

TEST_CASE("a chain of programs is followed, a cycle and an unknown parent are faults") {
  const auto extending = [](const std::string& parent) {
    return "schema = 1\nextends = \"" + parent + "\"\n";
  };
  const Program chain = loaded_program(
      program_library({user_program("a", extending("b")), user_program("b", extending("mlx"))}), "a");
  CHECK(chain.gain->gain == Gain::none);
  for (const auto& files :
       {std::vector{user_program("a", extending("b")), user_program("b", extending("a"))},
        std::vector{user_program("a", extending("a"))}, std::vector{user_program("a", extending("llama"))}}) {
    const auto program = program_library(files).load("a");
    REQUIRE_FALSE(program);
    CHECK(program.finding().id == FindingId::profile_invalid);
  }
  const auto unknown = program_library().load("llama.cp");
  REQUIRE_FALSE(unknown);
  CHECK(holds(unknown.finding().next, "llama.cpp"));
}

TEST_CASE("a gate without a condition stands open, and one that nothing opens does not") {
  Program program;
  ProgramItem& gate = program.items.emplace_back();
  gate.kind = ItemKind::gate;
  gate.operations = {"ADD"};
  CHECK(does_operation(program, {"ADD", {}, ""}, device({})));
  gate.condition.never = true;
  CHECK_FALSE(does_operation(program, {"ADD", {}, ""}, device({})));
}

TEST_CASE("a program's own gain stands in the place of its parent's") {
  const std::string own =
      "schema = 1\nextends = \"llama.cpp\"\n[gain]\nunlock = \"some\"\nwhy = \"so\"\n" + program_fact;
  const Program program = loaded_program(program_library({user_program("llama.cpp", own)}), "llama.cpp");
  REQUIRE(program.gain);
  CHECK(program.gain->origin == "/home/me/programs/llama.cpp.toml");
}
