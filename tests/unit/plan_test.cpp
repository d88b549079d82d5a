// SPDX-License-Identifier: MIT
#include "cli/core/plan.hpp"

#include "shim/handoff.hpp"
#include "tests/catch.hpp"

#include <algorithm>

using namespace metal_unlock;

namespace {

const Loader linux_loader{"LD_PRELOAD", " :", "libmetal-unlock.so", "/opt/libMetal.so"};
const Loader mac_loader{"DYLD_INSERT_LIBRARIES", ":", "libmetal-unlock.dylib",
                        "/System/Library/Frameworks/Metal.framework/Metal"};
const std::string shim_path = "/cache/libmetal-unlock.so";

Capabilities claims(std::optional<std::uint64_t> family, std::optional<std::uint64_t> memory,
                    std::optional<std::uint64_t> working_set) {
  Capabilities granted;
  granted[Field::apple_family] = family;
  granted[Field::max_threadgroup_memory] = memory;
  granted[Field::recommended_max_working_set] = working_set;
  return granted;
}

/// Every combination of the five flags of a scope, as bits.
Scope scope_of(unsigned bits, const std::string& report) {
  return {.children = (bits & 1U) != 0,
          .is_target = (bits & 2U) != 0,
          .require = (bits & 4U) != 0,
          .log = (bits & 8U) != 0,
          .beyond_host = (bits & 16U) != 0,
          .report = report};
}

void check_round_trip(const Capabilities& granted, const Scope& scope, const Loader& loader) {
  const std::string text = handoff_text(granted, scope, loader);
  CAPTURE(text);
  CHECK(std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7f; }));
  shim::Handoff told;
  REQUIRE(shim::parse_handoff(text.c_str(), told) == shim::HandoffState::well_formed);
  REQUIRE(told.class_count == 1);
  CHECK(std::string{told.classes[0]} == "AppleParavirtDevice");
  CHECK(told.apple_family == granted[Field::apple_family].value_or(0));
  CHECK(told.max_threadgroup_memory == granted[Field::max_threadgroup_memory].value_or(0));
  CHECK(told.recommended_max_working_set == granted[Field::recommended_max_working_set].value_or(0));
  CHECK(told.metal == loader.metal);
  CHECK(told.open == (loader.metal.empty() ? shim::OpenMetal::never
                      : scope.is_target    ? shim::OpenMetal::always
                                           : shim::OpenMetal::programs));
  CHECK(told.report == scope.report);
  CHECK(told.report_descriptor == -1);
  CHECK(told.children == scope.children);
  CHECK(told.require == scope.require);
  CHECK(told.log == scope.log);
  CHECK(told.beyond_host == scope.beyond_host);
  CHECK_FALSE(told.attached);
}

}  // namespace

TEST_CASE("the shim reads what the plan writes, for every combination of fields") {
  const Capabilities all_granted[] = {
      claims(1007, {}, {}),        claims({}, 32768, {}),
      claims({}, {}, 11453251584), claims(1007, 32768, {}),
      claims(1007, {}, 16),        claims({}, 16, 281474976710640),
      claims(1001, 32768, 4096),   claims(1999, 281474976710640, 281474976710640)};
  for (const Capabilities& granted : all_granted)
    for (unsigned bits = 0; bits < 32; ++bits)
      for (const char* report : {"", "/tmp/report.jsonl"})
        check_round_trip(granted, scope_of(bits, report), linux_loader);
}

TEST_CASE("paths reach the shim byte by byte") {
  const std::string long_name(1000, 'x');
  const std::string paths[] = {"/a;b;end",    "/100%",       "/%41",          "/a b",
                               "/line\nline", "/tab\tcr\r",  "/Büro/仮想",    "/\x01\x7f\xff",
                               "/a=b;log",    "/quote\"'\\", "/" + long_name, "/v1;class=X;end"};
  for (const std::string& path : paths) {
    Loader loader = linux_loader;
    check_round_trip(claims(1007, {}, {}), scope_of(2, path), loader);
    loader.metal = path;
    check_round_trip(claims(1007, {}, {}), scope_of(0, path), loader);
  }
  // An 8 KiB handoff is the longest that is read: two paths of escapes only come close to it.
  std::string escapes = "/";
  escapes.append(1022, '\n');
  Loader loader = linux_loader;
  loader.metal = escapes;
  check_round_trip(claims(1999, 281474976710640, 281474976710640), scope_of(31, escapes), loader);
}

