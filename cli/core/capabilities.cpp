// SPDX-License-Identifier: MIT
#include "cli/core/capabilities.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

// Sizes end below 2^48: more than any address space in use, so a larger one is a slip of the finger.
constexpr std::uint64_t largest_size = (std::uint64_t{1} << 48U) - 16;

constexpr std::array kinds{
    KindRow{FieldKind::family, Measure::at_most_ceiling, CeilingSource::chip},
    KindRow{FieldKind::limit, Measure::at_most_ceiling, CeilingSource::chip},
    KindRow{FieldKind::size, Measure::at_most_ceiling, CeilingSource::host_report},
    KindRow{FieldKind::never, Measure::never, CeilingSource::none},
};

constexpr std::array rows{
    FieldRow{Field::apple_family, FieldKind::family, "apple_family",
             "supportsFamily:", first_apple_family.number, last_apple_family.number, 1},
    FieldRow{Field::max_threadgroup_memory, FieldKind::limit, "max_threadgroup_memory",
             "maxThreadgroupMemoryLength", 16, largest_size, 16},
    FieldRow{Field::recommended_max_working_set, FieldKind::size, "recommended_max_working_set",
             "recommendedMaxWorkingSetSize", 16, largest_size, 16},
};

constexpr std::string_view mac_reason =
    "the Mac families are answered by the guest's own driver, and PyTorch relies on that";
constexpr std::string_view common_reason = "the Common families follow from the guest's own driver";
constexpr std::string_view metal_reason =
    "MLX builds residency sets once Metal 3 is claimed, and a virtual GPU cannot build them";
constexpr std::string_view name_reason = "MLX, tinygrad and Metal.jl recognise a virtual GPU by its name";

constexpr std::array never_rows{
    NeverRow{"name", name_reason},
    NeverRow{"device_name", name_reason},
    NeverRow{"architecture", "MLX picks kernels by it, and the guest's compiler speaks the stock one"},
    NeverRow{"architecture_name", "MLX picks kernels by it, and the guest's compiler speaks the stock one"},
    NeverRow{"metal_family", metal_reason},
    NeverRow{"mac_family", mac_reason},
    NeverRow{"common_family", common_reason},
    NeverRow{"mac_catalyst_family", mac_reason},
    NeverRow{"max_buffer_length", "the guest's driver enforces its own"},
    NeverRow{"unified_memory", "the guest answers it truthfully already"},
};

}  // namespace

std::span<const FieldRow> field_rows() { return rows; }
const KindRow& kind_row(FieldKind kind) { return kinds.at(static_cast<std::size_t>(kind)); }
const FieldRow& field_row(Field field) { return rows.at(static_cast<std::size_t>(field)); }
std::span<const NeverRow> never_claimable() { return never_rows; }

std::string_view never_claimed_because(GpuFamily family) {
  switch (range_of(family)) {
    case FamilyRange::apple:
      return {};
    case FamilyRange::mac:
    case FamilyRange::mac_catalyst:
      return mac_reason;
    case FamilyRange::common:
      return common_reason;
    case FamilyRange::metal:
      return metal_reason;
    case FamilyRange::unknown:
      break;
  }
  return "Apple families are 1001 to 1999";
}

std::string amount_text(Field field, std::uint64_t amount) {
  if (field_row(field).kind == FieldKind::family)
    return to_text(GpuFamily{static_cast<std::uint32_t>(amount)});
  return to_text(Bytes{amount});
}

bool Capabilities::empty() const {
  return std::ranges::none_of(amounts_, [](const auto& amount) { return amount.has_value(); });
}

Capabilities capabilities_of(const DeviceAnswers& device) {
  Capabilities stock;
  if (const auto family = device.highest_apple_family()) stock[Field::apple_family] = family->number;
  stock[Field::max_threadgroup_memory] = device.max_threadgroup_memory.count;
  if (device.recommended_max_working_set)
    stock[Field::recommended_max_working_set] = device.recommended_max_working_set->count;
  return stock;
}

}  // namespace metal_unlock
