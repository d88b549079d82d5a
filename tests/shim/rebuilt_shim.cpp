// SPDX-License-Identifier: MIT
#include "tests/shim/rebuilt_shim.hpp"

#include "tests/files.hpp"
#include "tests/process.hpp"
#include "tests/shim/shim_build.hpp"

#include <sstream>
#include <stdexcept>
#include <vector>

namespace metal_unlock {
namespace {

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> result;
  for (std::string word; stream >> word;) result.push_back(word);
  return result;
}

void run(const std::vector<std::string>& argv) {
  const Outcome outcome = run_process({.argv = argv});
  if (outcome.exit_status != 0) throw std::runtime_error(outcome.err);
}

std::string changed_text(const ShimChange& change) {
  std::string text = read_file(std::filesystem::path(shim_sources) / change.file);
  const std::size_t at = text.find(change.line);
  const bool is_unique = at != std::string::npos && text.find(change.line, at + 1) == std::string::npos;
  if (!is_unique) throw std::runtime_error("not once in " + change.file + ": " + change.line);
  return text.replace(at, change.line.size(), change.changed);
}

}  // namespace

std::filesystem::path rebuilt_shim(const ShimBuild& build, const ShimChange& change,
                                   const std::filesystem::path& directory) {
  const std::filesystem::path source = directory / change.file;
  const std::string object = directory / "changed.o";
  const std::filesystem::path library = directory / "libmetal-unlock.so";
  write_file(source, changed_text(change));
  std::vector<std::string> compile = words(build.compile);
  if (source.extension() == ".mm") compile.insert(compile.end(), {"-x", "objective-c++"});
  compile.insert(compile.end(), {"-c", "-o", object, source});
  run(compile);
  std::vector<std::string> link = words(build.link);
  for (std::string& word : link) {
    if (word.ends_with("/" + change.file + ".o")) word = object;
  }
  link.insert(link.end(), {"-o", library});
  run(link);
  return library;
}

}  // namespace metal_unlock
