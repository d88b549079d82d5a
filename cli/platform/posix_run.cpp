// SPDX-License-Identifier: MIT
#include "cli/platform/executing.hpp"
#include "cli/platform/posix_system.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace metal_unlock {
namespace {

// What a signal handler can reach: whether the user wants to stop, and the pipe that wakes up whoever waits.
volatile std::sig_atomic_t is_to_stop = 0;
int waking_descriptor = -1;
// As they were before this process changed them, for whatever it starts or becomes.
bool has_changed_signals = false;
sigset_t mask_before;
struct sigaction end_of_child_before {};

extern "C" void heed(int number) {
  const int error = errno;
  if (number != SIGCHLD) is_to_stop = 1;
  [[maybe_unused]] const ssize_t written = ::write(waking_descriptor, "", 1);
  errno = error;
}

struct Pipe {
  Descriptor read_end{-1};
  Descriptor write_end{-1};
};

/// Ends that no started program inherits; the first one never makes its reader wait.
Result<Pipe> make_pipe(const Plan& plan) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return execution_failed(plan, errno);
  Pipe made{out_of_the_way(ends[0]), out_of_the_way(ends[1])};
  if (!made.read_end || !made.write_end) return execution_failed(plan, errno);
  ::fcntl(made.read_end.get(), F_SETFL, O_NONBLOCK);
  return made;
}

/// The target waits at its end of the lifeline; nothing where it is to have none.
Result<std::optional<Pipe>> make_lifeline(const Plan& plan, const RunLimits& limits) {
  if (!limits.has_lifeline) return std::optional<Pipe>{};
  Result<Pipe> made = make_pipe(plan);
  if (!made) return made.finding();
  ::fcntl(made->read_end.get(), F_SETFL, 0);
  return std::optional{*std::move(made)};
}

void catch_signal(int number, int flags) {
  struct sigaction action {};
  ::sigaction(number, nullptr, &action);
  // Ignored already: whoever started us, as nohup does, wants that.
  if (action.sa_handler == SIG_IGN && number != SIGCHLD) return;
  action = {};
  action.sa_handler = heed;
  action.sa_flags = flags;
  ::sigaction(number, &action, nullptr);
}

/// The end of a pipe that is written to at every signal; made once, and kept for good.
Result<int> waking_pipe(const Plan& plan) {
  static int reading = -1;
  if (reading >= 0) return reading;
  Result<Pipe> made = make_pipe(plan);
  if (!made) return made.finding();
  ::fcntl(made->write_end.get(), F_SETFL, O_NONBLOCK);
  reading = made->read_end.release();
  waking_descriptor = made->write_end.release();
  // A second Ctrl-C ends this process as it does any other.
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) catch_signal(number, static_cast<int>(SA_RESETHAND));
  ::sigaction(SIGCHLD, nullptr, &end_of_child_before);
  catch_signal(SIGCHLD, SA_NOCLDSTOP | SA_RESTART);
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGCHLD);
  // Whoever started us may have blocked it, and a target that ends without a word would be waited for in
  // vain.
  ::sigprocmask(SIG_UNBLOCK, &ends, &mask_before);
  has_changed_signals = true;
  return reading;
}

double now() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

/// One stream of the target and where it is kept.
struct Kept {
  Pipe pipe;
  std::string text;
  bool is_too_long = false;

  /// Takes what is there now.
  void take(std::size_t most) {
    std::array<char, 65536> part{};
    while (pipe.read_end) {
      const ssize_t count = ::read(pipe.read_end.get(), part.data(), part.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return;  // nothing more for now
      if (count == 0) {
        pipe.read_end.close();
        return;
      }
      const std::size_t room = most - std::min(most, text.size());
      text.append(part.data(), std::min(room, static_cast<std::size_t>(count)));
      is_too_long = is_too_long || static_cast<std::size_t>(count) > room;
    }
  }
};

/// A target that runs in a process group of its own, so that all of it can be ended.
class RunningTarget {
 public:
  RunningTarget(Kept output, Kept errors, Kept heard, std::optional<Pipe> lifeline)
      : output_(std::move(output)),
        errors_(std::move(errors)),
        heard_(std::move(heard)),
        lifeline_(std::move(lifeline)) {}

  /// Returns errno where it could not be started.
  int start(const Plan& plan, const Environment& environment) {
    started_ = now();
    child_ = ::fork();
    if (child_ < 0) return errno;
    if (child_ == 0) become(plan, environment);
    ::setpgid(child_, child_);
    for (Kept* kept : {&output_, &errors_, &heard_}) kept->pipe.write_end.close();
    if (lifeline_) lifeline_->read_end.close();
    return 0;
  }

