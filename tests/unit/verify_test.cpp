// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/files.hpp"
#include "tests/text_search.hpp"
#include "tests/unit/json_schema.hpp"
#include "tests/unit/verify_system.hpp"

#include <algorithm>

using namespace metal_unlock;

namespace {

using Words = std::vector<std::string>;

std::size_t longest_verify_line(std::string_view text) {
  std::size_t longest = 0;
  for (; !text.empty(); text.remove_prefix(std::min(text.size(), text.find('\n') + 1)))
    longest = std::max(longest, std::min(text.find('\n'), text.size()));
  return longest;
}

/// The checks whose verdict is not that they work, with it.
std::map<std::string, std::string> failing(const json& document) {
  std::map<std::string, std::string> all;
  for (const json& capability : document.at("capabilities"))
    if (!capability.at("verdict").get<std::string>().starts_with("works"))
      all[capability.at("check")] = capability.at("verdict");
  return all;
}

using Failing = std::map<std::string, std::string>;

}  // namespace

TEST_CASE("verify runs each check unlocked and stock, in a process that dies with this one") {
  VerifySystem guest;
  const json document = guest.document(0);
  CHECK(document.at("good") == true);
  CHECK(document.at("claimed_correct") == all_checks().size());
  CHECK(failing(document).empty());
  REQUIRE(guest.started.size() == 2 * all_checks().size());
  CHECK(guest.started[0] == "trivial unlocked");
  CHECK(guest.started[1] == "trivial stock");
  for (const RunLimits& limits : guest.system.run_limits) {
    CHECK(limits.has_lifeline);
    CHECK(limits.grace == 0);
    CHECK(limits.seconds == 20);
  }
  const Plan& unlocked = guest.system.run_plans.at(1);
  CHECK(unlocked.file == "/usr/bin/metal-unlock");
  CHECK(unlocked.argv == Words{"/usr/bin/metal-unlock", "verify-check", "trivial", "32768"});
  // No kernel runs in this process, and Metal is not started in it.
  CHECK_FALSE(guest.system.did("ask metal"));
  CHECK(parse_verdict_memory(guest.system.memory.value())->is_good());
}

TEST_CASE("the ways in which a check can fail are told apart") {
  Finished crashed;
  crashed.status = 139;
  Finished silent;
  silent.errors = "first\nlast words\n";
  silent.status = 4;
  Finished hung;
  hung.timed_out = true;
  hung.status = 137;
  const std::vector<std::pair<Finished, std::string>> cases{
      {answered({PassEnd::wrong, 1, 0.5, "element 1"}), "wrong"},
      {answered({PassEnd::refused, 0, 0, "error: no"}), "refused"},
      {answered({PassEnd::no_device, 0, 0, ""}), "no device"},
      {crashed, "crashed"},
      {silent, "crashed"},
      {hung, "timed out"}};
  for (const auto& [instead, verdict] : cases) {
    CAPTURE(verdict);
    VerifySystem guest;
    guest.check = "matrix-half";
    guest.instead = instead;
    const json document = guest.document(3);
    CHECK(failing(document) == Failing{{"matrix-half", verdict}});
    CHECK(document.at("good") == false);
    CHECK(document.at("needs_restart") == false);
    CHECK(holds(guest.system.err, "[gpu-faulty]"));
    // The trivial kernel was tried again, unlocked, right after it.
    const auto at = std::ranges::find(guest.started, "matrix-half unlocked");
    REQUIRE(at + 1 < guest.started.end());
    CHECK(*(at + 1) == "trivial unlocked");
  }
}

TEST_CASE("a GPU that computes nothing any more ends the checks, and says what helps") {
  VerifySystem guest;
  guest.check = "simd-shuffle";
  guest.instead.timed_out = true;
  guest.wedges = true;
  const json document = guest.document(3);
  CHECK(document.at("needs_restart") == true);
  CHECK(guest.started.back() == "trivial unlocked");
  CHECK(failing(document).at("simd-shuffle") == "timed out");
  CHECK(failing(document).at("matrix-half") == "not run");
  CHECK_FALSE(failing(document).contains("custom"));
  CHECK(holds(guest.system.err, "the guest needs a restart, and 5 checks were not run [gpu-stuck]"));
}

