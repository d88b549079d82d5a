// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/finding.hpp"

#include <utility>
#include <variant>

namespace metal_unlock {

/// A value, or what says why there is none: a finding for people, or what a reader of foreign bytes found
/// wrong.
template <class T, class Fault = Finding>
class [[nodiscard]] Result {
 public:
  Result(T value)
      : outcome_(std::in_place_index<0>, std::move(value)) {}  // NOLINT(google-explicit-constructor)
  Result(Fault fault)
      : outcome_(std::in_place_index<1>, std::move(fault)) {}  // NOLINT(google-explicit-constructor)

  explicit operator bool() const { return outcome_.index() == 0; }

  T& operator*() & { return std::get<0>(outcome_); }
  const T& operator*() const& { return std::get<0>(outcome_); }
  T&& operator*() && { return std::get<0>(std::move(outcome_)); }
  T* operator->() { return &std::get<0>(outcome_); }
  const T* operator->() const { return &std::get<0>(outcome_); }

  const Finding& finding() const& { return std::get<1>(outcome_); }
  Finding&& finding() && { return std::get<1>(std::move(outcome_)); }

  const Fault& fault() const& { return std::get<1>(outcome_); }

 private:
  std::variant<T, Fault> outcome_;
};

}  // namespace metal_unlock
