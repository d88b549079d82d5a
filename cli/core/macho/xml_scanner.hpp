// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/macho/byte_source.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace metal_unlock {

/// A tag of a property list: "<dict>", "</dict>", "<true/>". Attributes are passed over.
struct XmlTag {
  std::string_view name;
  bool is_closing = false;
  bool is_empty = false;  ///< closes itself
};

/// Takes tags and texts off the front of an XML text. Comments, processing instructions and a document type
/// without declarations of its own are passed over; nothing outside of the text is ever looked up.
class XmlScanner {
 public:
  /// `offset` is where the text stands in the file.
  XmlScanner(std::string_view text, std::uint64_t offset) : whole_(text), rest_(text), offset_(offset) {}

  /// The next tag, in front of which only blanks may stand.
  std::optional<ByteFault> take_tag(XmlTag& into);
  /// The text up to `</name>`, with its references resolved, and that closing tag.
  std::optional<ByteFault> take_text(std::string_view name, std::string& into);
  /// True where nothing but blanks and comments is left.
  bool is_at_end();

  ByteFault fault(std::string what) const;

 private:
  bool pass(std::string_view begin, std::string_view end);
  void pass_over();
  std::optional<ByteFault> resolve(std::string_view text, std::string& into) const;

  std::string_view whole_;
  std::string_view rest_;
  std::uint64_t offset_;
};

}  // namespace metal_unlock