TEST_CASE("a device that is missing from the start is no stuck one") {
  VerifySystem guest;
  guest.check = "trivial";
  guest.instead = answered({PassEnd::no_device, 0, 0, "Metal offers no device"});
  const json document = guest.document(3);
  CHECK(document.at("needs_restart") == false);
  CHECK(failing(document).at("trivial") == "no device");
  CHECK(guest.started == Words{"trivial unlocked"});
}

TEST_CASE("what the claims do not reach is shown, and does not count") {
  VerifySystem guest;
  guest.check = "matrix-half";
  guest.instead = answered({PassEnd::refused, 0, 0, ""});
  const json document = guest.document(0, {"--profile", "apple6"});
  CHECK(failing(document) == Failing{{"matrix-half", "refused"}});
  CHECK(document.at("claimed") == 8);
  CHECK(document.at("good") == true);
}

TEST_CASE("a process in which the shim has no effect is no unlocked one") {
  VerifySystem guest;
  guest.check = "custom";
  guest.instead.output = pass_line({PassEnd::correct, 0, 0, ""});
  CHECK(guest.system.run({"verify"}).status == 1);
  CHECK(holds(guest.system.err, "[verify-impossible]"));
  VerifySystem refused;
  refused.check = "custom";
  refused.instead.status = 125;
  refused.instead.errors = "metal-unlock: not effective\n";
  CHECK(refused.system.run({"verify"}).status == 1);
  CHECK(holds(refused.system.err, "not effective"));
  CHECK_FALSE(refused.system.memory);
}

TEST_CASE("stopped, verify keeps nothing and says so") {
  VerifySystem guest;
  guest.check = "custom";
  guest.instead.interrupted = true;
  CHECK(guest.system.run({"verify"}).status == 130);
  CHECK(guest.system.out.empty());
  CHECK(holds(guest.system.err, "[verify-interrupted]"));
  CHECK_FALSE(guest.system.memory);
  CHECK(guest.started.back() == "custom unlocked");
}

TEST_CASE("where nothing is unlocked only stock is verified") {
  VerifySystem bare("bare-metal-m5");
  const json document = bare.document(0);
  CHECK(document.at("unlocked") == false);
  CHECK(bare.started.size() == all_checks().size());
  CHECK(holds(bare.system.err, "[verify-needless]"));
  CHECK_FALSE(bare.system.memory);

  VerifySystem unknown("unknown-future-chip");
  unknown.document(3);
  CHECK(holds(unknown.system.err, "[verify-impossible]"));

  VerifySystem none("not-a-mac");
  none.document(0);
  CHECK(none.started.empty());
  CHECK(holds(none.system.err, "nothing to verify: this is no Mac"));

  VerifySystem blind("no-device");
  blind.document(3);
  CHECK(blind.started.empty());
}

TEST_CASE("the table fits the terminal, and keeps the verdict") {
  VerifySystem guest;
  guest.check = "matrix-half";
  guest.instead = answered({PassEnd::wrong, 0.5, 0.25, "product, element 17: 0 instead of 3.5"});
  for (const int width : {1, 40, 60, 80, 100, 200}) {
    CAPTURE(width);
    guest.system.out_terminal = {
        .is_terminal = true, .has_colour = false, .has_unicode = false, .width = width};
    guest.system.out.clear();
    guest.system.run({"verify"});
    CHECK(holds(guest.system.out, "wrong"));
    CHECK((width < 60 || longest_verify_line(guest.system.out) <= static_cast<std::size_t>(width)));
    CHECK((width < 80 || holds(guest.system.out, "UNLOCKED")));
    CHECK((width < 200 || holds(guest.system.out, "SINCE")));
  }
  guest.system.out_terminal = {.is_terminal = true, .has_colour = true, .has_unicode = true, .width = 80};
  guest.system.out.clear();
  guest.system.run({"verify"});
  CHECK(holds(guest.system.out, "\x1b[31mwrong\x1b[0m"));
}

TEST_CASE("progress is for terminals") {
  VerifySystem guest;
  guest.system.run({"verify"});
  CHECK(guest.system.err.empty());
  guest.system.err_terminal.is_terminal = true;
  guest.system.run({"verify"});
  CHECK(holds(guest.system.err, "\rcheck 2 of 12, unlocked: "));
  CHECK(guest.system.err.ends_with(" \r"));
}

