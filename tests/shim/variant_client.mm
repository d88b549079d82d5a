// SPDX-License-Identifier: MIT

// variant-client WORD…: a program that uses Metal, told step by step what to do. Built a second time as
// late-variant-client, which is not linked with Metal and opens it when told to.
//
//   open=FILE         opens Metal (late-variant-client only)
//   create, all       makes the default device; makes all devices
//   ask               prints a line of JSON: what every device made last says
//   set=NAME=VALUE    changes the environment
//   load=FILE         opens a library, as a debugger would

#include "tests/shim/variant_metal.h"

#include <objc/runtime.h>

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace {

using CreateDefault = id<VariantDevice> (*)();
using CopyAll = id<VariantArray> (*)();

#if defined(VARIANT_CLIENT_OPENS_METAL)
void* metal = nullptr;
id<VariantDevice> create_default() {
  return reinterpret_cast<CreateDefault>(dlsym(metal, "MTLCreateSystemDefaultDevice"))();
}
id<VariantArray> copy_all() { return reinterpret_cast<CopyAll>(dlsym(metal, "MTLCopyAllDevices"))(); }
#else
#pragma weak MTLCreateSystemDefaultDevice
id<VariantDevice> create_default() { return MTLCreateSystemDefaultDevice(); }
id<VariantArray> copy_all() { return MTLCopyAllDevices(); }
#endif

std::vector<id> devices;

void make(bool all) {
  devices.clear();
  if (!all) return devices.push_back(create_default());
  const id<VariantArray> list = copy_all();
  for (unsigned long i = 0; i < [list count]; ++i) devices.push_back([list objectAtIndex:i]);
}

void append_number(std::string& list, uint64_t number) {
  if (!list.empty()) list += ',';
  list += std::to_string(number);
}

std::string answers(id<VariantDevice> device) {
  const Class device_class = object_getClass(device);
  std::string families;
  for (const auto& [first, last] : {std::pair{1001, 1021}, {2001, 2002}, {3001, 3006}, {5001, 5006}}) {
    for (long family = first; family <= last; ++family) {
      if ([device supportsFamily:family]) append_number(families, static_cast<uint64_t>(family));
    }
  }
  std::string text = "{\"class\":\"";
  text += class_getName(device_class);
  text += "\",\"families\":[";
  text += families;
  text += "],\"memory\":";
  text += std::to_string([device maxThreadgroupMemoryLength]);
  const SEL working_set = sel_registerName("recommendedMaxWorkingSetSize");
  if (class_getInstanceMethod(device_class, working_set) != nullptr) {
    const IMP method = class_getMethodImplementation(device_class, working_set);
    const auto ask_size = reinterpret_cast<uint64_t (*)(id, SEL)>(reinterpret_cast<void (*)()>(method));
    text += ",\"working-set\":";
    text += std::to_string(ask_size(device, working_set));
  }
  text += '}';
  return text;
}

void ask() {
  std::string line;
  for (const id device : devices) {
    if (!line.empty()) line += ',';
    line += answers(device);
  }
  std::printf("[%s]\n", line.c_str());
}

void* open_library(const std::string& file) {
  void* library = dlopen(file.c_str(), RTLD_NOW);
  if (library != nullptr) return library;
  std::fprintf(stderr, "variant-client: %s\n", dlerror());
  std::exit(2);
}

void do_step(const std::string& word) {
  const std::size_t equals = word.find('=');
  const std::string verb = word.substr(0, equals);
  const std::string object = equals == std::string::npos ? "" : word.substr(equals + 1);
  if (verb == "create" || verb == "all") return make(verb == "all");
  if (verb == "ask") return ask();
#if defined(VARIANT_CLIENT_OPENS_METAL)
  if (verb == "open") {
    metal = open_library(object);
    return;
  }
#endif
  if (verb == "load") {
    open_library(object);
    return;
  }
  if (verb == "set") {
    const std::size_t separator = object.find('=');
    setenv(object.substr(0, separator).c_str(), object.substr(separator + 1).c_str(), 1);
    return;
  }
  std::fprintf(stderr, "variant-client: unknown word '%s'\n", word.c_str());
  std::exit(2);
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) do_step(argv[i]);
}
