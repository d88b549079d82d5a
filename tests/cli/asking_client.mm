// SPDX-License-Identifier: MIT

// An ordinary Metal client that lives on and does what each line of its stdin says. It answers on stdout.
//   create   makes its device and asks it once: "Apple5", which it keeps as llama.cpp does
//   ask      asks the device again
//   kept     what it was told when it made the device
//   hide     lets nobody look into it any more
//   load     is in the middle of the loader until the next line comes
//   leave N  ends with that status

#include "tests/simulated_guest/metal_stand_in.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <link.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace {

id<MTLDevice> device = nil;
int kept = 0;
char line[64];

int highest_family() {
  for (int family = 1020; family > 1000; --family)
    if ([device supportsFamily:static_cast<MTLGPUFamily>(family)] != NO) return family - 1000;
  return 0;
}

bool read_line() { return std::fgets(line, sizeof line, stdin) != nullptr; }

bool says(const char* word) { return std::strncmp(line, word, std::strlen(word)) == 0; }

void answer(int family) {
  std::printf("Apple%d %lu\n", family,
              device == nil ? 0UL : static_cast<unsigned long>([device maxThreadgroupMemoryLength]));
}

int wait_in_loader(dl_phdr_info* /*library*/, std::size_t /*size*/, void* /*nothing*/) {
  std::puts("in the loader");
  std::fflush(stdout);
  read_line();
  return 1;
}

}  // namespace

int main() {
  std::printf("%d\n", static_cast<int>(getpid()));
  std::fflush(stdout);
  while (read_line()) {
    if (says("create")) {
      device = MTLCreateSystemDefaultDevice();
      kept = highest_family();
      answer(kept);
    } else if (says("ask")) {
      if (device == nil) device = MTLCreateSystemDefaultDevice();
      answer(highest_family());
    } else if (says("kept")) {
      std::printf("Apple%d\n", kept);
    } else if (says("hide")) {
      std::printf("hidden %d\n", prctl(PR_SET_DUMPABLE, 0, 0, 0, 0));
    } else if (says("load")) {
      dl_iterate_phdr(wait_in_loader, nullptr);
      std::puts("out of the loader");
    } else if (says("leave")) {
      return std::atoi(line + std::strlen("leave"));
    }
    std::fflush(stdout);
  }
  return 0;
}
