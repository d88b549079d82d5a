// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/bench_run.hpp"
#include "cli/core/environment.hpp"
#include "cli/core/guest_report.hpp"
#include "cli/core/plan.hpp"
#include "cli/core/process_facts.hpp"
#include "cli/core/result.hpp"
#include "cli/core/target.hpp"
#include "cli/verify/kernel_call.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

enum class Stream : std::uint8_t { out, err };

/// What an output stream can show.
struct Terminal {
  bool is_terminal = false;
  bool has_colour = false;
  bool has_unicode = false;
  int width = 80;
};

/// What a process that ran to its end left behind.
struct Captured {
  int status = 0;  ///< exit status; 128 + signal where one ended it
  std::string output;
};

/// What a target that is run to its end is allowed.
struct RunLimits {
  double seconds = 0;           ///< then it is ended
  Bytes output;                 ///< kept of stdout, and of stderr
  bool is_interrupted = false;  ///< ended as Ctrl-C does it, for one that has something to put in order
  double grace = 2;             ///< seconds from being asked to end to being killed; 0: it is killed at once
  bool has_lifeline = false;    ///< it hears of this process's end at `lifeline_descriptor`
};

/// The descriptor at which `run_to_end` listens for the shim, by its number in the target.
inline constexpr int listening_descriptor = 100;

/// The descriptor, in a target with a lifeline, whose end is the end of the process that started it.
inline constexpr int lifeline_descriptor = 101;

/// What is to happen where the shim never reports from inside the target.
struct Watch {
  std::string words;         ///< for stderr
  bool ends_target = false;  ///< the target is ended as well
};

/// What is stored for the host's preference ForceUnrestrictedDeviceFeatureLevel.
enum class PreferenceState : std::uint8_t { unset, off, on, other };

/// THE SEAM: everything the program asks of, or does to, the outside world.
class System : public FileLookup {
 public:
  // About this process
  virtual const Environment& environment() const = 0;
  virtual std::string own_path() const = 0;        ///< of this program's file
  virtual std::string working_folder() const = 0;  ///< empty where it is gone
  virtual std::string home_folder() const = 0;     ///< empty where there is none
  virtual unsigned user_number() const = 0;
  virtual Terminal terminal(Stream stream) const = 0;

  // About the machine
  virtual Loader loader() const = 0;
  virtual Result<Machine> observe() = 0;                       ///< never starts Metal
  virtual Result<std::vector<DeviceAnswers>> ask_metal() = 0;  ///< starts Metal in this process
  /// Runs a kernel on the default device, in this process.
  virtual KernelResult compute(const KernelCall& call) = 0;
  virtual MachineState machine_state() const = 0;
  virtual std::int64_t seconds_since_1970() const = 0;       ///< UTC
  virtual ProcessFacts process(std::int64_t pid) const = 0;  ///< looks at it, and does not touch it
  virtual DebugMeans debug_means() const = 0;

  /// The folder in which folders that the host shares appear; empty where this system has none.
  virtual std::string shared_folders() const = 0;
  /// Of this user, on a host.
  virtual Result<PreferenceState> host_preference() const = 0;

  // Files
  /// A regular file's bytes; file-unreadable where it is none, is larger than `largest`, or cannot be read.
  virtual Result<std::string> read_file(const std::string& path, Bytes largest) const = 0;
  /// Where the shim is placed, or would be; shim-unplaced where no folder of ours can exist.
  virtual Result<std::string> shim_location() const = 0;
  /// Makes sure the shim's bytes are there and ours, and returns the path.
  virtual Result<std::string> place_shim() = 0;

  /// The text that `keep_memory` kept last; nothing where there is none, or somebody else could have put it
  /// there. Makes no folder.
  virtual std::optional<std::string> read_memory(Bytes largest) const = 0;
  /// Keeps a text beside the shim until the next call: the whole of it or nothing, and no other file, even
  /// where this process is killed meanwhile.
  virtual std::optional<Finding> keep_memory(std::string_view text) = 0;
  /// Drops it. False where there was none.
  virtual Result<bool> forget_memory() = 0;

  /// The SHA-256 of a regular file of any size; file-unreadable where it cannot be read.
  virtual Result<std::string> hash_file(const std::string& path) const = 0;

  // Acts
  /// Makes a folder that was not there; evidence-unwritten where anything is, or it cannot be made.
  virtual Result<std::string> make_folder(const std::string& path) = 0;
  /// Puts a file with this text in the place of another, or of none: the whole of it or nothing.
  virtual Result<std::string> replace_file(const std::string& path, std::string_view text) = 0;
  /// Removes a file, or an empty folder; file-unreadable where it cannot be removed.
  virtual Result<std::string> remove_file(const std::string& path) = 0;
  /// Stores true, or removes the preference. The answer is what is stored then.
  virtual Result<PreferenceState> set_host_preference(bool on) = 0;
  /// Has somebody listen for the shim of the process that this one is about to become. The answer is the
  /// descriptor that the shim is to write to; it stays open across exec.
  virtual Result<int> watch(const Watch& watch) = 0;
  /// Lets the listener go, where this process does not become the target after all.
  virtual void end_watch(int descriptor) = 0;
  /// Returns only where it failed; a circumstance where the plan has too much in it.
  virtual Finding replace_process(const Plan& plan) = 0;
  virtual Result<Captured> capture(const Plan& plan) = 0;  ///< runs to the end; stdout is kept, stderr passes
  /// Runs a target to its end, with nothing to read, and keeps all that it leaves. From the first call on,
  /// Ctrl-C and SIGTERM end the target that runs, and every later call, instead of this process.
  virtual Result<Finished> run_to_end(const Plan& plan, const RunLimits& limits) = 0;
  /// From now on this process ends, with all of its group, as soon as the one that gave it a lifeline does,
  /// however that happens.
  virtual void end_with_starter() = 0;
  virtual bool write(Stream stream, std::string_view text) = 0;
};

/// The implementation for the system this program is built for.
std::unique_ptr<System> make_system(char** environment);

}  // namespace metal_unlock
