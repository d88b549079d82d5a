// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/finding.hpp"
#include "cli/core/macho/byte_source.hpp"

#include <cstdint>
#include <stdexcept>
#include <string_view>

namespace metal_unlock {

/// A parser did what it promises never to do. Nothing catches it in a fuzzer, so that the input is kept.
class BrokenPromise : public std::logic_error {
  using std::logic_error::logic_error;
};

/// Throws where a promise is broken; `what` is the promise.
void promise(bool is_kept, std::string_view what);

/// What holds for every finding about an input: it says something, says what to do, is printed on one line
/// whatever the input holds, and is not much longer than the input.
void promise_told(const Finding& finding, std::string_view input);

/// The same, for one that begins with "NAME:LINE:COLUMN": the place is in the input or right behind it.
void promise_placed(const Finding& finding, std::string_view name, std::string_view input);

/// What holds for every fault in bytes: it says something, and its place is within `size` bytes from `offset`
/// on.
void promise_inside(const ByteFault& fault, std::uint64_t offset, std::uint64_t size);

}  // namespace metal_unlock
