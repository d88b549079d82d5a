// SPDX-License-Identifier: MIT
#include "tests/macho/macho_samples.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>

/// write_corpus FOLDER: puts the samples into a folder that holds nothing else afterwards.
int main(int count, char** words) {
  if (count != 2) {
    std::fputs("usage: write_corpus FOLDER\n", stderr);
    return 2;
  }
  const std::filesystem::path folder = words[1];
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  for (const auto& [name, bytes] : metal_unlock::mach_samples()) {
    std::ofstream file{folder / name, std::ios::binary};
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!file.flush()) return 1;
  }
  return 0;
}
