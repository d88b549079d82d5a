// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/guest_report.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace metal_unlock {

/// The answers of a Metal device that a profile may claim.
enum class Field : std::uint8_t { apple_family, max_threadgroup_memory, recommended_max_working_set };

/// What the amount of a field means, and so how it is checked and printed.
enum class FieldKind : std::uint8_t {
  family,  ///< one number stands for all below it
  limit,   ///< bytes that belong to the chip
  size,    ///< bytes that belong to one machine
  never,   ///< no amount: the answer stays stock
};

/// How a claim is measured.
enum class Measure : std::uint8_t { at_most_ceiling, never };

/// Whose word the ceiling of a field is.
enum class CeilingSource : std::uint8_t {
  chip,         ///< a host report, or else the profiles of the chip's family
  host_report,  ///< a host report alone
  none,
};

/// How claims of one kind are validated.
struct KindRow {
  FieldKind kind;
  Measure measure;
  CeilingSource ceiling;
};

const KindRow& kind_row(FieldKind kind);

/// What is true of one field, whichever profile names it.
struct FieldRow {
  Field field;
  FieldKind kind;
  std::string_view key;    ///< in TOML, and in `probe --json` where it is a size
  std::string_view metal;  ///< the question in Metal's words
  std::uint64_t least;     ///< smallest amount that makes sense
  std::uint64_t most;      ///< largest
  std::uint64_t multiple;  ///< every amount is a multiple of this
};

std::span<const FieldRow> field_rows();
const FieldRow& field_row(Field field);

/// An answer that no profile may claim, with the reason in one clause.
struct NeverRow {
  std::string_view key;
  std::string_view reason;
};

/// Keys people try in [claims] although the answer must stay stock.
std::span<const NeverRow> never_claimable();

/// Why a family outside the Apple range is never claimed; empty for an Apple family.
std::string_view never_claimed_because(GpuFamily family);

/// "Apple7" or "32 KiB".
std::string amount_text(Field field, std::uint64_t amount);

/// One amount for each field, or none: stock answers, claims, and ceilings all have this shape.
class Capabilities {
 public:
  const std::optional<std::uint64_t>& operator[](Field field) const { return amounts_.at(index(field)); }
  std::optional<std::uint64_t>& operator[](Field field) { return amounts_.at(index(field)); }
  bool empty() const;
  bool operator==(const Capabilities&) const = default;

 private:
  static std::size_t index(Field field) { return static_cast<std::size_t>(field); }
  std::array<std::optional<std::uint64_t>, 3> amounts_{};
};

/// The stock capabilities of a device that has been asked.
Capabilities capabilities_of(const DeviceAnswers& device);

}  // namespace metal_unlock
