// SPDX-License-Identifier: MIT

// What the checks make of a GPU that is made up here. The kernels themselves are tested in tests/verify.

#include "cli/verify/check.hpp"
#include "cli/verify/inputs.hpp"
#include "cli/verify/judging.hpp"
#include "cli/verify/number_formats.hpp"
#include "tests/catch.hpp"

#include <cmath>
#include <limits>

using namespace metal_unlock;

namespace {

constexpr Bytes usual_memory{32768};

Judgement check_with(std::string_view name, const Compute& compute, Bytes memory = usual_memory) {
  const Check* const check = find_check(name);
  REQUIRE(check != nullptr);
  return check->run(compute, memory);
}

std::vector<std::string> bytes_of(const KernelCall& call) {
  std::vector<std::string> bytes;
  for (const KernelBuffer& buffer : call.buffers) bytes.push_back(buffer.bytes);
  return bytes;
}

KernelResult computes_nothing(const KernelCall& call) { return bytes_of(call); }

Compute refuses_at(KernelStage stage) {
  return [stage](const KernelCall&) { return KernelResult{KernelRefusal{stage, "Metal's words"}}; };
}

/// Each block's words times the odd numbers from 1 on, as the kernel of that check adds them up.
KernelResult sums_blocks(const KernelCall& call) {
  std::vector<std::string> bytes = bytes_of(call);
  const auto words = values_in<std::uint32_t>(bytes[0]);
  auto sums = std::vector<std::uint32_t>(words.size() / 16);
  for (std::size_t i = 0; i < words.size(); ++i)
    sums[i / 16] += words[i] * (2 * (static_cast<std::uint32_t>(i) % 16) + 1);
  bytes[1] = buffer_of(sums).bytes;
  return bytes;
}

/// A GPU on which buffers over mapped files end before `size`.
Compute maps_below(std::uint64_t size) {
  return [size](const KernelCall& call) {
    const std::uint64_t mapped = call.buffers[0].spacing.count * (call.buffers[0].bytes.size() / 64);
    return mapped < size ? sums_blocks(call) : KernelResult{KernelRefusal{KernelStage::buffers, "too large"}};
  };
}

Judgement judged_number(double seen, Expected expected) {
  Judge judge;
  judge.compare("x", {static_cast<float>(seen)}, {expected});
  return judge.judgement();
}

}  // namespace

TEST_CASE("a GPU that computes nothing is found out by every check") {
  for (const Check& check : all_checks()) {
    CAPTURE(check.name);
    const Judgement judgement = check.run(computes_nothing, usual_memory);
    CHECK(judgement.outcome == Outcome::wrong);
    CHECK(judgement.where.find("instead of") != std::string::npos);
  }
}

TEST_CASE("what Metal refuses is told in its own words, and what is missing is told apart") {
  for (const Check& check : all_checks()) {
    CAPTURE(check.name);
    for (const KernelStage stage :
         {KernelStage::buffers, KernelStage::library, KernelStage::pipeline, KernelStage::command}) {
      const Judgement refused = check.run(refuses_at(stage), usual_memory);
      CHECK(refused.outcome == Outcome::refused);
      CHECK(refused.where == "Metal's words");
    }
    CHECK(check.run(refuses_at(KernelStage::device), usual_memory).outcome == Outcome::no_device);
    CHECK(check.run(refuses_at(KernelStage::absent), usual_memory).outcome == Outcome::absent);
  }
  CHECK(find_check("no-such-check") == nullptr);
}

TEST_CASE("results that are right are correct") {
  const auto reverses = [](const KernelCall& call) {
    CHECK(call.needs_residency_set);
    std::vector<std::string> bytes = bytes_of(call);
    const auto words = values_in<std::uint32_t>(bytes[0]);
    bytes[1] = buffer_of(std::vector<std::uint32_t>{words.rbegin(), words.rend()}).bytes;
    return KernelResult{bytes};
  };
  CHECK(check_with("residency-set", reverses).outcome == Outcome::correct);
  const auto numbers = [](const KernelCall& call) {
    std::vector<std::string> bytes = bytes_of(call);
    std::vector<std::uint32_t> words(bytes[0].size() / 4);
    for (std::uint32_t i = 0; i < words.size(); ++i) words[i] = i * 2654435761U + 1;
    bytes[0] = buffer_of(words).bytes;
    return KernelResult{bytes};
  };
  CHECK(check_with("trivial", numbers).outcome == Outcome::correct);
}