  Finished wait(const RunLimits& limits, int waking) {
    const double deadline = limits.seconds > 0 ? started_ + limits.seconds : 0;
    double kill_at = 0;
    while (!has_ended()) {
      const double time = now();
      if (kill_at > 0 && time >= kill_at) ::kill(-child_, SIGKILL);
      const bool is_late = deadline > 0 && time >= deadline;
      if (kill_at == 0 && (is_late || is_to_stop != 0)) {
        finished_.timed_out = is_to_stop == 0;
        finished_.interrupted = is_to_stop != 0;
        kill_at = time + limits.grace;
        const int sign = finished_.interrupted || limits.is_interrupted ? SIGINT : SIGTERM;
        ::kill(-child_, limits.grace > 0 ? sign : SIGKILL);
      }
      const double wake_at = kill_at > 0 ? kill_at : deadline;
      sleep_until_something(wake_at > 0 ? std::max(wake_at - now(), 0.0) : -1, waking);
      take(limits.output);
    }
    // What it left running would disturb the next run, and could hold its output open for ever.
    ::kill(-child_, SIGKILL);
    take(limits.output);
    finished_.output = std::move(output_.text);
    finished_.errors = std::move(errors_.text);
    finished_.heard = std::move(heard_.text);
    finished_.printed_too_much = output_.is_too_long || errors_.is_too_long;
    return std::move(finished_);
  }

 private:
  [[noreturn]] void become(const Plan& plan, const Environment& environment) const {
    ::setpgid(0, 0);
    restore_signals();
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(output_.pipe.write_end.get(), STDOUT_FILENO);
    ::dup2(errors_.pipe.write_end.get(), STDERR_FILENO);
    ::dup2(heard_.pipe.write_end.get(), listening_descriptor);
    if (lifeline_) ::dup2(lifeline_->read_end.get(), lifeline_descriptor);
    const int error = execute(plan, environment);
    ::_exit(error == ENOENT ? 127 : 126);
  }

  bool has_ended() {
    int status = 0;
    rusage usage{};
    if (::wait4(child_, &status, WNOHANG, &usage) != child_) return false;
    finished_.wall_seconds = now() - started_;
    finished_.processor_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    finished_.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return true;
  }

  void sleep_until_something(double longest, int waking) const {
    std::array<pollfd, 4> waiting{{{waking, POLLIN, 0},
                                   {output_.pipe.read_end.get(), POLLIN, 0},
                                   {errors_.pipe.read_end.get(), POLLIN, 0},
                                   {heard_.pipe.read_end.get(), POLLIN, 0}}};
    constexpr double longest_poll = 3600;
    const int milliseconds = longest < 0 ? -1 : static_cast<int>(std::min(longest, longest_poll) * 1000) + 1;
    ::poll(waiting.data(), waiting.size(), milliseconds);
    std::array<char, 64> ignored{};
    while (::read(waking, ignored.data(), ignored.size()) > 0) {
    }
  }

  void take(Bytes most) {
    for (Kept* kept : {&output_, &errors_, &heard_}) kept->take(most.count);
  }

  pid_t child_ = -1;
  double started_ = 0;
  Kept output_;
  Kept errors_;
  Kept heard_;
  std::optional<Pipe> lifeline_;  ///< nothing is ever written to it: that it ends is the message
  Finished finished_;
};

}  // namespace

void restore_signals() {
  if (!has_changed_signals) return;
  ::sigprocmask(SIG_SETMASK, &mask_before, nullptr);
  ::sigaction(SIGCHLD, &end_of_child_before, nullptr);
}

Result<Finished> PosixSystem::run_to_end(const Plan& plan, const RunLimits& limits) {
  const Environment changed = environment().with(plan.change);
  const Result<int> waking = waking_pipe(plan);
  if (!waking) return waking.finding();
  Finished stopped;
  stopped.interrupted = true;
  if (is_to_stop != 0) return stopped;
  Result<Pipe> output = make_pipe(plan);
  Result<Pipe> errors = make_pipe(plan);
  Result<Pipe> heard = make_pipe(plan);
  for (const Result<Pipe>* made : {&output, &errors, &heard})
    if (!*made) return made->finding();
  Result<std::optional<Pipe>> lifeline = make_lifeline(plan, limits);
  if (!lifeline) return lifeline.finding();
  RunningTarget target{Kept{*std::move(output), {}, false}, Kept{*std::move(errors), {}, false},
                       Kept{*std::move(heard), {}, false}, *std::move(lifeline)};
  if (const int error = target.start(plan, changed)) return execution_failed(plan, error);
  return target.wait(limits, *waking);
}

std::int64_t PosixSystem::seconds_since_1970() const { return ::time(nullptr); }

MachineState PosixSystem::machine_state() const {
  MachineState state;
  state.processors = static_cast<unsigned>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
  return state;
}

}  // namespace metal_unlock
