// SPDX-License-Identifier: MIT
#include "cli/core/sha256.hpp"

#include "tests/catch.hpp"

using namespace metal_unlock;

TEST_CASE("the examples of the standard") {
  CHECK(sha256_of("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256_of("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256_of(std::string(1'000'000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("parts of whatever length give the same hash as the whole") {
  const std::string whole(300, 'x');
  for (std::size_t part = 1; part <= 130; ++part) {
    CAPTURE(part);
    Sha256 hash;
    for (std::size_t at = 0; at < whole.size(); at += part)
      hash.add(std::string_view{whole}.substr(at, part));
    CHECK(hash.finish() == sha256_of(whole));
  }
  CHECK(sha256_of(whole) != sha256_of(whole.substr(1)));
}
