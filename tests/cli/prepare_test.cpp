// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"

using namespace metal_unlock;

namespace {

/// Has codesign, xattr and ditto write down what they are called with.
void record_tools(Sandbox& sandbox) {
  const std::string log = (sandbox.work() / "log").string();
  const auto stand_in = [&](const std::string& name, const std::string& act) {
    sandbox.write_program("bin/" + name, "#!/bin/sh\necho " + name + " \"$@\" >> '" + log + "'\n" + act);
  };
  stand_in("codesign", "");
  stand_in("xattr", "");
  stand_in("ditto", "cp -R \"$1\" \"$2\"\n");
  sandbox.set("PATH", (sandbox.home().parent_path() / "bin").string() + ":/usr/bin:/bin");
}

void make_program(const Sandbox& sandbox, const std::string& path, const Words& made_of) {
  Words make{build_directory() / "make-program", path};
  make.insert(make.end(), made_of.begin(), made_of.end());
  REQUIRE(sandbox.execute(make).exit_status == 0);
}

}  // namespace

TEST_CASE("prepare copies, signs the copy with its entitlements, and checks it") {
  Sandbox sandbox;
  record_tools(sandbox);
  make_program(sandbox, "tool", {"hardened", "team", "icloud"});
  const std::string original = read_file(sandbox.work() / "tool");
  const Outcome outcome = sandbox.metal_unlock({"prepare", "./tool", "--output", "a copy"});
  CAPTURE(outcome.out, outcome.err);
  REQUIRE(outcome.exit_status == 0);
  CHECK(read_file(sandbox.work() / "log") ==
        "xattr -cr a copy\n"
        "codesign --force --sign - --options runtime --entitlements a copy.entitlements a copy\n"
        "codesign --verify --strict a copy\n");
  CHECK(read_file(sandbox.work() / "tool") == original);
  CHECK(read_file(sandbox.work() / "a copy") == original);
  const std::string entitlements = read_file(sandbox.work() / "a copy.entitlements");
  CHECK(entitlements.find("disable-library-validation</key>") != std::string::npos);
  CHECK(entitlements.find("icloud") == std::string::npos);
  CHECK(outcome.out.find("icloud") != std::string::npos);
  CHECK(outcome.out.ends_with("next: metal-unlock run -- 'a copy'\n"));
  // What is there is not overwritten.
  const Outcome again = sandbox.metal_unlock({"prepare", "./tool", "--output", "a copy"});
  CHECK(again.exit_status == 1);
  CHECK(finding_ids(again.err) == Words{"prepare-refused"});
}

TEST_CASE("prepare copies a whole application") {
  Sandbox sandbox;
  record_tools(sandbox);
  std::filesystem::create_directories(sandbox.work() / "X.app/Contents/MacOS");
  sandbox.write("work/X.app/Contents/Resources/data", "data");
  make_program(sandbox, "X.app/Contents/MacOS/X", {"hardened"});
  REQUIRE(sandbox.metal_unlock({"prepare", "X.app"}).exit_status == 0);
  CHECK(read_file(sandbox.work() / "X-unlocked.app/Contents/Resources/data") == "data");
  CHECK(read_file(sandbox.work() / "log")
            .find("--entitlements ./X-unlocked.app.entitlements ./X-unlocked.app\n") != std::string::npos);
}

TEST_CASE("the commands that prepare prints do what it does") {
  Sandbox sandbox;
  record_tools(sandbox);
  make_program(sandbox, "tool", {"hardened", "icloud"});
  const Outcome dry = sandbox.metal_unlock({"prepare", "./tool", "--dry-run"});
  CHECK_FALSE(std::filesystem::exists(sandbox.work() / "log"));
  CHECK_FALSE(std::filesystem::exists(sandbox.work() / "tool-unlocked"));
  const std::string mark = "The commands:\n";
  REQUIRE(sandbox.execute({"sh", "-ec", dry.out.substr(dry.out.find(mark) + mark.size())}).exit_status == 0);
  const std::string by_hand = read_file(sandbox.work() / "log");
  const std::string entitlements = read_file(sandbox.work() / "tool-unlocked.entitlements");
  for (const char* name : {"log", "tool-unlocked", "tool-unlocked.entitlements"})
    std::filesystem::remove(sandbox.work() / name);
  REQUIRE(sandbox.metal_unlock({"prepare", "./tool"}).exit_status == 0);
  CHECK(read_file(sandbox.work() / "log") == by_hand);
  CHECK(read_file(sandbox.work() / "tool-unlocked.entitlements") == entitlements);
}
