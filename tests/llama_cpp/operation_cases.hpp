// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <ggml.h>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace metal_unlock {

/// Elements in each of a tensor's four dimensions, the fastest first.
struct Shape {
  std::array<std::int64_t, 4> elements{1, 1, 1, 1};

  Shape(std::initializer_list<std::int64_t> list);
};

/// One operation on tensors of certain types and shapes: what a backend is asked about before a model runs.
struct OperationCase {
  const ggml_tensor* tensor;
  std::string note;  ///< what neither types nor shapes show
};

/// The cases, and the tensors they are made of. Tensors have no data: nobody asks for it.
class OperationCases {
 public:
  OperationCases();

  const std::vector<OperationCase>& list() const { return list_; }

  ggml_context* context() const { return context_.get(); }
  ggml_tensor* tensor(ggml_type type, const Shape& shape) const;
  ggml_tensor* f32(const Shape& shape) const { return tensor(GGML_TYPE_F32, shape); }
  ggml_tensor* f16(const Shape& shape) const { return tensor(GGML_TYPE_F16, shape); }
  ggml_tensor* i32(const Shape& shape) const { return tensor(GGML_TYPE_I32, shape); }
  /// The same shape, with rows that do not lie in one piece.
  ggml_tensor* strided(ggml_type type, const Shape& shape) const;

  void add(const ggml_tensor* result, std::string note = {});
  /// An operation put together by hand, also where ggml itself would refuse to.
  void add(ggml_op operation, ggml_tensor* result, std::initializer_list<ggml_tensor*> sources,
           std::string note = {});

 private:
  struct Free {
    void operator()(ggml_context* context) const { ggml_free(context); }
  };
  std::unique_ptr<ggml_context, Free> context_;
  std::vector<OperationCase> list_;
};

/// Every type that this ggml can compute with or store.
std::vector<ggml_type> all_types();

void add_elementwise_cases(OperationCases& cases);
void add_copy_cases(OperationCases& cases);
void add_reduction_cases(OperationCases& cases);
void add_matrix_cases(OperationCases& cases);
void add_attention_cases(OperationCases& cases);
void add_recurrent_cases(OperationCases& cases);
void add_image_cases(OperationCases& cases);
void add_training_cases(OperationCases& cases);

}  // namespace metal_unlock
