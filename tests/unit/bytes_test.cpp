// SPDX-License-Identifier: MIT
#include "cli/core/bytes.hpp"

#include "tests/catch.hpp"

#include <limits>

using namespace metal_unlock;

TEST_CASE("a size is printed in the largest unit that divides it") {
  CHECK(to_text(Bytes{0}) == "0 bytes");
  CHECK(to_text(Bytes{1}) == "1 byte");
  CHECK(to_text(Bytes{1000}) == "1000 bytes");
  CHECK(to_text(Bytes{1024}) == "1 KiB");
  CHECK(to_text(Bytes{32768}) == "32 KiB");
  CHECK(to_text(Bytes{32769}) == "32769 bytes");
  CHECK(to_text(Bytes{1048576}) == "1 MiB");
  CHECK(to_text(Bytes{3758096384}) == "3584 MiB");
  CHECK(to_text(Bytes{3221225472}) == "3 GiB");
}

TEST_CASE("a size above one MiB that no unit divides is rounded to a tenth") {
  CHECK(to_text(Bytes{11453251584}) == "10922.7 MiB");
  CHECK(to_text(Bytes{1048576 + 1024}) == "1.0 MiB");
  CHECK(to_text(Bytes{1048576 - 1}) == "1048575 bytes");
  CHECK(to_text(Bytes{2097152 - 1}) == "2.0 MiB");
  CHECK(to_text(Bytes{std::numeric_limits<std::uint64_t>::max()}) == "17592186044416.0 MiB");
}

TEST_CASE("sizes compare by their count") {
  CHECK(Bytes{32768} < Bytes{65536});
  CHECK_FALSE(Bytes{65536} < Bytes{32768});
  CHECK(Bytes{16} == Bytes{16});
}
