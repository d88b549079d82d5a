// SPDX-License-Identifier: MIT
#include "cli/core/guest_report.hpp"
#include "cli/verify/check.hpp"
#include "tests/catch.hpp"
#include "tests/files.hpp"
#include "tests/json.hpp"
#include "tests/simulated_guest/recorded_faults.hpp"
#include "tests/simulated_guest/simulated_metal.hpp"

#include <csignal>
#include <cstdlib>
#include <map>
#include <sys/wait.h>
#include <unistd.h>

using namespace metal_unlock;

namespace {

/// What a process of its own, which has nothing but this guest, says of a check: "correct", "crashed".
std::string outcome_of(const Check& check, const std::filesystem::path& guest,
                       const std::filesystem::path& state, Bytes threadgroup_memory = Bytes{32768}) {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    // Catch would report a fault of the GPU as one of the test.
    for (const int signal : {SIGABRT, SIGALRM}) std::signal(signal, SIG_DFL);
    ::setenv("METAL_UNLOCK_GUEST", guest.c_str(), 1);
    ::setenv("METAL_UNLOCK_SIMULATED_GPU_STATE", state.c_str(), 1);
    ::alarm(2);
    const std::string client = build_directory() / "libMetalClient.so";
    const Judgement judgement = check.run(
        [&](const KernelCall& call) { return compute_on_simulated_metal(client, call); }, threadgroup_memory);
    ::_exit(static_cast<int>(judgement.outcome));
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  if (WIFSIGNALED(status)) return WTERMSIG(status) == SIGALRM ? "timed out" : "crashed";
  constexpr const char* names[] = {"correct", "wrong", "refused", "no device", "absent"};
  return names[WEXITSTATUS(status)];
}

using Outcomes = std::map<std::string, std::string>;

/// Whatever is not correct.
Outcomes failing(const std::filesystem::path& guest) {
  const TemporaryDirectory directory;
  Outcomes outcomes;
  for (const Check& check : all_checks()) {
    const std::string outcome = outcome_of(check, guest, directory.path() / "state");
    if (outcome != "correct") outcomes[std::string{check.name}] = outcome;
  }
  return outcomes;
}

}  // namespace

TEST_CASE("a device computes what its families have, and refuses the rest") {
  CHECK(failing(guest_file("bare-metal-m1-ultra")).empty());
  CHECK(failing(guest_file("tahoe-26-m1-ultra")) == Outcomes{{"simd-shuffle", "refused"},
                                                             {"bfloat", "refused"},
                                                             {"simd-sum", "refused"},
                                                             {"matrix-float", "refused"},
                                                             {"matrix-half", "refused"},
                                                             {"matrix-bfloat", "refused"}});
  const Outcomes none = failing(guest_file("no-device"));
  CHECK(none.size() == all_checks().size());
  for (const auto& [name, outcome] : none) CHECK(outcome == "no device");
}

TEST_CASE("threadgroup memory is limited by what the device answers, and by what the chip has") {
  const TemporaryDirectory directory;
  json guest = json::parse(read_file(guest_file("bare-metal-m1-ultra")));
  const auto with_limit = [&](unsigned limit, Bytes bound) {
    guest["devices"][0]["max_threadgroup_memory"] = limit;
    write_file(directory.path() / "guest.json", guest.dump());
    return outcome_of(*find_check("threadgroup-memory"), directory.path() / "guest.json",
                      directory.path() / "state", bound);
  };
  CHECK(with_limit(16384, Bytes{16384}) == "correct");
  CHECK(with_limit(16384, Bytes{16400}) == "refused");
  CHECK(with_limit(32768, Bytes{32768}) == "correct");
  CHECK(with_limit(65536, Bytes{65536}) == "refused");
}

TEST_CASE("each recorded fault hits its capability and no other") {
  std::size_t guests = 0;
  for (const auto& entry : std::filesystem::directory_iterator(guests_directory() / "faults")) {
    CAPTURE(entry.path().filename());
    json guest = json::parse(read_file(entry.path()));
    const Outcomes expected = guest.at("expected").get<Outcomes>();
    // On a GPU that has everything without being asked, so that only faults are left.
    const TemporaryDirectory directory;
    guest["devices"] = json::parse(read_file(guest_file("bare-metal-m1-ultra"))).at("devices");
    write_file(directory.path() / "guest.json", guest.dump());
    CHECK(failing(directory.path() / "guest.json") == expected);
    CHECK(parse_guest_report(read_file(entry.path()), "fault"));
    ++guests;
  }
  CHECK(guests == 12);
}

TEST_CASE("a wedged GPU stays wedged for every later process, until the guest is restarted") {
  const TemporaryDirectory directory;
  const auto state = directory.path() / "state";
  json guest = json::parse(read_file(guest_file("bare-metal-m1-ultra")));
  guest["faults"] = json::array({{{"fault", "wedge"}, {"kernel", "sum_of_lanes"}}});
  const auto file = directory.path() / "guest.json";
  write_file(file, guest.dump());
  const Check& trivial = all_checks().front();
  CHECK(outcome_of(trivial, file, state) == "correct");
  CHECK(outcome_of(*find_check("simd-sum"), file, state) == "refused");
  CHECK(outcome_of(trivial, file, state) == "refused");
  std::filesystem::remove(state);
  CHECK(outcome_of(trivial, file, state) == "correct");
}

TEST_CASE("a fault that is misspelt leaves no device, and says what there is") {
  const auto sentence = [](const char* faults) {
    const auto parsed = parse_faults(std::string{"{\"faults\": "} + faults + "}", "g");
    return parsed ? std::string{} : parsed.finding().sentence;
  };
  CHECK(sentence("[]").empty());
  CHECK(sentence(R"([{"fault": "wrong-sum", "kernel": "k"}, {"fault": "stale-map", "above": 5}])").empty());
  CHECK(sentence(R"([{"fault": "wrong-sun"}])").find("unknown fault 'wrong-sun'") != std::string::npos);
  CHECK(sentence(R"([{"fault": "wrong-sum", "above": 5}])").find("'above'") != std::string::npos);
  CHECK(sentence(R"([{"fault": "wrong-sum", "kernal": "k"}])").find("'kernal'") != std::string::npos);
  CHECK(sentence(R"([{"kernel": "k"}])").find("without a 'fault'") != std::string::npos);
  CHECK(sentence("{}").find("no array") != std::string::npos);

  const TemporaryDirectory directory;
  json guest = json::parse(read_file(guest_file("bare-metal-m1-ultra")));
  guest["faults"] = json::array({{{"fault", "wrong-sun"}}});
  write_file(directory.path() / "guest.json", guest.dump());
  CHECK(outcome_of(all_checks().front(), directory.path() / "guest.json", directory.path() / "state") ==
        "no device");
}
