// SPDX-License-Identifier: MIT
#include <objc/runtime.h>

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <mach-o/dyld.h>
#endif

#include "shim/front_door.hpp"
#include "shim/handoff.hpp"
#include "shim/override.hpp"
#include "shim/preload_list.hpp"
#include "shim/report.hpp"

namespace metal_unlock::shim {
namespace {

constinit Handoff handoff;

void leave_preload_list() {
  const char* list = getenv(preload_variable);
  char* kept = list == nullptr ? nullptr : strdup(list);
  if (kept == nullptr) return;
  if (remove_own_entries(kept)) {
    *kept == '\0' ? unsetenv(preload_variable) : setenv(preload_variable, kept, 1);
  }
  free(kept);
}

/// What the processes that this one starts will find in their environment.
void set_scope(const char* text) {
  char for_children[max_handoff_length + 1];
  if (handoff.children && handoff_for_children(text, for_children)) {
    setenv(handoff_variable, for_children, 1);
  } else {
    unsetenv(handoff_variable);
    leave_preload_list();
  }
}

void report_foreign_shims() {
  for (const ForeignShim& shim : foreign_shims) {
    const bool listed = lists_foreign_shim(getenv(preload_variable), shim);
    if (!listed && !switches_on(getenv(shim.variable))) continue;
    report_foreign_shim(shim.name, listed ? preload_variable : shim.variable);
    if (!handoff.log) continue;
    Line line;
    line.add("metal-unlock: ").add(shim.name).add("'s shim is set up for this process too");
    line.write_to(STDERR_FILENO);
  }
}

/// Absolute, with links resolved; "" where it is not known.
const char* executable_path(char (&into)[Handoff::max_path]) {
  into[0] = '\0';
#if defined(__APPLE__)
  char path[Handoff::max_path];
  uint32_t size = sizeof path;
  if (_NSGetExecutablePath(path, &size) != 0 || realpath(path, into) == nullptr) into[0] = '\0';
#else
  const ssize_t length = readlink("/proc/self/exe", into, sizeof into - 1);
  into[length < 0 ? 0 : length] = '\0';
#endif
  return into;
}

bool is_metal_present() { return objc_lookUpClass("_MTLDevice") != Nil; }

void device_seen(id device) { meet_device(handoff, device, DeviceState::half_made); }

/// Opens Metal before the program does, where the handoff allows it: a later load could not be noticed
/// safely.
bool find_metal() {
  const bool linked = is_metal_present();
  char executable[Handoff::max_path];
  if (!linked && opens_metal(handoff, executable_path(executable))) dlopen(handoff.metal, RTLD_LAZY);
  const bool present = is_metal_present();
  report_metal(linked, present);
  return present;
}

void unlock() {
  if (!find_metal()) return;
  override_loaded_classes();
  const bool every_device_passes = override_device_init();
  if (!every_device_passes || handoff.attached) meet_every_device(handoff);
}

/// The contract, from top to bottom: see docs/shim.md.
__attribute__((constructor)) void begin() {
  const char* text = getenv(handoff_variable);
  if (parse_handoff(text, handoff) != HandoffState::well_formed) return;
  set_scope(text);
  begin_report(handoff.report, handoff.report_descriptor);
  begin_overrides(handoff, device_seen);
  report_loading(handoff);
  report_foreign_shims();
  unlock();
  close_report_descriptor();
}

}  // namespace
}  // namespace metal_unlock::shim
