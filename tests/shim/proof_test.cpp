// SPDX-License-Identifier: MIT

// What the shim says about itself: the report, the log, and the end of a process under `require`.

#include "tests/catch.hpp"
#include "tests/files.hpp"
#include "tests/shim/shim_run.hpp"

#include <fcntl.h>
#include <unistd.h>

using namespace metal_unlock;

namespace {

ShimOutcome client(const std::string& devices, const std::string& handoff,
                   const std::vector<std::string>& steps = {"create", "ask"},
                   const std::string& variant = "with_init") {
  std::vector<std::string> argv{"variant-client"};
  argv.insert(argv.end(), steps.begin(), steps.end());
  return run_with_shim(
      {.argv = argv, .handoff = handoff, .variant = variant, .environment = {{"VARIANT_DEVICES", devices}}});
}

std::vector<std::string> names(const std::vector<json>& events) {
  std::vector<std::string> result;
  for (const json& event : events) result.push_back(event.at("event"));
  return result;
}

/// The questions that metal-caps asks, each with the answer it got.
std::map<std::string, json> caps(const std::optional<std::string>& handoff, std::vector<json>* events) {
  const ShimOutcome outcome = run_with_shim({.argv = {"metal-caps", "--json"},
                                             .handoff = handoff,
                                             .environment = {{"LD_LIBRARY_PATH", std::nullopt}}});
  REQUIRE(outcome.process.exit_status == 0);
  CHECK(outcome.process.err == "");
  if (events != nullptr) *events = outcome.events;
  const json answers = outcome.lines.at(0);
  std::map<std::string, json> questions;
  for (const auto& [family, supported] : answers.at("families").items())
    questions["supportsFamily:" + family] = supported;
  for (const auto& [limit, size] : answers.at("limits").items()) questions[limit] = size;
  return questions;
}

/// `question`, with its argument where it has one.
std::string question_in(const json& event) {
  const std::string question = event.at("question");
  return event.contains("family") ? question + event.at("family").dump() : question;
}

}  // namespace

TEST_CASE("the report of a real run names every changed answer and no other") {
  const std::string handoff =
      "class=AppleParavirtDevice;apple-family=1007;max-threadgroup-memory=65536;recommended-max-working-set="
      "16";
  std::vector<json> events;
  const auto stock = caps(std::nullopt, nullptr);
  const auto told = caps(handoff, &events);
  std::map<std::string, std::pair<json, json>> changed;
  for (const auto& [question, answer] : stock) {
    if (told.at(question) != answer) changed[question] = {answer, told.at(question)};
  }
  REQUIRE(changed.size() == 3);
  std::map<std::string, std::pair<json, json>> reported;
  std::size_t answers = 0;
  for (const json& event : events) {
    if (event.at("event") != "answer") continue;
    ++answers;
    reported[question_in(event)] = {event.at("stock"), event.at("told")};
    CHECK(event.at("class") == "AppleParavirtDevice");
  }
  CHECK(reported == changed);
  CHECK(answers == changed.size());
}

TEST_CASE("the report tells what happened, in order") {
  const std::vector<std::string> answers{"answer", "answer", "answer"};
  const auto with = [&](std::vector<std::string> first) {
    first.insert(first.end(), answers.begin(), answers.end());
    return first;
  };
  CHECK(names(client("PlainDevice", usual_handoff({"PlainDevice"})).events) ==
        with({"loaded", "metal", "overridden", "device", "effective"}));
  CHECK(names(client("PlainDevice", usual_handoff({"PlainDevice"}), {"create", "ask"}, "without_init")
                  .events) == with({"loaded", "metal", "overridden", "device", "effective"}));
  CHECK(names(client("BundleDevice", usual_handoff({"BundleDevice"})).events) ==
        with({"loaded", "metal", "overridden", "device", "effective"}));
  CHECK(names(client("WarmDevice", usual_handoff({"WarmDevice"})).events) ==
        with({"loaded", "metal", "overridden", "device", "effective"}));
  CHECK(names(client("PlainDevice", usual_handoff({"OtherDevice"})).events) ==
        std::vector<std::string>{"loaded", "metal", "overridden"});
  CHECK(names(client("PlainDevice", usual_handoff({"AbsentDevice"})).events) ==
        std::vector<std::string>{"loaded", "metal"});
}

