// SPDX-License-Identifier: MIT
#include "tests/macos_files/allow_list.hpp"

#include "tests/catch.hpp"

using namespace metal_unlock;

TEST_CASE("an allowed import has a symbol, a library and a reason") {
  const auto entries = parse_allow_list("# why\n\n_open\tlibSystem.B.dylib\topens the report's file\n");
  CHECK(entries == std::vector<AllowedImport>{{"_open", "libSystem.B.dylib", "opens the report's file"}});
  const char* const mistakes[] = {
      "_open",
      "_open\tlibSystem.B.dylib",
      "_open\tlibSystem.B.dylib\t",
      "_open\tlibSystem.B.dylib\tsafe",
      "_open libSystem.B.dylib opens the report's file",
      "_open\tlibSystem.B.dylib\topens the report's file\n_open\tlibSystem.B.dylib\topens it once more",
  };
  for (const char* mistake : mistakes) {
    CAPTURE(mistake);
    CHECK_THROWS_AS(parse_allow_list(mistake), std::runtime_error);
  }
}
