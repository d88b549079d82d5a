// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace metal_unlock {

// Changes to the bytes of a Mach-O file, thin or universal, in every slice alike. Each throws where there is
// nothing to change.

/// Its constructors are plain data, which nothing runs.
std::string without_constructors(const std::string& file);

/// A section has another name, so that nobody finds it.
std::string with_section_renamed(const std::string& file, std::string_view from, std::string_view to);

/// A text in a section, with its final zero, is another one of the same length.
std::string with_text_in_section(const std::string& file, std::string_view section, std::string_view from,
                                 std::string_view to);

/// A symbol that is imported is another one of the same length.
std::string with_symbol_renamed(const std::string& file, std::string_view from, std::string_view to);

/// One field of every slice's header.
std::string with_header_field(const std::string& file, std::size_t offset, std::uint32_t value);

}  // namespace metal_unlock
