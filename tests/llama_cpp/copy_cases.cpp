// SPDX-License-Identifier: MIT
#include "tests/llama_cpp/operation_cases.hpp"

namespace metal_unlock {
namespace {

/// A whole number of blocks of every type.
const Shape wide{4096, 32};

void add_conversions(OperationCases& cases, ggml_op operation) {
  for (const ggml_type type : all_types()) {
    cases.add(operation, cases.tensor(type, wide), {cases.f32(wide)});
    if (type == GGML_TYPE_F32) continue;
    cases.add(operation, cases.f32(wide), {cases.tensor(type, wide)});
    cases.add(operation, cases.f16(wide), {cases.tensor(type, wide)});
  }
  cases.add(operation, cases.tensor(GGML_TYPE_BF16, wide), {cases.tensor(GGML_TYPE_BF16, wide)});
  cases.add(operation, cases.tensor(GGML_TYPE_BF16, wide), {cases.f16(wide)});
  cases.add(operation, cases.i32(wide), {cases.i32(wide)});
  cases.add(operation, cases.tensor(GGML_TYPE_Q8_0, wide), {cases.tensor(GGML_TYPE_Q8_0, wide)});
  cases.add(operation, cases.f32(wide), {cases.strided(GGML_TYPE_F32, wide)});
}

void add_row_cases(OperationCases& cases) {
  for (const ggml_type type : all_types()) {
    cases.add(GGML_OP_GET_ROWS, cases.f32(wide), {cases.tensor(type, {4096, 32000}), cases.i32({32})});
    cases.add(GGML_OP_SET_ROWS, cases.tensor(type, {4096, 32000}),
              {cases.f32(wide), cases.tensor(GGML_TYPE_I64, {32})});
    cases.add(GGML_OP_SET_ROWS, cases.tensor(type, {4096, 32000}),
              {cases.f16(wide), cases.tensor(GGML_TYPE_I64, {32})});
    cases.add(GGML_OP_CONCAT, cases.tensor(type, {4096, 64}),
              {cases.tensor(type, wide), cases.tensor(type, wide)});
  }
  cases.add(GGML_OP_CONCAT, cases.f32({4096, 64}), {cases.f32(wide), cases.f16(wide)});
  cases.add(GGML_OP_GET_ROWS_BACK, cases.f32({4096, 32000}), {cases.f32(wide), cases.i32({32})});
}

void add_repeats_and_views(OperationCases& cases) {
  for (const ggml_type type :
       {GGML_TYPE_F32, GGML_TYPE_F16, GGML_TYPE_BF16, GGML_TYPE_I32, GGML_TYPE_I16, GGML_TYPE_Q8_0}) {
    for (const ggml_op operation : {GGML_OP_NONE, GGML_OP_RESHAPE, GGML_OP_VIEW, GGML_OP_PERMUTE,
                                    GGML_OP_TRANSPOSE, GGML_OP_REPEAT_BACK}) {
      cases.add(operation, cases.tensor(type, wide), {cases.tensor(type, wide)});
    }
    cases.add(GGML_OP_REPEAT, cases.tensor(type, {4096, 64}), {cases.tensor(type, wide)});
  }
}

}  // namespace

void add_copy_cases(OperationCases& cases) {
  for (const ggml_op operation : {GGML_OP_CPY, GGML_OP_DUP, GGML_OP_CONT, GGML_OP_SET})
    add_conversions(cases, operation);
  add_row_cases(cases);
  add_repeats_and_views(cases);
}

}  // namespace metal_unlock
