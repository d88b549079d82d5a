// SPDX-License-Identifier: MIT
#include "tests/llama_cpp/operation_cases.hpp"

namespace metal_unlock {
namespace {

constexpr ggml_type floats[] = {GGML_TYPE_F32, GGML_TYPE_F16, GGML_TYPE_BF16};

void add_convolutions(OperationCases& cases) {
  for (const ggml_type type : floats) {
    ggml_tensor* kernel = cases.tensor(type, {3, 3, 64, 128});
    ggml_tensor* image = cases.f32({64, 64, 64});
    cases.add(GGML_OP_IM2COL, cases.tensor(type, {576, 64, 64}), {kernel, image});
    cases.add(GGML_OP_IM2COL, cases.f32({576, 64, 64}), {kernel, cases.f16({64, 64, 64})});
    cases.add(GGML_OP_IM2COL_BACK, cases.f32({64, 64, 64}), {kernel, cases.f32({576, 64, 64})});
    cases.add(GGML_OP_IM2COL_3D, cases.tensor(type, {1728, 16, 16, 16}),
              {cases.tensor(type, {3, 3, 3, 8192}), image});
    cases.add(GGML_OP_CONV_2D, cases.f32({64, 64, 128}), {kernel, image});
    cases.add(GGML_OP_CONV_2D_DW, cases.f32({64, 64, 64}), {cases.tensor(type, {3, 3, 1, 64}), image});
    cases.add(GGML_OP_CONV_3D, cases.f32({16, 16, 16, 8}),
              {cases.tensor(type, {3, 3, 3, 32}), cases.f32({16, 16, 16, 4})});
    cases.add(GGML_OP_CONV_TRANSPOSE_1D, cases.f32({2048, 64}),
              {cases.tensor(type, {4, 64, 128}), cases.f32({1024, 128})});
    cases.add(GGML_OP_CONV_TRANSPOSE_2D, cases.f32({128, 128, 64}),
              {cases.tensor(type, {2, 2, 64, 64}), image});
    cases.add(GGML_OP_COL2IM_1D, cases.tensor(type, {2048, 64}), {cases.tensor(type, {256, 1024})});
  }
  cases.add(GGML_OP_CONV_2D, cases.f16({64, 64, 128}), {cases.f16({3, 3, 64, 128}), cases.f16({64, 64, 64})});
}

void add_resampling(OperationCases& cases) {
  for (const ggml_type type : floats) {
    ggml_tensor* image = cases.tensor(type, {64, 64, 16});
    cases.add(GGML_OP_POOL_1D, cases.f32({32, 64, 16}), {image});
    cases.add(GGML_OP_POOL_2D, cases.f32({32, 32, 16}), {image});
    cases.add(GGML_OP_POOL_2D_BACK, cases.f32({64, 64, 16}), {cases.tensor(type, {32, 32, 16}), image});
    cases.add(GGML_OP_UPSCALE, cases.tensor(type, {128, 128, 16}), {image});
    cases.add(GGML_OP_PAD_REFLECT_1D, cases.tensor(type, {68, 64, 16}), {image});
    cases.add(GGML_OP_ROLL, cases.tensor(type, {64, 64, 16}), {image});
    cases.add(GGML_OP_TIMESTEP_EMBEDDING, cases.f32({320, 8}), {cases.tensor(type, {8})});
  }
  cases.add(GGML_OP_ROLL, cases.f32({64, 64}), {cases.strided(GGML_TYPE_F32, {64, 64})});
  cases.add(ggml_arange(cases.context(), 0.0F, 64.0F, 1.0F));
}

void add_padding(OperationCases& cases) {
  ggml_tensor* image = cases.f32({64, 64, 16});
  cases.add(ggml_pad_ext(cases.context(), image, 0, 1, 0, 1, 0, 0, 0, 0));
  cases.add(ggml_pad_ext(cases.context(), image, 1, 1, 0, 0, 0, 0, 0, 0), "also before the first");
  cases.add(ggml_pad_ext_circular(cases.context(), image, 0, 1, 0, 1, 0, 0, 0, 0), "circular");
}

}  // namespace

void add_image_cases(OperationCases& cases) {
  add_convolutions(cases);
  add_resampling(cases);
  add_padding(cases);
}

void add_training_cases(OperationCases& cases) {
  ggml_tensor* weights = cases.f32({4096, 32});
  cases.add(GGML_OP_OPT_STEP_ADAMW, cases.f32({4096, 32}),
            {weights, weights, weights, weights, cases.f32({7})});
  cases.add(GGML_OP_OPT_STEP_SGD, cases.f32({4096, 32}), {weights, weights, cases.f32({2})});
  cases.add(GGML_OP_CROSS_ENTROPY_LOSS, cases.f32({1}), {weights, weights});
  cases.add(GGML_OP_CROSS_ENTROPY_LOSS_BACK, cases.f32({4096, 32}), {cases.f32({1}), weights, weights});
  cases.add(GGML_OP_RMS_NORM_BACK, cases.f32({4096, 32}), {weights, weights});
  cases.add(GGML_OP_SOFT_MAX_BACK, cases.f32({4096, 32}), {weights, weights});
  for (const ggml_op operation :
       {GGML_OP_MAP_CUSTOM1, GGML_OP_MAP_CUSTOM2, GGML_OP_MAP_CUSTOM3, GGML_OP_CUSTOM}) {
    cases.add(operation, cases.f32({4096, 32}), {weights, weights, weights});
  }
}

}  // namespace metal_unlock
