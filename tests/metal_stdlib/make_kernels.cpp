// SPDX-License-Identifier: MIT

// make-kernels OUTPUT SOURCE…: writes one C++ source that holds every kernel, for the executor.
// make-kernels OUTPUT --mutations LIST FOLDER: every line of the list, applied to a kernel of the folder.

#include "tests/metal_stdlib/kernel_reader.hpp"
#include "tests/metal_stdlib/mutation.hpp"

#include <cstdio>
#include <fstream>
#include <iterator>

using namespace metal_unlock;

namespace {

std::string text_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<NamedSource> mutants(const std::string& list, const std::string& folder) {
  std::vector<NamedSource> sources;
  for (const Mutation& mutation : read_mutations(text_of(list))) {
    const std::string name = "mutant_" + std::to_string(sources.size()) + "." + mutation.kernel;
    sources.push_back({name, mutated(text_of(folder + "/" + mutation.kernel + ".metal"), mutation)});
  }
  return sources;
}

}  // namespace

int main(int count, char** words) {
  if (count < 3) return 2;
  const bool mutates = std::string{words[2]} == "--mutations" && count == 5;
  std::vector<NamedSource> sources;
  if (mutates) sources = mutants(words[3], words[4]);
  for (int i = 2; i < count && !mutates; ++i) {
    const std::string path = words[i];
    sources.push_back({path.substr(path.rfind('/') + 1), text_of(path)});
  }
  const auto text = kernels_cpp(sources, mutates ? "mutants" : "kernels");
  if (!text) {
    std::fprintf(stderr, "%s\n", text.finding().sentence.c_str());
    return 1;
  }
  std::ofstream output(words[1], std::ios::binary | std::ios::trunc);
  output << *text;
  output.close();
  return output ? 0 : 1;
}
