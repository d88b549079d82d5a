// SPDX-License-Identifier: MIT
#include "cli/verify/inputs.hpp"
#include "cli/verify/number_formats.hpp"
#include "tests/catch.hpp"
#include "tests/metal_stdlib/executor.hpp"
#include "tests/metal_stdlib/kernel_reader.hpp"
#include "tests/metal_stdlib/simdgroup_matrix.hpp"
#include "tests/metal_stdlib/small_float.hpp"

#include <bit>
#include <cmath>

using namespace metal_unlock;

namespace {

std::string run(unsigned threads, const std::function<void(unsigned)>& body, std::size_t memory = 0) {
  return gpu::execute({.threadgroups = 1, .threads = threads, .threadgroup_memory = memory, .flaws = {}},
                      [&](std::byte*) { body(gpu::place().thread_in_threadgroup); });
}

bool same(float a, float b) {
  return std::isnan(a) ? std::isnan(b) : std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

template <class Small>
void check_formats(std::uint16_t (*to_bits)(float), float (*from_bits)(std::uint16_t)) {
  int differences = 0;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto small = std::bit_cast<Small>(static_cast<std::uint16_t>(bits));
    const float value = from_bits(static_cast<std::uint16_t>(bits));
    if (!same(float(small), value)) ++differences;
    if (!std::isnan(value) && to_bits(value) != bits) ++differences;
  }
  Numbers numbers(1);
  for (int i = 0; i < 200000; ++i) {
    const float value = std::bit_cast<float>(numbers.word());
    if (std::isnan(value)) continue;
    if (Small(value).bits() != to_bits(value)) ++differences;
    // Half way between two numbers, and next to it.
    const float tie = std::bit_cast<float>((numbers.word() & 0xffff0000U) | (i % 3 == 0   ? 0x8000U
                                                                             : i % 3 == 1 ? 0x7fffU
                                                                                          : 0x8001U));
    if (!std::isnan(tie) && Small(tie).bits() != to_bits(tie)) ++differences;
  }
  CHECK(differences == 0);
}

std::string reading_trouble(const std::string& parameters) {
  const auto read = read_kernel("\nkernel void k(" + parameters + ") {\n}\n");
  return std::holds_alternative<std::string>(read) ? std::get<std::string>(read) : std::string{};
}

}  // namespace

TEST_CASE("two ways to round to half and bfloat agree everywhere") {
  check_formats<metal::half>(to_half, from_half);
  check_formats<metal::bfloat>(to_bfloat, from_bfloat);
}

TEST_CASE("half and bfloat round to the nearest, and to even") {
  CHECK(to_half(65504) == 0x7bff);
  CHECK(to_half(65519) == 0x7bff);
  CHECK(to_half(65520) == 0x7c00);
  CHECK(to_half(0x1p-24F) == 1);
  CHECK(to_half(0x1p-25F) == 0);
  CHECK(to_half(0x1.8p-24F) == 2);
  CHECK(to_bfloat(1.00390625F) == 0x3f80);
  CHECK(to_bfloat(1.01171875F) == 0x3f82);
  CHECK(to_bfloat(-0.0F) == 0x8000);
}

TEST_CASE("lanes exchange values in lockstep, however often") {
  std::vector<std::uint32_t> sums(64);
  const std::string trouble = run(64, [&](unsigned i) {
    std::uint32_t value = i;
    for (int round = 0; round < 9; ++round) value = metal::simd_sum(value) + (i % 32);
    sums[i] = metal::simd_shuffle_xor(value, 1);
  });
  CHECK(trouble.empty());
  for (unsigned group = 0; group < 2; ++group) {
    std::vector<std::uint32_t> values(32);
    for (unsigned i = 0; i < 32; ++i) values[i] = group * 32 + i;
    for (int round = 0; round < 9; ++round) {
      std::uint32_t sum = 0;
      for (const std::uint32_t value : values) sum += value;
      for (unsigned i = 0; i < 32; ++i) values[i] = sum + i;
    }
    for (unsigned i = 0; i < 32; ++i) CHECK(sums[group * 32 + i] == values[i ^ 1]);
  }
}

