// SPDX-License-Identifier: MIT

// llama-support: which operations llama.cpp runs on the GPU of a stock guest, of the same guest unlocked, and
// of the Mac below it.

#include "tests/llama_cpp/support.hpp"

#include <cstdio>
#include <exception>
#include <string_view>

namespace metal_unlock {
namespace {

int run(std::string_view option) {
  if (option != "--json" && option != "--markdown") {
    std::fputs("usage: llama-support --json | --markdown\n", stderr);
    return 2;
  }
  const Support support = measure_support();
  std::fputs((option == "--json" ? support_json(support) : support_markdown(support)).c_str(), stdout);
  return 0;
}

}  // namespace
}  // namespace metal_unlock

int main(int argc, char** argv) {
  try {
    return metal_unlock::run(argc == 2 ? argv[1] : "");
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "llama-support: %s\n", failure.what());
    return 1;
  }
}
