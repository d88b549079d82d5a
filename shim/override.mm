// SPDX-License-Identifier: MIT
#include "shim/override.hpp"

#include "shim/events.hpp"

#include <string.h>

namespace metal_unlock::shim {
namespace {

using FamilyMethod = BOOL (*)(id, SEL, long);
using LimitMethod = uint64_t (*)(id, SEL);
using InitMethod = id (*)(id, SEL);

uint64_t claims[question_count];
uint64_t simulated[question_count];
Slot slots[Handoff::max_classes];
size_t slot_count = 0;
IMP original_init = nullptr;
void (*device_seen)(id device) = nullptr;

template <class Method>
IMP as_imp(Method method) {
  return reinterpret_cast<IMP>(reinterpret_cast<void (*)()>(method));
}

/// The acquire makes claims and names visible too: they are written before any original is published.
template <class Method>
Method published(const IMP& original) {
  const IMP imp = __atomic_load_n(&original, __ATOMIC_ACQUIRE);
  return reinterpret_cast<Method>(reinterpret_cast<void (*)()>(imp));
}

void publish(IMP& original, IMP imp) { __atomic_store_n(&original, imp, __ATOMIC_RELEASE); }

__attribute__((noinline, cold)) void tell_family(Slot& slot, id device, long family) {
  device_seen(device);
  report_family(slot, device, family);
}

__attribute__((noinline, cold)) void tell_limit(Slot& slot, id device, Question question, uint64_t stock) {
  device_seen(device);
  report_limit(slot, question, stock);
}

// Each slot has its own functions: so an override finds its original without looking at the object's class.

template <size_t index>
BOOL family_override(id self, SEL selector, long family) {
  Slot& slot = slots[index];
  const auto stock = published<FamilyMethod>(slot.originals[supports_family]);
  const bool claimed = is_claimed(claims[supports_family], family);
  if (!claimed && !is_beyond_simulated(simulated[supports_family], family))
    return stock(self, selector, family);
  if (!slot.told_families[family - first_apple_family].is_set()) tell_family(slot, self, family);
  return claimed ? YES : NO;
}

template <size_t index, Question question>
uint64_t limit_override(id self, SEL selector) {
  Slot& slot = slots[index];
  const uint64_t stock = published<LimitMethod>(slot.originals[question])(self, selector);
  const uint64_t told = lowered(raised(stock, claims[question]), simulated[question]);
  if (told != stock && !slot.told_limits[question].is_set()) tell_limit(slot, self, question, stock);
  return told;
}

template <size_t index>
IMP override_in_slot(Question question) {
  if (question == supports_family) return as_imp(family_override<index>);
  if (question == max_threadgroup_memory) return as_imp(limit_override<index, max_threadgroup_memory>);
  return as_imp(limit_override<index, recommended_max_working_set>);
}

constexpr IMP (*overrides[])(Question) = {override_in_slot<0>, override_in_slot<1>, override_in_slot<2>,
                                          override_in_slot<3>};
static_assert(sizeof overrides / sizeof *overrides == Handoff::max_classes);

IMP override_of(const Slot& slot, Question question) { return overrides[&slot - slots](question); }

/// What a class would do without us, also where a class that it inherits from is overridden already.
IMP behind_overrides(IMP imp, Question question) {
  for (size_t i = 0; i < slot_count; ++i) {
    if (imp == override_of(slots[i], question)) return published<IMP>(slots[i].originals[question]);
  }
  return imp;
}

/// The method that `cls` has itself; null where it only inherits one.
Method own_method(Class cls, SEL selector) {
  const Method method = class_getInstanceMethod(cls, selector);
  return method == class_getInstanceMethod(class_getSuperclass(cls), selector) ? nullptr : method;
}

/// Adds an inherited method to `cls`: changing it in the superclass would change every other device.
void replace(Class cls, Method method, IMP imp) {
  const SEL selector = method_getName(method);
  if (const Method own = own_method(cls, selector)) {
    method_setImplementation(own, imp);
  } else {
    class_addMethod(cls, selector, imp, method_getTypeEncoding(method));
  }
}

/// All or none: every method is looked up before the first is replaced. Threads that come at the same time
/// all do the same work with the same result, since waiting for one another could meet the runtime's own
/// lock.
void override_class(Slot& slot, Class cls) {
  if (slot.is_overridden.is_set()) return;
  Method methods[question_count] = {};
  for (const Question question : questions) {
    if (!is_answered(question)) continue;
    methods[question] = class_getInstanceMethod(cls, sel_registerName(question_names[question]));
    if (methods[question] != nullptr) continue;
    __atomic_store_n(&slot.missing, question_names[question], __ATOMIC_RELEASE);
    return;
  }
  for (const Question question : questions) {
    if (methods[question] == nullptr) continue;
    publish(slot.originals[question],
            behind_overrides(method_getImplementation(methods[question]), question));
    replace(cls, methods[question], override_of(slot, question));
  }
  slot.is_overridden.set();
}

id init_override(id self, SEL selector) {
  const id result = published<InitMethod>(original_init)(self, selector);
  device_seen(self);
  return result;
}

}  // namespace

void begin_overrides(const Handoff& handoff, void (*seen)(id device)) noexcept {
  device_seen = seen;
  claims[supports_family] = handoff.apple_family;
  claims[max_threadgroup_memory] = handoff.max_threadgroup_memory;
  claims[recommended_max_working_set] = handoff.recommended_max_working_set;
  simulated[supports_family] = handoff.simulated_family;
  simulated[max_threadgroup_memory] = handoff.simulated_threadgroup_memory;
  simulated[recommended_max_working_set] = handoff.simulated_working_set;
  slot_count = handoff.class_count;
  for (size_t i = 0; i < slot_count; ++i) slots[i].class_name = handoff.classes[i];
}

uint64_t claim_for(Question question) noexcept { return claims[question]; }

uint64_t simulated_for(Question question) noexcept { return simulated[question]; }

bool is_answered(Question question) noexcept { return claims[question] != 0 || simulated[question] != 0; }

void override_loaded_classes() noexcept {
  for (size_t i = 0; i < slot_count; ++i) slot_of(static_cast<Class>(objc_lookUpClass(slots[i].class_name)));
}

bool override_device_init() noexcept {
  const Class cls = static_cast<Class>(objc_lookUpClass("_MTLDevice"));
  const Method init = own_method(cls, sel_registerName("initGPUFamilySupport"));
  if (init == nullptr) return false;
  publish(original_init, method_getImplementation(init));
  method_setImplementation(init, as_imp(init_override));
  return true;
}

Slot* slot_of(Class cls) noexcept {
  for (; cls != Nil; cls = class_getSuperclass(cls)) {
    for (size_t i = 0; i < slot_count; ++i) {
      if (strcmp(class_getName(cls), slots[i].class_name) != 0) continue;
      override_class(slots[i], cls);
      report_class(slots[i]);
      return &slots[i];
    }
  }
  return nullptr;
}

const char* missing_method(const Slot& slot) noexcept {
  return __atomic_load_n(&slot.missing, __ATOMIC_ACQUIRE);
}

bool stock_family(const Slot& slot, id device, long family) noexcept {
  const SEL selector = sel_registerName(question_names[supports_family]);
  return published<FamilyMethod>(slot.originals[supports_family])(device, selector, family) != NO;
}

uint64_t stock_limit(const Slot& slot, id device, Question question) noexcept {
  const SEL selector = sel_registerName(question_names[question]);
  return published<LimitMethod>(slot.originals[question])(device, selector);
}

bool is_dispatched(const Slot& slot, Class cls, Question question) noexcept {
  const SEL selector = sel_registerName(question_names[question]);
  return class_getMethodImplementation(cls, selector) == override_of(slot, question);
}

}  // namespace metal_unlock::shim
