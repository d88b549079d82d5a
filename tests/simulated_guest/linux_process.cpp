// SPDX-License-Identifier: MIT
#include "tests/simulated_guest/linux_process.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace metal_unlock {
namespace {

std::string folder_of(std::int64_t pid) { return "/proc/" + std::to_string(pid) + "/"; }

/// The words after "NAME:" in a status file; empty where there is no such line.
std::string line_of(const std::string& file, std::string_view name) {
  std::ifstream status{file};
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(name) && line.substr(name.size()).starts_with(':'))
      return line.substr(name.size() + 1);
  return {};
}

std::int64_t number_in(const std::string& text) { return std::strtoll(text.c_str(), nullptr, 10); }

ProcessState state_of(const std::string& words) {
  const std::size_t at = words.find_first_not_of(" \t");
  const char letter = at == std::string::npos ? 'X' : words[at];
  if (letter == 'Z' || letter == 'X') return ProcessState::ended;
  return letter == 'T' ? ProcessState::stopped : ProcessState::running;
}

/// Real, effective, saved and file-system user.
bool are_all(const std::string& identities, uid_t user) {
  std::istringstream words{identities};
  int count = 0;
  for (std::uint64_t identity = 0; words >> identity; ++count)
    if (identity != user) return false;
  return count > 0;
}

bool is_ours_or_waits(std::int64_t pid) {
  std::int64_t each = ::getpid();
  while (each > 1 && each != pid) each = number_in(line_of(folder_of(each) + "status", "PPid"));
  return each == pid && pid > 0;
}

std::string program_of(std::int64_t pid) {
  std::array<char, 4096> path{};
  const ssize_t length = ::readlink((folder_of(pid) + "exe").c_str(), path.data(), path.size());
  return length > 0 ? std::string(path.data(), static_cast<std::size_t>(length)) : std::string{};
}

/// The kernel gives the folder of a process that hides its memory to root, and does not name its program.
bool lets_others_look(std::int64_t pid) {
  struct stat folder {};
  const bool is_given_away =
      ::stat(folder_of(pid).c_str(), &folder) == 0 && folder.st_uid != ::geteuid() && ::geteuid() != 0;
  return !is_given_away && !program_of(pid).empty();
}

/// Class and machine of a program, as the first bytes of its file say them.
bool is_for_this_processor(std::int64_t pid) {
  const auto header_of = [](const std::string& path) {
    Elf64_Ehdr header{};
    std::ifstream{path, std::ios::binary}.read(reinterpret_cast<char*>(&header), sizeof header);
    return header;
  };
  const Elf64_Ehdr ours = header_of("/proc/self/exe");
  const Elf64_Ehdr theirs = header_of(folder_of(pid) + "exe");
  return theirs.e_ident[EI_CLASS] == ours.e_ident[EI_CLASS] && theirs.e_machine == ours.e_machine;
}

std::vector<std::string> files_in_memory(std::int64_t pid) {
  std::vector<std::string> files;
  std::ifstream maps{folder_of(pid) + "maps"};
  for (std::string line; std::getline(maps, line);) {
    const std::size_t path = line.find('/');
    if (path == std::string::npos) continue;
    std::string file = line.substr(path);
    if (std::ranges::find(files, file) == files.end()) files.push_back(std::move(file));
  }
  return files;
}

/// The dynamic loader of glibc, musl and their like.
bool is_loader(const std::string& file) {
  const std::string name = file.substr(file.rfind('/') + 1);
  return name.starts_with("ld-") || name.starts_with("ld.so") || name.starts_with("ld64");
}

}  // namespace

ProcessFacts linux_process(std::int64_t pid) {
  ProcessFacts facts{.pid = pid};
  const std::string status = folder_of(pid) + "status";
  const std::string state = line_of(status, "State");
  // A number of a thread has a status of its own; the process is its thread group.
  if (state.empty() || number_in(line_of(status, "Tgid")) != pid) return facts;
  facts.state = state_of(state);
  if (facts.state == ProcessState::ended) return facts;
  facts.program = program_of(pid);
  facts.is_same_user = are_all(line_of(status, "Uid"), ::geteuid());
  facts.waits_for_us = is_ours_or_waits(pid);
  facts.is_traced = number_in(line_of(status, "TracerPid")) != 0;
  facts.is_open = lets_others_look(pid);
  if (!facts.is_open || !facts.is_same_user) return facts;
  facts.is_native = is_for_this_processor(pid);
  facts.libraries = files_in_memory(pid);
  facts.has_loader = std::ranges::any_of(facts.libraries, is_loader);
  return facts;
}

DebugMeans linux_debug_means() {
  DebugMeans means;
  int scope = 0;
  std::ifstream{"/proc/sys/kernel/yama/ptrace_scope"} >> scope;
  constexpr std::array scopes{TraceScope::same_user, TraceScope::descendants, TraceScope::administrators,
                              TraceScope::nobody};
  means.scope = scopes.at(static_cast<std::size_t>(std::clamp(scope, 0, 3)));
  constexpr unsigned may_trace = 1U << 19U;
  const std::string rights = line_of("/proc/self/status", "CapEff");
  means.is_administrator = (std::strtoull(rights.c_str(), nullptr, 16) & may_trace) != 0;
  return means;
}

}  // namespace metal_unlock
