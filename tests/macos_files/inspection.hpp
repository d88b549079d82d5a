// SPDX-License-Identifier: MIT
#pragma once

#include "tests/macos_files/allow_list.hpp"
#include "tests/macos_files/image.hpp"

#include <string>
#include <utility>
#include <vector>

namespace metal_unlock {

/// What a file of ours has to be, slice by slice. What it does not name may not be there.
struct ExpectedImage {
  MachFileType type{};
  std::uint32_t flags = 0;
  std::string install_name;  ///< "" for a program
  MachVersion deployment_target;
  std::vector<std::string> libraries;                         ///< in their order
  std::vector<std::string> commands;                          ///< by name; segments as "__TEXT r-x"
  std::vector<std::pair<std::string, std::string>> sections;  ///< that must be there, and not empty
  std::vector<std::string> exports;
  std::string identifier;  ///< of the signature
  std::uint64_t exec_segment_flags = 0;
  std::vector<std::string> foreign_texts;  ///< that may stand nowhere in the bytes
};

/// Everything that the image is and should not be, or should be and is not; nothing for a good one.
std::vector<std::string> inspect(const Image& image, const ExpectedImage& expected,
                                 const std::vector<AllowedImport>& allowed);

/// Names of the imports that are allowed and that none of the images has.
std::vector<std::string> unused(const std::vector<AllowedImport>& allowed, const std::vector<Image>& images);

/// "LC_UUID"; a segment as "__TEXT r-x".
std::vector<std::string> command_names(const Image& image);

/// The shim: a library without anything but C and the Objective-C runtime.
ExpectedImage expected_shim();
/// The program for Apple silicon.
ExpectedImage expected_program();

/// What is more about the shim than about any image: one constructor, and selectors that are texts.
std::vector<std::string> inspect_start(const Image& image);

}  // namespace metal_unlock
