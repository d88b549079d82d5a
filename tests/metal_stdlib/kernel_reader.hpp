// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/result.hpp"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace metal_unlock {

/// A source of one kernel, as far as calling it takes.
struct KernelFile {
  struct Parameter {
    std::string type;       ///< without its name and attribute: "device const float*"
    std::string attribute;  ///< "buffer", "threadgroup", "thread_position_in_grid"
    unsigned index = 0;     ///< of a buffer or threadgroup memory
  };

  std::string function;
  std::vector<Parameter> parameters;
};

/// Reads the signature of the one kernel in a source. A text is what Metal's compiler would say: an address
/// space that is missing, an attribute that is unknown.
std::variant<KernelFile, std::string> read_kernel(std::string_view source);

/// The source without what stands in double brackets, line for line: `threadgroup` is an address space and an
/// attribute.
std::string without_attributes(std::string_view source);

/// A C++ source that holds this kernel for the executor. `name` is the file's, for the compiler's messages
/// and for a namespace.
std::string kernel_cpp(std::string_view source, const KernelFile& file, std::string_view name);

/// A file's name and its text.
struct NamedSource {
  std::string name;
  std::string source;
};

/// A C++ source that holds all of them, and the function that lists them in their order. Where one cannot be
/// read, the text says so after its name.
Result<std::string> kernels_cpp(const std::vector<NamedSource>& sources, std::string_view list_function);

}  // namespace metal_unlock
