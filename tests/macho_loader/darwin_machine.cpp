// SPDX-License-Identifier: MIT
#include "tests/macho_loader/darwin_program.hpp"
#include "tests/macho_loader/libraries.hpp"
#include "tests/simulated_guest/recorded_guest.hpp"

#include <cerrno>
#include <cstring>
#include <map>

// The recorded guest, as the kernel of macOS and IOKit tell about it.

namespace metal_unlock::macho {
namespace {

const Machine& machine() {
  static const Machine recorded = [] {
    const auto guest = load_recorded_guest();
    return guest ? guest->machine : Machine{};
  }();
  return recorded;
}

/// The bytes of a name's value; nothing where the kernel does not know the name.
std::string kernel_value(const std::string& name) {
  const Machine& recorded = machine();
  const auto number = [](bool is_set) { return std::string(1, is_set ? '\1' : '\0') + std::string(3, '\0'); };
  const std::map<std::string, std::string> texts{{"kern.osproductversion", recorded.os_version},
                                                 {"kern.osversion", recorded.os_build},
                                                 {"hw.model", recorded.model},
                                                 {"machdep.cpu.brand_string", recorded.chip}};
  if (name == "hw.optional.arm64") return number(recorded.architecture == "arm64");
  if (name == "kern.hv_vmm_present") return number(recorded.is_virtual);
  const auto found = texts.find(name);
  return found == texts.end() || found->second.empty() ? "" : found->second + '\0';
}

int kernel_value_by_name(const char* name, void* into, std::size_t* size, const void*, std::size_t) {
  const std::string value = kernel_value(name);
  if (value.empty()) {
    errno = ENOENT;
    return -1;
  }
  if (into != nullptr && *size < value.size()) {
    errno = ENOMEM;
    return -1;
  }
  if (into != nullptr) std::memcpy(into, value.data(), value.size());
  *size = value.size();
  return 0;
}

/// The bit that is set where the file system is not protected.
constexpr std::uint32_t unprotected = 2;

int protection(std::uint32_t* flags) {
  *flags = machine().sip == SipState::off ? unprotected : 0;
  return machine().sip == SipState::unknown ? -1 : 0;
}

// A service is its number in the list, from 1; an iterator is beyond all of them.
constexpr unsigned iterator = 1000;
unsigned next_service = 0;

char* matching_class(const char* name) { return strdup(name); }

int find_services(unsigned, char* base, unsigned* into) {
  // All of them are found as accelerators, and none by another name.
  next_service = std::strcmp(base, "IOAccelerator") == 0 ? 1 : iterator;
  free(base);
  *into = iterator;
  return 0;
}

unsigned following_service(unsigned) {
  return next_service <= machine().accelerators.size() ? next_service++ : 0;
}

int class_of_service(unsigned service, char (*into)[128]) {
  const std::string& name = machine().accelerators.at(service - 1);
  std::strncpy(*into, name.c_str(), sizeof *into - 1);
  return 0;
}

int release(unsigned) { return 0; }

const std::vector<const char*> none;
const std::vector<Symbol> nothing;
const std::vector<Symbol> kernel{{"csr_get_active_config", reinterpret_cast<void*>(protection)},
                                 {"sysctlbyname", reinterpret_cast<void*>(kernel_value_by_name)}};
const std::vector<Symbol> io_kit{
    {"IOIteratorNext", reinterpret_cast<void*>(following_service)},
    {"IOObjectGetClass", reinterpret_cast<void*>(class_of_service)},
    {"IOObjectRelease", reinterpret_cast<void*>(release)},
    {"IOServiceGetMatchingServices", reinterpret_cast<void*>(find_services)},
    {"IOServiceMatching", reinterpret_cast<void*>(matching_class)},
};

}  // namespace

void add_machine_libraries() {
  add_library({"/usr/lib/libSystem.B.dylib", nullptr, kernel, none});
  add_library({"/System/Library/Frameworks/IOKit.framework/Versions/A/IOKit", nullptr, io_kit, none});
  // Preferences, which only `host` asks for: whoever calls it ends with its name.
  add_library({"/System/Library/Frameworks/CoreFoundation.framework/Versions/A/CoreFoundation", nullptr,
               nothing, none});
}

}  // namespace metal_unlock::macho
