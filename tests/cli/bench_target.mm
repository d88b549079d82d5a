// SPDX-License-Identifier: MIT

// bench-target LOG [EVENT-AT RUN]…: does what llama-bench -o jsonl does as far as `bench` can see. Its speeds
// follow from what Metal answers and from how often it ran, never from a clock, so that every verdict is
// known beforehand. It adds a letter to LOG, S or U for what it was told, and does what an EVENT asks for in
// the run of that number.

#include "tests/simulated_guest/metal_stand_in.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <signal.h>
#include <string>
#include <unistd.h>

namespace {

bool is_unlocked() {
  id<MTLDevice> device = MTLCreateSystemDefaultDevice();
  return device != nil && [device supportsFamily:static_cast<MTLGPUFamily>(1007)] != NO;
}

/// Adds the letter, and returns how many there are now.
std::size_t note_run(const char* log, char letter) {
  std::ofstream(log, std::ios::app) << letter;
  std::ifstream file(log);
  const std::string letters{std::istreambuf_iterator<char>(file), {}};
  return letters.size();
}

void print_row(int prompt, int generated, double speed) {
  std::printf("{\"build_commit\": \"b\", \"build_number\": 1, \"model_type\": \"M\", \"model_size\": 1024, "
              "\"n_threads\": 1, \"n_prompt\": %d, \"n_gen\": %d, \"samples_ts\": [%.3f, %.3f]}\n",
              prompt, generated, speed, speed * 1.01);
}

void write_state(const char* text) {
  const char* path = std::getenv("METAL_UNLOCK_MACHINE_STATE");
  if (path != nullptr) std::ofstream(path) << text;
}

/// What may happen to a run. Returns the status to end with, 0: as if nothing was.
int happen(const std::string& event) {
  if (event == "fail") return 3;
  if (event == "crash") raise(SIGKILL);
  if (event == "hang") pause();
  if (event == "busy") write_state("busy 1000\nbattery 0\n");
  if (event == "heat") write_state("heat 2\n");
  if (event == "battery") write_state("battery 1\n");
  if (event == "quiet") std::exit(0);
  if (event == "garble") std::puts("{\"n_prompt\": 512, ");
  if (event == "interrupt") {
    kill(getppid(), SIGINT);
    pause();
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const bool unlocked = is_unlocked();
  const std::size_t run = note_run(argv[1], unlocked ? 'U' : 'S');
  for (int i = 2; i + 1 < argc; ++i) {
    const std::string word = argv[i];
    const std::size_t end = word.rfind("-at");
    if (end == std::string::npos || std::strtoul(argv[i + 1], nullptr, 10) != run) continue;
    const int status = happen(word.substr(0, end));
    if (status != 0) return status;
  }
  const double factor = 1 + 0.001 * static_cast<double>(run % 5);
  print_row(512, 0, (unlocked ? 4800 : 400) * factor);
  print_row(0, 128, (unlocked ? 200 : 12.5) * factor);
  return 0;
}
