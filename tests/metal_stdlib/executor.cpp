// SPDX-License-Identifier: MIT
#include "tests/metal_stdlib/executor.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

namespace metal_unlock::gpu {
namespace {

constexpr std::size_t stack_size = 64 * 1024;
constexpr std::byte unwritten{0xcd};
constexpr std::size_t guard_size = 64;
/// Lanes may be one exchange ahead of those that still read the last two.
constexpr std::size_t exchanges_kept = 4;

enum class State : std::uint8_t { ready, in_exchange, at_simd_barrier, at_barrier, finished };

struct Thread {
  ucontext_t context;
  std::unique_ptr<std::byte[]> stack;
  State state = State::ready;
  int line = 0;
  std::size_t exchanges = 0;
  Place place;
};

/// Threadgroup memory, surrounded by nothing that is mapped by chance: bytes behind it are watched.
class SharedMemory {
 public:
  /// With `aliased_above` bytes or more the rest lies on the beginning, in whole pages.
  SharedMemory(std::size_t size, std::size_t aliased_above)
      : size_(size), length_((size + guard_size + page - 1) / page * page) {
    void* const whole = ::mmap(nullptr, length_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (whole == MAP_FAILED) std::abort();
    bytes_ = static_cast<std::byte*>(whole);
    const std::size_t first = aliased_above / page * page;
    if (first != 0 && size > first) alias(first);
  }
  ~SharedMemory() { ::munmap(bytes_, length_); }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  std::byte* bytes() { return bytes_; }
  void forget() { std::fill_n(bytes_, size_ + guard_size, unwritten); }
  bool is_guard_intact() const {
    return std::all_of(bytes_ + size_, bytes_ + size_ + guard_size,
                       [](std::byte byte) { return byte == unwritten; });
  }

 private:
  static constexpr std::size_t page = 4096;

  void alias(std::size_t first) {
    const int file = ::memfd_create("threadgroup", MFD_CLOEXEC);
    if (file < 0 || ::ftruncate(file, static_cast<off_t>(first)) != 0) std::abort();
    for (std::size_t at = 0; at < size_ / page * page; at += page)
      ::mmap(bytes_ + at, page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
             static_cast<off_t>(at % first));
    ::close(file);
  }

  std::size_t size_;
  std::size_t length_;
  std::byte* bytes_;
};

struct SimdGroup {
  alignas(largest_value) std::byte values[exchanges_kept][lanes_in_group * largest_value];
};

/// One threadgroup at work; threads are fibers, of which one runs at a time.
class Threadgroup {
 public:
  Threadgroup(const Dispatch& dispatch, const ThreadBody& body)
      : flaws(dispatch.flaws),
        body_(body),
        threads_(dispatch.threads),
        groups_(dispatch.threads / lanes_in_group),
        memory_(dispatch.threadgroup_memory, dispatch.flaws.threadgroup_memory) {}

  std::string run(unsigned number, unsigned threadgroups);

  Exchange exchange(const void* value, std::size_t size, int line) {
    const unsigned index = current().place.thread_in_threadgroup;
    std::byte* const values = groups_[index / lanes_in_group].values[current().exchanges++ % exchanges_kept];
    std::memcpy(values + index % lanes_in_group * largest_value, value, size);
    wait(State::in_exchange, line);
    return {values};
  }

  void wait(State state, int line) {
    current().state = state;
    current().line = line;
    ::swapcontext(&current().context, &scheduler_);
  }

  void run_body() {
    body_(memory_.bytes());
    current().state = State::finished;
    ::swapcontext(&current().context, &scheduler_);
  }

  Thread& current() { return threads_[current_]; }

  const Flaws flaws;

 private:
  void prepare(unsigned number, unsigned threadgroups);
  bool run_ready();
  bool release(std::size_t first, std::size_t count, State state);
  std::string schedule();
  std::string stuck() const;

  const ThreadBody& body_;
  std::vector<Thread> threads_;
  std::vector<SimdGroup> groups_;
  SharedMemory memory_;
  ucontext_t scheduler_{};
  std::size_t current_ = 0;
};

Threadgroup* running = nullptr;

void enter() { running->run_body(); }

void Threadgroup::prepare(unsigned number, unsigned threadgroups) {
  memory_.forget();
  const auto size = static_cast<unsigned>(threads_.size());
  for (unsigned i = 0; i < size; ++i) {
    Thread& thread = threads_[i];
    if (!thread.stack) thread.stack = std::make_unique_for_overwrite<std::byte[]>(stack_size);
    thread.state = State::ready;
    thread.exchanges = 0;
    thread.place = {i, number, size, threadgroups};
    ::getcontext(&thread.context);
    thread.context.uc_stack.ss_sp = thread.stack.get();
    thread.context.uc_stack.ss_size = stack_size;
    thread.context.uc_link = nullptr;
    ::makecontext(&thread.context, enter, 0);
  }
}

bool Threadgroup::run_ready() {
  bool any = false;
  for (current_ = 0; current_ < threads_.size(); ++current_) {
    if (current().state != State::ready) continue;
    any = true;
    ::swapcontext(&scheduler_, &current().context);
  }
  return any;
}

/// Lets threads go on that have all come to the same place.
bool Threadgroup::release(std::size_t first, std::size_t count, State state) {
  for (std::size_t i = first; i < first + count; ++i)
    if (threads_[i].state != state || threads_[i].line != threads_[first].line) return false;
  for (std::size_t i = first; i < first + count; ++i) threads_[i].state = State::ready;
  return true;
}

std::string Threadgroup::stuck() const {
  for (const Thread& thread : threads_)
    if (thread.state != State::finished)
      return std::string{"threads wait for each other in vain: "} +
             (thread.state == State::at_barrier ? "the barrier" : "the SIMD group's operation") +
             " in line " + std::to_string(thread.line) + " is not reached by all of them";
  return {};
}

std::string Threadgroup::schedule() {
  while (run_ready()) {
    for (std::size_t first = 0; first < threads_.size(); first += lanes_in_group) {
      release(first, lanes_in_group, State::in_exchange);
      release(first, lanes_in_group, State::at_simd_barrier);
    }
    release(0, threads_.size(), State::at_barrier);
  }
  return stuck();
}

std::string Threadgroup::run(unsigned number, unsigned threadgroups) {
  prepare(number, threadgroups);
  running = this;
  std::string trouble = schedule();
  running = nullptr;
  if (trouble.empty() && !memory_.is_guard_intact())
    trouble = "threadgroup memory was written beyond its end";
  return trouble;
}

}  // namespace

Exchange exchange(const void* value, std::size_t size, int line) {
  return running->exchange(value, size, line);
}

void wait_for_threadgroup(int line) { running->wait(State::at_barrier, line); }
void wait_for_simdgroup(int line) { running->wait(State::at_simd_barrier, line); }
unsigned lane() { return running->current().place.thread_in_threadgroup % lanes_in_group; }
const Flaws& flaws() { return running->flaws; }
const Place& place() { return running->current().place; }

std::string execute(const Dispatch& dispatch, const ThreadBody& body) {
  if (dispatch.threads == 0 || dispatch.threads % lanes_in_group != 0)
    return "a threadgroup of " + std::to_string(dispatch.threads) +
           " threads is not made of whole SIMD groups";
  Threadgroup group(dispatch, body);
  for (unsigned i = 0; i < dispatch.threadgroups; ++i) {
    std::string trouble = group.run(i, dispatch.threadgroups);
    if (!trouble.empty()) return trouble;
  }
  return {};
}

}  // namespace metal_unlock::gpu
