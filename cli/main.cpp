// SPDX-License-Identifier: MIT
#include "cli/run_cli.hpp"

int main(int argc, char** argv, char** environment) {
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  return metal_unlock::run_cli(*metal_unlock::make_system(environment), words);
}
