// SPDX-License-Identifier: MIT
#pragma once

#include "cli/platform/system.hpp"

#include <string>
#include <vector>

namespace metal_unlock {

/// The part of the seam that macOS and Linux share: files, processes, terminals, the shim's place.
/// What is left to each system: own_path, loader, observe, ask_metal, cache_folder, and the rest of
/// machine_state.
class PosixSystem : public System {
 public:
  explicit PosixSystem(char** environment);

  const Environment& environment() const override { return environment_; }
  std::string working_folder() const override;
  std::string home_folder() const override;
  unsigned user_number() const override;
  Terminal terminal(Stream stream) const override;

  FileFacts facts(const std::string& path) const override;
  std::vector<std::string> names_in(const std::string& folder) const override;
  std::string canonical(const std::string& path) const override;
  Result<std::string> read_file(const std::string& path, Bytes largest) const override;
  Result<std::unique_ptr<ByteSource>> open_bytes(const std::string& path) const override;
  Result<std::string> hash_file(const std::string& path) const override;
  Result<std::string> shim_location() const override;
  Result<std::string> place_shim() override;

  /// Says what every POSIX system does: how many processors there are.
  MachineState machine_state() const override;
  std::int64_t seconds_since_1970() const override;

  std::optional<std::string> read_memory(Bytes largest) const override;
  std::optional<Finding> keep_memory(std::string_view text) override;
  Result<bool> forget_memory() override;

  Result<std::string> make_folder(const std::string& path) override;
  Result<std::string> replace_file(const std::string& path, std::string_view text) override;
  Result<std::string> remove_file(const std::string& path) override;
  Result<int> watch(const Watch& watch) override;
  void end_watch(int descriptor) override;
  Finding replace_process(const Plan& plan) override;
  Result<Captured> capture(const Plan& plan) override;
  Result<Finished> run_to_end(const Plan& plan, const RunLimits& limits) override;
  void end_with_starter() override;
  bool write(Stream stream, std::string_view text) override;

 protected:
  /// Where this system keeps files that may be deleted at any time; empty where there is no such place.
  virtual std::string cache_folder() const = 0;

 private:
  /// Our folder there, in which the shim's folder is; shim-unplaced where none can exist.
  Result<std::string> own_cache_folder() const;

  Environment environment_;
};

}  // namespace metal_unlock
