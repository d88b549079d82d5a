// SPDX-License-Identifier: MIT
#include "shim/override.hpp"

#include "shim/report.hpp"

#include <pthread.h>
#include <string.h>

namespace metal_unlock::shim {
namespace {

using FamilyMethod = BOOL (*)(id, SEL, long);
using LimitMethod = uint64_t (*)(id, SEL);
using InitMethod = id (*)(id, SEL);

uint64_t claims[question_count];
Slot slots[Handoff::max_classes];
size_t slot_count = 0;
IMP original_init = nullptr;
void (*device_made)(id device) = nullptr;

template <class Method>
IMP as_imp(Method method) {
  return reinterpret_cast<IMP>(reinterpret_cast<void (*)()>(method));
}

template <class Method>
Method as_method(IMP imp) {
  return reinterpret_cast<Method>(reinterpret_cast<void (*)()>(imp));
}

/// The acquire makes claims and names visible too: they are written before any original is published.
IMP original(const IMP& published) { return __atomic_load_n(&published, __ATOMIC_ACQUIRE); }

/// The first answer of its kind is reported, but not when it is the shim that asks.
bool is_news(const Slot& slot, uint8_t& mark) {
  return __atomic_load_n(&slot.own_question, __ATOMIC_RELAXED) != this_thread() && is_first(mark) &&
         is_reporting();
}

__attribute__((noinline, cold)) void tell_family(Slot& slot, id device, long family) {
  if (!is_news(slot, slot.told_families[family - first_apple_family])) return;
  if (stock_family(slot, device, family)) return;
  Event event("answer");
  event.text("class", slot.class_name).text("question", question_names[supports_family]);
  event.number("family", static_cast<uint64_t>(family)).truth("stock", false).truth("told", true).send();
}

__attribute__((noinline, cold)) void tell_limit(Slot& slot, Question question, uint64_t stock) {
  if (!is_news(slot, slot.told_limits[question])) return;
  Event event("answer");
  event.text("class", slot.class_name).text("question", question_names[question]);
  event.number("stock", stock).number("told", claims[question]).send();
}

bool is_told(const uint8_t& mark) { return __atomic_load_n(&mark, __ATOMIC_RELAXED) != 0; }

// Each slot has its own functions, so that an override finds its original without looking at the object's
// class.

template <size_t index>
BOOL family_override(id self, SEL selector, long family) {
  Slot& slot = slots[index];
  const auto stock = as_method<FamilyMethod>(original(slot.originals[supports_family]));
  if (!is_claimed(claims[supports_family], family)) return stock(self, selector, family);
  if (!is_told(slot.told_families[family - first_apple_family])) tell_family(slot, self, family);
  return YES;
}

template <size_t index, Question question>
uint64_t limit_override(id self, SEL selector) {
  Slot& slot = slots[index];
  const uint64_t stock = as_method<LimitMethod>(original(slot.originals[question]))(self, selector);
  const uint64_t told = raised(stock, claims[question]);
  if (told != stock && !is_told(slot.told_limits[question])) tell_limit(slot, question, stock);
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

/// Where a superclass is overridden too, the original behind its override.
IMP behind_overrides(IMP imp, Question question) {
  for (size_t i = 0; i < slot_count; ++i) {
    if (imp == override_of(slots[i], question)) return original(slots[i].originals[question]);
  }
  return imp;
}

/// The method that `cls` has itself; null where it only inherits one.
Method own_method(Class cls, SEL selector) {
  const Method method = class_getInstanceMethod(cls, selector);
  return method == class_getInstanceMethod(class_getSuperclass(cls), selector) ? nullptr : method;
}

/// Adds an inherited method to `cls`, since changing the superclass would change every other device.
void replace(Class cls, SEL selector, IMP imp, const char* encoding) {
  if (const Method own = own_method(cls, selector)) {
    method_setImplementation(own, imp);
  } else {
    class_addMethod(cls, selector, imp, encoding);
  }
}

/// Every method is looked up before the first is changed. Threads that come at the same time all do the same
/// work, with the same result: waiting for one another could meet the runtime's own lock.
void override_class(Slot& slot, Class cls) {
  if (__atomic_load_n(&slot.is_overridden, __ATOMIC_ACQUIRE) != 0) return;
  Method methods[question_count] = {};
  for (const Question question : questions) {
    if (claims[question] == 0) continue;
    methods[question] = class_getInstanceMethod(cls, sel_registerName(question_names[question]));
    if (methods[question] == nullptr) {
      __atomic_store_n(&slot.missing, question_names[question], __ATOMIC_RELEASE);
      return;
    }
  }
  for (const Question question : questions) {
    if (methods[question] == nullptr) continue;
    const IMP stock = behind_overrides(method_getImplementation(methods[question]), question);
    __atomic_store_n(&slot.originals[question], stock, __ATOMIC_RELEASE);
    replace(cls, method_getName(methods[question]), override_of(slot, question),
            method_getTypeEncoding(methods[question]));
  }
  __atomic_store_n(&slot.is_overridden, 1, __ATOMIC_RELEASE);
}

/// Tells the report once what became of the class.
void announce(Slot& slot) {
  if (!is_first(slot.is_announced) || !is_reporting()) return;
  if (const char* missing = missing_method(slot)) {
    Event("ineffective")
        .text("class", slot.class_name)
        .text("reason", "missing method")
        .text("method", missing)
        .send();
    return;
  }
  Event event("overridden");
  event.text("class", slot.class_name).open("methods", '[');
  for (const Question question : questions) {
    if (claims[question] != 0) event.item(question_names[question]);
  }
  event.close(']').send();
}

id init_override(id self, SEL selector) {
  const id result = as_method<InitMethod>(original(original_init))(self, selector);
  device_made(self);
  return result;
}

}  // namespace

void begin_overrides(const Handoff& handoff) noexcept {
  claims[supports_family] = handoff.apple_family;
  claims[max_threadgroup_memory] = handoff.max_threadgroup_memory;
  claims[recommended_max_working_set] = handoff.recommended_max_working_set;
  for (; slot_count < handoff.class_count; ++slot_count)
    slots[slot_count].class_name = handoff.classes[slot_count];
}

uint64_t this_thread() noexcept { return reinterpret_cast<uint64_t>(pthread_self()); }

uint64_t claim_for(Question question) noexcept { return claims[question]; }

const char* missing_method(const Slot& slot) noexcept {
  return __atomic_load_n(&slot.missing, __ATOMIC_ACQUIRE);
}

void override_loaded_classes() noexcept {
  for (size_t i = 0; i < slot_count; ++i) {
    const Class cls = static_cast<Class>(objc_lookUpClass(slots[i].class_name));
    if (cls == Nil) continue;
    override_class(slots[i], cls);
    announce(slots[i]);
  }
}

bool override_device_init(void (*made)(id device)) noexcept {
  const Class cls = static_cast<Class>(objc_lookUpClass("_MTLDevice"));
  const Method init = cls == Nil ? nullptr : own_method(cls, sel_registerName("initGPUFamilySupport"));
  if (init == nullptr) return false;
  device_made = made;
  __atomic_store_n(&original_init, method_getImplementation(init), __ATOMIC_RELEASE);
  method_setImplementation(init, as_imp(init_override));
  return true;
}

Slot* slot_of(Class cls) noexcept {
  for (; cls != Nil; cls = class_getSuperclass(cls)) {
    for (size_t i = 0; i < slot_count; ++i) {
      if (strcmp(class_getName(cls), slots[i].class_name) != 0) continue;
      override_class(slots[i], cls);
      announce(slots[i]);
      return &slots[i];
    }
  }
  return nullptr;
}

bool stock_family(const Slot& slot, id device, long family) noexcept {
  const IMP stock = original(slot.originals[supports_family]);
  return as_method<FamilyMethod>(stock)(device, sel_registerName(question_names[supports_family]), family) !=
         NO;
}

uint64_t stock_limit(const Slot& slot, id device, Question question) noexcept {
  const IMP stock = original(slot.originals[question]);
  return as_method<LimitMethod>(stock)(device, sel_registerName(question_names[question]));
}

bool is_dispatched(const Slot& slot, Class cls, Question question) noexcept {
  return class_getMethodImplementation(cls, sel_registerName(question_names[question])) ==
         override_of(slot, question);
}

}  // namespace metal_unlock::shim
