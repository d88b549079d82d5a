// SPDX-License-Identifier: MIT
#include "cli/text/doctor_text.hpp"
#include "tests/catch.hpp"
#include "tests/files.hpp"
#include "tests/macho/program_builder.hpp"
#include "tests/unit/json_schema.hpp"
#include "tests/unit/recorded_system.hpp"

#include <algorithm>
#include <functional>

using namespace metal_unlock;

namespace {

using Words = std::vector<std::string>;

void add_binary(RecordedSystem& system, const std::string& path, std::string bytes) {
  system.add_program(path);
  system.files[path].text = std::move(bytes);
}

json answer(RecordedSystem& system, Words command, int status) {
  Words words{"doctor", "--json"};
  words.insert(words.end(), command.begin(), command.end());
  system.out.clear();
  CHECK(system.run(words).status == status);
  return json::parse(system.out);
}

json schema() { return json::parse(read_file(source_directory() / "docs/doctor.schema.json")); }

std::vector<std::string> ids_of(const json& answer, const std::string& severity) {
  std::vector<std::string> ids;
  for (const json& section : answer.at("sections"))
    for (const json& entry : section.at("entries"))
      if (entry.at("severity") == severity) ids.push_back(entry.at("id"));
  return ids;
}

std::size_t longest_line(std::string_view text) {
  std::size_t longest = 0;
  for (; !text.empty(); text.remove_prefix(std::min(text.size(), text.find('\n') + 1))) {
    const std::string line{text.substr(0, text.find('\n'))};
    if (line.find("next: ") == std::string::npos) longest = std::max(longest, line.size());
  }
  return longest;
}

}  // namespace

TEST_CASE("doctor is ready, or not, and says which part is not") {
  RecordedSystem fine;
  CHECK(answer(fine, {}, 0).at("verdict") == "ready");
  CHECK(answer(fine, {"--", "tool"}, 0).at("verdict") == "ready");
  add_binary(fine, "/w/hard", program_file({.flags = hardened, .team = "AB12"}));
  const json hard = answer(fine, {"--", "/w/hard"}, 3);
  CHECK(hard.at("verdict") == "guest ready, '/w/hard' is not (1 fail)");
  CHECK(ids_of(hard, "fail") == Words{"target-hardened"});
  CHECK(hard.at("target").at("loader").at("verdict") == "dropped");
  CHECK(answer(fine, {"--", "absent"}, 3).at("target").is_null());
  // Nothing was started, placed or asked of Metal.
  for (const char* act : {"start", "place shim", "ask metal", "watch", "write file"})
    CHECK_FALSE(fine.did(act));

  RecordedSystem without("no-device");
  CHECK(answer(without, {}, 3).at("verdict") == "not ready (1 fail)");
  RecordedSystem bare("bare-metal-m5");
  CHECK(answer(bare, {"--", "tool"}, 0).at("verdict") == "ready, with nothing to unlock here");
  RecordedSystem unknown("unknown-future-chip");
  CHECK(ids_of(answer(unknown, {}, 3), "fail") == Words{"profile-none"});
}

TEST_CASE("doctor finds everything, where run stops at the first") {
  RecordedSystem system("unknown-future-chip");
  system.variables = Environment{Words{"METAL_UNLOCK=off", "PATH=/usr/bin"}};
  system.shim_fault = Finding{FindingId::shim_unplaced, "no room", "make room"};
  add_binary(system, "/w/hard", program_file({.flags = hardened}));
  CHECK(ids_of(answer(system, {"--", "/w/hard"}, 3), "fail") ==
        Words{"profile-none", "shim-unplaced", "switched-off", "target-hardened"});
}

TEST_CASE("the JSON of doctor is what its schema says") {
  for (const auto& file : guest_files()) {
    CAPTURE(file.stem().string());
    RecordedSystem system(file.stem().string());
    add_binary(system, "/w/hard", program_file({.flags = hardened}));
    system.add_program("/usr/bin/env");
    for (const Words& command : {Words{}, Words{"--", "tool"}, Words{"--", "/w/hard"}, Words{"--", "absent"},
                                 Words{"--", "env", "A=1", "tool"}}) {
      Words words{"doctor", "--json"};
      words.insert(words.end(), command.begin(), command.end());
      system.out.clear();
      system.run(words);
      const json answer = json::parse(system.out);
      CHECK(schema_breaches(schema(), answer) == Words{});
      for (const json& section : answer.at("sections"))
        for (const json& entry : section.at("entries")) {
          CHECK(entry.at("next").get<std::string>().empty() == (entry.at("severity") == "ok"));
          CHECK(entry.at("id").get<std::string>().empty() == (entry.at("severity") == "ok"));
        }
    }
  }
}

