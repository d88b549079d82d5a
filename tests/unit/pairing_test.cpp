// SPDX-License-Identifier: MIT
#include "cli/core/pairing.hpp"

#include "tests/catch.hpp"

using namespace metal_unlock;

namespace {

using Mismatches = std::vector<std::string>;

Series series(const std::string& test, std::vector<double> samples = {1, 2, 3}) {
  return {{.test = test,
           .model = "M",
           .model_size = Bytes{1024},
           .build = "b1",
           .threads = 8,
           .settings = {{"type_k", "f16"}}},
          Unit::tokens_per_second,
          std::move(samples)};
}

/// The same series with one thing changed.
template <class Change>
Series changed(Series from, const Change& change) {
  change(from);
  return from;
}

}  // namespace

TEST_CASE("series of the same workload are a row, in the order of stock") {
  const Pairing pairing =
      pair_series({series("tg", {1}), series("pp", {2})}, {series("pp", {20}), series("tg", {10})},
                  {series("tg", {100}), series("pp", {200})});
  CHECK(pairing.mismatches.empty());
  REQUIRE(pairing.rows.size() == 2);
  CHECK(pairing.rows[0].workload.test == "tg");
  CHECK(pairing.rows[0].stock == std::vector<double>{1});
  CHECK(pairing.rows[0].unlocked == std::vector<double>{10});
  CHECK(pairing.rows[0].host == std::vector<double>{100});
  CHECK(pairing.rows[1].host == std::vector<double>{200});
}

TEST_CASE("each thing that differs is named, and stands in the way of a row") {
  struct Case {
    Series other;
    std::string named;
  };
  const Series stock = series("pp");
  const std::vector<Case> cases{
      {changed(stock, [](Series& it) { it.workload.model = "N"; }), "pp: model 'M' stock, 'N' unlocked"},
      {changed(stock, [](Series& it) { it.workload.model_size = Bytes{1}; }),
       "pp: model size '1024' stock, '1' unlocked"},
      {changed(stock, [](Series& it) { it.workload.build = "b2"; }), "pp: build 'b1' stock, 'b2' unlocked"},
      {changed(stock, [](Series& it) { it.workload.threads.reset(); }),
       "pp: threads '8' stock, none unlocked"},
      {changed(stock, [](Series& it) { it.workload.settings["type_k"] = "q8_0"; }),
       "pp: type_k 'f16' stock, 'q8_0' unlocked"},
      {changed(stock, [](Series& it) { it.workload.settings["poll"] = "50"; }),
       "pp: poll none stock, '50' unlocked"},
      {changed(stock, [](Series& it) { it.unit = Unit::seconds; }),
       "pp: unit 'tokens/s' stock, 's' unlocked"}};
  for (const auto& [other, named] : cases) {
    CAPTURE(named);
    const Pairing pairing = pair_series({stock}, {other}, {});
    CHECK(pairing.rows.empty());
    CHECK(pairing.mismatches == Mismatches{named});
    CHECK(pair_series({other}, {other}, {}).rows.size() == 1);
  }
}

TEST_CASE("what has no partner at all is named on its side") {
  const Pairing pairing = pair_series({series("a"), series("b")}, {series("b"), series("c")}, {series("d")});
  CHECK(pairing.rows.size() == 1);
  CHECK(pairing.mismatches ==
        Mismatches{"a: only stock", "c: only unlocked", "b: not measured on the host", "d: only host"});
}

TEST_CASE("without a host nothing is missing on it") {
  CHECK(pair_series({series("a")}, {series("a")}, {}).mismatches.empty());
  CHECK_FALSE(pair_series({series("a")}, {series("a")}, {series("b")}).mismatches.empty());
}

TEST_CASE("a mismatch is named beside the nearest candidate") {
  const Series near = changed(series("pp"), [](Series& it) { it.workload.threads = 4; });
  const Series far = changed(near, [](Series& it) { it.workload.build = "b2"; });
  const Pairing pairing = pair_series({series("pp")}, {far, near}, {});
  CHECK(pairing.mismatches == Mismatches{"pp: threads '8' stock, '4' unlocked", "pp: only unlocked"});
}

TEST_CASE("rows of several thread counts find their own") {
  const Series four = changed(series("pp", {4, 4, 4}), [](Series& it) { it.workload.threads = 4; });
  const Pairing pairing = pair_series({series("pp"), four}, {four, series("pp")}, {});
  CHECK(pairing.mismatches.empty());
  CHECK(pairing.rows[1].unlocked == four.samples);
}

TEST_CASE("the share of the host is of its speed, whatever the unit") {
  Row row{series("pp").workload, Unit::tokens_per_second, {10}, {50}, {100}};
  CHECK(row.host_share() == 0.5);
  row.unit = Unit::seconds;
  CHECK(row.host_share() == 2.0);
  row.host.clear();
  CHECK_FALSE(row.host_share());
}

TEST_CASE("a workload is described by what is known") {
  CHECK(description_of(series("pp").workload) == "M, 1 KiB, build b1, 8 threads");
  CHECK(description_of(Workload{
            .test = "pp", .model = {}, .model_size = {}, .build = {}, .threads = 1, .settings = {}}) ==
        "1 thread");
  CHECK(description_of({}).empty());
}
