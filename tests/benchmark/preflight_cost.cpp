// SPDX-License-Identifier: MIT
// What looking at a program costs, for one of 1 MB and one of 100 MB: only headers are read, so it is the
// same.
#include "tests/files.hpp"
#include "tests/macho/program_builder.hpp"
#include "tests/macho/signature_builder.hpp"
#include "tests/process.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <vector>

extern char** environ;

using namespace metal_unlock;

namespace {

std::string program_of(std::size_t size) {
  SliceBuilder builder{arm64, 2, 0x200085};
  builder.segment("__TEXT").text_command(0xe, "/usr/lib/dyld").build_version(1, 0x000d0000, 0x000f0000);
  builder.dylib(0xc, "/usr/lib/libSystem.B.dylib").signature(linker_signature());
  return builder.bytes(size);
}

/// CPU time of `run --dry-run` in microseconds; its decision must be made from the file's headers.
double cpu_time(const std::string& program, const std::string& target) {
  const std::string words[] = {program, "run", "--quiet", "--dry-run", "--", target};
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", 1, 0);
  pid_t child = 0;
  int status = 0;
  rusage usage{};
  const bool is_started = ::posix_spawn(&child, argv.front(), &actions, nullptr, argv.data(), environ) == 0;
  if (!is_started || ::wait4(child, &status, 0, &usage) != child || status != 0) {
    std::fprintf(stderr, "preflight: '%s' failed\n", target.c_str());
    std::exit(1);
  }
  ::posix_spawn_file_actions_destroy(&actions);
  const auto microseconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_usec);
  };
  return microseconds(usage.ru_utime) + microseconds(usage.ru_stime);
}

double median(std::vector<double>& samples) {
  std::ranges::sort(samples);
  return samples[samples.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const std::string program = argc > 1 ? argv[1] : "build/metal-unlock";
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 300;
  const TemporaryDirectory directory;
  constexpr std::size_t megabyte = 1000000;
  const std::string small = directory.path() / "small";
  const std::string large = directory.path() / "large";
  write_file(small, program_of(megabyte));
  write_file(large, program_of(100 * megabyte));
  for (const std::string& file : {small, large})
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  std::vector<double> of_small;
  std::vector<double> of_large;
  for (int round = 0; round < rounds; ++round) {
    of_small.push_back(cpu_time(program, small));
    of_large.push_back(cpu_time(program, large));
  }
  const double least = median(of_small);
  const double most = median(of_large);
  std::printf("%-28s%12s%10s\n", "preflight", "CPU time", "ratio");
  std::printf("%-28s%9.0f us%10.2f\n", "a program of 1 MB", least, 1.0);
  std::printf("%-28s%9.0f us%10.2f\n", "a program of 100 MB", most, most / least);
  std::printf("%d rounds, interleaved, medians; budget of the ratio 1.20\n", rounds);
  return 0;
}