TEST_CASE("a map that a small guest has no room for is no failure, a smaller one is") {
  constexpr std::uint64_t mebibyte = 1 << 20;
  CHECK(check_with("mapped-file", sums_blocks).outcome == Outcome::correct);
  CHECK(check_with("mapped-file", maps_below(700 * mebibyte)).outcome == Outcome::correct);
  CHECK(check_with("mapped-file", maps_below(200 * mebibyte)).outcome == Outcome::refused);
  CHECK(check_with("mapped-file", maps_below(1)).outcome == Outcome::refused);
}

TEST_CASE("threadgroup memory that is not there cannot be tried") {
  const Judgement judgement = check_with("threadgroup-memory", computes_nothing, Bytes{256});
  CHECK(judgement.outcome == Outcome::refused);
  CHECK(judgement.where == "the device has no threadgroup memory");
  CHECK(check_with("threadgroup-memory", computes_nothing, Bytes{512}).outcome == Outcome::wrong);
}

TEST_CASE("an error of the whole tolerance is allowed, a larger one is wrong") {
  CHECK(judged_number(1.5, {1, 0.5}) == Judgement{Outcome::correct, 0.5, 0.5, ""});
  CHECK(judged_number(1.75, {1, 0.5}) ==
        Judgement{Outcome::wrong, 0.75, 0.5, "x, element 0: 1.75 instead of 1"});
  CHECK(judged_number(1, {1, 0}) == Judgement{});
  CHECK(judged_number(1.5, {1, 0}).outcome == Outcome::wrong);
  CHECK(judged_number(std::numeric_limits<double>::quiet_NaN(), {1, 0.5}).outcome == Outcome::wrong);
}

TEST_CASE("the error that uses up most of its tolerance is the one that is told") {
  Judge judge;
  judge.compare("x", {1.25F, 3.0F, 9.0F}, {{1, 1}, {2, 0.5}, {8, 4}});
  CHECK(judge.judgement() == Judgement{Outcome::wrong, 1, 0.5, "x, element 1: 3 instead of 2"});
  judge.compare_exactly("n", {1}, {1, 7});
  CHECK(judge.judgement().where == "n, element 1: nan instead of 7");
}

TEST_CASE("numbers of 16 bits are rounded to the nearest, and a tie to the even one") {
  struct Row {
    float number;
    std::uint16_t half;
    std::uint16_t bfloat;
  };
  const float infinity = std::numeric_limits<float>::infinity();
  const Row rows[] = {{0.0F, 0, 0},
                      {-0.0F, 0x8000, 0x8000},
                      {1.0F, 0x3c00, 0x3f80},
                      {-2.0F, 0xc000, 0xc000},
                      {1.0F + 0x1p-11F, 0x3c00, 0x3f80},  // a tie of half, down to the even one
                      {1.0F + 0x3p-11F, 0x3c02, 0x3f80},  // a tie of half, up to the even one
                      {1.0F + 0x1p-8F, 0x3c04, 0x3f80},   // a tie of bfloat, down
                      {1.0F + 0x3p-8F, 0x3c0c, 0x3f82},   // a tie of bfloat, up
                      {1.0F + 0x1.8p-8F, 0x3c06, 0x3f81},
                      {65504.0F, 0x7bff, 0x4780},  // the largest half
                      {65520.0F, 0x7c00, 0x4780},
                      {0x1p16F, 0x7c00, 0x4780},
                      {0x1p-14F, 0x0400, 0x3880},  // the smallest normal half
                      {0x1p-24F, 0x0001, 0x3380},  // the smallest half
                      {0x1p-25F, 0x0000, 0x3300},
                      {0x3p-25F, 0x0002, 0x33c0},
                      {0x1p-30F, 0x0000, 0x3080},
                      {infinity, 0x7c00, 0x7f80},
                      {-infinity, 0xfc00, 0xff80}};
  for (const Row& row : rows) {
    CAPTURE(row.number);
    CHECK(to_half(row.number) == row.half);
    CHECK(to_bfloat(row.number) == row.bfloat);
  }
  CHECK(std::isnan(from_half(to_half(std::nanf("")))));
  CHECK(std::isnan(from_bfloat(to_bfloat(std::nanf("")))));
}

TEST_CASE("every half is a number that comes back as it went") {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const float number = from_half(half);
    if (std::isnan(number)) continue;
    if (to_half(number) != half) FAIL_CHECK("half " << bits);
  }
  CHECK(from_half(0x8001) == -0x1p-24F);
  CHECK(from_half(0x3555) == 0.333251953125F);
}
