// SPDX-License-Identifier: MIT
#include "tests/llama_cpp/operation_cases.hpp"

namespace metal_unlock {
namespace {

struct AttentionHeads {
  std::int64_t key;
  std::int64_t value;
};

void add_flash_attention(OperationCases& cases, AttentionHeads heads, ggml_type keys, ggml_type values,
                         std::int64_t tokens) {
  ggml_tensor* query = cases.f32({heads.key, tokens, 32});
  ggml_tensor* key = cases.tensor(keys, {heads.key, 512, 8});
  ggml_tensor* value = cases.tensor(values, {heads.value, 512, 8});
  ggml_tensor* mask = cases.f16({512, tokens});
  cases.add(ggml_flash_attn_ext(cases.context(), query, key, value, mask, 0.125F, 0.0F, 0.0F));
}

void add_flash_attention_cases(OperationCases& cases) {
  for (const std::int64_t head : {16,  32,  33,  40,  48,  64,  72,  80,  96,  100, 112,
                                  128, 160, 192, 224, 256, 288, 320, 384, 512, 576, 640}) {
    for (const std::int64_t tokens : {1, 32}) {
      add_flash_attention(cases, {head, head}, GGML_TYPE_F16, GGML_TYPE_F16, tokens);
    }
    add_flash_attention(cases, {head, head}, GGML_TYPE_BF16, GGML_TYPE_BF16, 1);
  }
  for (const ggml_type type : all_types()) {
    // Wide enough for a whole block of every type; sixteen bits are among the head sizes above.
    for (const std::int64_t tokens : {2, 31}) add_flash_attention(cases, {256, 256}, type, type, tokens);
  }
  for (const AttentionHeads heads :
       {AttentionHeads{192, 128}, AttentionHeads{576, 512}, AttentionHeads{320, 256}, AttentionHeads{64, 128},
        AttentionHeads{72, 64}, AttentionHeads{128, 64}}) {
    add_flash_attention(cases, heads, GGML_TYPE_F16, GGML_TYPE_F16, 1);
  }
  add_flash_attention(cases, {128, 128}, GGML_TYPE_Q8_0, GGML_TYPE_Q4_0, 1);
  add_flash_attention(cases, {128, 128}, GGML_TYPE_F16, GGML_TYPE_BF16, 1);
  cases.add(GGML_OP_FLASH_ATTN_BACK, cases.f32({128, 32, 8}),
            {cases.f32({128, 32, 8}), cases.f32({128, 512, 8}), cases.f32({512, 128, 8})});
}

void add_rope_cases(OperationCases& cases) {
  for (const ggml_op operation : {GGML_OP_ROPE, GGML_OP_ROPE_BACK}) {
    for (const ggml_type type : {GGML_TYPE_F32, GGML_TYPE_F16, GGML_TYPE_BF16}) {
      for (const std::int64_t head : {64, 80, 128}) {
        cases.add(operation, cases.tensor(type, {head, 32, 512}),
                  {cases.tensor(type, {head, 32, 512}), cases.i32({512})});
      }
    }
    cases.add(operation, cases.f32({128, 32, 512}),
              {cases.f32({128, 32, 512}), cases.i32({512}), cases.f32({64})}, "frequency factors");
  }
}

void add_indexer(OperationCases& cases, Shape query, ggml_type keys, ggml_type mask = GGML_TYPE_F16) {
  const std::int64_t tokens = query.elements[2];
  cases.add(GGML_OP_LIGHTNING_INDEXER, cases.f32({512, tokens}),
            {cases.f32(query), cases.tensor(keys, {query.elements[0], 1, 512}),
             cases.f32({query.elements[1], tokens}), cases.tensor(mask, {512, tokens})});
}

void add_indexer_cases(OperationCases& cases) {
  for (const ggml_type type : all_types()) {
    if (128 % ggml_blck_size(type) == 0) add_indexer(cases, {128, 64, 32}, type);
  }
  add_indexer(cases, {128, 32, 32}, GGML_TYPE_F16);
  add_indexer(cases, {64, 64, 32}, GGML_TYPE_F16);
  add_indexer(cases, {128, 64, 32}, GGML_TYPE_F16, GGML_TYPE_F32);
}

}  // namespace

void add_attention_cases(OperationCases& cases) {
  add_flash_attention_cases(cases);
  add_rope_cases(cases);
  add_indexer_cases(cases);
  cases.add(GGML_OP_GET_REL_POS, cases.f16({64, 14, 14}), {cases.f16({64, 27})});
  cases.add(GGML_OP_ADD_REL_POS, cases.f32({196, 196, 12}),
            {cases.f32({196, 196, 12}), cases.f32({14, 196, 12}), cases.f32({14, 196, 12})});
  cases.add(GGML_OP_WIN_PART, cases.f32({768, 14, 14, 25}), {cases.f32({768, 64, 64})});
  cases.add(GGML_OP_WIN_UNPART, cases.f32({768, 64, 64}), {cases.f32({768, 14, 14, 25})});
}

}  // namespace metal_unlock