TEST_CASE("each event carries its values") {
  const std::string handoff = usual_handoff({"PlainDevice"});
  const ShimOutcome outcome = client("PlainDevice", handoff + ";beyond-host");
  const json claims{{"apple-family", 1007}, {"max-threadgroup-memory", 32768}};
  CHECK(outcome.events_named("loaded") ==
        std::vector<json>{{{"event", "loaded"}, {"claims", claims}, {"beyond-host", true}}});
  CHECK(client("PlainDevice", handoff).events_named("loaded").at(0).at("beyond-host") == false);
  CHECK(outcome.events_named("metal").at(0).at("origin") == "linked");
  CHECK(outcome.events_named("overridden") ==
        std::vector<json>{{{"event", "overridden"},
                           {"class", "PlainDevice"},
                           {"methods", {"supportsFamily:", "maxThreadgroupMemoryLength"}}}});
  // A device that is being made is asked for its families only.
  CHECK(outcome.events_named("device").at(0).at("stock") == json{{"apple-family", 1005}});
  CHECK(client("PlainDevice", handoff, {"create"}, "without_init").events_named("device").at(0).at("stock") ==
        json{{"apple-family", 1005}, {"max-threadgroup-memory", 16384}});
}

TEST_CASE(
    "a question is reported when it is first answered differently, not each time and not when unasked") {
  const std::string handoff = usual_handoff({"PlainDevice"});
  CHECK(client("PlainDevice", handoff, {"create"}).events_named("answer").empty());
  CHECK(client("PlainDevice", handoff, {"create", "ask"}).events_named("answer").size() == 3);
  CHECK(
      client("PlainDevice", handoff, {"create", "ask", "ask", "all", "ask"}).events_named("answer").size() ==
      3);
  CHECK(client("PlainDevice,OtherDevice", usual_handoff({"PlainDevice", "OtherDevice"}), {"all", "ask"})
            .events_named("answer")
            .size() == 6);
}

TEST_CASE("stock is what a device answers without us, also below another overridden class") {
  for (const std::string order : {"PlainDevice,PlainSubDevice", "PlainSubDevice,PlainDevice"}) {
    const std::string first = order.substr(0, order.find(','));
    const std::string second = order.substr(first.size() + 1);
    const ShimOutcome outcome = client(order, usual_handoff({first, second}), {"all", "ask"});
    CHECK(outcome.events_named("answer").size() == 6);
    REQUIRE(outcome.events_named("device").size() == 2);
    for (const json& device : outcome.events_named("device"))
      CHECK(device.at("stock").at("apple-family") == 1005);
  }
}

TEST_CASE("where Metal comes from is reported") {
  const auto origin = [](const std::string& fields) {
    const ShimOutcome outcome =
        run_with_shim({.argv = {"late-variant-client"}, .handoff = usual_handoff({"D"}) + fields});
    return outcome.events_named("metal").at(0).at("origin").get<std::string>();
  };
  const std::string metal = ";metal=" + variant_metal("with_init").string();
  CHECK(origin(metal + ";open=always") == "opened");
  CHECK(origin(metal) == "absent");
  CHECK(origin(";metal=/nowhere/libMetal.so;open=always") == "absent");
}

TEST_CASE("the size of the working set is claimed only on request") {
  const auto working_set = [](const std::string& fields) {
    const std::string handoff = usual_handoff({"WorkingSetDevice"}) + fields;
    return client("WorkingSetDevice", handoff).lines.at(0).at(0).at("working-set").get<int>();
  };
  CHECK(working_set("") == 1024);
  CHECK(working_set(";recommended-max-working-set=4096") == 4096);
  CHECK(working_set(";recommended-max-working-set=512") == 1024);
}

TEST_CASE("a simulated smaller GPU answers less than stock, and the report says so") {
  const ShimOutcome outcome = client(
      "PlainDevice", "class=PlainDevice;simulated-apple-family=1003;simulated-max-threadgroup-memory=8192");
  CHECK(outcome.process.exit_status == 0);
  const std::vector<json> loaded = outcome.events_named("loaded");
  REQUIRE(loaded.size() == 1);
  CHECK(loaded[0].at("claims") == json::object());
  CHECK(loaded[0].at("simulated") == json{{"apple-family", 1003}, {"max-threadgroup-memory", 8192}});
  CHECK(outcome.events_named("effective").size() == 1);
  CHECK(outcome.events_named("ineffective").empty());
  bool has_family = false;
  bool has_limit = false;
  for (const json& answer : outcome.events_named("answer")) {
    if (answer.at("question") == "maxThreadgroupMemoryLength") {
      has_limit = true;
      CHECK(answer.at("stock") == 16384);
      CHECK(answer.at("told") == 8192);
      continue;
    }
    has_family = true;
    CHECK(answer.at("family") > 1003);
    CHECK(answer.at("stock") == true);
    CHECK(answer.at("told") == false);
  }
  CHECK(has_family);
  CHECK(has_limit);
  CHECK(outcome.lines.at(0).at(0) != stock_answers("PlainDevice"));
}

