// SPDX-License-Identifier: MIT
#include "tests/metal_stdlib/mutation.hpp"

#include "cli/verify/check.hpp"
#include "tests/catch.hpp"
#include "tests/files.hpp"
#include "tests/metal_stdlib/direct_compute.hpp"

#include <algorithm>
#include <set>

using namespace metal_unlock;

namespace {

constexpr Bytes claimed{32768};

std::string check_name(std::string kernel) {
  std::replace(kernel.begin(), kernel.end(), '_', '-');
  return kernel;
}

}  // namespace

TEST_CASE("every kernel as it stands is correct") {
  for (const Check& check : all_checks()) {
    CAPTURE(check.name);
    const Judgement judgement = check.run(compute_directly, claimed);
    CAPTURE(judgement.where, judgement.largest_error, judgement.tolerance);
    CHECK(judgement.outcome == Outcome::correct);
    // A tolerance that is hardly used up could be hiding a mistake; one that is used up nearly was guessed.
    CHECK(judgement.largest_error <= judgement.tolerance * 0.75);
  }
}

TEST_CASE("a kernel with one mistake is not") {
  const auto mutations =
      read_mutations(read_file(source_directory() / "tests" / "metal_stdlib" / "mutations.tsv"));
  REQUIRE(mutations.size() == gpu::mutants().size());
  std::set<std::string> checks;
  for (std::size_t i = 0; i < mutations.size(); ++i) {
    CAPTURE(mutations[i].kernel, mutations[i].occurrence, mutations[i].before, mutations[i].after);
    const Check* const check = find_check(check_name(mutations[i].kernel));
    REQUIRE(check != nullptr);
    checks.insert(mutations[i].kernel);
    const Judgement judgement =
        check->run([&](const KernelCall& call) { return compute_with(gpu::mutants()[i], call); }, claimed);
    const bool meets_in_vain = judgement.outcome == Outcome::refused &&
                               (judgement.where.find("wait for each other in vain") != std::string::npos ||
                                judgement.where.find("beyond its end") != std::string::npos);
    CHECK((judgement.outcome == Outcome::wrong || meets_in_vain));
    CHECK_FALSE(judgement.where.empty());
  }
  CHECK(checks.size() == all_checks().size());
}

TEST_CASE("a mutation names a place in its kernel") {
  CHECK(mutated("a b a", {"", 2, "a", "c"}) == "a b c");
  CHECK(mutated("a b a", {"", 3, "a", "c"}).empty());
  CHECK(mutated("a b a", {"", 0, "a", "c"}).empty());
}
