// SPDX-License-Identifier: MIT
#include "tests/llama_cpp/operation_cases.hpp"

namespace metal_unlock {
namespace {

void add_sums_and_norms(OperationCases& cases) {
  for (const ggml_op operation : {GGML_OP_SUM, GGML_OP_SUM_ROWS, GGML_OP_CUMSUM, GGML_OP_MEAN, GGML_OP_ARGMAX,
                                  GGML_OP_NORM, GGML_OP_RMS_NORM, GGML_OP_GROUP_NORM, GGML_OP_L2_NORM}) {
    for (const Shape& shape :
         {Shape{4096, 1}, Shape{4096, 512}, Shape{128, 32, 512}, Shape{33, 7}, Shape{1, 1}}) {
      cases.add(operation, cases.f32(shape), {cases.f32(shape)});
    }
    for (const ggml_type type : {GGML_TYPE_F16, GGML_TYPE_BF16, GGML_TYPE_I32}) {
      cases.add(operation, cases.tensor(type, {4096, 512}), {cases.tensor(type, {4096, 512})});
    }
    cases.add(operation, cases.f32({4096, 32}), {cases.strided(GGML_TYPE_F32, {4096, 32})});
  }
}

void add_soft_max_cases(OperationCases& cases) {
  for (const std::int64_t tokens : {1, 31, 512}) {
    ggml_tensor* scores = cases.f32({2048, tokens, 32});
    cases.add(ggml_soft_max(cases.context(), scores));
    for (const ggml_type type : {GGML_TYPE_F32, GGML_TYPE_F16}) {
      ggml_tensor* mask = cases.tensor(type, {2048, tokens});
      cases.add(ggml_soft_max_ext(cases.context(), scores, mask, 0.125F, 0.0F));
      cases.add(ggml_soft_max_ext(cases.context(), scores, mask, 0.125F, 8.0F), "ALiBi");
      ggml_tensor* with_sinks = ggml_soft_max_ext(cases.context(), scores, mask, 0.125F, 0.0F);
      ggml_soft_max_add_sinks(with_sinks, cases.f32({32}));
      cases.add(with_sinks);
    }
  }
  cases.add(GGML_OP_SOFT_MAX, cases.f32({2048, 32}), {cases.strided(GGML_TYPE_F32, {2048, 32})});
  cases.add(GGML_OP_SOFT_MAX, cases.f32({2048, 32}),
            {cases.f32({2048, 32}), cases.tensor(GGML_TYPE_BF16, {2048, 32})});
}

void add_comparison_and_order(OperationCases& cases) {
  for (const ggml_type type : {GGML_TYPE_I32, GGML_TYPE_F32}) {
    cases.add(GGML_OP_COUNT_EQUAL, cases.tensor(GGML_TYPE_I64, {1}),
              {cases.tensor(type, {4096}), cases.tensor(type, {4096})});
  }
  for (const Shape& shape : {Shape{32000, 1}, Shape{128, 512}, Shape{33, 7}}) {
    cases.add(ggml_argsort(cases.context(), cases.f32(shape), GGML_SORT_ORDER_DESC));
    cases.add(ggml_argsort(cases.context(), cases.f32(shape), GGML_SORT_ORDER_ASC), "ascending");
    cases.add(ggml_top_k(cases.context(), cases.f32(shape), 8));
  }
}

}  // namespace

void add_reduction_cases(OperationCases& cases) {
  add_sums_and_norms(cases);
  add_soft_max_cases(cases);
  add_comparison_and_order(cases);
}

}  // namespace metal_unlock