TEST_CASE("the reader of schemas finds each breach") {
  RecordedSystem system;
  const json good = answer(system, {"--", "tool"}, 0);
  const auto breaches = [&](const std::function<void(json&)>& change) {
    json changed = good;
    change(changed);
    return schema_breaches(schema(), changed).size();
  };
  CHECK(breaches([](json&) {}) == 0);
  CHECK(breaches([](json& j) { j.erase("ready"); }) == 1);
  CHECK(breaches([](json& j) { j["more"] = 1; }) == 1);
  CHECK(breaches([](json& j) { j["schema"] = 2; }) == 1);
  CHECK(breaches([](json& j) { j["ready"] = "yes"; }) == 1);
  CHECK(breaches([](json& j) { j["target"] = nullptr; }) == 0);
  CHECK(breaches([](json& j) { j["sections"][0]["entries"][0]["severity"] = "fine"; }) == 1);
  CHECK(breaches([](json& j) { j["target"]["argv"][0] = 1; }) == 1);
  CHECK(schema_breaches(json{{"pattern", "x"}}, json{}).size() == 1);
}

TEST_CASE("doctor fits the terminal, and wraps nothing in a pipe") {
  RecordedSystem system;
  const auto shown = [&](Terminal terminal) {
    system.out_terminal = terminal;
    system.out.clear();
    CHECK(system.run({"doctor", "--", "tool"}).status == 0);
    return system.out;
  };
  const std::string piped = shown({});
  CHECK(longest_line(piped) > 80);
  for (const int width : {40, 60, 80}) {
    CAPTURE(width);
    const std::string text =
        shown({.is_terminal = true, .has_colour = false, .has_unicode = true, .width = width});
    // A path cannot be broken.
    std::string without_paths;
    for (std::string_view rest = text; !rest.empty();
         rest.remove_prefix(std::min(rest.size(), rest.find('\n') + 1)))
      if (rest.substr(0, rest.find('\n')).find('/') == std::string_view::npos)
        without_paths += std::string{rest.substr(0, rest.find('\n'))} + "\n";
    CHECK(longest_line(without_paths) <= static_cast<std::size_t>(width));
  }
  CHECK(piped.find('\x1b') == std::string::npos);
  CHECK(shown({.is_terminal = true, .has_colour = true, .has_unicode = true, .width = 80}).find('\x1b') !=
        std::string::npos);
  CHECK(piped.ends_with("verdict: ready\n"));
}

TEST_CASE("prepare says what is lost before it signs a copy, and signs nothing else") {
  RecordedSystem system;
  for (const char* tool : {"cp", "xattr", "codesign"}) system.add_program("/usr/bin/" + std::string{tool});
  add_binary(system, "/w/hard", program_file({.flags = hardened, .team = "AB12"}));
  REQUIRE(system.run({"prepare", "/w/hard", "--output", "/w/copy"}).status == 0);
  CHECK(system.out.find("AB12") < system.out.find("next: metal-unlock run -- /w/copy"));
  CHECK(std::ranges::count(system.acts, "capture") == 4);
  REQUIRE(system.captured_plan);
  CHECK(system.captured_plan->argv == Words{"codesign", "--verify", "--strict", "/w/copy"});
  CHECK(system.files.at("/w/copy.entitlements").text.find("disable-library-validation") != std::string::npos);

  RecordedSystem dry;
  add_binary(dry, "/w/hard", program_file({.flags = hardened}));
  REQUIRE(dry.run({"prepare", "--dry-run", "/w/hard"}).status == 0);
  CHECK(dry.acts.empty());
  CHECK(dry.out.find("codesign --force --sign - --options runtime") != std::string::npos);

  RecordedSystem missing;
  add_binary(missing, "/w/hard", program_file({.flags = hardened}));
  CHECK(missing.run({"prepare", "/w/hard"}).status == 1);
  CHECK(missing.acts.empty());
  RecordedSystem failing = system;
  failing.captured = Captured{1, ""};
  CHECK(failing.run({"prepare", "/w/hard", "--output", "/w/other"}).status == 1);
  CHECK(failing.err.find("[prepare-failed]") != std::string::npos);
  CHECK(RecordedSystem{}.run({"prepare"}).status == 2);
  CHECK(RecordedSystem{}.run({"prepare", "a", "b"}).status == 2);
}
