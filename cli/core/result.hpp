// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/finding.hpp"

#include <utility>
#include <variant>

namespace metal_unlock {

/// A value, or the finding that says why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value)
      : outcome_(std::in_place_index<0>, std::move(value)) {}  // NOLINT(google-explicit-constructor)
  Result(Finding finding)
      : outcome_(std::in_place_index<1>, std::move(finding)) {}  // NOLINT(google-explicit-constructor)

  explicit operator bool() const { return outcome_.index() == 0; }

  T& operator*() & { return std::get<0>(outcome_); }
  const T& operator*() const& { return std::get<0>(outcome_); }
  T&& operator*() && { return std::get<0>(std::move(outcome_)); }
  T* operator->() { return &std::get<0>(outcome_); }
  const T* operator->() const { return &std::get<0>(outcome_); }

  const Finding& finding() const& { return std::get<1>(outcome_); }
  Finding&& finding() && { return std::get<1>(std::move(outcome_)); }

 private:
  std::variant<T, Finding> outcome_;
};

}  // namespace metal_unlock
