// SPDX-License-Identifier: MIT
#include "cli/platform/posix_system.hpp"
#include "shim/preload_list.hpp"
#include "tests/simulated_guest/linux_process.hpp"
#include "tests/simulated_guest/metal_client.hpp"
#include "tests/simulated_guest/recorded_guest.hpp"
#include "tests/simulated_guest/simulated_metal.hpp"
#include "tests/simulated_guest/simulated_state.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <unistd.h>
#include <utility>

namespace metal_unlock {
namespace {

constexpr Bytes largest_preference{64};

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

/// The seam on Linux: real files, real processes, the real shim; only the facts about the Mac are recorded.
class SimulatedSystem final : public PosixSystem {
 public:
  using PosixSystem::PosixSystem;

  std::string own_path() const override {
    std::array<char, 4096> path{};
    const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size());
    return length > 0 ? std::string(path.data(), static_cast<std::size_t>(length)) : std::string{};
  }

  Loader loader() const override {
    return {.preload_variable = shim::preload_variable,
            .separators = shim::preload_separators,
            .shim_name = "libmetal-unlock.so",
            .metal = metal_path(),
            .expanded = "$",
            .shim_slices = {"x86_64", "arm64"}};
  }

  FileFacts facts(const std::string& path) const override {
    FileFacts facts = PosixSystem::facts(path);
    if (facts.kind == FileKind::missing || marks().empty()) return facts;
    const std::string file = canonical(path);
    facts.is_restricted = is_marked("restricted ", file) || is_marked("restricted ", path);
    facts.is_quarantined = is_marked("quarantined ", file) || is_marked("quarantined ", path);
    return facts;
  }

  Result<Machine> observe() override {
    const Result<GuestReport> guest = load_recorded_guest();
    if (!guest) return guest.finding();
    return guest->machine;
  }

  MachineState machine_state() const override { return simulated_state(*this, PosixSystem::machine_state()); }

  Result<std::vector<DeviceAnswers>> ask_metal() override { return ask_simulated_metal(metal_path()); }
  KernelResult compute(const KernelCall& call) override {
    return compute_on_simulated_metal(folder_of(metal_path()) + "/" + metal_client_library, call);
  }

  ProcessFacts process(std::int64_t pid) const override { return linux_process(pid); }

  /// METAL_UNLOCK_SIMULATED_DEBUGGER=lldb takes the debugger of a Mac.
  DebugMeans debug_means() const override {
    DebugMeans means = linux_debug_means();
    if (environment().get_non_empty("METAL_UNLOCK_SIMULATED_DEBUGGER") == "lldb")
      means.debugger = DebuggerKind::lldb;
    return means;
  }

  /// METAL_UNLOCK_SIMULATED_SHARES names the folder in which the simulated host's shares appear.
  std::string shared_folders() const override {
    return std::string{environment().get_non_empty("METAL_UNLOCK_SIMULATED_SHARES").value_or("")};
  }

  Result<PreferenceState> host_preference() const override {
    const Result<std::string> path = preference_file();
    if (!path) return path.finding();
    if (facts(*path).kind == FileKind::missing) return PreferenceState::unset;
    const Result<std::string> stored = read_file(*path, largest_preference);
    if (!stored) return preference_finding(stored.finding().sentence);
    if (stored->empty()) return PreferenceState::unset;
    return *stored == "true"    ? PreferenceState::on
           : *stored == "false" ? PreferenceState::off
                                : PreferenceState::other;
  }

  Result<PreferenceState> set_host_preference(bool on) override {
    const Result<std::string> path = preference_file();
    if (!path) return path.finding();
    const Result<std::string> written = replace_file(*path, on ? "true" : "");
    if (!written) return preference_finding(written.finding().sentence);
    return host_preference();
  }

 protected:
  std::string cache_folder() const override {
    const auto configured = environment().get_non_empty("XDG_CACHE_HOME");
    if (configured && configured->starts_with('/')) return std::string{*configured};
    const std::string home = home_folder();
    return home.empty() ? home : home + "/.cache";
  }

 private:
  /// METAL_UNLOCK_SIMULATED_PREFERENCE names the file that stands for the preference: "true", "false", or
  /// nothing.
  Result<std::string> preference_file() const {
    const auto path = environment().get_non_empty("METAL_UNLOCK_SIMULATED_PREFERENCE");
    if (!path) return preference_finding("the simulated host keeps no preferences");
    return std::string{*path};
  }

  static Finding preference_finding(std::string sentence) {
    return {FindingId::preference_failed, std::move(sentence),
            "set METAL_UNLOCK_SIMULATED_PREFERENCE to a file"};
  }

  const std::string& marks() const {
    if (!marks_) {
      const auto file = environment().get_non_empty(recorded_marks_variable);
      const auto text =
          file ? read_file(std::string{*file}, Bytes{65536}) : Result<std::string>{std::string{}};
      marks_ = text ? *text : std::string{};
    }
    return *marks_;
  }

  bool is_marked(std::string_view mark, const std::string& path) const {
    std::string_view lines = marks();
    while (!lines.empty()) {
      const std::string_view line = lines.substr(0, lines.find('\n'));
      const std::string_view marked = line.starts_with(mark) ? line.substr(mark.size()) : std::string_view{};
      if (!marked.empty() && (marked == path || (marked.ends_with('/') && path.starts_with(marked))))
        return true;
      lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    }
    return false;
  }

  mutable std::optional<std::string> marks_;

  /// Beside the program in a build folder, in lib/metal-unlock beside bin/ where installed.
  std::string metal_path() const {
    const std::string folder = folder_of(own_path());
    const std::string beside = folder + "/libMetal.so";
    return facts(beside).kind == FileKind::regular ? beside
                                                   : folder_of(folder) + "/lib/metal-unlock/libMetal.so";
  }
};

}  // namespace

std::unique_ptr<System> make_system(char** environment) {
  return std::make_unique<SimulatedSystem>(environment);
}

}  // namespace metal_unlock
