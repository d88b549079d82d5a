// SPDX-License-Identifier: MIT
#pragma once

#include "tests/macos_files/image.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

/// The cross-built files.
std::string built_shim();
std::string built_program();

/// The file of one slice.
std::string thin(const std::string& file, SliceKind kind);

/// A thin file whose pages are signed anew: what was changed in it is then all that is wrong with it.
std::string signed_again(std::string file);

/// A thin file without the header of a section, as a linker leaves it that drops the section.
std::string without_section(std::string file, std::string_view segment, std::string_view name);

/// A thin file in which every occurrence of a text is another of the same length.
std::string with_text_replaced(std::string file, std::string_view text, std::string_view replacement);

/// The arm64 shim linked again from the objects of the build, with C++ source and options for the linker
/// added. Throws where it does not link.
std::string linked_again(const std::filesystem::path& folder, std::string_view source,
                         const std::vector<std::string>& options = {}, std::string_view without_object = {});

}  // namespace metal_unlock
