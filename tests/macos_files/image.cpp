// SPDX-License-Identifier: MIT
#include "tests/macos_files/image.hpp"

#include "tests/macos_files/sha256.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

constexpr std::uint32_t symbol_table = 0x2;
constexpr std::uint32_t function_starts = 0x26;
constexpr std::uint32_t exports_trie = 0x80000033;

/// Numbers of any length, seven bits in a byte.
class NumberReader {
 public:
  NumberReader(const BytePiece& bytes, ByteRange range)
      : bytes_(bytes), at_(range.offset), end_(range.offset + range.size) {}

  bool is_at_end() const { return at_ >= end_; }
  std::uint64_t position() const { return at_; }
  std::uint8_t byte() {
    if (is_at_end()) throw BrokenImage("a number behind the end of its data");
    return bytes_.byte(at_++);
  }
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t part = byte();
      value |= static_cast<std::uint64_t>(part & 0x7f) << shift;
      if ((part & 0x80) == 0) return value;
    }
    throw BrokenImage("a number of more than 64 bits");
  }
  std::string text() {
    std::string text;
    while (const std::uint8_t letter = byte()) text += static_cast<char>(letter);
    return text;
  }

 private:
  const BytePiece& bytes_;
  std::uint64_t at_;
  std::uint64_t end_;
};

void read_trie(const Image& image, ByteRange trie, std::uint64_t node, const std::string& prefix,
               std::vector<std::string>& into) {
  if (prefix.size() > 1000 || into.size() > 10'000) throw BrokenImage("an exports trie without an end");
  if (node >= trie.size) throw BrokenImage("a node outside of the exports trie");
  NumberReader reader{image.bytes, {trie.offset + node, trie.size - node}};
  const std::uint64_t terminal_size = reader.number();
  if (terminal_size != 0) into.push_back(prefix);
  const std::uint64_t children = reader.position() + terminal_size;
  if (!is_within(children - trie.offset, 1, trie.size))
    throw BrokenImage("a node that ends outside of the exports trie");
  NumberReader edges{image.bytes, {children, trie.offset + trie.size - children}};
  for (std::uint8_t count = edges.byte(); count > 0; --count) {
    const std::string label = edges.text();
    if (label.empty()) throw BrokenImage("an edge without a label in the exports trie");
    read_trie(image, trie, edges.number(), prefix + label, into);
  }
}

std::string page_hash(std::string_view page, HashKind kind) {
  if (kind != HashKind::sha256) throw BrokenImage("pages that are not hashed with SHA-256");
  return sha256(page);
}

}  // namespace

std::vector<Image> images_of(const std::string& file) {
  const auto read = read_mach_file(MemorySource{file});
  if (!read) throw BrokenImage(to_text(read.fault()));
  std::vector<Image> images;
  for (const Slice& slice : read->slices) {
    if (slice.fault) throw BrokenImage(to_text(*slice.fault));
    images.push_back({slice, BytePiece{file.substr(slice.offset, slice.size), 0}});
  }
  return images;
}

ByteRange linked_data(const Image& image, std::uint32_t command) {
  const auto found = std::ranges::find(image.slice.commands, command, &LoadCommand::command);
  if (found == image.slice.commands.end()) return {};
  const std::uint64_t at = found->offset - image.slice.offset;
  const ByteRange range{image.bytes.little32(at + 8), image.bytes.little32(at + 12)};
  if (!image.bytes.holds(range.offset, range.size)) throw BrokenImage("linked data outside of the slice");
  return range;
}

std::vector<std::string> read_exports(const Image& image) {
  std::vector<std::string> names;
  const ByteRange trie = linked_data(image, exports_trie);
  if (trie.size != 0) read_trie(image, trie, 0, "", names);
  std::ranges::sort(names);
  return names;
}

std::vector<std::uint64_t> read_function_starts(const Image& image) {
  const ByteRange range = linked_data(image, function_starts);
  NumberReader reader{image.bytes, range};
  std::vector<std::uint64_t> starts;
  std::uint64_t address = 0;
  while (!reader.is_at_end()) {
    const std::uint64_t step = reader.number();
    if (step == 0) break;  // the rest fills the table up
    starts.push_back(address += step);
  }
  return starts;
}

std::vector<std::string> read_symbols(const Image& image) {
  const auto command = std::ranges::find(image.slice.commands, symbol_table, &LoadCommand::command);
  std::vector<std::string> names;
  if (command == image.slice.commands.end()) return names;
  const auto field = [&](std::uint64_t at) {
    return image.bytes.little32(command->offset - image.slice.offset + at);
  };
  constexpr std::uint64_t entry_size = 16;
  const std::uint64_t table = field(8);
  const std::uint64_t texts = field(16);
  if (!image.bytes.holds(table, field(12) * entry_size) || !image.bytes.holds(texts, field(20)))
    throw BrokenImage("a symbol table outside of the slice");
  for (std::uint32_t i = 0; i < field(12); ++i) {
    const std::uint64_t name = image.bytes.little32(table + i * entry_size);
    if (name >= field(20)) throw BrokenImage("a symbol's name outside of the texts");
    names.push_back(NumberReader{image.bytes, {texts + name, field(20) - name}}.text());
  }
  return names;
}

std::vector<std::uint64_t> changed_pages(const Image& image) {
  if (!image.slice.signature) throw BrokenImage("there is no signature");
  const CodeDirectory& directory = image.slice.signature->directory;
  const std::uint64_t page_size = std::uint64_t{1} << directory.page_size_log2;
  if (!image.bytes.holds(0, directory.code_limit)) throw BrokenImage("more bytes are signed than there are");
  if (directory.code_slots != (directory.code_limit + page_size - 1) / page_size)
    throw BrokenImage("not as many hashes as pages");
  std::vector<std::uint64_t> changed;
  for (std::uint64_t page = 0; page < directory.code_slots; ++page) {
    const std::uint64_t begin = page * page_size;
    const std::uint64_t size = std::min(page_size, directory.code_limit - begin);
    const std::uint64_t hash_at = directory.hashes_offset - image.slice.offset + page * directory.hash_size;
    if (page_hash(image.bytes.text(begin, size), directory.hash) !=
        image.bytes.text(hash_at, directory.hash_size))
      changed.push_back(page);
  }
  return changed;
}

std::string_view content_of(const Image& image, const Section& section) {
  if (!image.bytes.holds(section.offset, section.size)) throw BrokenImage("a section outside of the slice");
  return image.bytes.text(section.offset, section.size);
}

std::string text_at(const Image& image, std::uint64_t address) {
  for (const Segment& segment : image.slice.segments) {
    if (address < segment.address || address - segment.address >= segment.file_size) continue;
    const std::uint64_t into = address - segment.address;
    return NumberReader{image.bytes, {segment.file_offset + into, segment.file_size - into}}.text();
  }
  throw BrokenImage("a pointer to no segment");
}

}  // namespace metal_unlock
