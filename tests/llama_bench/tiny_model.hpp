// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace metal_unlock {

/// A GGUF file that llama.cpp loads: two layers of a Llama with weights that mean nothing, and no words.
std::string tiny_model();

}  // namespace metal_unlock
