// SPDX-License-Identifier: MIT
#include "cli/core/decide.hpp"

#include "tests/catch.hpp"

using namespace metal_unlock;

namespace {

Finding of(FindingId id) { return {id, "a sentence", "a step"}; }

using Ids = std::vector<FindingId>;

std::vector<Finding> all_of(const Ids& ids) {
  std::vector<Finding> findings;
  for (const FindingId id : ids) findings.push_back(of(id));
  return findings;
}

Ids ids_of(const std::vector<Finding>& findings) {
  Ids ids;
  for (const Finding& finding : findings) ids.push_back(finding.id);
  return ids;
}

constexpr Policy policies[] = {Policy::prefer, Policy::require, Policy::off};
constexpr Need needs[] = {Need::guest, Need::guest_without_gpu, Need::bare_metal, Need::no_mac};

}  // namespace

TEST_CASE("every row of the table, for every policy") {
  using enum Action;
  using enum Need;
  struct Outcome {
    Action action;
    int status;
    Ids told;
  };
  struct Row {
    const char* what;
    Need need;
    Ids findings;
    Outcome prefer;
    Outcome require;
    Outcome off;
  };
  const Outcome silent{start_stock, 0, {}};
  const auto refused = [](int status, FindingId id) { return Outcome{refuse, status, {id}}; };
  const auto told = [](FindingId id) { return Outcome{start_stock, 0, {id}}; };
  const FindingId unknown = FindingId::profile_unknown;
  const FindingId missing = FindingId::not_found;
  const FindingId setuid = FindingId::target_setuid;
  const FindingId no_profile = FindingId::profile_none;
  const FindingId lowered = FindingId::claim_lowered;
  const FindingId beyond = FindingId::beyond_host;
  const Row rows[] = {
      {"a mistake", guest, {unknown}, refused(125, unknown), refused(125, unknown), refused(125, unknown)},
      {"a mistake on bare metal",
       bare_metal,
       {unknown},
       refused(125, unknown),
       refused(125, unknown),
       refused(125, unknown)},
      {"a mistake without a GPU",
       guest_without_gpu,
       {unknown},
       refused(125, unknown),
       refused(125, unknown),
       refused(125, unknown)},
      {"a missing target",
       no_mac,
       {missing},
       refused(127, missing),
       refused(127, missing),
       refused(127, missing)},
      {"a target that cannot run",
       guest,
       {FindingId::not_executable},
       refused(126, FindingId::not_executable),
       refused(126, FindingId::not_executable),
       refused(126, FindingId::not_executable)},
      {"a mistake after a circumstance",
       guest,
       {setuid, missing},
       refused(127, missing),
       refused(127, missing),
       refused(127, missing)},
      {"two mistakes",
       guest,
       {missing, unknown},
       refused(127, missing),
       refused(127, missing),
       refused(127, missing)},
      {"bare metal", bare_metal, {}, silent, silent, silent},
      {"no Mac", no_mac, {}, silent, silent, silent},
      {"a circumstance on bare metal", bare_metal, {setuid}, silent, silent, silent},
      {"a circumstance on no Mac", no_mac, {setuid}, silent, silent, silent},
      {"no GPU", guest_without_gpu, {}, silent, refused(125, FindingId::no_device), silent},
      {"no GPU and a circumstance",
       guest_without_gpu,
       {setuid},
       silent,
       refused(125, FindingId::no_device),
       silent},
      {"a circumstance", guest, {setuid}, told(setuid), refused(125, setuid), silent},
      {"two circumstances", guest, {no_profile, setuid}, told(no_profile), refused(125, no_profile), silent},
      {"a note before a circumstance", guest, {lowered, setuid}, told(setuid), refused(125, setuid), silent},
      {"a failure that is nobody's mistake",
       guest,
       {FindingId::no_metal},
       told(FindingId::no_metal),
       refused(125, FindingId::no_metal),
       silent},
      {"nothing", guest, {}, {start_unlocked, 0, {}}, {start_unlocked, 0, {}}, silent},
      {"a note", guest, {lowered}, {start_unlocked, 0, {lowered}}, {start_unlocked, 0, {lowered}}, silent},
      {"the user insists",
       guest,
       {beyond},
       {start_unlocked, 0, {beyond}},
       {start_unlocked, 0, {beyond}},
       silent},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    const Outcome* outcomes[] = {&row.prefer, &row.require, &row.off};
    for (std::size_t i = 0; i < std::size(policies); ++i) {
      CAPTURE(to_text(policies[i]));
      const Decision decision = decide(policies[i], row.need, all_of(row.findings));
      CHECK(decision.action == outcomes[i]->action);
      CHECK(decision.status == outcomes[i]->status);
      CHECK(ids_of(decision.findings) == outcomes[i]->told);
    }
  }
}

TEST_CASE("whatever is found, a refusal has a status and a reason, and off never unlocks") {
  for (const CatalogueRow& row : finding_catalogue())
    for (const Policy policy : policies)
      for (const Need need : needs) {
        CAPTURE(row.name, to_text(policy), static_cast<int>(need));
        const Decision decision = decide(policy, need, {of(row.id)});
        const bool is_refused = decision.action == Action::refuse;
        CHECK(is_refused == (decision.status != 0));
        if (is_refused) REQUIRE(decision.findings.size() == 1);
        if (is_refused) CHECK(decision.status == catalogue_row(decision.findings[0].id).run_status);
        const bool may_unlock = policy != Policy::off && need == Need::guest && !is_in_the_way(of(row.id));
        CHECK((decision.action == Action::start_unlocked) == may_unlock);
        if (row.cause == Cause::mistake && row.severity == Severity::fail) CHECK(is_refused);
      }
}

TEST_CASE("a warning or a failure is in the way, a note and the user's own insistence are not") {
  CHECK(is_in_the_way(of(FindingId::target_setuid)));
  CHECK(is_in_the_way(of(FindingId::no_metal)));
  CHECK_FALSE(is_in_the_way(of(FindingId::claim_lowered)));
  CHECK_FALSE(is_in_the_way(of(FindingId::beyond_host)));
  Finding weighed = of(FindingId::config_invalid);
  weighed.severity = Severity::note;
  CHECK_FALSE(is_in_the_way(weighed));
  CHECK(decide(Policy::require, Need::guest, {weighed}).action == Action::start_unlocked);
}

TEST_CASE("a mistake that is weighed as a circumstance is left to the policy") {
  Finding weighed = of(FindingId::config_invalid);
  weighed.cause = Cause::circumstance;
  weighed.severity = Severity::warn;
  CHECK(decide(Policy::prefer, Need::guest, {weighed}).action == Action::start_stock);
  CHECK(decide(Policy::require, Need::guest, {weighed}).status == 125);
  CHECK(decide(Policy::prefer, Need::bare_metal, {weighed}).findings.empty());
}
