// SPDX-License-Identifier: MIT
#include "shim/answers.hpp"

#include "tests/catch.hpp"

#include <limits>
#include <vector>

using namespace metal_unlock::shim;

TEST_CASE("the claimed Apple family and all below it are claimed, and nothing else") {
  for (long family = -10; family <= 12'000; ++family) {
    CAPTURE(family);
    CHECK(is_claimed(1007, family) == (family >= 1001 && family <= 1007));
  }
}

TEST_CASE("no other range of families can be claimed") {
  const std::vector<long> others{
      std::numeric_limits<long>::min(), -1007, 0, 1000, 2000, 2002, 3003, 4001, 5001, 5002,
      std::numeric_limits<long>::max()};
  for (const long family : others) {
    CAPTURE(family);
    CHECK_FALSE(is_claimed(1999, family));
  }
  CHECK(is_claimed(1999, 1999));
}

TEST_CASE("without a claim every family keeps its stock answer") {
  for (long family = 1001; family <= 1999; ++family) CHECK_FALSE(is_claimed(0, family));
  CHECK(is_claimed(1001, 1001));
}

TEST_CASE("a limit is raised to the claim and never lowered") {
  struct Row {
    std::uint64_t stock;
    std::uint64_t claim;
    std::uint64_t answer;
  };
  const std::vector<Row> rows{{16384, 32768, 32768}, {32768, 32768, 32768}, {65536, 32768, 65536},
                              {16384, 0, 16384},     {0, 32768, 32768},     {0, 0, 0}};
  for (const Row& row : rows) {
    CAPTURE(row.stock, row.claim);
    CHECK(raised(row.stock, row.claim) == row.answer);
  }
}

TEST_CASE("a simulated smaller GPU has no Apple family above its own, and keeps every other answer") {
  for (long family = -10; family <= 12'000; ++family) {
    CAPTURE(family);
    CHECK(is_beyond_simulated(1003, family) == (family >= 1004 && family <= 1999));
    CHECK_FALSE(is_beyond_simulated(0, family));
  }
}

TEST_CASE("a limit is lowered to that of a simulated smaller GPU and never raised") {
  struct Row {
    std::uint64_t stock;
    std::uint64_t simulated;
    std::uint64_t answer;
  };
  const std::vector<Row> rows{{32768, 16384, 16384}, {16384, 32768, 16384}, {32768, 32768, 32768},
                              {32768, 0, 32768},     {0, 16384, 0},         {0, 0, 0}};
  for (const Row& row : rows) {
    CAPTURE(row.stock, row.simulated);
    CHECK(lowered(row.stock, row.simulated) == row.answer);
  }
}
