// SPDX-License-Identifier: MIT
#include "tests/macho_loader/image.hpp"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <mutex>
#include <unistd.h>
#include <utility>
#include <vector>

// What dyld does at the start of a process with the libraries of DYLD_INSERT_LIBRARIES, and later in dlopen.

namespace metal_unlock::macho {
namespace {

using OpenLibrary = void* (*)(const char*, int);
using LastError = char* (*)();

thread_local std::string last_error;
thread_local std::string told_error;

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

/// One thread loads at a time; a constructor may load another library.
std::recursive_mutex& loading() {
  static auto& mutex = *new std::recursive_mutex();
  return mutex;
}

bool names_macho(const char* path) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  std::uint8_t start[4];
  const bool is_read = file >= 0 && read(file, start, sizeof start) == sizeof start;
  if (file >= 0) close(file);
  return is_read && is_macho(View(start, sizeof start));
}

/// dyld ends the process in the same way: a program must not run without what was to be inserted.
[[noreturn]] void refuse_to_start(const std::string& path, const LoadError& error) {
  std::fprintf(stderr, "macho-loader: '%s' cannot be inserted: %s\n", path.c_str(), error.reason.c_str());
  std::abort();
}

Image& inserted(const std::string& path) {
  try {
    return load_image(path);
  } catch (const LoadError& error) {
    refuse_to_start(path, error);
  }
}

std::vector<std::string> entries(const std::string& list) {
  std::vector<std::string> result;
  if (list.empty()) return result;
  std::size_t start = 0;
  for (std::size_t end; (end = list.find(':', start)) != std::string::npos; start = end + 1)
    result.push_back(list.substr(start, end - start));
  result.push_back(list.substr(start));
  return result;
}

/// All are loaded before the first of them runs.
__attribute__((constructor)) void insert_libraries(int count, char** words, char**) {
  set_program_arguments({count, words});
  const char* list = std::getenv("DYLD_INSERT_LIBRARIES");
  const std::scoped_lock lock(loading());
  std::vector<Image*> images;
  for (const std::string& path : entries(list == nullptr ? "" : list)) images.push_back(&inserted(path));
  for (Image* image : images) initialise(*image);
}

}  // namespace

void give_up(const std::string& sentence) {
  std::fprintf(stderr, "macho-loader: %s\n", sentence.c_str());
  std::abort();
}

void* open_any(const char* path, int flags) {
  static const auto open_library = next<OpenLibrary>("dlopen");
  if (path == nullptr || !names_macho(path)) return open_library(path, flags);
  const std::scoped_lock lock(loading());
  try {
    Image& image = load_image(path);
    initialise(image);
    return &image;
  } catch (const LoadError& error) {
    last_error = std::string(path) + ": " + error.reason;
    return nullptr;
  }
}

}  // namespace metal_unlock::macho

#pragma GCC visibility push(default)
extern "C" {

/// Every call of a process comes here first. What follows from the caller of the system's own, its RUNPATH
/// and namespace, is that of the loader.
void* dlopen(const char* path, int flags) { return metal_unlock::macho::open_any(path, flags); }

char* dlerror() {
  using namespace metal_unlock::macho;
  static const auto system_error = next<LastError>("dlerror");
  if (last_error.empty()) return system_error();
  told_error = std::exchange(last_error, {});
  return told_error.data();
}
}
#pragma GCC visibility pop
