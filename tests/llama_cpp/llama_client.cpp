// SPDX-License-Identifier: MIT

// llama-client: llama.cpp's own code for Metal, asked on this machine what its device is and which operations
// it would run there. Knows nothing of metal-unlock. One JSON object on each line: the device, then each
// case.

#include "tests/json.hpp"
#include "tests/llama_cpp/operation_cases.hpp"

#include <algorithm>
#include <cstdio>
#include <ggml-metal-device.h>
#include <ggml-metal-tuning.h>
#include <string>

namespace metal_unlock {
namespace {

std::string layout(const ggml_tensor& tensor) {
  if (ggml_is_contiguous(&tensor)) return {};
  return ggml_is_contiguous_rows(&tensor) ? ":spaced" : ":strided";
}

std::string shape_of(const ggml_tensor& tensor) {
  std::string text = std::to_string(tensor.ne[0]);
  for (int i = 1; i < ggml_n_dims(&tensor); ++i) text += "x" + std::to_string(tensor.ne[i]);
  return text + layout(tensor);
}

std::string variant_of(const ggml_tensor& tensor) {
  if (tensor.op == GGML_OP_UNARY) return ggml_unary_op_name(ggml_get_unary_op(&tensor));
  if (tensor.op == GGML_OP_GLU) return ggml_glu_op_name(ggml_get_glu_op(&tensor));
  return {};
}

json described(const OperationCase& operation_case, bool supported) {
  const ggml_tensor& tensor = *operation_case.tensor;
  json types = json::array();
  json shapes = json::array();
  for (const ggml_tensor* source : tensor.src) {
    if (source == nullptr) continue;
    types.push_back(ggml_type_name(source->type));
    shapes.push_back(shape_of(*source));
  }
  return {{"operation", ggml_op_name(tensor.op)},
          {"variant", variant_of(tensor)},
          {"types", types},
          {"shapes", shapes},
          {"result", ggml_type_name(tensor.type)},
          {"note", operation_case.note},
          {"supported", supported}};
}

/// The kernels of flash attention that are tuned for the device's family: queries and key columns of each.
json tuned_attention(int family) {
  json kernels = json::object();
  for (const ggml_type type : {GGML_TYPE_F16, GGML_TYPE_Q8_0, GGML_TYPE_Q4_0}) {
    for (const int head : {64, 96, 128, 256}) {
      for (const int keys : {512, 2048, 8192, 32768}) {
        for (const int queries : {1, 2, 4, 8}) {
          const auto plain = ggml_metal_tuning::fa_vec_baseline_cfg(head, head);
          const auto chosen = ggml_metal_tuning::fa_vec_pick(family, type, head, head, keys, queries);
          if (chosen.Q == plain.Q && chosen.NE == plain.NE) continue;
          const std::string where = std::string(ggml_type_name(type)) + " head " + std::to_string(head) +
                                    " keys " + std::to_string(keys) + " queries " + std::to_string(queries);
          kernels[where] = {chosen.Q, chosen.NE};
        }
      }
    }
  }
  return kernels;
}

json described(const ggml_metal_device_props& device) {
  return {{"name", device.desc},
          {"chip", ggml_metal_device_id_token(device.device_id)},
          {"simdgroup_reduction", device.has_simdgroup_reduction},
          {"simdgroup_matrix", device.has_simdgroup_mm},
          {"bfloat", device.has_bfloat},
          {"tensor", device.has_tensor},
          {"unified_memory", device.has_unified_memory},
          {"shared_buffers", device.use_shared_buffers},
          {"apple_family", device.gpu_family},
          {"tuned_attention", tuned_attention(device.gpu_family)},
          {"max_threadgroup_memory", device.max_theadgroup_memory_size},
          {"max_working_set", device.max_working_set_size},
          {"max_buffer", device.max_buffer_size}};
}

void print(const json& line) { std::puts(line.dump().c_str()); }

OperationCases all_cases() {
  OperationCases cases;
  add_elementwise_cases(cases);
  add_copy_cases(cases);
  add_reduction_cases(cases);
  add_matrix_cases(cases);
  add_attention_cases(cases);
  add_recurrent_cases(cases);
  add_image_cases(cases);
  add_training_cases(cases);
  return cases;
}

/// Not one operation of ggml may be forgotten when the cases are brought up to a later llama.cpp.
bool covers_every_operation(const OperationCases& cases) {
  bool complete = true;
  for (int number = 0; number < GGML_OP_COUNT; ++number) {
    const auto is_asked = [&](const OperationCase& asked) { return asked.tensor->op == number; };
    if (std::any_of(cases.list().begin(), cases.list().end(), is_asked)) continue;
    std::fprintf(stderr, "llama-client: no case asks about %s\n", ggml_op_name(static_cast<ggml_op>(number)));
    complete = false;
  }
  return complete;
}

void log_to_stderr(ggml_log_level, const char* text, void*) { std::fputs(text, stderr); }

int run() {
  ggml_log_set(log_to_stderr, nullptr);
  const OperationCases cases = all_cases();
  if (!covers_every_operation(cases)) return 1;
  ggml_metal_device* device = ggml_metal_device_init(0, 1);
  if (device == nullptr || ggml_metal_device_get_obj(device) == nullptr) {
    std::fputs("llama-client: Metal offers no device on this machine\n", stderr);
    return 1;
  }
  print(described(*ggml_metal_device_get_props(device)));
  for (const OperationCase& asked : cases.list()) {
    print(described(asked, ggml_metal_device_supports_op(device, asked.tensor)));
  }
  return 0;
}

}  // namespace
}  // namespace metal_unlock

int main() { return metal_unlock::run(); }
