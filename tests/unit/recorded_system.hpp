// SPDX-License-Identifier: MIT
#pragma once

#include "cli/platform/system.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

/// A file of the recorded world, executable or not.
struct RecordedFile {
  std::string text;
  FileFacts facts{FileKind::regular, false, false};
  bool is_readable = true;
};

/// What a command line came to: it ended with a status, or the target took over.
struct Ran {
  std::optional<int> status;
  std::optional<Plan> started;
};

/// The outside world kept in memory. It holds what a test puts in, and remembers every act in order.
class RecordedSystem final : public System {
 public:
  /// A guest of tests/guests whose PATH is /usr/bin, where `tool` is the only program; its user has no files.
  explicit RecordedSystem(std::string_view guest_name = "tahoe-26-m1-ultra");

  /// Reads and runs a command line as the program does.
  Ran run(const std::vector<std::string>& words);

  void add_program(const std::string& path, FileFacts facts = {FileKind::regular, true, false});
  void add_file(const std::string& path, std::string text);

  // The world
  GuestReport guest;
  std::map<std::string, RecordedFile> files;
  std::map<std::string, std::string> links;  ///< symbolic links and what they lead to
  Environment variables;
  std::string folder = "/home/me/app";
  std::string home = "/home/me";
  std::string shim = "/home/me/.cache/metal-unlock/libmetal-unlock.so";
  Terminal out_terminal;
  Terminal err_terminal;
  std::optional<Finding> observe_fault;
  std::optional<Finding> metal_fault;
  std::optional<Finding> shim_fault;
  std::optional<Finding> start_fault;
  std::optional<Finding> write_fault;
  std::optional<Finding> watch_fault;
  std::string shares;
  Result<PreferenceState> preference = PreferenceState::unset;
  Result<Captured> captured = Captured{};
  bool takes_output = true;
  std::vector<ProcessFacts> processes;
  DebugMeans means;
  /// What the next run writes, besides what it prints.
  std::map<std::string, std::string> written_by_run;
  /// What each run comes to, in order; the last one over and over.
  std::vector<Finished> runs{Finished{}};
  /// The machine's states as they are asked for; the last one over and over.
  std::vector<MachineState> states{MachineState{}};
  mutable std::size_t asked_states = 0;
  /// What the GPU computes; none: there is no GPU.
  std::function<KernelResult(const KernelCall&)> on_compute;
  /// What each run comes to, by its plan; none: `runs`.
  std::function<Finished(const Plan&)> on_run;
  std::optional<std::string> memory;
  std::optional<Finding> memory_fault;
  std::int64_t clock = 1'796'086'800;  ///< 2026-12-01 01:00:00 UTC

  // What happened
  mutable std::vector<std::string> acts;  ///< "observe", "ask metal", "place shim", "start", "capture",
                                          ///< "write file", "watch", "run", "make folder", "read memory",
                                          ///< "keep memory", "forget memory", "end with starter"
  std::string out;
  std::string err;
  std::optional<Plan> captured_plan;
  std::vector<Plan> run_plans;
  std::vector<RunLimits> run_limits;
  std::optional<Watch> watched;

  bool did(std::string_view act) const;
  /// The environment of what was started.
  Environment environment_of(const Plan& plan) const { return variables.with(plan.change); }

  // System
  MachineState machine_state() const override;
  std::int64_t seconds_since_1970() const override { return clock; }
  std::optional<std::string> read_memory(Bytes largest) const override;
  std::optional<Finding> keep_memory(std::string_view text) override;
  Result<bool> forget_memory() override;
  void end_with_starter() override { acts.emplace_back("end with starter"); }
  ProcessFacts process(std::int64_t pid) const override;
  DebugMeans debug_means() const override { return means; }
  Result<std::string> hash_file(const std::string& path) const override;
  Result<std::string> make_folder(const std::string& path) override;
  Result<Finished> run_to_end(const Plan& plan, const RunLimits& limits) override;
  FileFacts facts(const std::string& path) const override;
  std::vector<std::string> names_in(const std::string& path) const override;
  std::string canonical(const std::string& path) const override;
  const Environment& environment() const override { return variables; }
  std::string own_path() const override { return "/usr/bin/metal-unlock"; }
  std::string working_folder() const override { return folder; }
  std::string home_folder() const override { return home; }
  unsigned user_number() const override { return 501; }
  Terminal terminal(Stream stream) const override {
    return stream == Stream::out ? out_terminal : err_terminal;
  }
  Loader loader() const override;
  Result<Machine> observe() override;
  Result<std::vector<DeviceAnswers>> ask_metal() override;
  KernelResult compute(const KernelCall& call) override {
    return on_compute ? on_compute(call) : KernelRefusal{KernelStage::device, "no GPU here"};
  }
  std::string shared_folders() const override { return shares; }
  Result<PreferenceState> host_preference() const override { return preference; }
  Result<PreferenceState> set_host_preference(bool on) override;
  Result<std::string> read_file(const std::string& path, Bytes largest) const override;
  Result<std::unique_ptr<ByteSource>> open_bytes(const std::string& path) const override;
  Result<std::string> shim_location() const override;
  Result<std::string> place_shim() override;
  Result<std::string> replace_file(const std::string& path, std::string_view text) override;
  Result<std::string> remove_file(const std::string& path) override;
  Result<int> watch(const Watch& watch) override;
  void end_watch(int) override { acts.emplace_back("end watch"); }
  Finding replace_process(const Plan& plan) override;
  Result<Captured> capture(const Plan& plan) override;
  bool write(Stream stream, std::string_view text) override;
};

}  // namespace metal_unlock
