// SPDX-License-Identifier: MIT
#include "shim/preload_list.hpp"

#include "tests/catch.hpp"

#include <string>
#include <vector>

using namespace metal_unlock::shim;

namespace {

struct ListRow {
  std::string list;
  std::string kept;
};

void check_rows(const std::vector<ListRow>& rows, const char* separators) {
  for (const ListRow& row : rows) {
    CAPTURE(row.list);
    std::string list = row.list;
    CHECK(remove_own_entries(list.data(), separators) == (row.list != row.kept));
    CHECK(std::string(list.c_str()) == row.kept);
  }
}

}  // namespace

TEST_CASE("our entry goes, wherever it stands, and every other stays as it is") {
  check_rows(
      {
          {"", ""},
          {"/c/libmetal-unlock.so", ""},
          {"libmetal-unlock.so", ""},
          {"/c/libmetal-unlock.dylib", ""},
          {"/c/libmetal-unlock.so:/usr/lib/liba.so", "/usr/lib/liba.so"},
          {"/usr/lib/liba.so:/c/libmetal-unlock.so", "/usr/lib/liba.so"},
          {"/a.so:/c/libmetal-unlock.so:/b.so", "/a.so:/b.so"},
          {"/a.so /c/libmetal-unlock.so /b.so", "/a.so /b.so"},
          {"/a.so /c/libmetal-unlock.so:/b.so", "/a.so /b.so"},
          {"/c/libmetal-unlock.so:/a.so:/d/libmetal-unlock.so", "/a.so"},
          {"/c/libmetal-unlock.so:/c/libmetal-unlock.so", ""},
          {"::/a.so: /b.so:", "::/a.so: /b.so:"},
          {"/a.so::/c/libmetal-unlock.so", "/a.so:"},
          {"/c/libmetal-unlock.so.bak", "/c/libmetal-unlock.so.bak"},
          {"/c/xlibmetal-unlock.so", "/c/xlibmetal-unlock.so"},
          {"/libmetal-unlock.so/other.so", "/libmetal-unlock.so/other.so"},
      },
      ": ");
}

TEST_CASE("where only a colon separates, a space belongs to the path") {
  check_rows({{"/my disk/a.dylib:/my disk/libmetal-unlock.dylib", "/my disk/a.dylib"},
              {"/a libmetal-unlock.dylib", "/a libmetal-unlock.dylib"}},
             ":");
  check_rows({{"/a libmetal-unlock.dylib", "/a"}}, ": ");
}

TEST_CASE("another project's shim is known by its file name") {
  const ForeignShim& tart = foreign_shims[1];
  REQUIRE(std::string(tart.name) == "Tart");
  CHECK(lists_foreign_shim("/usr/local/lib/TartMetalCapabilities.dylib", tart));
  CHECK(lists_foreign_shim("/c/libmetal-unlock.so:/usr/local/lib/TartMetalCapabilities.dylib", tart));
  CHECK(lists_foreign_shim("libTartMetalCapabilities-arm64e.dylib:/a.so", tart));
  CHECK(lists_foreign_shim("/lib/my-TartMetalCapabilities", tart));
  CHECK_FALSE(lists_foreign_shim("/TartMetalCapabilities/liba.dylib", tart));
  CHECK_FALSE(lists_foreign_shim("/usr/local/lib/LumeMetalCapabilities.dylib", tart));
  CHECK_FALSE(lists_foreign_shim("", tart));
  CHECK_FALSE(lists_foreign_shim(nullptr, tart));
  CHECK(lists_foreign_shim("/usr/local/lib/LumeMetalCapabilities.dylib", foreign_shims[0]));
  CHECK(lists_foreign_shim("/out/libAnkaGpuFamilyBoost-arm64.dylib", foreign_shims[2]));
}

TEST_CASE("another shim's variable counts where it switches the shim on") {
  CHECK(switches_on("1009"));
  CHECK_FALSE(switches_on("0"));
  CHECK_FALSE(switches_on(""));
  CHECK_FALSE(switches_on(nullptr));
}
