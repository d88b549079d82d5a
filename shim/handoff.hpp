// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace metal_unlock::shim {

/// The one variable the command line leaves for the shim.
inline constexpr char handoff_variable[] = "METAL_UNLOCK_HANDOFF";

/// Longest handoff that is read at all; a longer one is malformed.
inline constexpr size_t max_handoff_length = 8192;

/// Which processes may have Metal opened by the shim's constructor.
enum class OpenMetal : uint8_t {
  never,     ///< no `open` field: Metal is overridden only where the program was linked with it
  always,    ///< the target that `run` starts
  programs,  ///< children: every program but the system's own tools
};

/// Everything the shim is told. Fixed storage: it is filled before the C++ runtime of the target exists.
struct Handoff {
  static constexpr size_t max_classes = 4;
  static constexpr size_t max_class_name = 64;
  static constexpr size_t max_path = 1024;

  char classes[max_classes][max_class_name] = {};  ///< device classes that may be overridden, by exact name
  size_t class_count = 0;
  uint32_t apple_family = 0;                  ///< claimed Apple family, 1001 to 1999; 0: no claim
  uint64_t max_threadgroup_memory = 0;        ///< claimed bytes, a multiple of 16; 0: no claim
  uint64_t recommended_max_working_set = 0;   ///< claimed bytes; 0: no claim
  uint32_t simulated_family = 0;              ///< highest Apple family of a simulated smaller GPU; 0: none
  uint64_t simulated_threadgroup_memory = 0;  ///< its bytes, a multiple of 16; 0: none
  uint64_t simulated_working_set = 0;         ///< its bytes; 0: none
  char metal[max_path] = {};                  ///< absolute path of Metal, opened as `open` says; "": none
  OpenMetal open = OpenMetal::never;
  char report[max_path] = {};  ///< file that events are appended to; "": none
  int report_descriptor =
      -1;                 ///< inherited descriptor for the events of the constructor, 3 or higher; -1: none
  bool children = false;  ///< keep shim and handoff in the environment of children
  bool require = false;   ///< end the process with 125 when an override is not effective
  bool log = false;       ///< one line on stderr for each overridden class
  bool beyond_host = false;  ///< the user allowed claims above the ceiling: said in the report
  bool attached = false;     ///< the process runs already: ask Metal for its devices at once
};

enum class HandoffState : uint8_t { unset, empty, malformed, well_formed };

/// Reads `text` (null: unset) into `into`. Fields are meaningful only for `well_formed`.
///
/// The form is `v1;key=value;…;end`: keys in any order, each at most once (`class` up to four times), values
/// percent-encoded, at least one class and one claim or simulated answer, never both to one question, `open`
/// only with `metal`. Anything else is malformed, so a truncated handoff is too.
HandoffState parse_handoff(const char* text, Handoff& into) noexcept;

/// Writes what a child of this process may be told: `text` without `report-fd` (in a child the number may be
/// another file) and `attached`, with `open=programs` for any `open`. False where that does not fit.
/// `text` must be well formed.
bool handoff_for_children(const char* text, char (&into)[max_handoff_length + 1]) noexcept;

/// Whether the constructor of the program at `executable` (absolute, links resolved; "": unknown) opens
/// Metal.
bool opens_metal(const Handoff& handoff, const char* executable) noexcept;

}  // namespace metal_unlock::shim
