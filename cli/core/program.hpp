// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/guest_report.hpp"
#include "cli/core/profile.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

/// What the unlock gives a program.
enum class Gain : std::uint8_t { much, some, none, unknown };

std::string_view to_text(Gain gain);

/// When a gate is open: one of the alternatives is answered with yes as a whole, and the device's name fits.
struct Condition {
  std::vector<std::vector<GpuFamily>> any_of;  ///< each alternative: families that must all be there
  std::vector<std::string> name_has;           ///< one of them is part of the name, whatever its case
  std::vector<std::string> name_lacks;         ///< none of them is
  bool never = false;                          ///< no answer opens it

  bool empty() const { return any_of.empty() && name_has.empty() && name_lacks.empty() && !never; }
  bool operator==(const Condition&) const = default;
};

/// "Apple7 or Metal3", "Metal4, name has M5 or M6"; empty where there is no condition.
std::string to_text(const Condition& condition);

/// Whether these answers open the gate; nothing where there is no condition.
std::optional<bool> is_open(const Condition& condition, const DeviceAnswers& answers);

enum class ItemKind : std::uint8_t {
  gate,       ///< a question, and what its answer decides
  variable,   ///< a variable of the environment that the program reads
  trap,       ///< what an answer of more than stock can break
  bad_guest,  ///< releases of macOS in which the program goes wrong as a guest
  advice,     ///< a variable that helps where no answer does
};

/// The table's name in TOML: "gate", "switch", "trap", "bad_guest", "advice".
std::string_view to_text(ItemKind kind);
inline constexpr std::array item_kinds{ItemKind::gate, ItemKind::variable, ItemKind::trap,
                                       ItemKind::bad_guest, ItemKind::advice};

/// Where a fact can be looked up, and of when it is.
struct FactSource {
  std::string source;
  std::string date;  ///< "2026-08-21"

  bool operator==(const FactSource&) const = default;
};

/// One fact about a program.
struct ProgramItem {
  ItemKind kind = ItemKind::gate;
  std::string name;       ///< unique within its kind; of a variable: its name
  std::string says;       ///< what it decides, does or breaks, in one clause
  std::string otherwise;  ///< of a gate: what happens where it is closed; of a bad guest: what helps
  std::string question;   ///< of a gate: the selector
  Condition condition;
  std::vector<std::string> operations;  ///< of a gate: what it decides about; "*": everything
  /// Of a gate: only with such types; empty: with all. "bf16" is the type of an operand or the result,
  /// "*,f16" are those of the first operands.
  std::vector<std::string> types;
  std::vector<std::string> not_types;  ///< of a gate: not with these after all
  std::vector<std::string> versions;   ///< of a bad guest: "14" stands for 14.x
  std::string value;                   ///< of advice: "{architecture}" stands for the chip's
  FactSource fact;
  std::string origin;  ///< the file that says so

  bool operator==(const ProgramItem&) const = default;
};

/// A fact that a program has once, and the file that says so.
struct Recognition {
  std::vector<std::string> names;      ///< of the program's files
  std::vector<std::string> libraries;  ///< of linked libraries, without folder and version
  FactSource fact;
  std::string origin;

  bool operator==(const Recognition&) const = default;
};

struct GainFact {
  Gain gain = Gain::unknown;
  std::string why;
  FactSource fact;
  std::string origin;

  bool operator==(const GainFact&) const = default;
};

/// A variable that the user has set for a program.
struct ProgramVariable {
  std::string name;
  std::string value;
  std::string origin;

  bool operator==(const ProgramVariable&) const = default;
};

/// An inherited item that a user's file drops.
struct DroppedItem {
  ItemKind kind = ItemKind::gate;
  std::string name;
  std::string origin;

  bool operator==(const DroppedItem&) const = default;
};

/// What is known of a program: one TOML file, or a user's with what it inherits.
struct Program {
  std::string name;
  std::string path;
  ProfileLayer layer = ProfileLayer::built_in;
  std::string description;
  std::optional<std::string> extends;
  Position extends_at;
  std::optional<GainFact> gain;
  std::optional<Recognition> recognition;
  std::vector<ProgramItem> items;
  std::vector<ProgramVariable> environment;  ///< only a user's file sets any
  std::vector<DroppedItem> without;

  std::vector<ProgramItem> items_of(ItemKind kind) const;
  bool operator==(const Program&) const = default;
};

/// Whether a program is meant by the name of a file, or by the names of the libraries that it is linked with.
bool is_recognised(const Program& program, std::string_view file, const std::vector<std::string>& libraries);

/// An operation as a program's gates speak of it.
struct Operation {
  std::string name;
  std::vector<std::string> operands;  ///< their types
  std::string result;                 ///< its type
};

/// Whether a gate is about an operation.
bool is_about(const ProgramItem& gate, const Operation& operation);

/// Whether the program does an operation with such a device: every gate that is about it is open.
bool does_operation(const Program& program, const Operation& operation, const DeviceAnswers& answers);

/// The bad guests that a machine is one of.
std::vector<ProgramItem> bad_guests_here(const Program& program, const Machine& machine);

}  // namespace metal_unlock
