// SPDX-License-Identifier: MIT
#include "cli/platform/macos_machine.hpp"

#include "cli/core/need.hpp"

#include <IOKit/IOKitLib.h>
#include <algorithm>
#include <cstdint>
#include <string>
#include <sys/sysctl.h>
#include <vector>

/// In libSystem and used by csrutil, but in no public header.
extern "C" int csr_get_active_config(std::uint32_t* flags);

namespace metal_unlock {
namespace {

/// Without the file system's protection the loader treats a system program like any other.
constexpr std::uint32_t csr_allow_unrestricted_fs = 1U << 1U;

/// Empty where the kernel does not know the name.
std::string text_of(const char* name) {
  std::size_t size = 0;
  if (::sysctlbyname(name, nullptr, &size, nullptr, 0) != 0 || size == 0) return {};
  std::string text(size, '\0');
  if (::sysctlbyname(name, text.data(), &size, nullptr, 0) != 0) return {};
  text.resize(std::min(size, text.find('\0')));
  return text;
}

bool is_set(const char* name) {
  int number = 0;
  std::size_t size = sizeof number;
  return ::sysctlbyname(name, &number, &size, nullptr, 0) == 0 && number != 0;
}

SipState sip_state() {
  std::uint32_t flags = 0;
  if (csr_get_active_config(&flags) != 0) return SipState::unknown;
  return (flags & csr_allow_unrestricted_fs) != 0 ? SipState::off : SipState::on;
}

/// Adds the classes of the services that are a `base`, each once.
void add_services(const char* base, std::vector<std::string>& classes) {
  io_iterator_t services = 0;
  constexpr mach_port_t main_port = 0;
  if (IOServiceGetMatchingServices(main_port, IOServiceMatching(base), &services) != KERN_SUCCESS) return;
  while (const io_object_t service = IOIteratorNext(services)) {
    io_name_t name{};
    if (IOObjectGetClass(service, name) == KERN_SUCCESS && std::ranges::find(classes, name) == classes.end())
      classes.emplace_back(name);
    IOObjectRelease(service);
  }
  IOObjectRelease(services);
}

/// The paravirtual GPU is asked for by its own name as well, in case it is no IOAccelerator.
std::vector<std::string> accelerators() {
  std::vector<std::string> classes;
  for (const char* base : {"IOAccelerator", paravirtual_accelerator.data()}) add_services(base, classes);
  return classes;
}

}  // namespace

Machine macos_machine() {
  return {.os = "macOS",
          .os_version = text_of("kern.osproductversion"),
          .os_build = text_of("kern.osversion"),
          .model = text_of("hw.model"),
          .chip = text_of("machdep.cpu.brand_string"),
          // Of the machine: uname(3) would say x86_64 under Rosetta.
          .architecture = is_set("hw.optional.arm64") ? "arm64" : "x86_64",
          .is_virtual = is_set("kern.hv_vmm_present"),
          .sip = sip_state(),
          .accelerators = accelerators()};
}

}  // namespace metal_unlock
