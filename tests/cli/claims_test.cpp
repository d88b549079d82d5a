// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"

using namespace metal_unlock;

namespace {

std::string profile_text(const std::string& claims, const std::string& rest = "") {
  return "schema = 1\ndescription = \"a profile of a test\"\n" + rest + "\n[claims]\n" + claims;
}

constexpr char evidence[] =
    "\n[[evidence]]\nmark = \"measured\"\nsource = \"a log\"\nfact = \"Apple family\"\n";
constexpr char too_much[] = "apple_family = 1009\nmax_threadgroup_memory = 65536\n";

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

}  // namespace

TEST_CASE("claims above the ceiling in a named profile are refused, one line for each field") {
  const Sandbox sandbox("tahoe-26-m1-ultra");
  const std::string file = sandbox.write("other/much.toml", profile_text(too_much));
  const Outcome outcome = sandbox.metal_unlock({"run", "--profile", file, "--", "touch", "mark"});
  CHECK(outcome.exit_status == 125);
  CHECK(outcome.out.empty());
  CHECK(finding_ids(outcome.err) == Words{"claim-above-ceiling"});
  CHECK(has_line(outcome.err, "  apple_family: claim Apple9, ceiling Apple7"));
  CHECK(has_line(outcome.err, "  max_threadgroup_memory: claim 64 KiB, ceiling 32 KiB"));
  CHECK_FALSE(std::filesystem::exists(sandbox.work() / "mark"));
  CHECK_FALSE(std::filesystem::exists(sandbox.cache()));
}

TEST_CASE("only the fields above the ceiling are listed, and the chip decides which these are") {
  Sandbox sandbox("tahoe-26-m4-max");
  const std::string file = sandbox.write("other/much.toml", profile_text(too_much));
  const Outcome outcome = sandbox.run_caps({"--profile", file});
  CHECK(outcome.exit_status == 125);
  CHECK(outcome.err.find("apple_family") == std::string::npos);
  CHECK(has_line(outcome.err, "  max_threadgroup_memory: claim 64 KiB, ceiling 32 KiB"));

  const Outcome other_chip = sandbox.run_caps({"--profile", "m5"});
  CHECK(has_line(other_chip.err, "  apple_family: claim Apple10, ceiling Apple9"));
  CHECK(other_chip.exit_status == 125);
  CHECK(sandbox.run_caps({"--profile", "m3-pro"}).exit_status == 0);
}

TEST_CASE("--allow-beyond-host starts it all the same, and says so") {
  const Sandbox sandbox("tahoe-26-m1-ultra");
  const std::string file = sandbox.write("other/much.toml", profile_text(too_much));
  for (const Words& options : {Words{"--profile", file, "--allow-beyond-host"},
                               Words{"--profile", file, "--allow-beyond-host", "--require"}}) {
    const Outcome outcome = sandbox.run_caps(options);
    CHECK(outcome.exit_status == 0);
    const json answers = json::parse(outcome.out);
    CHECK(apple_families(answers).back() == 1009);
    CHECK(answers.at("limits").at("maxThreadgroupMemoryLength") == 65536);
    CHECK(finding_ids(outcome.err) == Words{"beyond-host"});
    CHECK(has_line(outcome.err, "  apple_family: claim Apple9, ceiling Apple7"));
  }
  const Outcome within = sandbox.run_caps({"--allow-beyond-host"});
  CHECK(within.err.empty());
  CHECK(apple_families(json::parse(within.out)).back() == 1007);
}