TEST_CASE("verify --forget drops the memory, and runs nothing") {
  VerifySystem guest;
  guest.system.memory = "anything";
  CHECK(guest.system.run({"verify", "--forget"}).status == 0);
  CHECK_FALSE(guest.system.memory);
  CHECK(guest.system.run({"verify", "--forget"}).status == 0);
  CHECK(guest.system.out == "the remembered verdict is dropped\nno verdict was remembered\n");
  CHECK(guest.system.acts == Words{"forget memory", "forget memory"});
}

TEST_CASE("a memory that cannot be kept is said, and changes nothing else") {
  VerifySystem guest;
  guest.system.memory_fault = Finding{FindingId::verdict_unkept, "disk full", "make room"};
  CHECK(guest.system.run({"verify"}).status == 0);
  CHECK(holds(guest.system.err, "disk full [verdict-unkept]"));
  CHECK(guest.system.run({"verify", "--forget"}).status == 1);
}

TEST_CASE("a check prints one line, after tying itself to its starter") {
  RecordedSystem system;
  CHECK(system.run({"verify-check", "trivial", "32768"}).status == 0);
  CHECK(parse_pass_line(system.out)->end == PassEnd::no_device);
  CHECK(system.acts == Words{"end with starter"});
  CHECK(system.run({"verify-check", "unheard-of", "32768"}).status == 2);
  CHECK(system.run({"verify-check", "trivial", "many"}).status == 2);
  CHECK(system.run({"verify-check", "trivial"}).status == 2);
  CHECK(system.run({"verify-check"}).status == 2);
}

TEST_CASE("a start that is to be verified uses the verdict, or makes one") {
  VerifySystem guest;
  const Ran first = guest.system.run({"run", "-v", "--verify", "tool"});
  REQUIRE(first.started);
  CHECK(guest.system.environment_of(*first.started).get("METAL_UNLOCK_HANDOFF"));
  CHECK(holds(guest.system.err, "GPU verified now, 2026-12-01 01:00 UTC: 12 of 12"));
  CHECK(guest.started.size() == all_checks().size());  // stock is of no interest to a start

  guest.system.err.clear();
  guest.started.clear();
  guest.system.clock += 86400;
  CHECK(guest.system.run({"run", "-v", "--verify", "tool"}).started);
  CHECK(holds(guest.system.err, "GPU verdict from 2026-12-01 01:00 UTC: 12 of 12"));
  CHECK(guest.started.empty());

  // Each part of the key invalidates it.
  guest.system.guest.machine.os_build = "25G99";
  CHECK(guest.system.run({"run", "--verify", "tool"}).started);
  CHECK(guest.started.size() == all_checks().size());
  guest.started.clear();
  CHECK(guest.system.run({"run", "--verify", "--profile", "apple6", "tool"}).started);
  CHECK(guest.started.size() == all_checks().size());
}

TEST_CASE("a start that is not to be verified does not even look") {
  VerifySystem guest;
  CHECK(guest.system.run({"run", "tool"}).started);
  CHECK_FALSE(guest.system.did("read memory"));
  CHECK_FALSE(guest.system.did("run"));
  VerifySystem bare("bare-metal-m5");
  CHECK(bare.system.run({"run", "--verify", "tool"}).started);
  CHECK_FALSE(bare.system.did("read memory"));
}

TEST_CASE("a bad verdict means stock, or 125 where an unlock is required") {
  VerifySystem guest;
  guest.check = "matrix-half";
  guest.instead = answered({PassEnd::wrong, 1, 0.5, "element 1"});
  for (int i = 0; i < 2; ++i) {
    guest.system.err.clear();
    const Ran ran = guest.system.run({"run", "--verify", "tool"});
    REQUIRE(ran.started);
    CHECK_FALSE(guest.system.environment_of(*ran.started).get("METAL_UNLOCK_HANDOFF"));
    CHECK(holds(guest.system.err, "SIMD-group matrices, half: wrong) [gpu-faulty]"));
    CHECK(guest.system.run({"run", "--verify", "--require", "tool"}).status == 125);
  }
  CHECK_FALSE(guest.system.did("watch"));
  // Without the word for it, the user decides.
  CHECK(guest.system.environment_of(*guest.system.run({"run", "tool"}).started).get("METAL_UNLOCK_HANDOFF"));
}

