// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/macho/architecture.hpp"
#include "tests/macho/byte_writer.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

inline constexpr Architecture arm64{CpuType::arm64, 0};
inline constexpr Architecture arm64e{CpuType::arm64, 0x80000002};
inline constexpr Architecture x86_64{CpuType::x86_64, 3};
inline constexpr Architecture x86_64h{CpuType::x86_64, 8};

struct BuiltSection {
  std::string_view segment;
  std::string_view name;
  std::uint32_t flags = 0;
};

/// Makes one slice, command by command. It would not run: there is no code in it.
class SliceBuilder {
 public:
  explicit SliceBuilder(Architecture architecture, std::uint32_t file_type = 2, std::uint32_t flags = 0);

  /// Any command, from the body behind its size on; the size is made a multiple of 8.
  SliceBuilder& command(std::uint32_t number, std::string_view body);
  /// A segment that covers the headers.
  SliceBuilder& segment(std::string_view name, const std::vector<BuiltSection>& sections = {});
  SliceBuilder& dylib(std::uint32_t number, std::string_view path, std::uint32_t current = 0x10000,
                      std::uint32_t compatible = 0x10000);
  /// As linkers write it today, with flags.
  SliceBuilder& dylib_use(std::uint32_t number, std::string_view path, std::uint32_t use_flags);
  /// A command that is nothing but a text: the loader, a run path, a variable for the loader.
  SliceBuilder& text_command(std::uint32_t number, std::string_view text);
  SliceBuilder& build_version(std::uint32_t platform, std::uint32_t minimum, std::uint32_t sdk);
  SliceBuilder& entry_point(std::uint64_t offset, std::uint64_t stack_size = 0);
  SliceBuilder& encryption(std::uint32_t system);
  SliceBuilder& signature(std::string blob);

  /// The finished slice, filled up to `size` bytes in front of the signature.
  std::string bytes(std::size_t size = 0) const;

 private:
  std::string header(std::size_t command_bytes) const;

  Architecture architecture_;
  std::uint32_t file_type_;
  std::uint32_t flags_;
  std::uint32_t count_ = 0;
  std::string commands_;
  std::string signature_;
};

struct FatEntry {
  Architecture architecture;
  std::string bytes;
};

/// A fat file; where `hidden` is set, the header counts one slice less than there are.
std::string fat_file(const std::vector<FatEntry>& slices, bool is_64 = false, bool has_hidden = false);

}  // namespace metal_unlock
