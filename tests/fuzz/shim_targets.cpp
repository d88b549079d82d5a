// SPDX-License-Identifier: MIT
#include "shim/handoff.hpp"
#include "shim/preload_list.hpp"
#include "tests/fuzz/promise.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/handoff_mutations.hpp"

namespace metal_unlock {
namespace {

/// What a C program sees of the bytes.
std::string c_text(std::string_view bytes) { return std::string{bytes.substr(0, bytes.find('\0'))}; }

}  // namespace

void fuzz_handoff(std::string_view bytes) {
  const std::string text = c_text(bytes);
  shim::Handoff handoff;
  const bool is_well_formed = shim::parse_handoff(text.c_str(), handoff) == shim::HandoffState::well_formed;
  const auto reading = strict_reading(text);
  promise(is_well_formed == reading.has_value(), "a second, strict reading agrees on the form");
  if (!reading) return;
  promise(difference(handoff, *reading).empty(), "a second, strict reading agrees on every field");
  promise(shim::opens_metal(handoff, "/bin/tool") == false || handoff.metal[0] == '/',
          "only a path is opened");
  char told[shim::max_handoff_length + 1];
  if (!shim::handoff_for_children(text.c_str(), told)) {
    promise(text.size() + sizeof "open=programs" > shim::max_handoff_length, "a handoff fits for children");
    return;
  }
  shim::Handoff child;
  promise(shim::parse_handoff(told, child) == shim::HandoffState::well_formed,
          "children are told what is well formed");
  promise(difference(child, for_children(*reading)).empty(), "children are told the same");
}

void fuzz_preload_list(std::string_view bytes) {
  const std::string list = c_text(bytes);
  std::string kept = list;
  const bool found = shim::remove_own_entries(kept.data(), ": ");
  kept.resize(std::char_traits<char>::length(kept.c_str()));
  promise(split(kept, ": ") == split(without_own_entries(list), ":"), "exactly our entries go");
  promise(found == (kept != list), "it is said whether an entry was ours");
  for (const shim::ForeignShim& foreign : shim::foreign_shims)
    promise(
        !shim::lists_foreign_shim(list.c_str(), foreign) || list.find(foreign.library) != std::string::npos,
        "another shim is in the list by its name");
  promise(!shim::switches_on(list.c_str()) || !list.empty(), "an empty variable switches nothing on");
}

}  // namespace metal_unlock
