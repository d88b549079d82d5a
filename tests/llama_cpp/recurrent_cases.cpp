// SPDX-License-Identifier: MIT
#include "tests/llama_cpp/operation_cases.hpp"

namespace metal_unlock {
namespace {

void add_state_space_cases(OperationCases& cases) {
  for (const std::int64_t tokens : {1, 32}) {
    for (const ggml_type type : {GGML_TYPE_F32, GGML_TYPE_F16, GGML_TYPE_BF16}) {
      cases.add(GGML_OP_SSM_CONV, cases.f32({1536, tokens}),
                {cases.tensor(type, {3 + tokens, 1536}), cases.tensor(type, {4, 1536})});
    }
    // Mamba has one value of A for each state, Mamba 2 one for each head.
    cases.add(GGML_OP_SSM_SCAN, cases.f32({1536 * (tokens + 16)}),
              {cases.f32({16, 1, 1536}), cases.f32({1, 1536, tokens}), cases.f32({1536, tokens}),
               cases.f32({16, 1536}), cases.f32({16, 1, tokens}), cases.f32({16, 1, tokens}), cases.i32({1})},
              "Mamba");
    cases.add(GGML_OP_SSM_SCAN, cases.f32({2048 * (tokens + 128)}),
              {cases.f32({128, 64, 32}), cases.f32({64, 32, tokens}), cases.f32({32, tokens}),
               cases.f32({1, 32}), cases.f32({128, 1, tokens}), cases.f32({128, 1, tokens}), cases.i32({1})},
              "Mamba 2");
  }
}

void add_linear_attention_cases(OperationCases& cases) {
  for (const std::int64_t tokens : {1, 32}) {
    ggml_tensor* heads = cases.f32({64, 32, tokens});
    ggml_tensor* state = cases.f32({64 * 64 * 32});
    const Shape result{2048, tokens + 64};
    cases.add(GGML_OP_RWKV_WKV6, cases.f32(result), {heads, heads, heads, cases.f32({64, 32}), heads, state});
    cases.add(GGML_OP_RWKV_WKV7, cases.f32(result), {heads, heads, heads, heads, heads, heads, state});
    cases.add(GGML_OP_GATED_LINEAR_ATTN, cases.f32(result), {heads, heads, heads, heads, state});
    for (const std::int64_t head : {16, 32, 64, 100, 128}) {
      ggml_tensor* values = cases.f32({head, 16, tokens});
      ggml_tensor* gates = cases.f32({1, 16, tokens});
      cases.add(GGML_OP_GATED_DELTA_NET, cases.f32({head * 16, tokens + head}),
                {values, values, values, gates, gates, cases.f32({head, head, 16})});
    }
  }
}

void add_hyper_connection_cases(OperationCases& cases) {
  for (const ggml_type type : {GGML_TYPE_F32, GGML_TYPE_F16}) {
    ggml_tensor* streams = cases.tensor(type, {4096, 4, 32});
    cases.add(GGML_OP_DSV4_HC_COMB, cases.f32({4, 4, 32}),
              {cases.tensor(type, {24, 32}), cases.f32({3}), cases.f32({24})});
    cases.add(GGML_OP_DSV4_HC_PRE, cases.f32({4096, 32}), {streams, cases.f32({4, 32})});
    cases.add(GGML_OP_DSV4_HC_POST, cases.f32({4096, 4, 32}),
              {cases.tensor(type, {4096, 32}), streams, cases.f32({4, 32}), cases.f32({4, 4, 32})});
  }
  cases.add(GGML_OP_DSV4_HC_COMB, cases.f32({3, 3, 32}),
            {cases.f32({15, 32}), cases.f32({3}), cases.f32({15})});
  cases.add(GGML_OP_DSV4_HC_POST, cases.f32({4096, 2, 32}),
            {cases.f32({4096, 32}), cases.f32({4096, 2, 32}), cases.f32({2, 32})});
}

}  // namespace

void add_recurrent_cases(OperationCases& cases) {
  add_state_space_cases(cases);
  add_linear_attention_cases(cases);
  add_hyper_connection_cases(cases);
}

}  // namespace metal_unlock
