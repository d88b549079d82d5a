// SPDX-License-Identifier: MIT

// Stands for llama-server, llama-bench, llama-cli and ollama where a document starts them: asks Metal as they
// do, says what it was told in llama.cpp's words, and ends. As llama-bench it prints speeds that follow from
// the answers, never from a clock.

#include "tests/simulated_guest/metal_stand_in.h"

#include <cstdio>
#include <cstring>
#include <string_view>

namespace {

void print_row(int prompt, int generated, double speed) {
  std::printf("{\"build_commit\": \"b\", \"build_number\": 1, \"model_type\": \"M\", \"model_size\": 1024, "
              "\"n_threads\": 1, \"n_prompt\": %d, \"n_gen\": %d, \"samples_ts\": [%.3f, %.3f]}\n",
              prompt, generated, speed, speed * 1.01);
}

bool has_word(int argc, char** argv, const char* word) {
  for (int i = 1; i < argc; ++i)
    if (std::strcmp(argv[i], word) == 0) return true;
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  id<MTLDevice> device = MTLCreateSystemDefaultDevice();
  const bool has_apple7 = device != nil && [device supportsFamily:static_cast<MTLGPUFamily>(1007)] != NO;
  std::fprintf(stderr, "ggml_metal_device_init: GPU family: MTLGPUFamilyApple%d\n", has_apple7 ? 7 : 5);
  std::fprintf(stderr, "ggml_metal_device_init: simdgroup reduction   = %s\n", has_apple7 ? "true" : "false");
  std::fprintf(stderr, "ggml_metal_device_init: simdgroup matrix mul. = %s\n", has_apple7 ? "true" : "false");
  std::fprintf(stderr, "ggml_metal_device_init: has bfloat            = %s\n", has_apple7 ? "true" : "false");
  if (!std::string_view{argv[0]}.ends_with("llama-bench") || !has_word(argc, argv, "jsonl")) return 0;
  print_row(512, 0, has_apple7 ? 4800 : 400);
  print_row(0, 128, has_apple7 ? 200 : 12.5);
  return 0;
}