TEST_CASE("where the loader knows no Metal the shim is not told to open it") {
  Loader loader = linux_loader;
  loader.metal.clear();
  for (unsigned bits = 0; bits < 32; ++bits)
    check_round_trip(claims(1007, 32768, {}), scope_of(bits, ""), loader);
}

TEST_CASE("the handoff is written in one order") {
  CHECK(handoff_text(claims(1007, 32768, 16), scope_of(31, "/r"), linux_loader) ==
        "v1;class=AppleParavirtDevice;apple-family=1007;max-threadgroup-memory=32768;"
        "recommended-max-working-set=16;metal=/opt/libMetal.so;open=always;children;require;log;beyond-host;"
        "report=/r;end");
  CHECK(handoff_text(claims(1007, {}, {}), scope_of(0, ""), mac_loader) ==
        "v1;class=AppleParavirtDevice;apple-family=1007;"
        "metal=/System/Library/Frameworks/Metal.framework/Metal;open=programs;end");
}

TEST_CASE("the preload variable names ours first and once, and keeps the others in order") {
  struct Row {
    const char* before;
    const char* after;
  };
  const Row rows[] = {
      {"", "/cache/libmetal-unlock.so"},
      {"/x/a.so", "/cache/libmetal-unlock.so /x/a.so"},
      {"/x/a.so:/x/b.so", "/cache/libmetal-unlock.so /x/a.so /x/b.so"},
      {"/x/b.so /x/a.so", "/cache/libmetal-unlock.so /x/b.so /x/a.so"},
      {"  :/x/a.so::  /x/b.so:", "/cache/libmetal-unlock.so /x/a.so /x/b.so"},
      {" : ", "/cache/libmetal-unlock.so"},
      {"/cache/libmetal-unlock.so", "/cache/libmetal-unlock.so"},
      {"/old/libmetal-unlock.so", "/cache/libmetal-unlock.so"},
      {"libmetal-unlock.so", "/cache/libmetal-unlock.so"},
      {"/x/a.so:/old/libmetal-unlock.so:/x/b.so", "/cache/libmetal-unlock.so /x/a.so /x/b.so"},
      {"/old/libmetal-unlock.so:/cache/libmetal-unlock.so", "/cache/libmetal-unlock.so"},
      {"/x/a.so /x/a.so", "/cache/libmetal-unlock.so /x/a.so /x/a.so"},
      {"/x/libmetal-unlock.so.1", "/cache/libmetal-unlock.so /x/libmetal-unlock.so.1"},
      {"/x/notlibmetal-unlock.so", "/cache/libmetal-unlock.so /x/notlibmetal-unlock.so"},
      {"/libmetal-unlock.so/a.so", "/cache/libmetal-unlock.so /libmetal-unlock.so/a.so"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.before);
    const std::string after = preload_with(row.before, shim_path, linux_loader);
    CHECK(after == row.after);
    CHECK(preload_with(after, shim_path, linux_loader) == after);
  }
  // On a Mac only the colon ends an entry.
  CHECK(preload_with("/x/a b.dylib:/x/c.dylib", "/s/libmetal-unlock.dylib", mac_loader) ==
        "/s/libmetal-unlock.dylib:/x/a b.dylib:/x/c.dylib");
}

TEST_CASE("a path that the preload variable cannot hold is known") {
  CHECK(fits_preload("/cache/libmetal-unlock.so", linux_loader));
  CHECK(fits_preload("/Büro/x.so", linux_loader));
  for (const char* path : {"/a b/x.so", "/a:b/x.so", "x.so", "./x.so", ""}) {
    CAPTURE(path);
    CHECK_FALSE(fits_preload(path, linux_loader));
  }
  CHECK(fits_preload("/$LIB/x.so", linux_loader));
  const Loader expanding{"LD_PRELOAD", " :", "libmetal-unlock.so", "/opt/libMetal.so", "$"};
  CHECK_FALSE(fits_preload("/$LIB/x.so", expanding));
  CHECK(fits_preload("/LIB/x.so", expanding));
  CHECK(fits_preload("/a b/x.dylib", mac_loader));
  CHECK_FALSE(fits_preload("/a:b/x.dylib", mac_loader));
}

