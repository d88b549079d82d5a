// SPDX-License-Identifier: MIT

// handoff-client SHIM: for each line of stdin, in a process of its own, loads SHIM with the line as its
// handoff, makes a PlainDevice and asks it. Prints for each a line of JSON: the highest Apple family and the
// threadgroup memory that it was told, or how the process ended otherwise.

#include "tests/shim/variant_metal.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <iostream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace {

/// Written in one go by the child, so that a child that ends early has said nothing.
void ask(const std::string& handoff, const char* shim) {
  setenv("METAL_UNLOCK_HANDOFF", handoff.c_str(), 1);
  // An endless loop in the shim ends as a signal that the test can see.
  alarm(20);
  if (dlopen(shim, RTLD_NOW) == nullptr) _exit(3);
  const id<VariantDevice> device = variant_make_device("PlainDevice");
  long highest = 0;
  for (long family = 1001; family <= 1999; ++family) {
    if ([device supportsFamily:family] && family == (highest == 0 ? 1001 : highest + 1)) highest = family;
  }
  for (const long other : {1000l, 2000l, 3004l, 5001l}) {
    if ([device supportsFamily:other]) highest = -other;
  }
  std::printf("{\"family\":%ld,\"memory\":%llu}\n", highest,
              static_cast<unsigned long long>([device maxThreadgroupMemoryLength]));
  std::fflush(stdout);
  _exit(0);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  for (std::string line; std::getline(std::cin, line);) {
    const pid_t child = fork();
    if (child == 0) ask(line, argv[1]);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
    std::printf("{\"%s\":%d}\n", WIFSIGNALED(status) ? "signal" : "exit",
                WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    std::fflush(stdout);
  }
}