TEST_CASE("a class without a claimed method is not overridden at all") {
  const std::string handoff = usual_handoff({"PlainDevice"}) + ";recommended-max-working-set=4096";
  const ShimOutcome outcome = client("PlainDevice", handoff);
  CHECK(outcome.lines.at(0) == json{stock_answers("PlainDevice")});
  CHECK(outcome.events_named("overridden").empty());
  CHECK(outcome.events_named("ineffective") ==
        std::vector<json>{{{"event", "ineffective"},
                           {"class", "PlainDevice"},
                           {"reason", "missing method"},
                           {"question", "recommendedMaxWorkingSetSize"}}});
  CHECK(client("PlainDevice", usual_handoff({"PlainDevice"})).lines.at(0) ==
        json{told_answers("PlainDevice")});
}

TEST_CASE("an override that does not reach the program is reported") {
  const std::string handoff = usual_handoff({"PlainDevice"});
  const ShimOutcome outcome = client("StubbornDevice", handoff);
  CHECK(outcome.process.exit_status == 0);
  CHECK(outcome.process.err == "");
  CHECK(outcome.events_named("effective").empty());
  CHECK(outcome.events_named("ineffective") == std::vector<json>{{{"event", "ineffective"},
                                                                  {"class", "PlainDevice"},
                                                                  {"reason", "not reached"},
                                                                  {"question", "supportsFamily:"}}});
  CHECK(client("PlainSubDevice", handoff).events_named("effective").size() == 1);
}

TEST_CASE("under require an ineffective override ends the process when a device appears") {
  const std::string missing = ";recommended-max-working-set=4096;require";
  for (const std::string variant : {"with_init", "without_init"}) {
    CAPTURE(variant);
    const ShimOutcome stubborn =
        client("StubbornDevice", usual_handoff({"PlainDevice"}) + ";require", {"create"}, variant);
    CHECK(stubborn.process.exit_status == 125);
    CHECK(stubborn.process.out == "");
    CHECK(stubborn.process.err ==
          "metal-unlock: PlainDevice does not give the claimed answer to supportsFamily:, and the policy is "
          "require\n");
    const ShimOutcome other =
        client("PlainDevice", usual_handoff({"PlainDevice"}) + missing, {"create"}, variant);
    CHECK(other.process.exit_status == 125);
    const ShimOutcome fine =
        client("PlainDevice", usual_handoff({"PlainDevice"}) + ";require", {"create"}, variant);
    CHECK(fine.process.exit_status == 0);
    CHECK(fine.process.err == "");
    const ShimOutcome foreign =
        client("OtherDevice", usual_handoff({"PlainDevice"}) + missing, {"create"}, variant);
    CHECK(foreign.process.exit_status == 0);
  }
  CHECK(client("PlainDevice", usual_handoff({"PlainDevice"}) + missing, {}).process.exit_status == 0);
}

TEST_CASE("the log has one line for each overridden class, and without it stderr stays empty") {
  const std::string handoff = usual_handoff({"PlainDevice", "OtherDevice"});
  const ShimOutcome outcome = client("PlainDevice,OtherDevice", handoff + ";log", {"all", "ask", "ask"});
  CHECK(outcome.process.err ==
        "metal-unlock: PlainDevice: Apple5 -> Apple7\nmetal-unlock: OtherDevice: Apple5 -> Apple7\n");
  const ShimOutcome silent = client("PlainDevice,OtherDevice", handoff, {"all", "ask", "ask"});
  CHECK(silent.process.err == "");
  CHECK(silent.process.out == outcome.process.out);
  CHECK(client("PlainDevice", "class=PlainDevice;apple-family=1003;log").process.err ==
        "metal-unlock: PlainDevice: Apple5\n");
  CHECK(client("PlainDevice", "class=PlainDevice;max-threadgroup-memory=32768;log").process.err ==
        "metal-unlock: PlainDevice: limits overridden\n");
}

