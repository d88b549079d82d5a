// SPDX-License-Identifier: MIT
#include "cli/core/validate.hpp"
#include "tests/catch.hpp"

#include <map>
#include <string>

using namespace metal_unlock;

namespace {

using Amount = std::optional<std::uint64_t>;
constexpr Amount none;

/// How the profile came to be used, and who states the ceiling.
enum Way : unsigned { found = 0, named = 1, insists = 2, measured = 4 };

struct Row {
  FieldKind kind;
  Amount stock;
  Amount claim;
  Amount simulated;
  Amount ceiling;
  unsigned way;
  FieldDecision decision;
  Amount answer;
};

constexpr FieldKind family = FieldKind::family;
constexpr FieldKind limit = FieldKind::limit;
constexpr FieldKind size = FieldKind::size;
constexpr FieldKind never = FieldKind::never;
using enum FieldDecision;

const Row rows[] = {
    // A family: one number for all below it, up to that of the chip.
    {family, none, none, none, 1007, found, unclaimed, none},
    {family, 1005, none, none, 1007, named, unclaimed, none},
    {family, 1005, none, none, 1007, named | insists, unclaimed, none},
    {family, none, 1007, none, 1007, found, raised, 1007},
    {family, none, 1007, none, 1007, measured, raised, 1007},
    {family, 1005, 1007, none, 1007, found, raised, 1007},
    {family, 1005, 1006, none, 1007, named, raised, 1006},
    {family, 1005, 1007, none, 1009, named | insists, raised, 1007},
    {family, 1007, 1007, none, 1007, found, kept, none},
    {family, 1008, 1007, none, 1009, named, kept, none},
    {family, 1009, 1001, none, 1007, named, kept, none},
    {family, 1005, 1009, none, 1007, found, lowered, 1007},
    {family, none, 1009, none, 1007, found | measured, lowered, 1007},
    {family, 1007, 1009, none, 1007, found, lowered, none},
    {family, 1005, 1009, none, 1007, named, refused, none},
    {family, 1005, 1008, none, 1007, named | measured, refused, none},
    {family, 1005, 1009, none, 1007, named | insists, beyond_host, 1009},
    {family, 1005, 1009, none, 1007, insists, beyond_host, 1009},
    {family, 1005, 1007, none, none, found, lowered, none},
    {family, 1005, 1007, none, none, named, refused, none},
    {family, 1005, 1007, none, none, named | insists, beyond_host, 1007},
    {family, 1005, none, 1003, 1007, named, simulated, 1003},
    {family, none, none, 1003, 1007, named, simulated, 1003},
    {family, 1005, none, 1003, none, named, simulated, 1003},
    {family, 1005, none, 1005, 1007, named, kept, none},
    {family, 1005, none, 1006, 1007, named, kept, none},
    {family, 1005, none, 1003, 1007, found, unclaimed, none},
    {family, 1005, none, 1003, 1007, insists, unclaimed, none},
    // A limit: bytes of the chip.
    {limit, none, none, none, 32768, found, unclaimed, none},
    {limit, 16384, 32768, none, 32768, found, raised, 32768},
    {limit, none, 32768, none, 32768, named, raised, 32768},
    {limit, 16384, 24576, none, 32768, named | measured, raised, 24576},
    {limit, 32768, 32768, none, 32768, found, kept, none},
    {limit, 32768, 16384, none, 32768, named, kept, none},
    {limit, 32768, 65536, none, 32768, found, lowered, none},
    {limit, 16384, 65536, none, 32768, found, lowered, 32768},
    {limit, 32768, 65536, none, 32768, named, refused, none},
    {limit, 32768, 65536, none, 32768, named | measured, refused, none},
    {limit, 32768, 65536, none, 32768, named | insists, beyond_host, 65536},
    {limit, 32768, 65536, none, none, found, lowered, none},
    {limit, 32768, none, 16384, 32768, named, simulated, 16384},
    {limit, 32768, none, 32768, 32768, named, kept, none},
    {limit, none, none, 16384, none, named, simulated, 16384},
    {limit, 32768, none, 16384, 32768, found, unclaimed, none},
    // A size: bytes of one machine, of which only a host report knows the most.
    {size, 4096, none, none, 8192, measured, unclaimed, none},
    {size, 4096, 8192, none, 8192, found | measured, raised, 8192},
    {size, none, 8192, none, 8192, named | measured, raised, 8192},
    {size, 4096, 6144, none, 8192, named | measured, raised, 6144},
    {size, 8192, 8192, none, 8192, measured, kept, none},
    {size, 4096, 16384, none, 8192, measured, lowered, 8192},
    {size, 4096, 16384, none, 8192, named | measured, refused, none},
    {size, 4096, 16384, none, 8192, named | measured | insists, beyond_host, 16384},
    {size, 4096, 6144, none, 8192, found, lowered, none},
    {size, 4096, 6144, none, 8192, named, refused, none},
    {size, 4096, 6144, none, 8192, named | insists, beyond_host, 6144},
    {size, 4096, 6144, none, none, named, refused, none},
    {size, 4096, none, 2048, none, named, simulated, 2048},
    {size, 4096, none, 4096, 8192, named | measured, kept, none},
    // An answer that is never claimed.
    {never, none, none, none, none, found, unclaimed, none},
    {never, none, none, none, 1, named | measured, unclaimed, none},
    {never, none, 1, none, none, found, refused, none},
    {never, none, 1, none, 1, named | measured, refused, none},
    {never, 1, 1, none, 1, named | insists, refused, none},
    {never, none, 1, none, none, insists, refused, none},
    {never, 2, none, 1, none, named, refused, none},
};

}  // namespace

