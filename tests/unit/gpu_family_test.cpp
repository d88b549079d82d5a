// SPDX-License-Identifier: MIT
#include "cli/core/gpu_family.hpp"

#include "tests/catch.hpp"

using namespace metal_unlock;

TEST_CASE("a family is named after its range and generation") {
  struct Row {
    std::uint32_t number;
    FamilyRange range;
    const char* text;
  };
  const Row rows[] = {
      {1001, FamilyRange::apple, "Apple1"},   {1011, FamilyRange::apple, "Apple11"},
      {1999, FamilyRange::apple, "Apple999"}, {2002, FamilyRange::mac, "Mac2"},
      {3003, FamilyRange::common, "Common3"}, {4001, FamilyRange::mac_catalyst, "MacCatalyst1"},
      {5001, FamilyRange::metal, "Metal3"},   {5002, FamilyRange::metal, "Metal4"},
      {0, FamilyRange::unknown, "0"},         {999, FamilyRange::unknown, "999"},
      {1000, FamilyRange::unknown, "1000"},   {2000, FamilyRange::unknown, "2000"},
      {6001, FamilyRange::unknown, "6001"},   {4294967295, FamilyRange::unknown, "4294967295"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.number);
    CHECK(range_of({row.number}) == row.range);
    CHECK(to_text(GpuFamily{row.number}) == row.text);
  }
}

TEST_CASE("the bounds of the Apple range are Apple families and their neighbours are not") {
  CHECK(range_of(first_apple_family) == FamilyRange::apple);
  CHECK(range_of(last_apple_family) == FamilyRange::apple);
  CHECK(range_of({first_apple_family.number - 1}) != FamilyRange::apple);
  CHECK(range_of({last_apple_family.number + 1}) != FamilyRange::apple);
}
