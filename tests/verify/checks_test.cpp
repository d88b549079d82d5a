// SPDX-License-Identifier: MIT
#include "cli/verify/check.hpp"
#include "cli/verify/judging.hpp"
#include "cli/verify/kernel_sources.hpp"
#include "tests/catch.hpp"
#include "tests/metal_stdlib/direct_compute.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <set>

using namespace metal_unlock;

namespace {

constexpr Bytes claimed{32768};

/// Which buffers a call is to fill: those that hold nothing but the pattern of room_for.
bool is_result(const KernelBuffer& buffer) {
  return buffer.bytes.find_first_not_of('\x5a') == std::string::npos;
}

/// Computes correctly, then spoils the last element of one result. False in `spoilt` where there is no such
/// result.
KernelResult spoil(const KernelCall& call, std::size_t result, bool& spoilt) {
  KernelResult computed = compute_directly(call);
  auto& buffers = std::get<std::vector<std::string>>(computed);
  for (std::size_t i = 0; i < buffers.size(); ++i)
    if (is_result(call.buffers[i]) && result-- == 0) {
      // The sign of a floating-point number, and half the range of a whole one.
      buffers[i].back() = static_cast<char>(buffers[i].back() ^ 0x40);
      spoilt = true;
    }
  return computed;
}

Judge judged(float seen, Expected expected) {
  Judge judge;
  judge.compare("x", {seen}, {expected});
  return judge;
}

}  // namespace

TEST_CASE("checks have names of their own, the trivial kernel first, and a source") {
  std::set<std::string_view> names;
  for (const Check& check : all_checks()) {
    names.insert(check.name);
    CHECK_FALSE(check.capability.empty());
    CHECK(find_check(check.name) == &check);
  }
  CHECK(names.size() == all_checks().size());
  CHECK(all_checks().front().name == "trivial");
  CHECK(find_check("matrix") == nullptr);
  CHECK(kernel_source("matrix_half").find("kernel void matrix_half(") != std::string_view::npos);
  CHECK(kernel_source("matrix").empty());
}

TEST_CASE("a GPU that computes is correct; one wrong element of any result is not, and is named") {
  for (const Check& check : all_checks()) {
    CAPTURE(check.name);
    CHECK(check.run(compute_directly, claimed).outcome == Outcome::correct);
    for (std::size_t result = 0;; ++result) {
      CAPTURE(result);
      bool spoilt = false;
      const Judgement judgement =
          check.run([&](const KernelCall& call) { return spoil(call, result, spoilt); }, claimed);
      if (!spoilt) {
        CHECK(result > 0);
        break;
      }
      CHECK(judgement.outcome == Outcome::wrong);
      CHECK(judgement.where.find(", element ") != std::string::npos);
      CHECK(judgement.largest_error > judgement.tolerance);
    }
  }
}

TEST_CASE("a kernel that never ran, or wrote zeros, is wrong") {
  for (const Check& check : all_checks()) {
    CAPTURE(check.name);
    for (const bool zeros : {false, true}) {
      const Compute compute = [&](const KernelCall& call) -> KernelResult {
        std::vector<std::string> buffers;
        for (const KernelBuffer& buffer : call.buffers)
          buffers.push_back(zeros && is_result(buffer) ? std::string(buffer.bytes.size(), '\0')
                                                       : buffer.bytes);
        return buffers;
      };
      CHECK(check.run(compute, claimed).outcome == Outcome::wrong);
    }
  }
}

TEST_CASE("what Metal refuses is told by where it refuses") {
  const auto outcome = [](KernelStage stage) {
    return all_checks().front().run(
        [&](const KernelCall&) -> KernelResult {
          return KernelRefusal{stage, "no"};
        },
        claimed);
  };
  for (const KernelStage stage : {KernelStage::buffers, KernelStage::residency_set, KernelStage::library,
                                  KernelStage::pipeline, KernelStage::command})
    CHECK(outcome(stage) == Judgement{.outcome = Outcome::refused, .where = "no"});
  CHECK(outcome(KernelStage::device).outcome == Outcome::no_device);
  CHECK(outcome(KernelStage::absent).outcome == Outcome::absent);
}

TEST_CASE("a mapped file may be refused where it is large, not where it is small") {
  const auto refusing_from = [](std::uint64_t limit) {
    return find_check("mapped-file")
        ->run(
            [&](const KernelCall& call) -> KernelResult {
              if (call.buffers[0].spacing.count * 256 >= limit)
                return KernelRefusal{KernelStage::buffers, "too large"};
              return compute_directly(call);
            },
            claimed);
  };
  CHECK(refusing_from(std::uint64_t{1} << 30).outcome == Outcome::correct);
  CHECK(refusing_from(std::uint64_t{1} << 28).outcome == Outcome::refused);
}

TEST_CASE("threadgroup memory of every claimable size is filled to its end") {
  for (const unsigned size : {512U, 16384U, 24576U, 32752U, 32768U}) {
    std::uint64_t bound = 0;
    const Judgement judgement = find_check("threadgroup-memory")
                                    ->run(
                                        [&](const KernelCall& call) {
                                          bound = call.threadgroup_memory.count;
                                          return compute_directly(call);
                                        },
                                        Bytes{size});
    CAPTURE(size, judgement.where);
    CHECK(judgement.outcome == Outcome::correct);
    CHECK(bound == size);
  }
  CHECK(find_check("threadgroup-memory")->run(compute_directly, Bytes{0}).outcome == Outcome::refused);
}

TEST_CASE("an error is held against its own tolerance") {
  CHECK(judged(1.5F, {1, 0.5}).judgement() == Judgement{Outcome::correct, 0.5, 0.5, ""});
  CHECK(judged(1, {1, 0}).judgement() == Judgement{Outcome::correct, 0, 0, ""});
  CHECK(judged(1.5F, {1, 0.25}).judgement() ==
        Judgement{Outcome::wrong, 0.5, 0.25, "x, element 0: 1.5 instead of 1"});
  CHECK(judged(std::numeric_limits<float>::quiet_NaN(), {1, 1}).judgement().outcome == Outcome::wrong);
  CHECK(judged(std::numeric_limits<float>::infinity(), {1, 1}).judgement().outcome == Outcome::wrong);

  Judge judge;
  // The second error is smaller, and the worse one.
  judge.compare("x", {10.5F, 1.25F}, {{10, 0.4}, {1, 0.1}});
  CHECK(judge.judgement() == Judgement{Outcome::wrong, 0.25, 0.1, "x, element 1: 1.25 instead of 1"});
  judge.compare_exactly("n", {7, 8}, {7, 8});
  CHECK(judge.judgement().largest_error == 0.25);
  judge.compare_exactly("n", {7}, {7, 8});
  CHECK(judge.judgement().where.starts_with("n, element 1: "));
}
