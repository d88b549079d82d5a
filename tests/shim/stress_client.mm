// SPDX-License-Identifier: MIT

// stress-client CLASSES REPETITIONS [SHIM]: in each repetition, in a process of its own, 64 threads make
// devices of CLASSES (separated by commas) and ask them, one class after the other and all threads at once,
// while SHIM is loaded where one is given. An answer must be the stock one or the claimed one (Apple 7, 32
// KiB), and when all threads have ended the claimed one. Prints a line of JSON: how many repetitions ended
// how.

#include "tests/shim/variant_metal.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <map>
#include <pthread.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

/// GCC's runtime frees the dispatch table of a class that gets a method, even while other threads read it;
/// Apple's keeps it until nobody does. Here nothing is freed, so that what breaks is the shim and not that
/// runtime.
#if !defined(STRESS_CLIENT_FREES_MEMORY)
extern "C" void free(void*) {}
#endif

namespace {

constexpr int thread_count = 64;

enum Result : int { told, stock, impossible_answer };

std::vector<std::string> device_classes;
pthread_barrier_t start;
alignas(4096) char stacks[thread_count][1024 * 1024];

/// 1 for yes, 0 for no, -1 where it depends on whether the override is there yet.
int expected(long family) {
  if ((family >= 1001 && family <= 1005) || (family >= 3001 && family <= 3003)) return 1;
  return family == 1006 || family == 1007 ? -1 : 0;
}

bool answers_are_possible(id<VariantDevice> device) {
  for (const long family : {1001l, 1005l, 1006l, 1007l, 1008l, 1009l, 3001l, 3004l, 5001l}) {
    const BOOL answer = [device supportsFamily:family];
    const int right = expected(family);
    if (answer != YES && answer != NO) return false;
    if (right != -1 && right != (answer == YES ? 1 : 0)) return false;
  }
  const uint64_t memory = [device maxThreadgroupMemoryLength];
  return memory == 16384 || memory == 32768;
}

void* work(void*) {
  bool possible = true;
  for (const std::string& device_class : device_classes) {
    pthread_barrier_wait(&start);
    const id<VariantDevice> device = variant_make_device(device_class.c_str());
    for (int i = 0; i < 20; ++i) possible = answers_are_possible(device) && possible;
  }
  return possible ? nullptr : &start;
}

bool is_told(id<VariantDevice> device) {
  return [device supportsFamily:1007] == YES && [device maxThreadgroupMemoryLength] == 32768;
}

Result repetition(const char* shim) {
  pthread_barrier_init(&start, nullptr, thread_count + 1);
  pthread_t threads[thread_count];
  for (int i = 0; i < thread_count; ++i) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stacks[i], sizeof stacks[i]);
    pthread_create(&threads[i], &attributes, work, nullptr);
  }
  for (std::size_t round = 0; round < device_classes.size(); ++round) {
    pthread_barrier_wait(&start);
    if (round == 0 && shim != nullptr && dlopen(shim, RTLD_NOW) == nullptr) return impossible_answer;
  }
  bool possible = true;
  for (const pthread_t thread : threads) {
    void* failure = nullptr;
    pthread_join(thread, &failure);
    possible = possible && failure == nullptr;
  }
  if (!possible) return impossible_answer;
  std::size_t told_count = 0;
  for (const std::string& name : device_classes)
    told_count += is_told(variant_make_device(name.c_str())) ? 1 : 0;
  return told_count == device_classes.size() ? told : stock;
}

std::string outcome_of_child(const char* shim) {
  const pid_t child = fork();
  if (child == 0) _exit(repetition(shim));
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
  const int result = WEXITSTATUS(status);
  return result == told ? "told" : result == stock ? "stock" : "impossible";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  for (std::string rest = argv[1]; !rest.empty();) {
    device_classes.push_back(rest.substr(0, rest.find(',')));
    rest.erase(0, device_classes.back().size() + 1);
  }
  const int repetitions = std::atoi(argv[2]);
  std::map<std::string, int> outcomes;
  for (int i = 0; i < repetitions; ++i) ++outcomes[outcome_of_child(argc > 3 ? argv[3] : nullptr)];
  std::string line;
  for (const auto& [outcome, count] : outcomes) {
    if (!line.empty()) line += ',';
    line += '"';
    line += outcome;
    line += "\":";
    line += std::to_string(count);
  }
  std::printf("{%s}\n", line.c_str());
}
