// SPDX-License-Identifier: MIT
#pragma once

#include "cli/verify/kernel_call.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace metal_unlock {

/// A file without a name that holds a buffer's bytes, mapped for reading in whole pages.
class MappedFile {
 public:
  /// Nothing, with errno set, where there is no room for it.
  static std::optional<MappedFile> make(const KernelBuffer& buffer);

  void* address() const { return address_; }
  std::size_t length() const { return length_; }
  /// The buffer's bytes as they lie in the file now.
  std::string bytes() const;

 private:
  MappedFile(const KernelBuffer& buffer, void* address, std::size_t length);

  std::size_t size_;
  std::size_t block_;
  std::size_t spacing_;
  void* address_;
  std::size_t length_;
};

}  // namespace metal_unlock
