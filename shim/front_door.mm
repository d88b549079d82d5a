// SPDX-License-Identifier: MIT
#include "shim/front_door.hpp"

#include "shim/override.hpp"
#include "shim/report.hpp"

#include <dlfcn.h>
#include <unistd.h>

/// What is sent as a message, as a program would: here and nowhere else.
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

long highest_stock_family(const Slot& slot, id device) {
  long highest = 0;
  for (long family = first_apple_family; family <= last_apple_family; ++family) {
    if (stock_family(slot, device, family)) highest = family;
  }
  return highest;
}

void report_device(const Slot& slot, id device, DeviceState state) {
  if (!is_reporting()) return;
  Event event("device");
  event.text("class", slot.class_name).open("stock", '{');
  for (const Question question : questions) {
    if (claim_for(question) == 0 || missing_method(slot) != nullptr) continue;
    if (question == supports_family) {
      event.number(claim_names[question], static_cast<uint64_t>(highest_stock_family(slot, device)));
    } else if (state == DeviceState::made) {
      event.number(claim_names[question], stock_limit(slot, device, question));
    }
  }
  event.close('}').send();
}

/// A half-made device is asked for nothing but its families: its limits may not be there yet.
bool is_effective(const Slot& slot, id device, DeviceState state, Question question) {
  const auto door = static_cast<FrontDoorObject>(device);
  const uint64_t claim = claim_for(question);
  if (question == supports_family) return [door supportsFamily:static_cast<long>(claim)] != NO;
  if (state == DeviceState::half_made) return is_dispatched(slot, object_getClass(device), question);
  if (question == max_threadgroup_memory) return [door maxThreadgroupMemoryLength] >= claim;
  return [door recommendedMaxWorkingSetSize] >= claim;
}

/// The first claimed question that does not get the claimed answer; null: all do.
const char* ineffective_question(Slot& slot, id device, DeviceState state) {
  if (const char* missing = missing_method(slot)) return missing;
  const char* failed = nullptr;
  __atomic_store_n(&slot.own_question, this_thread(), __ATOMIC_RELAXED);
  for (const Question question : questions) {
    if (failed == nullptr && claim_for(question) != 0 && !is_effective(slot, device, state, question)) {
      failed = question_names[question];
    }
  }
  __atomic_store_n(&slot.own_question, 0, __ATOMIC_RELAXED);
  return failed;
}

void log_effective(const Slot& slot, id device) {
  Line line;
  line.add("metal-unlock: ").add(slot.class_name).add(": ");
  const uint64_t claim = claim_for(supports_family);
  if (claim == 0) {
    line.add("limits raised");
  } else {
    const auto stock = static_cast<uint64_t>(highest_stock_family(slot, device));
    stock == 0 ? line.add("no Apple family") : line.add("Apple").add(stock - 1000);
    if (stock < claim) line.add(" -> Apple").add(claim - 1000);
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

void judge(Slot& slot, id device, DeviceState state, const Handoff& handoff) {
  const char* question = ineffective_question(slot, device, state);
  Event event(question == nullptr ? "effective" : "ineffective");
  event.text("class", slot.class_name);
  if (question != nullptr) {
    event.text("reason", missing_method(slot) == nullptr ? "not reached" : "missing method")
        .text("question", question);
  }
  event.send();
  if (question == nullptr && handoff.log) log_effective(slot, device);
  if (question != nullptr && handoff.require) refuse(slot, question);
}

/// Calls a function of Metal's that makes devices; nil where there is none.
id call_metal(const Handoff& handoff, const char* name) {
  void* function = dlsym(RTLD_DEFAULT, name);
  if (function == nullptr && handoff.metal[0] != '\0')
    function = dlsym(dlopen(handoff.metal, RTLD_LAZY), name);
  return function == nullptr ? nil : reinterpret_cast<id (*)()>(function)();
}

}  // namespace

void meet_device(const Handoff& handoff, id device, DeviceState state) noexcept {
  Slot* slot = slot_of(object_getClass(device));
  if (slot == nullptr || !is_first(slot->is_met)) return;
  report_device(*slot, device, state);
  judge(*slot, device, state, handoff);
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