TEST_CASE("threads that do not meet are an error that says where") {
  using metal::mem_flags;
  const auto all = [](unsigned) { metal::threadgroup_barrier(mem_flags::mem_threadgroup, 7); };
  CHECK(run(64, all).empty());
  const std::string some = run(64, [](unsigned i) {
    if (i != 40) metal::threadgroup_barrier(mem_flags::mem_threadgroup, 7);
  });
  CHECK(some.find("the barrier in line 7 is not reached by all") != std::string::npos);
  const std::string two_places =
      run(64, [](unsigned i) { metal::threadgroup_barrier(mem_flags::mem_threadgroup, i < 32 ? 7 : 8); });
  CHECK(two_places.find("in vain") != std::string::npos);
  const std::string lanes = run(64, [](unsigned i) {
    if (i % 2 == 0) metal::simd_sum(i, 9);
  });
  CHECK(lanes.find("SIMD group's operation in line 9") != std::string::npos);
  CHECK(run(33, all).find("not made of whole SIMD groups") != std::string::npos);
}

TEST_CASE("threadgroup memory has exactly its size") {
  const auto writes = [](std::size_t size) {
    return gpu::execute({.threadgroups = 2, .threads = 32, .threadgroup_memory = 256, .flaws = {}},
                        [&](std::byte* memory) {
                          for (std::size_t i = 0; i < size; ++i) memory[i] = std::byte{1};
                        });
  };
  CHECK(writes(256).empty());
  CHECK(writes(257) == "threadgroup memory was written beyond its end");
}

TEST_CASE("a matrix comes out of its lanes as it went in, times another") {
  std::vector<float> a(64);
  std::vector<float> b(64);
  for (unsigned i = 0; i < 64; ++i) {
    a[i] = static_cast<float>(i % 11);
    b[i] = static_cast<float>(i % 7) - 3;
  }
  std::vector<float> c(64);
  CHECK(run(32, [&](unsigned) {
          metal::simdgroup_matrix<float, 8, 8> left;
          metal::simdgroup_matrix<float, 8, 8> right;
          metal::simdgroup_matrix<float, 8, 8> sum(1.0F);
          metal::simdgroup_load(left, a.data());
          metal::simdgroup_load(right, b.data());
          metal::simdgroup_multiply_accumulate(sum, left, right, sum);
          metal::simdgroup_store(sum, c.data());
        }).empty());
  for (unsigned row = 0; row < 8; ++row)
    for (unsigned column = 0; column < 8; ++column) {
      float expected = row == column ? 1 : 0;
      for (unsigned k = 0; k < 8; ++k) expected += a[row * 8 + k] * b[k * 8 + column];
      CHECK(c[row * 8 + column] == expected);
    }
}

TEST_CASE("the reader of signatures says what Metal's compiler would") {
  CHECK(reading_trouble("device const float* x [[buffer(0)]], uint i [[thread_position_in_grid]]").empty());
  CHECK(reading_trouble("const float* x [[buffer(0)]]").find("no address space") != std::string::npos);
  CHECK(reading_trouble("device float* x [[threadgroup(0)]]").find("no address space") != std::string::npos);
  CHECK(reading_trouble("device float x [[buffer(0)]]").find("no address space") != std::string::npos);
  CHECK(reading_trouble("device float* x").find("no attribute") != std::string::npos);
  CHECK(reading_trouble("device float* x [[buffer]]").find("no index") != std::string::npos);
  CHECK(reading_trouble("uint i [[thread_in_grid]]") == "attribute 'thread_in_grid' is unknown");
  CHECK(reading_trouble("float i [[thread_position_in_grid]]").find("is no float") != std::string::npos);
  CHECK(std::get<std::string>(read_kernel("void f();")) == "there is no kernel");
}
