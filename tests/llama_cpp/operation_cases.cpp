// SPDX-License-Identifier: MIT
#include "tests/llama_cpp/operation_cases.hpp"

#include <algorithm>

namespace metal_unlock {

Shape::Shape(std::initializer_list<std::int64_t> list) {
  std::copy_n(list.begin(), std::min(list.size(), elements.size()), elements.begin());
}

OperationCases::OperationCases()
    : context_(ggml_init({.mem_size = std::size_t{32} << 20, .mem_buffer = nullptr, .no_alloc = true})) {}

ggml_tensor* OperationCases::tensor(ggml_type type, const Shape& shape) const {
  return ggml_new_tensor(context(), type, 4, shape.elements.data());
}

ggml_tensor* OperationCases::strided(ggml_type type, const Shape& shape) const {
  auto [columns, rows, depth, sheets] = shape.elements;
  return ggml_permute(context(), tensor(type, {rows, columns, depth, sheets}), 1, 0, 2, 3);
}

void OperationCases::add(const ggml_tensor* result, std::string note) {
  list_.push_back({result, std::move(note)});
}

void OperationCases::add(ggml_op operation, ggml_tensor* result, std::initializer_list<ggml_tensor*> sources,
                         std::string note) {
  result->op = operation;
  std::copy(sources.begin(), sources.end(), result->src);
  add(result, std::move(note));
}

std::vector<ggml_type> all_types() {
  std::vector<ggml_type> types;
  for (int type = 0; type < GGML_TYPE_COUNT; ++type) {
    // Numbers of types that ggml has given up have no size.
    if (ggml_type_size(static_cast<ggml_type>(type)) > 0) types.push_back(static_cast<ggml_type>(type));
  }
  return types;
}

}  // namespace metal_unlock
