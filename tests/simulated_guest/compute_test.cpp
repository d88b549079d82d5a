// SPDX-License-Identifier: MIT
#include "cli/verify/check.hpp"
#include "tests/catch.hpp"
#include "tests/files.hpp"
#include "tests/simulated_guest/simulated_metal.hpp"

using namespace metal_unlock;

TEST_CASE("the simulated GPU computes what the CPU does") {
  const std::string client = build_directory() / "libMetalClient.so";
  ::setenv("METAL_UNLOCK_GUEST", guest_file("bare-metal-m1-ultra").c_str(), 1);
  for (const Check& check : all_checks()) {
    CAPTURE(check.name);
    const Judgement judgement = check.run(
        [&](const KernelCall& call) { return compute_on_simulated_metal(client, call); }, Bytes{32768});
    CAPTURE(judgement.where, judgement.largest_error, judgement.tolerance);
    CHECK(judgement.outcome == Outcome::correct);
  }
}
