// SPDX-License-Identifier: MIT
#include "cli/core/text_format.hpp"
#include "cli/verify/checks.hpp"
#include "cli/verify/kernel_sources.hpp"

#include <array>
#include <numeric>

namespace metal_unlock {
namespace {

constexpr std::uint32_t threads = 128;

struct Permutation {
  std::uint32_t words;
  std::uint32_t step;
  std::uint32_t shift;
  std::uint32_t seed;
};

/// A step that has no factor in common with the number of words leads through all of them.
Permutation permutation_of(Bytes memory) {
  Permutation plan{
      .words = static_cast<std::uint32_t>(memory.count / 4), .step = 4099, .shift = 17, .seed = 77};
  while (std::gcd(plan.step, plan.words) != 1) plan.step += 2;
  return plan;
}

std::vector<std::uint32_t> permuted(const Permutation& plan) {
  const auto word = [&](std::uint32_t i) { return i * 2654435761U + plan.seed; };
  std::vector<std::uint32_t> results;
  for (std::uint32_t i = 0; i < plan.words; ++i)
    results.push_back(word((i * plan.step + plan.shift) % plan.words));
  for (std::uint32_t i = 0; i < threads; ++i) results.push_back(word((threads - i) % threads));
  return results;
}

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
constexpr std::size_t blocks = 256;

/// The fault of macOS 14 shows between 0.8 and 2.5 GB, so 3 GiB are tried. Only the pages with blocks exist.
constexpr std::array<std::uint64_t, 6> mapped_sizes{1 * mebibyte,   16 * mebibyte,   256 * mebibyte,
                                                    768 * mebibyte, 1536 * mebibyte, 3072 * mebibyte};

/// From this size on a refusal is an answer: a small guest has small buffers, and programs split what they
/// map.
constexpr std::uint64_t size_that_may_be_refused = 512 * mebibyte;

std::vector<std::uint32_t> block_sums(const std::vector<std::uint32_t>& words) {
  constexpr std::size_t words_in_block = spread_block.count / 4;
  std::vector<std::uint32_t> sums(words.size() / words_in_block);
  for (std::size_t i = 0; i < words.size(); ++i)
    sums[i / words_in_block] += words[i] * static_cast<std::uint32_t>(i % words_in_block * 2 + 1);
  return sums;
}

Judgement check_map_of(const Compute& compute, std::uint64_t size) {
  const std::vector<std::uint32_t> words = Numbers(10 + size).words(blocks * spread_block.count / 4);
  KernelBuffer map = buffer_of(words);
  map.is_mapped = true;
  map.spacing = Bytes{size / blocks};
  const KernelCall call{
      .source = kernel_source("mapped_file"),
      .function = "sum_blocks",
      .buffers = {map, room_for<std::uint32_t>(blocks),
                  buffer_of<std::uint32_t>({static_cast<std::uint32_t>(size / blocks / 4)})},
      .threadgroup_memory = {},
      .threadgroups = blocks / 64,
      .threads = 64};
  return judge_call(compute, call, [&](Judge& judge, const std::vector<std::string>& results) {
    judge.compare_exactly(formatted("map of {} MiB", size / mebibyte), values_in<std::uint32_t>(results[1]),
                          block_sums(words));
  });
}

}  // namespace

Judgement check_threadgroup_memory(const Compute& compute, Bytes threadgroup_memory) {
  const Permutation plan = permutation_of(threadgroup_memory);
  if (plan.words < threads)
    return {.outcome = Outcome::refused, .where = "the device has no threadgroup memory"};
  const KernelCall call{.source = kernel_source("threadgroup_memory"),
                        .function = "permute_words",
                        .buffers = {room_for<std::uint32_t>(plan.words + threads),
                                    buffer_of<std::uint32_t>({plan.words, plan.step, plan.shift, plan.seed})},
                        .threadgroup_memory = threadgroup_memory,
                        .threads = threads};
  return judge_call(compute, call, [&](Judge& judge, const std::vector<std::string>& results) {
    judge.compare_exactly("word", values_in<std::uint32_t>(results[0]), permuted(plan));
  });
}

Judgement check_mapped_file(const Compute& compute, Bytes /*threadgroup_memory*/) {
  Judgement judgement;
  for (const std::uint64_t size : mapped_sizes) {
    Judgement of_size = check_map_of(compute, size);
    if (of_size.outcome == Outcome::refused && size >= size_that_may_be_refused) break;
    judgement = std::move(of_size);
    if (judgement.outcome != Outcome::correct) break;
  }
  return judgement;
}

}  // namespace metal_unlock