TEST_CASE("the inherited descriptor hears the constructor and is closed before the program runs") {
  const TemporaryDirectory directory;
  const std::filesystem::path file = directory.path() / "events";
  const int descriptor = open(file.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  REQUIRE(dup2(descriptor, 9) == 9);
  const std::string handoff =
      usual_handoff({"PlainDevice"}) + ";metal=" + variant_metal("with_init").string() + ";open=always";
  const auto scope_client = [&](const std::string& fields) {
    return run_with_shim({.argv = {"scope-client", "self", "system()"}, .handoff = handoff + fields});
  };
  const ShimOutcome outcome = scope_client(";report-fd=9");
  const ShimOutcome twin = scope_client("");
  close(9);
  close(descriptor);
  CHECK(outcome.lines.at(0).at("descriptor") == false);
  CHECK(outcome.lines.at(1).at("descriptor") == false);
  CHECK(twin.lines.at(0).at("descriptor") == true);
  std::string expected;
  for (const json& event : outcome.events) expected += event.at("event").get<std::string>() + "\n";
  CHECK(expected == "loaded\nmetal\noverridden\n");
  std::string heard;
  std::istringstream lines(read_file(file));
  for (std::string line; std::getline(lines, line);)
    heard += json::parse(line).at("event").get<std::string>() + "\n";
  CHECK(heard == expected);
}

TEST_CASE("a descriptor or file that cannot take the report changes nothing for the program") {
  const std::string handoff = usual_handoff({"PlainDevice"});
  for (const std::string fields :
       {";report-fd=1000", ";report=/nowhere/report", ";report=/proc/self/nothing"}) {
    CAPTURE(fields);
    const ShimOutcome outcome = run_with_shim(
        {.argv = {"variant-client", "create", "ask"}, .handoff = handoff + fields, .with_report = false});
    CHECK(outcome.process.exit_status == 0);
    CHECK(outcome.lines.at(0) == json{told_answers("PlainDevice")});
  }
}

TEST_CASE("another shim in the preload list or in the environment is reported, and logged where asked") {
  const TemporaryDirectory directory;
  const std::string tart = harmless_libraries(directory.path(), {"TartMetalCapabilities.so"}).front();
  const std::string variable = entrance().preload_variable;
  struct Row {
    EnvironmentChanges environment;
    std::vector<json> events;
  };
  const auto event = [](const std::string& name, const std::string& found_in) {
    return json{{"event", "foreign-shim"}, {"name", name}, {"found-in", found_in}};
  };
  const std::vector<Row> rows{
      {{}, {}},
      {{{"TART_METAL_APPLE_FAMILY_MAX", "0"}}, {}},
      {{{"TART_METAL_APPLE_FAMILY_MAX", "1009"}}, {event("Tart", "TART_METAL_APPLE_FAMILY_MAX")}},
      {{{"LUME_METAL_APPLE_FAMILY_MAX", "1009"}}, {event("Cua", "LUME_METAL_APPLE_FAMILY_MAX")}},
      {{{"VEERTU_ANKA_GPU_APPLE_FAMILY_MAX", "1009"}}, {event("Anka", "VEERTU_ANKA_GPU_APPLE_FAMILY_MAX")}},
      {{{variable, shim_under_test().string() + ":" + tart}}, {event("Tart", variable)}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.events);
    ShimRun run{.argv = {"scope-client", "self"},
                .handoff = usual_handoff({"PlainDevice"}),
                .environment = row.environment};
    const ShimOutcome quiet = run_with_shim(run);
    CHECK(quiet.events_named("foreign-shim") == row.events);
    CHECK(quiet.process.err == "");
    *run.handoff += ";log";
    const std::string name = row.events.empty() ? "" : row.events.front().at("name").get<std::string>();
    CHECK(run_with_shim(run).process.err ==
          (name.empty() ? "" : "metal-unlock: " + name + "'s shim is set up for this process too\n"));
  }
}

TEST_CASE("attaching asks Metal for its devices at once") {
  const std::string handoff = "v1;" + usual_handoff({"PlainDevice"}) + ";log";
  for (const auto& [fields, log] :
       {std::pair{";attached;end", "metal-unlock: PlainDevice: Apple5 -> Apple7\n"}, {";end", ""}}) {
    const ShimOutcome outcome =
        run_with_shim({.argv = {"variant-client", "create", "set=METAL_UNLOCK_HANDOFF=" + handoff + fields,
                                "load=" + shim_under_test().string()},
                       .environment = {{entrance().preload_variable, ""}}});
    CHECK(outcome.process.exit_status == 0);
    CHECK(outcome.process.err == log);
  }
}

TEST_CASE("the library needs the Objective-C runtime and the C library, and exports nothing", "[elf]") {
  const Outcome needed = run_process({.argv = {"readelf", "-dW", shim_under_test()}});
  REQUIRE(needed.exit_status == 0);
  std::vector<std::string> libraries;
  std::istringstream lines(needed.out);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t start = line.find('[');
    if (line.find("(NEEDED)") != std::string::npos)
      libraries.push_back(line.substr(start + 1, line.size() - start - 2));
  }
  CHECK(libraries == std::vector<std::string>{"libobjc.so.4", "libc.so.6"});
  CHECK(needed.out.find("INITFIRST") == std::string::npos);
  const Outcome symbols = run_process({.argv = {"nm", "-D", "--defined-only", shim_under_test()}});
  CHECK(symbols.exit_status == 0);
  CHECK(symbols.out == "");
  CHECK(run_process({.argv = {"nm", "-D", "--defined-only", build_directory() / "libMetal.so"}}).out != "");
}
