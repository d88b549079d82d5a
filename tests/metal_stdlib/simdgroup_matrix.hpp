// SPDX-License-Identifier: MIT
#pragma once

#include "tests/metal_stdlib/simdgroup.hpp"

#include <cstddef>

namespace metal {

/// Eight rows of eight, spread over the lanes of a SIMD group: each holds two neighbours of one row.
template <class Element, int Columns, int Rows>
struct simdgroup_matrix {
  static_assert(Columns == 8 && Rows == 8, "Metal has no other size");

  struct Pair {
    Element left;
    Element right;
  };

  simdgroup_matrix() = default;
  explicit simdgroup_matrix(Element diagonal) : own_{} {
    for (unsigned i = 0; i < 2; ++i)
      if (own_row() == own_column() + i) (i == 0 ? own_.left : own_.right) = diagonal;
  }

  static unsigned own_row() { return metal_unlock::gpu::lane() / 4; }
  static unsigned own_column() { return metal_unlock::gpu::lane() % 4 * 2; }

  Pair own_;
};

/// All elements of a matrix, of which each lane gives its own.
template <class Element>
class whole_matrix {
 public:
  whole_matrix(const simdgroup_matrix<Element, 8, 8>& own, int line) : pairs_(own.own_, line) {}

  Element at(unsigned row, unsigned column) const {
    const auto pair = pairs_[row * 4 + column / 2];
    return column % 2 == 0 ? pair.left : pair.right;
  }

 private:
  lane_values<typename simdgroup_matrix<Element, 8, 8>::Pair> pairs_;
};

template <class Element, int Columns, int Rows>
simdgroup_matrix<Element, Columns, Rows> make_filled_simdgroup_matrix(Element value) {
  simdgroup_matrix<Element, Columns, Rows> matrix;
  matrix.own_ = {value, value};
  return matrix;
}

template <class Element>
void simdgroup_load(simdgroup_matrix<Element, 8, 8>& matrix, const Element* source,
                    unsigned long row_length = 8, int line = __builtin_LINE()) {
  metal_unlock::gpu::wait_for_simdgroup(line);
  const Element* const own = source + matrix.own_row() * row_length + matrix.own_column();
  matrix.own_ = {own[0], own[1]};
}

template <class Element>
void simdgroup_store(const simdgroup_matrix<Element, 8, 8>& matrix, Element* target,
                     unsigned long row_length = 8, int line = __builtin_LINE()) {
  metal_unlock::gpu::wait_for_simdgroup(line);
  Element* const own = target + matrix.own_row() * row_length + matrix.own_column();
  own[0] = matrix.own_.left;
  own[1] = matrix.own_.right;
}

/// result = left * right + addend. Products and sums are float, whatever the factors are.
template <class Sum, class Left, class Right>
void simdgroup_multiply_accumulate(simdgroup_matrix<Sum, 8, 8>& result,
                                   const simdgroup_matrix<Left, 8, 8>& left,
                                   const simdgroup_matrix<Right, 8, 8>& right,
                                   const simdgroup_matrix<Sum, 8, 8>& addend, int line = __builtin_LINE()) {
  const whole_matrix<Left> a(left, line);
  const whole_matrix<Right> b(right, line);
  const bool is_wrong = metal_unlock::gpu::flaws().wrong_matrix;
  const auto element = [&](unsigned column, float sum) {
    for (unsigned k = 0; k < 8; ++k)
      sum += float(a.at(result.own_row(), k)) * float(is_wrong ? b.at(column, k) : b.at(k, column));
    return Sum(sum);
  };
  const unsigned column = result.own_column();
  result.own_ = {element(column, float(addend.own_.left)), element(column + 1, float(addend.own_.right))};
}

template <class Sum, class Left, class Right>
void simdgroup_multiply(simdgroup_matrix<Sum, 8, 8>& result, const simdgroup_matrix<Left, 8, 8>& left,
                        const simdgroup_matrix<Right, 8, 8>& right, int line = __builtin_LINE()) {
  simdgroup_multiply_accumulate(result, left, right, make_filled_simdgroup_matrix<Sum, 8, 8>(Sum(0)), line);
}

}  // namespace metal
