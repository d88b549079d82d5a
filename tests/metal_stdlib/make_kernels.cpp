// SPDX-License-Identifier: MIT

// make-kernels OUTPUT SOURCE…: writes one C++ source that holds every kernel, for the executor.

#include "tests/metal_stdlib/kernel_reader.hpp"

#include <cstdio>
#include <fstream>
#include <iterator>

using namespace metal_unlock;

int main(int count, char** words) {
  if (count < 3) return 2;
  std::string text;
  std::string table;
  for (int i = 2; i < count; ++i) {
    const std::string path = words[i];
    const std::string name = path.substr(path.rfind('/') + 1);
    std::ifstream stream(path, std::ios::binary);
    const std::string source{std::istreambuf_iterator<char>(stream), {}};
    const auto read = read_kernel(source);
    if (const auto* trouble = std::get_if<std::string>(&read)) {
      std::fprintf(stderr, "%s: %s\n", path.c_str(), trouble->c_str());
      return 1;
    }
    text += kernel_cpp(source, std::get<KernelFile>(read), name);
    table += "  kernel_of_" + name.substr(0, name.find('.')) + ",\n";
  }
  std::ofstream output(words[1], std::ios::binary | std::ios::trunc);
  output << text << "#include <array>\nnamespace metal_unlock::gpu {\nstd::span<const Kernel> kernels() {\n"
         << "static const std::array<Kernel, " << count - 2 << "> all{{\n"
         << table << "}};\nreturn all;\n}\n}\n";
  output.close();
  return output ? 0 : 1;
}
