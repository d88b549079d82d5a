// SPDX-License-Identifier: MIT
#include "cli/platform/macos_process.hpp"

#include <algorithm>
#include <array>
#include <libproc.h>
#include <optional>
#include <string>
#include <sys/param.h>
#include <sys/proc.h>
#include <sys/sysctl.h>
#include <unistd.h>

namespace metal_unlock {
namespace {

/// The kernel's own row; none where there is no such process.
std::optional<kinfo_proc> row_of(std::int64_t pid) {
  std::array<int, 4> name{CTL_KERN, KERN_PROC, KERN_PROC_PID, static_cast<int>(pid)};
  kinfo_proc row{};
  std::size_t size = sizeof row;
  if (::sysctl(name.data(), static_cast<unsigned>(name.size()), &row, &size, nullptr, 0) != 0 ||
      size < sizeof row)
    return std::nullopt;
  return row;
}

bool is_ours_or_waits(std::int64_t pid) {
  std::int64_t each = ::getpid();
  while (each > 1 && each != pid) {
    const std::optional<kinfo_proc> row = row_of(each);
    if (!row) return false;
    each = row->kp_eproc.e_ppid;
  }
  return each == pid && pid > 0;
}

std::string program_of(std::int64_t pid) {
  std::array<char, PROC_PIDPATHINFO_MAXSIZE> path{};
  const int length =
      ::proc_pidpath(static_cast<int>(pid), path.data(), static_cast<std::uint32_t>(path.size()));
  return length > 0 ? std::string(path.data(), static_cast<std::size_t>(length)) : std::string{};
}

/// Files that the process has mapped, region by region. The system's own libraries come out of one cache.
std::vector<std::string> files_in_memory(std::int64_t pid) {
  std::vector<std::string> files;
  std::uint64_t address = 0;
  while (true) {
    proc_regionwithpathinfo region{};
    const int size = ::proc_pidinfo(static_cast<int>(pid), PROC_PIDREGIONPATHINFO, address, &region,
                                    static_cast<int>(sizeof region));
    if (size < static_cast<int>(sizeof region)) return files;
    const std::string file = static_cast<const char*>(region.prp_vip.vip_path);
    if (!file.empty() && std::ranges::find(files, file) == files.end()) files.push_back(file);
    const std::uint64_t next = region.prp_prinfo.pri_address + region.prp_prinfo.pri_size;
    if (next <= address) return files;
    address = next;
  }
}

}  // namespace

ProcessFacts macos_process(std::int64_t pid) {
  ProcessFacts facts{.pid = pid};
  const std::optional<kinfo_proc> row = row_of(pid);
  if (!row || row->kp_proc.p_pid != pid) return facts;
  facts.state = row->kp_proc.p_stat == SZOMB   ? ProcessState::ended
                : row->kp_proc.p_stat == SSTOP ? ProcessState::stopped
                                               : ProcessState::running;
  if (facts.state == ProcessState::ended) return facts;
  const uid_t user = ::geteuid();
  facts.program = program_of(pid);
  facts.is_same_user = row->kp_eproc.e_pcred.p_ruid == user && row->kp_eproc.e_pcred.p_svuid == user &&
                       row->kp_eproc.e_ucred.cr_uid == user;
  facts.waits_for_us = is_ours_or_waits(pid);
  facts.is_traced = (row->kp_proc.p_flag & P_TRACED) != 0;
  facts.is_native = (row->kp_proc.p_flag & P_TRANSLATED) == 0;
  if (facts.is_same_user) facts.libraries = files_in_memory(pid);
  return facts;
}

}  // namespace metal_unlock
