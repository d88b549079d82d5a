// SPDX-License-Identifier: MIT
#include "tests/files.hpp"
#include "tests/fuzz/targets.hpp"

#include <cstdio>

using namespace metal_unlock;

/// write_corpora FOLDER: makes a folder of seeds for each parser; the whole holds nothing else afterwards.
int main(int count, char** words) {
  if (count != 2) {
    std::fputs("usage: write_corpora FOLDER\n", stderr);
    return 2;
  }
  const std::filesystem::path folder = words[1];
  std::filesystem::remove_all(folder);
  for (const FuzzTarget& target : fuzz_targets()) {
    std::filesystem::create_directories(folder / target.name);
    for (const FuzzSeed& seed : fuzz_seeds(target.name))
      write_file(folder / target.name / seed.name, seed.bytes);
  }
  return 0;
}
