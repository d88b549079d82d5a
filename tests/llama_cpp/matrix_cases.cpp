// SPDX-License-Identifier: MIT
#include "tests/llama_cpp/operation_cases.hpp"

namespace metal_unlock {
namespace {

/// Below, at and above the sizes where llama.cpp goes from multiplying vectors to multiplying matrices.
constexpr std::int64_t token_counts[] = {1, 8, 9, 32, 512};

void add_products(OperationCases& cases, ggml_type weights) {
  const std::int64_t block = ggml_blck_size(weights);
  for (const ggml_type input : {GGML_TYPE_F32, GGML_TYPE_F16}) {
    for (const std::int64_t tokens : token_counts) {
      cases.add(ggml_mul_mat(cases.context(), cases.tensor(weights, {4096, 4096}),
                             cases.tensor(input, {4096, tokens})));
    }
    // One block wide: too narrow for the kernels that multiply matrices, where a block is small.
    cases.add(
        ggml_mul_mat(cases.context(), cases.tensor(weights, {block, 48}), cases.tensor(input, {block, 32})));
  }
  cases.add(ggml_mul_mat(cases.context(), cases.tensor(weights, {256, 128, 8}), cases.f32({256, 16, 32})),
            "grouped");
}

void add_expert_products(OperationCases& cases, ggml_type weights) {
  for (const ggml_type input : {GGML_TYPE_F32, GGML_TYPE_F16}) {
    for (const std::int64_t tokens : {1, 31, 32, 512}) {
      cases.add(ggml_mul_mat_id(cases.context(), cases.tensor(weights, {2048, 768, 128}),
                                cases.tensor(input, {2048, 8, tokens}), cases.i32({8, tokens})));
    }
  }
}

void add_odd_products(OperationCases& cases) {
  for (const ggml_type type : {GGML_TYPE_F32, GGML_TYPE_F16, GGML_TYPE_BF16}) {
    cases.add(ggml_mul_mat(cases.context(), cases.tensor(type, {63, 33}), cases.f32({63, 9})));
    cases.add(ggml_mul_mat(cases.context(), cases.tensor(type, {64, 33}), cases.f32({64, 9})));
    cases.add(ggml_mul_mat(cases.context(), cases.tensor(type, {63, 33}), cases.f16({63, 9})));
  }
  cases.add(GGML_OP_MUL_MAT, cases.f32({64, 64}),
            {cases.f32({128, 64}), cases.strided(GGML_TYPE_F32, {128, 64})});
  for (const ggml_type input : {GGML_TYPE_F32, GGML_TYPE_F16}) {
    ggml_tensor* transform =
        ggml_mul_mat(cases.context(), cases.f32({128, 128}), cases.tensor(input, {128, 4}));
    ggml_mul_mat_set_hint(transform, GGML_HINT_SRC0_IS_HADAMARD);
    cases.add(transform, "Hadamard");
  }
}

}  // namespace

void add_matrix_cases(OperationCases& cases) {
  for (const ggml_type type : all_types()) {
    add_products(cases, type);
    add_expert_products(cases, type);
  }
  add_odd_products(cases);
  for (const ggml_type type : {GGML_TYPE_F32, GGML_TYPE_F16, GGML_TYPE_Q4_0}) {
    cases.add(GGML_OP_OUT_PROD, cases.f32({256, 256}), {cases.tensor(type, {256, 16}), cases.f32({256, 16})});
  }
  for (const ggml_type type : {GGML_TYPE_F32, GGML_TYPE_F16}) {
    for (const std::int64_t size : {11, 64}) {
      cases.add(GGML_OP_SOLVE_TRI, cases.f32({32, size, 4}),
                {cases.tensor(type, {size, size, 4}), cases.f32({32, size, 4})});
    }
  }
  cases.add(GGML_OP_DIAG, cases.f32({256, 256}), {cases.f32({256})});
  cases.add(GGML_OP_DIAG_MASK_INF, cases.f32({256, 256}), {cases.f32({256, 256})});
  cases.add(GGML_OP_DIAG_MASK_ZERO, cases.f32({256, 256}), {cases.f32({256, 256})});
}

}  // namespace metal_unlock