TEST_CASE("the validation table: stock, claim and ceiling of every kind") {
  CHECK(std::size(rows) >= 60);
  std::map<FieldKind, std::size_t> counted;
  for (const Row& row : rows) {
    CAPTURE(static_cast<int>(row.kind), row.stock, row.claim, row.simulated, row.ceiling, row.way);
    const FieldJudgement judgement = judge(row.kind, {.stock = row.stock,
                                                      .claim = row.claim,
                                                      .simulated = row.simulated,
                                                      .ceiling = row.ceiling,
                                                      .is_measured = (row.way & measured) != 0,
                                                      .is_named = (row.way & named) != 0,
                                                      .allow_beyond_host = (row.way & insists) != 0});
    CHECK(to_text(judgement.decision) == to_text(row.decision));
    CHECK(judgement.answer == row.answer);
    CHECK_FALSE(judgement.reason.empty());
    ++counted[row.kind];
  }
  CHECK(counted.size() == 4);
  for (const auto& [kind, count] : counted) CHECK(count >= 7);
}

TEST_CASE("an answer never exceeds the ceiling unless the user insists, and is never below a claim's stock") {
  for (const FieldKind kind : {family, limit, size, never})
    for (const Amount stock : {Amount{}, Amount{16}, Amount{32}, Amount{48}})
      for (const Amount claim : {Amount{}, Amount{16}, Amount{32}, Amount{64}})
        for (const Amount ceiling : {Amount{}, Amount{16}, Amount{32}, Amount{48}})
          for (unsigned way = 0; way < 8; ++way) {
            const bool is_measured = (way & measured) != 0;
            const FieldJudgement judgement = judge(kind, {.stock = stock,
                                                          .claim = claim,
                                                          .simulated = {},
                                                          .ceiling = ceiling,
                                                          .is_measured = is_measured,
                                                          .is_named = (way & named) != 0,
                                                          .allow_beyond_host = (way & insists) != 0});
            if (!judgement.answer) continue;
            CAPTURE(static_cast<int>(kind), stock, claim, ceiling, way);
            CHECK(kind != never);
            CHECK((!stock || *judgement.answer > *stock || judgement.decision == FieldDecision::beyond_host));
            CHECK(*judgement.answer <= *claim);
            if (judgement.decision == FieldDecision::beyond_host) continue;
            REQUIRE(ceiling);
            CHECK(*judgement.answer <= *ceiling);
            CHECK((kind != size || is_measured));
          }
}

TEST_CASE("every kind has its row, and every field a kind that can be claimed") {
  for (const FieldKind kind : {family, limit, size, never}) CHECK(kind_row(kind).kind == kind);
  CHECK(kind_row(never).measure == Measure::never);
  CHECK(kind_row(size).ceiling == CeilingSource::host_report);
  for (const FieldRow& row : field_rows()) CHECK(kind_row(row.kind).measure == Measure::at_most_ceiling);
  CHECK(field_row(Field::max_threadgroup_memory).kind == limit);
  CHECK(field_row(Field::recommended_max_working_set).kind == size);
}
