// SPDX-License-Identifier: MIT
// The ten cases that a new user meets, each as one test.
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"

using namespace metal_unlock;

namespace {

std::string profile_with(const std::string& claims) {
  return "schema = 1\ndescription = \"mine\"\n\n[claims]\n" + claims +
         "\n\n[[evidence]]\nmark = \"measured\"\nsource = \"a log\"\n";
}

std::string make_program() { return build_directory() / "make-program"; }

/// `metal-unlock run --dry-run --require` of a made program: what it prints and says.
Outcome judged(const Sandbox& sandbox, const Words& made_of) {
  Words make{make_program(), "tool"};
  make.insert(make.end(), made_of.begin(), made_of.end());
  REQUIRE(sandbox.execute(make).exit_status == 0);
  return sandbox.metal_unlock({"run", "--dry-run", "--require", "--", "./tool"});
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("T1: a guest gets its chip's profile, and nothing beyond it") {
  const Sandbox sandbox;
  const Outcome dry = sandbox.metal_unlock({"run", "--dry-run", "--", metal_caps_program()});
  CHECK(has(dry.out, "m1-ultra"));
  for (const char* word : {"Apple5", "Apple7"}) CHECK(has(dry.out, word));
  CHECK(has(dry.out, "apple-family=1007"));
  CHECK(has(dry.out, "would set  LD_PRELOAD="));
  const json answers = json::parse(sandbox.run_caps().out);
  const json stock = sandbox.stock_answers();
  CHECK(apple_families(answers).back() == 1007);
  CHECK(answers.at("limits") == stock.at("limits"));
  for (const char* family : {"2002", "3003", "5001", "5002"})
    CHECK(answers.at("families").at(family) == stock.at("families").at(family));
}

TEST_CASE("T2: a profile above the chip is refused for each of its fields, unless that is allowed") {
  const Sandbox sandbox;
  const std::string mine =
      sandbox.write("work/mine.toml", profile_with("apple_family = 1009\nmax_threadgroup_memory = 65536"));
  const Outcome refused = sandbox.run_caps({"--profile", mine});
  CHECK(refused.exit_status == 125);
  CHECK(finding_ids(refused.err) == Words{"claim-above-ceiling"});
  CHECK(has(refused.err, "Apple9"));
  CHECK(has(refused.err, "64 KiB"));
  const Outcome allowed = sandbox.run_caps({"--profile", mine, "--allow-beyond-host", "--report", "report"});
  CHECK(apple_families(json::parse(allowed.out)).back() == 1009);
  CHECK(finding_ids(allowed.err) == Words{"beyond-host"});
  CHECK(has(read_file(sandbox.work() / "report"), "\"beyond-host\":true"));
}

TEST_CASE("T3: a Metal family is never claimed") {
  const Sandbox sandbox;
  for (const char* family : {"5001", "5002"}) {
    CAPTURE(family);
    const std::string mine =
        sandbox.write("work/mine.toml", profile_with("metal_family = " + std::string{family}));
    const Outcome outcome = sandbox.run_caps({"--profile", mine});
    CHECK(outcome.exit_status == 125);
    CHECK(finding_ids(outcome.err) == Words{"claim-refused"});
    CHECK(outcome.out.empty());
  }
  const std::string fine = sandbox.write("work/mine.toml", profile_with("apple_family = 1007"));
  CHECK(sandbox.run_caps({"--profile", fine}).exit_status == 0);
}

TEST_CASE("T4: where the device is no paravirtual one there is nothing to do") {
  for (const char* guest : {"bare-metal-m1-ultra", "bare-metal-m5", "amd-mac"}) {
    CAPTURE(guest);
    const Sandbox sandbox{guest};
    const Outcome outcome = sandbox.run_caps({"--require"});
    CHECK(outcome.exit_status == 0);
    CHECK(outcome.err.empty());
    CHECK(json::parse(outcome.out) == sandbox.stock_answers());
    const Outcome doctor = sandbox.metal_unlock({"doctor"});
    CHECK(doctor.exit_status == 0);
    CHECK(has(doctor.out, "nothing to unlock"));
  }
}

TEST_CASE("T5: no device and no Mac end in a sentence, with statuses of their own") {
  const Sandbox without{"no-device"};
  CHECK(without.metal_unlock({"run", "--require", "--", "true"}).exit_status == 125);
  const Outcome doctor = without.metal_unlock({"doctor"});
  CHECK(doctor.exit_status == 3);
  for (const char* word : {"display", "sandbox", "window server"}) CHECK(has(doctor.out, word));
  const Sandbox elsewhere{"not-a-mac"};
  CHECK(elsewhere.metal_unlock({"run", "--require", "--", "true"}).exit_status == 0);
  CHECK(elsewhere.metal_unlock({"doctor"}).exit_status == 0);
}

TEST_CASE("T6: a guest in which a program goes wrong is told, with what helps") {
  Sandbox sandbox{"sonoma-14-runner"};
  std::filesystem::create_directories(sandbox.home() / "bin");
  std::filesystem::copy_file("/bin/echo", sandbox.home() / "bin/llama-server");
  sandbox.set("PATH", (sandbox.home() / "bin").string() + ":/usr/bin:/bin");
  const Words command{"llama-server", "-m", "big.gguf"};
  const Outcome preferred = sandbox.execute(run_words(command));
  CHECK(preferred.out == "-m big.gguf\n");
  CHECK(finding_ids(preferred.err) == Words{"bad-guest"});
  CHECK(has(preferred.err, "--no-mmap"));
  CHECK(sandbox.execute(run_words(command, {"--require"})).exit_status == 125);
  CHECK(sandbox.execute(run_words({"llama-server", "--no-mmap"}, {"--require"})).exit_status == 0);
  sandbox.choose_guest("sequoia-15-m3-pro");
  CHECK(sandbox.execute(run_words(command, {"--require"})).exit_status == 0);
}

TEST_CASE("T7: the program's headers decide what is tried") {
  struct Row {
    Words made_of;
    const char* id;
    const char* word;
  };
  const Row rows[] = {
      {{}, "", "arm64, an ordinary signature"},
      {{"x86_64"}, "target-rosetta", "Rosetta"},
      {{"hardened", "team"}, "target-hardened", "hardened runtime"},
      {{"hardened", "allow-dyld", "disable-lv"}, "", "hardened runtime, both entitlements"},
      {{"hardened", "allow-dyld"}, "target-validates-libraries", "its own team"},
      // The shim of this build has no arm64e slice; the rules are tested with one elsewhere.
      {{"arm64e"}, "target-architecture", "arm64e"},
  };
  const Sandbox sandbox;
  for (const Row& row : rows) {
    CAPTURE(row.made_of);
    const Outcome outcome = judged(sandbox, row.made_of);
    const bool is_accepted = *row.id == '\0';
    CHECK(outcome.exit_status == (is_accepted ? 0 : 125));
    CHECK(finding_ids(outcome.err) == (is_accepted ? Words{} : Words{row.id}));
    CHECK(has(outcome.out + outcome.err, row.word));
  }
}

TEST_CASE("T8: a script's interpreter is started directly where env would lose the shim") {
  Sandbox sandbox;
  std::filesystem::create_directories(sandbox.home() / "bin");
  std::filesystem::create_symlink(metal_caps_program(), sandbox.home() / "bin/caps");
  sandbox.set("PATH", (sandbox.home() / "bin").string() + ":/usr/bin:/bin");
  sandbox.write_program("work/by-env", "#!/usr/bin/env caps\n");
  sandbox.write_program("work/direct", "#!" + metal_caps_program() + "\n");
  sandbox.write_program("work/by-exec", "#!/bin/sh\nexec caps \"$@\"\n");
  sandbox.write_program("work/unclear", "#!/bin/sh\ntrue\nexec caps \"$@\"\n");
  const auto families = [&](const Words& target) {
    Words words{"run", "--"};
    words.insert(words.end(), target.begin(), target.end());
    const Outcome outcome = sandbox.metal_unlock(words);
    CAPTURE(target, outcome.err, outcome.out);
    REQUIRE(outcome.out.starts_with("{"));
    return apple_families(json::parse(outcome.out)).back();
  };
  CHECK(families({"env", "caps", "--json"}) == 1007);
  CHECK(families({"env", "-u", "HOME", "A=1", "caps", "--json"}) == 1007);
  CHECK(families({"./by-exec", "--json"}) == 1007);
  CHECK(families({"./unclear", "--json"}) == 1005);
  // What stands between is passed over only for the shim: `off` starts the command as it is.
  sandbox.write_program("work/name", "#!/usr/bin/env sh\necho \"$0 $*\"\n");
  CHECK(sandbox.metal_unlock({"run", "--", "./name", "a b"}).out == "./name a b\n");
  sandbox.set("METAL_UNLOCK", "off");
  CHECK(sandbox.metal_unlock({"run", "--", "./name", "a b"}).out == "./name a b\n");
}

TEST_CASE("T9: a shim that never reports is told, and libraries of others stay") {
  Sandbox sandbox;
  CHECK(sandbox.metal_unlock({"run", "--require", "--", metal_caps_program()}).exit_status == 0);
  const Outcome silent =
      sandbox.metal_unlock({"run", "--require", "--", build_directory() / "silent-client", "50"});
  CHECK(silent.signal.has_value());
  CHECK(finding_ids(silent.err) == Words{"shim-silent"});
  sandbox.set("LD_PRELOAD", "libm.so.6");
  const json change = json::parse(sandbox.metal_unlock({"env", "--json", "--", "true"}).out);
  CHECK(change.at("set").at("LD_PRELOAD").get<std::string>().ends_with(":libm.so.6"));
  CHECK(sandbox.metal_unlock({"run", "--", "sh", "-c", "echo $LD_PRELOAD"}).out == "libm.so.6\n");
}

TEST_CASE("T10: a profile with a mistake leaves everything stock, and says where the mistake is") {
  const Sandbox sandbox;
  for (const char* claims :
       {"apple_family = 0", "apple_family = 999", "apple_family = 2000", "apple_family = \"abc\"",
        "apple_family = 1e400", "max_threadgroup_memory = 100", "bogus = 1",
        "apple_family = 1007\napple_family = 1007", "device_name = \"Apple M1\""}) {
    CAPTURE(claims);
    const std::string mine = sandbox.write("work/mine.toml", profile_with(claims));
    const Outcome outcome = sandbox.run_caps({"--profile", mine});
    CHECK(outcome.exit_status == 125);
    CHECK(outcome.out.empty());
    CHECK(has(outcome.err, "mine.toml:"));
  }
}
