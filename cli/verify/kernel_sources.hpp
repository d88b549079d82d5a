// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace metal_unlock {

/// The text of kernels/<name>.metal; empty where there is no such file.
std::string_view kernel_source(std::string_view name);

}  // namespace metal_unlock
