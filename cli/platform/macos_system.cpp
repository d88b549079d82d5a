// SPDX-License-Identifier: MIT
#include "cli/platform/macos_host_preference.hpp"
#include "cli/platform/macos_machine.hpp"
#include "cli/platform/macos_metal.hpp"
#include "cli/platform/macos_process.hpp"
#include "cli/platform/posix_system.hpp"
#include "shim/preload_list.hpp"

#include <cstdint>
#include <cstdlib>
#include <mach-o/dyld.h>
#include <memory>

namespace metal_unlock {
namespace {

/// The seam on macOS.
class MacosSystem final : public PosixSystem {
 public:
  using PosixSystem::PosixSystem;

  std::string own_path() const override {
    std::uint32_t size = 0;
    _NSGetExecutablePath(nullptr, &size);
    std::string path(size, '\0');
    if (_NSGetExecutablePath(path.data(), &size) != 0) return {};
    const std::unique_ptr<char, void (*)(void*)> resolved{::realpath(path.c_str(), nullptr), ::free};
    return resolved ? resolved.get() : std::string{};
  }

  Loader loader() const override {
    return {.preload_variable = shim::preload_variable,
            .separators = shim::preload_separators,
            .shim_name = "libmetal-unlock.dylib",
            .metal = macos_metal_path,
            // dyld replaces names that begin with @, and only at the start of an entry: never in an absolute
            // path.
            .expanded = "",
            .shim_slices = {METAL_UNLOCK_SHIM_SLICES}};
  }

  Result<Machine> observe() override { return macos_machine(); }

  Result<std::vector<DeviceAnswers>> ask_metal() override { return ask_macos_metal(); }
  KernelResult compute(const KernelCall& call) override { return compute_on_macos(call); }

  ProcessFacts process(std::int64_t pid) const override { return macos_process(pid); }

  /// What SIP and signatures allow is decided from the program's file.
  DebugMeans debug_means() const override { return {.debugger = DebuggerKind::lldb}; }

  std::string shared_folders() const override { return "/Volumes/My Shared Files"; }

  Result<PreferenceState> host_preference() const override { return read_host_preference(); }

  Result<PreferenceState> set_host_preference(bool on) override { return write_host_preference(on); }

 protected:
  std::string cache_folder() const override {
    const auto configured = environment().get_non_empty("XDG_CACHE_HOME");
    if (configured && configured->starts_with('/')) return std::string{*configured};
    const std::string home = home_folder();
    return home.empty() ? home : home + "/Library/Caches";
  }
};

}  // namespace

std::unique_ptr<System> make_system(char** environment) { return std::make_unique<MacosSystem>(environment); }

}  // namespace metal_unlock