TEST_CASE("what may never be claimed is refused with the reason, --allow-beyond-host or not") {
  struct Row {
    const char* claims;
    const char* reason;
  };
  const Row rows[] = {
      {"apple_family = 5001\n", "Metal3 (5001) is never claimed: MLX"},
      {"apple_family = 5002\n", "Metal4 (5002) is never claimed"},
      {"apple_family = 2002\n", "Mac2 (2002) is never claimed: the Mac families"},
      {"apple_family = 3003\n", "Common3 (3003) is never claimed"},
      {"device_name = \"Apple M1 Ultra\"\n", "'device_name' is never claimed: MLX"},
      {"architecture_name = \"applegpu_g13d\"\n", "'architecture_name' is never claimed"},
  };
  const Sandbox sandbox("tahoe-26-m1-ultra");
  for (const Row& row : rows) {
    CAPTURE(row.claims);
    const std::string file = sandbox.write("other/never.toml", profile_text(row.claims));
    for (const Words& options : {Words{"--profile", file}, Words{"--profile", file, "--allow-beyond-host"}}) {
      const Outcome outcome = sandbox.run_caps(options);
      CHECK(outcome.exit_status == 125);
      CHECK(outcome.out.empty());
      CHECK(finding_ids(outcome.err) == Words{"claim-refused"});
      CHECK(outcome.err.find(row.reason) != std::string::npos);
    }
  }
  const std::string allowed = sandbox.write("other/never.toml", profile_text("apple_family = 1007\n"));
  CHECK(sandbox.run_caps({"--profile", allowed}).exit_status == 0);
}

TEST_CASE("a user profile that was found by its match is lowered to the ceiling, with a note") {
  const Sandbox sandbox("tahoe-26-m1-ultra");
  sandbox.write_user_profile(
      "mine", profile_text(too_much + std::string{evidence}, "match = [\"Apple M1 Ultra\"]\n"));
  for (const Words& options : {Words{}, Words{"--require"}}) {
    const Outcome outcome = sandbox.run_caps(options);
    CHECK(outcome.exit_status == 0);
    CHECK(apple_families(json::parse(outcome.out)).back() == 1007);
    CHECK(finding_ids(outcome.err) == Words{"claim-lowered"});
    CHECK(has_line(outcome.err, "  apple_family: claim Apple9, ceiling Apple7"));
    CHECK(has_line(outcome.err, "  max_threadgroup_memory: claim 64 KiB, ceiling 32 KiB"));
  }
  CHECK(sandbox.run_caps({"--profile", "mine"}).exit_status == 125);
}

TEST_CASE("a claim for less than the chip can do is granted as it stands") {
  const Sandbox sandbox("tahoe-26-m4-max");
  sandbox.write_user_profile("m4-max",
                             "schema = 1\ndescription = \"less\"\nextends = \"m4-max\"\n\n"
                             "[claims]\napple_family = 1007\n");
  const Outcome outcome = sandbox.run_caps();
  CHECK(outcome.err.empty());
  CHECK(apple_families(json::parse(outcome.out)).back() == 1007);
}

TEST_CASE("a claim below stock changes nothing") {
  const Sandbox sandbox("tahoe-26-m1-ultra");
  const std::string file =
      sandbox.write("other/low.toml", profile_text("apple_family = 1002\nmax_threadgroup_memory = 16384\n"));
  const Outcome outcome = sandbox.run_caps({"--profile", file});
  CHECK(outcome.exit_status == 0);
  CHECK(json::parse(outcome.out) == sandbox.stock_answers());
}

TEST_CASE("a user's ceiling counts only for a chip that is not known") {
  Sandbox sandbox("unknown-future-chip");
  const std::string ceiling = "\n[ceiling]\napple_family = 1012\n";
  sandbox.write_user_profile("m9", profile_text("apple_family = 1012\n" + ceiling + evidence,
                                                "match = [\"Apple M9\", \"Apple M1 Ultra\"]\n"));
  CHECK(apple_families(json::parse(sandbox.run_caps().out)).back() == 1012);
  sandbox.choose_guest("tahoe-26-m1-ultra");
  const Outcome known = sandbox.run_caps();
  CHECK(apple_families(json::parse(known.out)).back() == 1007);
  CHECK(finding_ids(known.err) == Words{"claim-lowered"});
}

TEST_CASE("a working set needs a host report") {
  const Sandbox sandbox("tahoe-26-m1-ultra");
  const std::string file =
      sandbox.write("other/set.toml", profile_text("recommended_max_working_set = 17179869184\n"));
  const Outcome refused = sandbox.run_caps({"--profile", file});
  CHECK(refused.exit_status == 125);
  CHECK(refused.err.find("unknown without a host report") != std::string::npos);
  const json answers = json::parse(sandbox.run_caps({"--profile", file, "--allow-beyond-host"}).out);
  CHECK(answers.at("limits").at("recommendedMaxWorkingSetSize") == 17179869184);
}
