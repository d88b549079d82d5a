// SPDX-License-Identifier: MIT
#include "tests/llama_cpp/operation_cases.hpp"

namespace metal_unlock {
namespace {

constexpr ggml_type floats[] = {GGML_TYPE_F32, GGML_TYPE_F16, GGML_TYPE_BF16};

void add_unary_cases(OperationCases& cases) {
  for (int number = 0; number < GGML_UNARY_OP_COUNT; ++number) {
    const auto operation = static_cast<ggml_unary_op>(number);
    for (const ggml_type type : floats) {
      cases.add(ggml_unary(cases.context(), cases.tensor(type, {4096, 32}), operation));
    }
    ggml_tensor* strided = cases.f32({4096, 32});
    strided->op_params[0] = number;
    cases.add(GGML_OP_UNARY, strided, {cases.strided(GGML_TYPE_F32, {4096, 32})});
  }
}

void add_gated_cases(OperationCases& cases) {
  for (int number = 0; number < GGML_GLU_OP_COUNT; ++number) {
    const auto operation = static_cast<ggml_glu_op>(number);
    for (const ggml_type type : floats) {
      ggml_tensor* whole = cases.tensor(type, {22016, 32});
      ggml_tensor* half = cases.tensor(type, {11008, 32});
      cases.add(ggml_glu(cases.context(), whole, operation, false));
      cases.add(ggml_glu_split(cases.context(), half, half, operation));
    }
  }
}

void add_one_source_cases(OperationCases& cases) {
  for (const ggml_op operation : {GGML_OP_SCALE, GGML_OP_FILL, GGML_OP_CLAMP, GGML_OP_SQR, GGML_OP_SQRT,
                                  GGML_OP_SIN, GGML_OP_COS, GGML_OP_LOG, GGML_OP_LEAKY_RELU, GGML_OP_TRI}) {
    for (const ggml_type type : floats) {
      cases.add(operation, cases.tensor(type, {4096, 32}), {cases.tensor(type, {4096, 32})});
    }
    cases.add(operation, cases.f32({4095, 7}), {cases.f32({4095, 7})});
    cases.add(operation, cases.f32({4096, 32}), {cases.strided(GGML_TYPE_F32, {4096, 32})});
  }
}

void add_two_source_cases(OperationCases& cases) {
  for (const ggml_op operation : {GGML_OP_ADD, GGML_OP_SUB, GGML_OP_MUL, GGML_OP_DIV}) {
    for (const ggml_type type : floats) {
      cases.add(operation, cases.tensor(type, {4096, 32}),
                {cases.tensor(type, {4096, 32}), cases.tensor(type, {4096, 32})});
    }
    cases.add(operation, cases.f32({4096, 32}), {cases.f32({4096, 32}), cases.f32({4096, 1})}, "broadcast");
    cases.add(operation, cases.f32({4095, 7}), {cases.f32({4095, 7}), cases.f32({1, 7})}, "broadcast");
    cases.add(operation, cases.f16({4096, 32}), {cases.f16({4096, 32}), cases.f32({4096, 32})});
    cases.add(operation, cases.f32({4096, 32}),
              {cases.strided(GGML_TYPE_F32, {4096, 32}), cases.f32({4096, 32})});
  }
  for (const ggml_type type : floats) {
    ggml_tensor* matrix = cases.tensor(type, {4096, 8, 32});
    cases.add(GGML_OP_ADD_ID, cases.tensor(type, {4096, 8, 32}),
              {matrix, cases.tensor(type, {4096, 64}), cases.i32({8, 32})});
    cases.add(GGML_OP_ADD1, cases.tensor(type, {4096, 32}),
              {cases.tensor(type, {4096, 32}), cases.tensor(type, {1})});
    cases.add(GGML_OP_ACC, cases.tensor(type, {4096, 32}),
              {cases.tensor(type, {4096, 32}), cases.tensor(type, {1024, 16})});
    cases.add(GGML_OP_SILU_BACK, cases.tensor(type, {4096, 32}),
              {cases.tensor(type, {4096, 32}), cases.tensor(type, {4096, 32})});
  }
}

}  // namespace

void add_elementwise_cases(OperationCases& cases) {
  add_unary_cases(cases);
  add_gated_cases(cases);
  add_one_source_cases(cases);
  add_two_source_cases(cases);
}

}  // namespace metal_unlock
