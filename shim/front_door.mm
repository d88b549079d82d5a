// SPDX-License-Identifier: MIT
#include "shim/front_door.hpp"

#include "shim/override.hpp"
#include "shim/report.hpp"

#include <dlfcn.h>
#include <unistd.h>

/// What is asked by message, as a program would: here and nowhere else.
@protocol FrontDoor
- (BOOL)supportsFamily:(long)family;
- (uint64_t)maxThreadgroupMemoryLength;
- (uint64_t)recommendedMaxWorkingSetSize;
@end

/// What is needed of the array that MTLCopyAllDevices returns.
@protocol DeviceList
- (unsigned long)count;
- (id)objectAtIndex:(unsigned long)index;
@end

namespace metal_unlock::shim {
namespace {

using FrontDoorObject = id<FrontDoor>;
using DeviceListObject = id<DeviceList>;

/// Whether a simulated smaller GPU answers as it should.
bool is_simulated(id device, Question question) {
  const auto door = static_cast<FrontDoorObject>(device);
  const uint64_t most = simulated_for(question);
  if (question == supports_family) return [door supportsFamily:static_cast<long>(most) + 1] == NO;
  if (question == max_threadgroup_memory) return [door maxThreadgroupMemoryLength] <= most;
  return [door recommendedMaxWorkingSetSize] <= most;
}

/// A half-made device is asked for nothing but its families: its limits may not be there yet.
bool is_effective(const Slot& slot, id device, DeviceState state, Question question) {
  const auto door = static_cast<FrontDoorObject>(device);
  const uint64_t claim = claim_for(question);
  if (state == DeviceState::half_made && question != supports_family)
    return is_dispatched(slot, object_getClass(device), question);
  if (claim == 0) return is_simulated(device, question);
  if (question == supports_family) return [door supportsFamily:static_cast<long>(claim)] != NO;
  if (question == max_threadgroup_memory) return [door maxThreadgroupMemoryLength] >= claim;
  return [door recommendedMaxWorkingSetSize] >= claim;
}

/// The first claimed question that does not get the claimed answer; null: all do.
const char* ineffective_question(Slot& slot, id device, DeviceState state) {
  if (const char* missing = missing_method(slot)) return missing;
  const char* failed = nullptr;
  __atomic_store_n(&slot.asking_thread, this_thread(), __ATOMIC_RELAXED);
  for (const Question question : questions) {
    if (!is_answered(question) || is_effective(slot, device, state, question)) continue;
    failed = question_names[question];
    break;
  }
  __atomic_store_n(&slot.asking_thread, 0, __ATOMIC_RELAXED);
  return failed;
}

void log_effective(const Slot& slot, id device) {
  Line line;
  line.add("metal-unlock: ").add(slot.class_name).add(": ");
  const uint64_t claim = claim_for(supports_family);
  const uint64_t simulated = simulated_for(supports_family);
  if (!is_answered(supports_family)) {
    line.add("limits overridden");
  } else {
    const uint64_t stock = highest_stock_family(slot, device);
    stock == 0 ? line.add("no Apple family") : line.add("Apple").add(stock - 1000);
    if (stock < claim) line.add(" -> Apple").add(claim - 1000);
    if (simulated != 0 && simulated < stock) line.add(" -> Apple").add(simulated - 1000).add(" (simulated)");
  }
  line.write_to(STDERR_FILENO);
}

/// The one way in which the shim ends a process.
void refuse(const Slot& slot, const char* question) {
  Line line;
  line.add("metal-unlock: ").add(slot.class_name).add(" does not give the claimed answer to ").add(question);
  line.add(", and the policy is require").write_to(STDERR_FILENO);
  _exit(125);
}

/// Calls a function of Metal's that makes devices; nil where there is none.
id call_metal(const Handoff& handoff, const char* name) {
  void* function = dlsym(RTLD_DEFAULT, name);
  if (function == nullptr && handoff.metal[0] != '\0') {
    function = dlsym(dlopen(handoff.metal, RTLD_LAZY), name);
  }
  return function == nullptr ? nil : reinterpret_cast<id (*)()>(function)();
}

}  // namespace

void meet_device(const Handoff& handoff, id device, DeviceState state) noexcept {
  Slot* slot = slot_of(object_getClass(device));
  if (slot == nullptr || !slot->is_met.set_first()) return;
  report_device(*slot, device, state);
  const char* failed = ineffective_question(*slot, device, state);
  if (missing_method(*slot) == nullptr) report_verdict(*slot, failed);
  if (failed == nullptr && handoff.log) log_effective(*slot, device);
  if (failed != nullptr && handoff.require) refuse(*slot, failed);
}

void meet_every_device(const Handoff& handoff) noexcept {
  // Neither result is released: the program's own start would have to make the devices again.
  const id device = call_metal(handoff, "MTLCreateSystemDefaultDevice");
  const auto devices = static_cast<DeviceListObject>(call_metal(handoff, "MTLCopyAllDevices"));
  override_loaded_classes();
  if (device != nil) meet_device(handoff, device, DeviceState::made);
  for (unsigned long i = 0, count = [devices count]; i < count; ++i) {
    meet_device(handoff, [devices objectAtIndex:i], DeviceState::made);
  }
}

}  // namespace metal_unlock::shim