TEST_CASE("a verification that is stopped, or impossible, starts no unlocked target") {
  VerifySystem stopped;
  stopped.check = "custom";
  stopped.instead.interrupted = true;
  CHECK(stopped.system.run({"run", "--verify", "tool"}).status == 125);
  VerifySystem broken;
  broken.check = "custom";
  broken.instead.output = pass_line({PassEnd::correct, 0, 0, ""});
  const Ran ran = broken.system.run({"run", "--verify", "tool"});
  REQUIRE(ran.started);
  CHECK_FALSE(broken.system.environment_of(*ran.started).get("METAL_UNLOCK_HANDOFF"));
  CHECK(holds(broken.system.err, "[verify-impossible]"));
}

TEST_CASE("a damaged memory is none") {
  for (const char* text : {"", "{", "{\"schema\":1}", "\xff\xfe"}) {
    VerifySystem guest;
    guest.system.memory = text;
    CHECK(guest.system.run({"run", "--verify", "tool"}).started);
    CHECK(guest.started.size() == all_checks().size());
    CHECK(parse_verdict_memory(guest.system.memory.value()));
  }
}

TEST_CASE("a dry run verifies nothing, and says what is known") {
  VerifySystem guest;
  CHECK(guest.system.run({"run", "--dry-run", "--verify", "tool"}).status == 0);
  CHECK(holds(guest.system.out, "would be verified first"));
  CHECK_FALSE(guest.system.did("run"));
  guest.system.run({"verify"});
  guest.system.out.clear();
  CHECK(guest.system.run({"run", "--dry-run", "--verify", "tool"}).status == 0);
  CHECK(holds(guest.system.out, "GPU verdict from 2026-12-01 01:00 UTC"));
}

TEST_CASE("the setting can come from the environment and the user file, and not from a project") {
  VerifySystem guest;
  guest.system.variables = Environment{Words{"PATH=/usr/bin", "HOME=/home/me", "METAL_UNLOCK_VERIFY=1"}};
  CHECK(guest.system.run({"run", "tool"}).started);
  CHECK(guest.started.size() == all_checks().size());
  guest.system.variables = Environment{Words{"PATH=/usr/bin", "HOME=/home/me", "METAL_UNLOCK_VERIFY=maybe"}};
  CHECK(guest.system.run({"run", "tool"}).status == 125);

  VerifySystem user;
  user.system.add_file("/home/me/.config/metal-unlock/config.toml", "verify = true\n");
  CHECK(user.system.run({"run", "tool"}).started);
  CHECK(user.started.size() == all_checks().size());
  user.system.variables = Environment{Words{"PATH=/usr/bin", "HOME=/home/me", "METAL_UNLOCK_VERIFY=0"}};
  user.system.acts.clear();
  CHECK(user.system.run({"run", "tool"}).started);
  CHECK_FALSE(user.system.did("read memory"));

  VerifySystem project;
  project.system.add_file("/home/me/app/.metal-unlock.toml", "verify = true\n");
  CHECK(project.system.run({"run", "tool"}).started);
  CHECK(holds(project.system.err, "verify is not for a project to set"));
}

TEST_CASE("doctor shows the verdict, and whether it is out of date") {
  VerifySystem guest;
  const auto doctor = [&](int status, Words words = {}) {
    guest.system.out.clear();
    words.insert(words.begin(), "doctor");
    CHECK(guest.system.run(words).status == status);
    return guest.system.out;
  };
  CHECK(holds(doctor(0), "not verified yet: metal-unlock verify"));
  guest.system.run({"verify"});
  CHECK(holds(doctor(0), "verdict from 2026-12-01 01:00 UTC: 12 of 12"));
  CHECK(
      holds(doctor(0, {"--profile", "apple6"}), "out of date: it is of other claims [verdict-out-of-date]"));
  guest.check = "matrix-half";
  guest.instead = answered({PassEnd::wrong, 1, 0.5, "element 1"});
  guest.system.run({"verify"});
  CHECK(holds(doctor(0), "warn  the GPU fails at 1 of 12"));
  // Where `run` asks for the verdict, it stands in the way.
  guest.system.variables = Environment{Words{"PATH=/usr/bin", "HOME=/home/me", "METAL_UNLOCK_VERIFY=1"}};
  CHECK(holds(doctor(3), "fail  the GPU fails at 1 of 12"));
  guest.system.memory = "damaged";
  CHECK(holds(doctor(0), "not verified yet"));
}
