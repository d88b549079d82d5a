// SPDX-License-Identifier: MIT
#include "shim/events.hpp"

#include "shim/override.hpp"
#include "shim/report.hpp"

namespace metal_unlock::shim {
namespace {

bool is_news(const Slot& slot, Mark& told) {
  return __atomic_load_n(&slot.asking_thread, __ATOMIC_RELAXED) != this_thread() && told.set_first() &&
         is_reporting();
}

bool is_simulating() {
  for (const Question question : questions) {
    if (simulated_for(question) != 0) return true;
  }
  return false;
}

}  // namespace

void report_loading(const Handoff& handoff) noexcept {
  Event event("loaded");
  event.open("claims", '{');
  for (const Question question : questions) {
    if (claim_for(question) != 0) event.number(claim_names[question], claim_for(question));
  }
  event.close('}');
  if (is_simulating()) {
    event.open("simulated", '{');
    for (const Question question : questions) {
      if (simulated_for(question) != 0) event.number(claim_names[question], simulated_for(question));
    }
    event.close('}');
  }
  event.truth("beyond-host", handoff.beyond_host).send();
}

void report_metal(bool linked, bool present) noexcept {
  Event("metal").text("origin", linked ? "linked" : present ? "opened" : "absent").send();
}

void report_foreign_shim(const char* name, const char* found_in) noexcept {
  Event("foreign-shim").text("name", name).text("found-in", found_in).send();
}

void report_class(Slot& slot) noexcept {
  if (!slot.is_announced.set_first()) return;
  if (missing_method(slot) != nullptr) return report_verdict(slot, missing_method(slot));
  Event event("overridden");
  event.text("class", slot.class_name).open("methods", '[');
  for (const Question question : questions) {
    if (is_answered(question)) event.item(question_names[question]);
  }
  event.close(']').send();
}

void report_device(const Slot& slot, id device, DeviceState state) noexcept {
  if (!is_reporting()) return;
  Event event("device");
  event.text("class", slot.class_name).open("stock", '{');
  for (const Question question : questions) {
    if (!is_answered(question) || missing_method(slot) != nullptr) continue;
    if (question == supports_family) {
      event.number(claim_names[question], highest_stock_family(slot, device));
    } else if (state == DeviceState::made) {
      event.number(claim_names[question], stock_limit(slot, device, question));
    }
  }
  event.close('}').send();
}

void report_verdict(const Slot& slot, const char* failed) noexcept {
  Event event(failed == nullptr ? "effective" : "ineffective");
  event.text("class", slot.class_name);
  if (failed != nullptr) {
    event.text("reason", missing_method(slot) == nullptr ? "not reached" : "missing method");
    event.text("question", failed);
  }
  event.send();
}

void report_family(Slot& slot, id device, long family) noexcept {
  if (!is_news(slot, slot.told_families[family - first_apple_family])) return;
  const bool stock = stock_family(slot, device, family);
  const bool told = is_claimed(claim_for(supports_family), family);
  if (stock == told) return;
  Event event("answer");
  event.text("class", slot.class_name).text("question", question_names[supports_family]);
  event.number("family", static_cast<uint64_t>(family)).truth("stock", stock).truth("told", told).send();
}

void report_limit(Slot& slot, Question question, uint64_t stock) noexcept {
  if (!is_news(slot, slot.told_limits[question])) return;
  Event event("answer");
  event.text("class", slot.class_name).text("question", question_names[question]);
  event.number("stock", stock)
      .number("told", claim_for(question) != 0 ? claim_for(question) : simulated_for(question));
  event.send();
}

uint64_t highest_stock_family(const Slot& slot, id device) noexcept {
  long highest = 0;
  for (long family = first_apple_family; family <= last_apple_family; ++family) {
    if (stock_family(slot, device, family)) highest = family;
  }
  return static_cast<uint64_t>(highest);
}

}  // namespace metal_unlock::shim