TEST_CASE("an unlocked start replaces the decision of an outer one") {
  const Environment outer{
      {"A=1", "LD_PRELOAD=/x/a.so:/old/libmetal-unlock.so", "METAL_UNLOCK_HANDOFF=v1;old;end"}};
  const EnvironmentChange change = unlocking_change(outer, linux_loader, shim_path, "v1;new;end");
  CHECK(outer.with(change) == Environment{{"A=1", "LD_PRELOAD=/cache/libmetal-unlock.so /x/a.so",
                                           "METAL_UNLOCK_HANDOFF=v1;new;end"}});
  CHECK(unlocking_change(outer.with(change), linux_loader, shim_path, "v1;new;end").set == change.set);
  const Environment clean{{"A=1"}};
  CHECK(clean.with(unlocking_change(clean, linux_loader, shim_path, "h")) ==
        Environment{{"A=1", "LD_PRELOAD=/cache/libmetal-unlock.so", "METAL_UNLOCK_HANDOFF=h"}});
}

TEST_CASE("a stock start takes away an outer decision and nothing else") {
  using Entries = std::vector<std::string>;
  struct Row {
    const char* what;
    Entries before;
    EnvironmentChange change;
  };
  const Row rows[] = {
      {"nothing to take away", {"A=1"}, {}},
      {"another library", {"LD_PRELOAD=/x/a.so"}, {}},
      {"others as they were written", {"LD_PRELOAD= /x/a.so::/x/b.so "}, {}},
      {"set to nothing", {"LD_PRELOAD="}, {}},
      {"a name that holds ours", {"LD_PRELOAD=  /x/libmetal-unlock.so.1"}, {}},
      {"a folder of our name", {"LD_PRELOAD=:/libmetal-unlock.so/a.so"}, {}},
      {"only ours", {"LD_PRELOAD=/o/libmetal-unlock.so"}, {{}, {"LD_PRELOAD"}}},
      {"ours twice", {"LD_PRELOAD=/o/libmetal-unlock.so:/p/libmetal-unlock.so"}, {{}, {"LD_PRELOAD"}}},
      {"ours and another", {"LD_PRELOAD=/o/libmetal-unlock.so:/x/a.so"}, {{{"LD_PRELOAD", "/x/a.so"}}, {}}},
      {"another and ours", {"LD_PRELOAD=/x/a.so /o/libmetal-unlock.so"}, {{{"LD_PRELOAD", "/x/a.so"}}, {}}},
      {"a handoff", {"METAL_UNLOCK_HANDOFF=v1;end"}, {{}, {"METAL_UNLOCK_HANDOFF"}}},
      {"an empty handoff", {"METAL_UNLOCK_HANDOFF="}, {{}, {"METAL_UNLOCK_HANDOFF"}}},
      {"both",
       {"LD_PRELOAD=/o/libmetal-unlock.so", "METAL_UNLOCK_HANDOFF=v1;end"},
       {{}, {"LD_PRELOAD", "METAL_UNLOCK_HANDOFF"}}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    const EnvironmentChange change = stock_change(Environment{row.before}, linux_loader);
    CHECK(change.set == row.change.set);
    CHECK(change.unset == row.change.unset);
    CHECK(stock_change(Environment{row.before}.with(change), linux_loader).empty());
  }
}

TEST_CASE("a stock start undoes an unlocked one") {
  const Environment before{{"LD_PRELOAD=/x/a.so", "B=2"}};
  const Environment unlocked = before.with(unlocking_change(before, linux_loader, shim_path, "v1;end"));
  CHECK(unlocked.with(stock_change(unlocked, linux_loader)) == before);
}
