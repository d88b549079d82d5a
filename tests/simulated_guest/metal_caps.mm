// SPDX-License-Identifier: MIT

// metal-caps: an ordinary Metal client, which asks what llama.cpp asks and knows nothing of metal-unlock.

#include "tests/simulated_guest/caps_answers.hpp"

#ifdef __APPLE__
#import <Foundation/Foundation.h>
#import <Metal/Metal.h>
using DeviceList = NSArray<id<MTLDevice>>*;
#else
#include "tests/simulated_guest/metal_stand_in.h"
using DeviceList = id<StandInArray>;
#endif

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace metal_unlock {
namespace {

struct FamilyScan {
  std::uint32_t first;
  std::uint32_t last;
};

/// The ranges that llama.cpp scans, and the two Mac families, which others ask for.
constexpr FamilyScan scans[] = {{1001, 1021}, {2001, 2002}, {3001, 3006}, {5001, 5006}};

CapsAnswers ask(id<MTLDevice> device) {
  CapsAnswers answers{
      .name = [[device name] UTF8String],
      .families = {},
      .max_threadgroup_memory_length = [device maxThreadgroupMemoryLength],
      .recommended_max_working_set_size = [device recommendedMaxWorkingSetSize],
      .max_buffer_length = [device maxBufferLength],
      .has_unified_memory = [device hasUnifiedMemory] != NO,
  };
  for (const FamilyScan& scan : scans) {
    for (std::uint32_t number = scan.first; number <= scan.last; ++number) {
      answers.families[{number}] = [device supportsFamily:static_cast<MTLGPUFamily>(number)] != NO;
    }
  }
  return answers;
}

std::vector<CapsAnswers> ask_devices(bool all) {
  std::vector<CapsAnswers> answers;
  if (!all) {
    id<MTLDevice> device = MTLCreateSystemDefaultDevice();
    if (device != nil) answers.push_back(ask(device));
    return answers;
  }
  DeviceList devices = MTLCopyAllDevices();
  for (NSUInteger i = 0; i < [devices count]; ++i) answers.push_back(ask([devices objectAtIndex:i]));
  return answers;
}

std::string as_json(const std::vector<CapsAnswers>& answers, bool all) {
  std::string text;
  for (const CapsAnswers& device : answers) {
    if (!text.empty()) text += ",\n ";
    text += caps_json(device);
  }
  return (all ? "[" + text + "]" : text) + "\n";
}

std::string as_text(const std::vector<CapsAnswers>& answers) {
  std::string text;
  for (const CapsAnswers& device : answers) {
    if (!text.empty()) text += "\n";
    text += caps_text(device);
  }
  return text;
}

int run(bool json, bool all) {
  const std::vector<CapsAnswers> answers = ask_devices(all);
  if (answers.empty()) {
    std::fputs("metal-caps: Metal offers no device on this machine\n", stderr);
    return 1;
  }
  std::fputs((json ? as_json(answers, all) : as_text(answers)).c_str(), stdout);
  return 0;
}

}  // namespace
}  // namespace metal_unlock

int main(int argc, char** argv) {
  bool json = false;
  bool all = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--json") == 0) {
      json = true;
    } else if (std::strcmp(argv[i], "--all") == 0) {
      all = true;
    } else {
      std::fprintf(stderr, "metal-caps: unknown option '%s'; usage: metal-caps [--json] [--all]\n", argv[i]);
      return 2;
    }
  }
  return metal_unlock::run(json, all);
}
