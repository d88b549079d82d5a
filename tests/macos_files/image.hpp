// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/macho/byte_piece.hpp"
#include "cli/core/macho/mach_file.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace metal_unlock {

/// Thrown where a file of our own is not even well formed.
struct BrokenImage : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A symbol that an image takes from a library.
struct Import {
  std::string name;
  std::string library;  ///< the path that the image names
  bool is_weak = false;
  bool operator==(const Import&) const = default;
};

/// A pointer that dyld writes when it loads an image.
struct Fixup {
  std::uint64_t address = 0;  ///< of the pointer
  bool is_import = false;
  std::uint64_t target = 0;  ///< an address, or the number of an import
  bool operator==(const Fixup&) const = default;
};

/// Where an image says that dyld finds its imports and its pointers.
struct Fixups {
  std::vector<Import> imports;
  std::vector<Fixup> pointers;
};

/// One slice of a file with all of its bytes. Offsets are those of the slice.
struct Image {
  Slice slice;
  BytePiece bytes;
};

/// Every slice of a file, in its order.
std::vector<Image> images_of(const std::string& file);

/// The bytes that a command like LC_FUNCTION_STARTS leads to; empty where there is no such command.
ByteRange linked_data(const Image& image, std::uint32_t command);

/// Chained fixups, the one form that our files have.
Fixups read_fixups(const Image& image);

/// Names of the symbols that other images can see.
std::vector<std::string> read_exports(const Image& image);

/// Addresses at which a function begins, counted from the image's start.
std::vector<std::uint64_t> read_function_starts(const Image& image);

/// Names in the symbol table.
std::vector<std::string> read_symbols(const Image& image);

/// Numbers of the pages whose hash is not the one that was signed.
std::vector<std::uint64_t> changed_pages(const Image& image);

/// The bytes of a section, in the file.
std::string_view content_of(const Image& image, const Section& section);

/// The text, up to its byte 0, at an address of the image; throws where there is none.
std::string text_at(const Image& image, std::uint64_t address);

}  // namespace metal_unlock
