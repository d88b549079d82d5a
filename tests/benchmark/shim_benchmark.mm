// SPDX-License-Identifier: MIT

// What the shim costs, as ratios measured in one run: a question answered by the override against the same
// question answered by the device, the start of a program with the shim against its start without, and the
// libraries it brings.

#include "tests/process.hpp"
#include "tests/shim/variant_metal.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <spawn.h>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

using metal_unlock::run_process;
using Clock = std::chrono::steady_clock;

constexpr int batches = 201;
constexpr int calls_per_batch = 20'000;
constexpr int starts = 200;

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

template <class Work>
double nanoseconds(const Work& work) {
  const auto begin = Clock::now();
  work();
  return std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
}

double family_batch(id<VariantDevice> device, long family) {
  return nanoseconds([&] {
           for (int i = 0; i < calls_per_batch; ++i) [device supportsFamily:family];
         }) /
         calls_per_batch;
}

double memory_batch(id<VariantDevice> device) {
  return nanoseconds([&] {
           for (int i = 0; i < calls_per_batch; ++i) [device maxThreadgroupMemoryLength];
         }) /
         calls_per_batch;
}

/// Batches alternate, so that whatever else the machine does meets both sides alike.
template <class Stock, class Overridden>
void compare(const char* name, const char* unit, int count, const Stock& stock,
             const Overridden& overridden) {
  std::vector<double> stock_times;
  std::vector<double> overridden_times;
  std::vector<double> ratios;
  for (int i = 0; i < count; ++i) {
    stock_times.push_back(stock());
    overridden_times.push_back(overridden());
    ratios.push_back(overridden_times.back() / stock_times.back());
  }
  std::printf("%-44s %9.1f %9.1f %s   %.2f\n", name, median(stock_times), median(overridden_times), unit,
              median(ratios));
}

void compare_calls() {
  const id<VariantDevice> overridden = variant_make_device("PlainDevice");
  const id<VariantDevice> stock = variant_make_device("OtherDevice");
  if (![overridden supportsFamily:1007] || [stock supportsFamily:1007]) {
    std::fputs("shim-benchmark: the shim is not effective\n", stderr);
    std::exit(1);
  }
  std::printf("%-44s %9s %9s\n", "one call", "stock", "shim");
  const auto family = [&](const char* name, long number) {
    compare(
        name, "ns", batches, [&] { return family_batch(stock, number); },
        [&] { return family_batch(overridden, number); });
  };
  family("supportsFamily:, claimed and stock (1003)", 1003);
  family("supportsFamily:, claimed (1007)", 1007);
  family("supportsFamily:, not claimed (3003)", 3003);
  family("supportsFamily:, not claimed (5001)", 5001);
  compare(
      "maxThreadgroupMemoryLength", "ns", batches, [&] { return memory_batch(stock); },
      [&] { return memory_batch(overridden); });
}

std::string handoff() { return "v1;class=PlainDevice;apple-family=1007;max-threadgroup-memory=32768;end"; }

/// From the call that starts the program until it has ended. Ends the benchmark where the program fails.
double start_microseconds(const std::vector<std::string>& argv, const std::vector<std::string>& environment) {
  const auto pointers = [](const std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
    result.push_back(nullptr);
    return result;
  };
  const std::vector<char*> words = pointers(argv);
  const std::vector<char*> variables = pointers(environment);
  int status = 0;
  const double time = nanoseconds([&] {
    pid_t child = 0;
    if (posix_spawn(&child, words[0], nullptr, nullptr, words.data(), variables.data()) == 0)
      waitpid(child, &status, 0);
  });
  if (status != 0) std::exit(1);
  return time / 1000;
}

void compare_starts(const std::filesystem::path& directory, const std::string& shim) {
  std::printf("\n%-44s %9s %9s\n", "start and end of a program", "without", "with shim");
  const std::string client = directory / "variant-client";
  const std::filesystem::path metal = directory / "variants" / "with_init";
  const auto compare_program = [&](const char* name, const std::vector<std::string>& argv) {
    const std::vector<std::string> without{"LD_LIBRARY_PATH=" + metal.string()};
    std::vector<std::string> with = without;
    with.insert(with.end(), {"LD_PRELOAD=" + shim, "METAL_UNLOCK_HANDOFF=" + handoff()});
    compare(
        name, "us", starts, [&] { return start_microseconds(argv, without); },
        [&] { return start_microseconds(argv, with); });
  };
  compare_program("a program that makes a Metal device", {client, "create"});
  compare_program("a program that is linked with Metal", {client});
  compare_program("a program without Metal (true)", {"/bin/true"});
}

std::set<std::string> libraries(const std::string& shim) {
  std::set<std::string> found;
  std::istringstream maps(
      run_process({.argv = {"/bin/cat", "/proc/self/maps"},
                   .environment = {{"LD_PRELOAD", shim}, {"METAL_UNLOCK_HANDOFF", handoff()}}})
          .out);
  for (std::string line; std::getline(maps, line);) {
    const std::string name = line.substr(line.rfind('/') + 1);
    if (name.find(".so") != std::string::npos) found.insert(name);
  }
  return found;
}

void list_libraries(const std::string& shim) {
  std::printf("\nlibraries in a program without Metal (cat):");
  const std::set<std::string> before = libraries("");
  for (const std::string& name : before) std::printf(" %s", name.c_str());
  std::printf("\nand with the shim:");
  for (const std::string& name : libraries(shim)) {
    if (!before.contains(name)) std::printf(" %s", name.c_str());
  }
  std::printf("\n");
}

}  // namespace

/// Starts itself again with the shim, which is in the same directory as the program.
int main(int argc, char** argv) {
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
  const std::string shim = self.parent_path() / "libmetal-unlock.so";
  if (argc < 2) {
    setenv("LD_PRELOAD", shim.c_str(), 1);
    setenv("METAL_UNLOCK_HANDOFF", handoff().c_str(), 1);
    execl(self.c_str(), argv[0], "measure", static_cast<char*>(nullptr));
    return 1;
  }
  compare_calls();
  compare_starts(self.parent_path(), shim);
  list_libraries(shim);
}
