// SPDX-License-Identifier: MIT
#include "cli/core/macho/architecture.hpp"

#include "cli/core/text_format.hpp"

namespace metal_unlock {
namespace {

constexpr std::uint32_t has_abi_bit = 0x80000000;
constexpr std::uint32_t kernel_abi_bit = 0x40000000;
constexpr std::uint32_t abi_version_bits = 0x0f000000;
constexpr unsigned abi_version_shift = 24;

constexpr std::uint32_t arm64_all = 0;
constexpr std::uint32_t arm64_v8 = 1;
constexpr std::uint32_t arm64_e = 2;
constexpr std::uint32_t x86_64_all = 3;
constexpr std::uint32_t x86_64_haswell = 8;

std::string arm64e_text(const std::optional<PointerAuthentication>& abi) {
  if (!abi) return "arm64e.old";
  std::string text = abi->is_kernel ? "arm64e.kernel" : "arm64e";
  if (abi->version != 0) text += formatted(".v{}", abi->version);
  return text;
}

}  // namespace

SliceKind Architecture::kind() const {
  const std::uint32_t plain = subtype & ~feature_bits;
  if (cpu == CpuType::arm64) {
    if (plain == arm64_all || plain == arm64_v8) return SliceKind::arm64;
    if (plain == arm64_e) return SliceKind::arm64e;
  }
  if (cpu == CpuType::x86_64) {
    if (plain == x86_64_all) return SliceKind::x86_64;
    if (plain == x86_64_haswell) return SliceKind::x86_64h;
  }
  return SliceKind::other;
}

std::optional<PointerAuthentication> Architecture::pointer_authentication() const {
  if (kind() != SliceKind::arm64e || (subtype & has_abi_bit) == 0) return std::nullopt;
  return PointerAuthentication{static_cast<std::uint8_t>((subtype & abi_version_bits) >> abi_version_shift),
                               (subtype & kernel_abi_bit) != 0};
}

std::string to_text(Architecture architecture) {
  switch (architecture.kind()) {
    case SliceKind::arm64:
      return "arm64";
    case SliceKind::arm64e:
      return arm64e_text(architecture.pointer_authentication());
    case SliceKind::x86_64:
      return "x86_64";
    case SliceKind::x86_64h:
      return "x86_64h";
    case SliceKind::other:
      break;
  }
  if (architecture.cpu == CpuType::i386) return "i386";
  if (architecture.cpu == CpuType::powerpc) return "ppc";
  if (architecture.cpu == CpuType::arm64_32) return "arm64_32";
  return formatted("cpu {:#x}/{:#x}", static_cast<std::uint32_t>(architecture.cpu), architecture.subtype);
}

}  // namespace metal_unlock
