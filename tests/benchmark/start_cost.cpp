// SPDX-License-Identifier: MIT
// What starting a program through `run` costs, as a ratio to starting it with the shim preloaded by env(1).
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <spawn.h>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char** environ;

namespace {

/// A command line that is started again and again, and the CPU time of each start in microseconds.
struct Contender {
  std::string name;
  std::vector<std::string> argv;
  std::vector<double> samples = {};

  double median() {
    std::ranges::sort(samples);
    return samples[samples.size() / 2];
  }
};

double microseconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_usec);
}

/// Starts it once, to its end. Ends the benchmark where it fails: a ratio of failures says nothing.
double cpu_time_of(const Contender& contender) {
  std::vector<char*> argv;
  for (const std::string& word : contender.argv) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  pid_t child = 0;
  int status = 0;
  rusage usage{};
  const bool is_started = ::posix_spawn(&child, argv.front(), nullptr, nullptr, argv.data(), environ) == 0;
  if (!is_started || ::wait4(child, &status, 0, &usage) != child || status != 0) {
    std::fprintf(stderr, "benchmark: '%s' failed\n", contender.name.c_str());
    std::exit(1);
  }
  return microseconds(usage.ru_utime) + microseconds(usage.ru_stime);
}

/// The path of the shim that `run` placed: the first entry of the preload variable it sets.
std::string placed_shim(const std::string& program) {
  const std::string command =
      program + " run -- sh -c 'tr \"\\0\" \"\\n\" < /proc/self/environ' | sed -n 's/^LD_PRELOAD=//p'";
  std::string path(4096, '\0');
  FILE* const output = ::popen(command.c_str(), "r");
  path.resize(output == nullptr ? 0 : std::fread(path.data(), 1, path.size(), output));
  if (output != nullptr) ::pclose(output);
  return path.substr(0, path.find_first_of(":\n"));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string program = argc > 1 ? argv[1] : "build/metal-unlock";
  const std::string target = "/bin/true";
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 2000;
  const std::string shim = placed_shim(program);
  if (shim.empty()) {
    std::fprintf(stderr, "benchmark: '%s run' does not unlock here\n", program.c_str());
    return 1;
  }
  Contender run{"metal-unlock run -- true", {program, "run", "--", target}};
  Contender preload{"env LD_PRELOAD=shim true", {"/usr/bin/env", "LD_PRELOAD=" + shim, target}};
  Contender plain{"env true", {"/usr/bin/env", target}};
  for (int round = 0; round < rounds; ++round)
    for (Contender* contender : {&run, &preload, &plain})
      contender->samples.push_back(cpu_time_of(*contender));

  std::printf("%-28s%12s%10s\n", "start", "CPU time", "ratio");
  for (Contender* contender : {&run, &preload, &plain})
    std::printf("%-28s%9.0f us%10.2f\n", contender->name.c_str(), contender->median(),
                contender->median() / preload.median());
  std::printf("%d rounds, interleaved, medians; budget of the first ratio 1.20\n", rounds);
  return 0;
}
