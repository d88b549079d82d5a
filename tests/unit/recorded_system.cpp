// SPDX-License-Identifier: MIT
#include "tests/unit/recorded_system.hpp"

#include "cli/core/sha256.hpp"
#include "cli/run_cli.hpp"
#include "tests/files.hpp"

#include <algorithm>
#include <stdexcept>

namespace metal_unlock {
namespace {

/// Thrown where the target takes over: `replace_process` does not return there.
struct Started {
  Plan plan;
};

}  // namespace

RecordedSystem::RecordedSystem(std::string_view guest_name) : variables{{"PATH=/usr/bin", "HOME=/home/me"}} {
  const auto report = parse_guest_report(metal_unlock::read_file(guest_file(guest_name)), guest_name);
  if (!report) throw std::runtime_error(report.finding().sentence);
  guest = *report;
  add_program("/usr/bin/tool");
  add_program("/usr/bin/metal-unlock");
}

Ran RecordedSystem::run(const std::vector<std::string>& words) {
  try {
    return {run_cli(*this, words), std::nullopt};
  } catch (const Started& started) {
    return {std::nullopt, started.plan};
  }
}

void RecordedSystem::add_program(const std::string& path, FileFacts facts_of_it) {
  files[path] = {"", facts_of_it, true};
}

void RecordedSystem::add_file(const std::string& path, std::string text) {
  files[path].text = std::move(text);
}

bool RecordedSystem::did(std::string_view act) const { return std::ranges::find(acts, act) != acts.end(); }

std::string RecordedSystem::canonical(const std::string& path) const {
  if (path == ".") return folder;
  for (const auto& [link, to] : links)
    if (path == link || path.starts_with(link + "/")) return canonical(to + path.substr(link.size()));
  return path;
}

FileFacts RecordedSystem::facts(const std::string& path) const {
  const auto found = files.find(canonical(path));
  return found == files.end() ? FileFacts{} : found->second.facts;
}

std::vector<std::string> RecordedSystem::names_in(const std::string& path) const {
  std::vector<std::string> names;
  for (const auto& [file, ignored] : files) {
    if (!file.starts_with(path + "/")) continue;
    const std::string below = file.substr(path.size() + 1);
    const std::string name = below.substr(0, below.find('/'));
    if (names.empty() || names.back() != name) names.push_back(name);
  }
  return names;
}

Loader RecordedSystem::loader() const {
  return {.preload_variable = "LD_PRELOAD",
          .separators = " :",
          .shim_name = "libmetal-unlock.so",
          .metal = "/opt/libMetal.so",
          .shim_slices = {"x86_64", "arm64"}};
}

Result<Machine> RecordedSystem::observe() {
  acts.emplace_back("observe");
  if (observe_fault) return *observe_fault;
  return guest.machine;
}

Result<std::vector<DeviceAnswers>> RecordedSystem::ask_metal() {
  acts.emplace_back("ask metal");
  if (metal_fault) return *metal_fault;
  return guest.devices;
}

Result<std::string> RecordedSystem::read_file(const std::string& path, Bytes largest) const {
  const auto found = files.find(path);
  if (found == files.end() || !found->second.is_readable || found->second.text.size() > largest.count)
    return Finding{FindingId::file_unreadable, "'" + path + "' cannot be read", "check the path"};
  return found->second.text;
}

Result<std::unique_ptr<ByteSource>> RecordedSystem::open_bytes(const std::string& path) const {
  auto bytes = read_file(path, Bytes{std::string::npos});
  if (!bytes) return std::move(bytes).finding();
  return std::unique_ptr<ByteSource>{std::make_unique<MemorySource>(*std::move(bytes))};
}

Result<std::string> RecordedSystem::shim_location() const {
  if (shim_fault) return *shim_fault;
  return shim;
}

Result<std::string> RecordedSystem::place_shim() {
  acts.emplace_back("place shim");
  return shim_location();
}

Result<std::string> RecordedSystem::remove_file(const std::string& path) {
  acts.emplace_back("remove file");
  files.erase(path);
  return path;
}

Result<std::string> RecordedSystem::replace_file(const std::string& path, std::string_view text) {
  acts.emplace_back("write file");
  if (write_fault) return *write_fault;
  add_file(path, std::string{text});
  return path;
}

ProcessFacts RecordedSystem::process(std::int64_t pid) const {
  for (const ProcessFacts& each : processes)
    if (each.pid == pid) return each;
  return {.pid = pid};
}

Result<PreferenceState> RecordedSystem::set_host_preference(bool on) {
  acts.emplace_back("set preference");
  if (preference) preference = on ? PreferenceState::on : PreferenceState::unset;
  return preference;
}

Result<int> RecordedSystem::watch(const Watch& watch) {
  acts.emplace_back("watch");
  if (watch_fault) return *watch_fault;
  watched = watch;
  return 100;
}

Finding RecordedSystem::replace_process(const Plan& plan) {
  acts.emplace_back("start");
  if (start_fault) return *start_fault;
  throw Started{plan};
}

Result<Captured> RecordedSystem::capture(const Plan& plan) {
  acts.emplace_back("capture");
  captured_plan = plan;
  return captured;
}

MachineState RecordedSystem::machine_state() const {
  return states.at(std::min(asked_states++, states.size() - 1));
}

Result<std::string> RecordedSystem::hash_file(const std::string& path) const {
  const Result<std::string> text = read_file(path, Bytes{std::uint64_t{1} << 40U});
  if (!text) return text.finding();
  return sha256_of(*text);
}

Result<std::string> RecordedSystem::make_folder(const std::string& path) {
  acts.emplace_back("make folder");
  if (files.contains(path))
    return Finding{FindingId::evidence_unwritten, "'" + path + "' is there", "another"};
  files[path] = {"", {FileKind::directory, false, false}, false};
  return path;
}

std::optional<std::string> RecordedSystem::read_memory(Bytes largest) const {
  acts.emplace_back("read memory");
  return memory && memory->size() <= largest.count ? memory : std::nullopt;
}

std::optional<Finding> RecordedSystem::keep_memory(std::string_view text) {
  acts.emplace_back("keep memory");
  if (!memory_fault) memory = std::string{text};
  return memory_fault;
}

Result<bool> RecordedSystem::forget_memory() {
  acts.emplace_back("forget memory");
  if (memory_fault) return *memory_fault;
  const bool was_there = memory.has_value();
  memory.reset();
  return was_there;
}

Result<Finished> RecordedSystem::run_to_end(const Plan& plan, const RunLimits& limits) {
  acts.emplace_back("run");
  run_plans.push_back(plan);
  run_limits.push_back(limits);
  for (const auto& [path, text] : written_by_run) files[path].text += text;
  if (on_run) return on_run(plan);
  return runs.at(std::min(run_plans.size(), runs.size()) - 1);
}

bool RecordedSystem::write(Stream stream, std::string_view text) {
  (stream == Stream::out ? out : err) += text;
  return takes_output;
}

}  // namespace metal_unlock
