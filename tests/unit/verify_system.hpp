// SPDX-License-Identifier: MIT
#pragma once

#include "cli/verify/verdict_json.hpp"
#include "tests/unit/recorded_system.hpp"

namespace metal_unlock {

/// How the process of a check ends that came to this.
inline Finished answered(const CheckPass& pass) {
  Finished finished;
  finished.output = pass_line(pass);
  finished.heard = "{\"event\":\"loaded\"}\n";
  return finished;
}

/// A guest whose GPU computes, but for what a test says about one check, unlocked.
struct VerifySystem {
  explicit VerifySystem(std::string_view guest = "tahoe-26-m1-ultra") : system(guest) {
    system.on_run = [this](const Plan& plan) { return ends(plan); };
  }

  Finished ends(const Plan& plan) {
    if (plan.argv.at(1) == "probe") {
      Finished finished;
      finished.output = guest_report_json(system.guest);
      return finished;
    }
    REQUIRE(plan.argv.at(1) == "verify-check");
    const bool is_unlocked = system.environment_of(plan).get("METAL_UNLOCK_HANDOFF").has_value();
    started.push_back(plan.argv.at(2) + (is_unlocked ? " unlocked" : " stock"));
    const bool is_hit =
        is_unlocked && (plan.argv.at(2) == check || (is_wedged && plan.argv.at(2) == "trivial"));
    if (!is_hit) return answered({PassEnd::correct, 0, 0, ""});
    if (plan.argv.at(2) == check) is_wedged = wedges;
    return instead;
  }

  json document(int status, std::vector<std::string> words = {}) {
    words.insert(words.begin(), {"verify", "--json"});
    system.out.clear();
    CHECK(system.run(words).status == status);
    json document = json::parse(system.out);
    const json schema = json::parse(metal_unlock::read_file(source_directory() / "docs/verify.schema.json"));
    CHECK(schema_breaches(schema, document) == std::vector<std::string>{});
    return document;
  }

  RecordedSystem system;
  std::string check = {};
  Finished instead = {};
  bool wedges = false;
  bool is_wedged = false;
  std::vector<std::string> started;
};

}  // namespace metal_unlock
