// SPDX-License-Identifier: MIT
#include "tests/macos_files/sha256.hpp"

#include "tests/catch.hpp"
#include "tests/files.hpp"
#include "tests/process.hpp"

using namespace metal_unlock;

TEST_CASE("SHA-256 of the texts that its standard gives") {
  CHECK(in_hex(sha256("")) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(in_hex(sha256("abc")) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(in_hex(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")) ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST_CASE("SHA-256 of every length around a block is that of the system's tool") {
  const TemporaryDirectory folder;
  for (const std::size_t length : {55U, 56U, 57U, 63U, 64U, 65U, 119U, 120U, 4096U}) {
    CAPTURE(length);
    const std::string text(length, 'x');
    write_file(folder.path() / "text", text);
    const Outcome outcome = run_process({{"cmake", "-E", "sha256sum", folder.path() / "text"}});
    CHECK(outcome.out.substr(0, 64) == in_hex(sha256(text)));
  }
}
