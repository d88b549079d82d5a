// SPDX-License-Identifier: MIT
#include "cli/platform/macos_host_preference.hpp"

#include <CoreFoundation/CoreFoundation.h>

namespace metal_unlock {
namespace {

// The same place as `defaults write com.apple.gpusw.ParavirtualizedGraphics …`: this user, any host.

CFStringRef domain() { return CFSTR("com.apple.gpusw.ParavirtualizedGraphics"); }
CFStringRef key() { return CFSTR("ForceUnrestrictedDeviceFeatureLevel"); }

bool synchronize() {
  return CFPreferencesSynchronize(domain(), kCFPreferencesCurrentUser, kCFPreferencesAnyHost) != 0;
}

PreferenceState state_of(CFTypeRef stored) {
  if (stored == nullptr) return PreferenceState::unset;
  if (CFGetTypeID(stored) != CFBooleanGetTypeID()) return PreferenceState::other;
  return CFBooleanGetValue(static_cast<CFBooleanRef>(stored)) != 0 ? PreferenceState::on
                                                                   : PreferenceState::off;
}

Finding unsynchronized() {
  return {FindingId::preference_failed, "the preferences of this user cannot be read or written",
          "try it by hand: defaults read com.apple.gpusw.ParavirtualizedGraphics"};
}

}  // namespace

Result<PreferenceState> read_host_preference() {
  if (!synchronize()) return unsynchronized();
  CFTypeRef stored =
      CFPreferencesCopyValue(key(), domain(), kCFPreferencesCurrentUser, kCFPreferencesAnyHost);
  const PreferenceState state = state_of(stored);
  if (stored != nullptr) CFRelease(stored);
  return state;
}

Result<PreferenceState> write_host_preference(bool on) {
  CFPropertyListRef wanted = on ? kCFBooleanTrue : nullptr;
  CFPreferencesSetValue(key(), wanted, domain(), kCFPreferencesCurrentUser, kCFPreferencesAnyHost);
  if (!synchronize()) return unsynchronized();
  return read_host_preference();
}

}  // namespace metal_unlock
