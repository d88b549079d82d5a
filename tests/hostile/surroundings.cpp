// SPDX-License-Identifier: MIT
#include "tests/hostile/surroundings.hpp"

namespace metal_unlock {

Words metal_unlock_words(Words words) {
  words.insert(words.begin(), metal_unlock_program());
  return words;
}

Words caps_words(const Words& options) { return run_words({metal_caps_program(), "--json"}, options); }

int highest_family(const Outcome& outcome) {
  return outcome.out.empty() ? 0 : apple_families(json::parse(outcome.out)).back();
}

SignalsBlocked::SignalsBlocked(std::initializer_list<int> numbers) {
  sigset_t blocked;
  sigemptyset(&blocked);
  for (const int number : numbers) sigaddset(&blocked, number);
  pthread_sigmask(SIG_BLOCK, &blocked, &before_);
}

SignalsBlocked::~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

LimitChanged::LimitChanged(int resource, rlim_t limit) : resource_(resource) {
  getrlimit(static_cast<__rlimit_resource>(resource_), &before_);
  const rlimit wanted{limit, before_.rlim_max};
  is_changed_ = setrlimit(static_cast<__rlimit_resource>(resource_), &wanted) == 0;
}

LimitChanged::~LimitChanged() { setrlimit(static_cast<__rlimit_resource>(resource_), &before_); }

Words as_another_user(const Words& argv) {
  Words words{"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all", "--"};
  words.insert(words.end(), argv.begin(), argv.end());
  return words;
}

}  // namespace metal_unlock
