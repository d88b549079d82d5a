// SPDX-License-Identifier: MIT
#include "tests/macos_files/variants.hpp"

#include "tests/files.hpp"
#include "tests/macho/byte_writer.hpp"
#include "tests/macos_files/sha256.hpp"
#include "tests/process.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

constexpr std::uint64_t header_size = 32;
constexpr std::uint64_t segment_size = 72;
constexpr std::uint64_t section_size = 80;

std::filesystem::path macos() { return build_directory() / "macos"; }

void run(const std::vector<std::string>& words) {
  const Outcome outcome = run_process({words});
  if (outcome.exit_status != 0) throw std::runtime_error(words.front() + ": " + outcome.err);
}

Image only_image(const std::string& file) {
  std::vector<Image> images = images_of(file);
  if (images.size() != 1) throw BrokenImage("not a thin file");
  return images.front();
}

void set_word(std::string& file, std::uint64_t at, std::uint64_t number) {
  set_little32(file, at, static_cast<std::uint32_t>(number));
}

std::vector<std::string> objects_without(std::string_view left_out) {
  std::vector<std::string> objects;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(macos() / "shim"))
    if (entry.path().extension() == ".o" &&
        entry.path().string().find("metal_unlock_shim.dir") != std::string::npos &&
        (left_out.empty() || !entry.path().filename().string().starts_with(left_out)))
      objects.push_back(entry.path());
  std::ranges::sort(objects);
  if (objects.size() < 6) throw std::runtime_error("the objects of the shim are not there");
  return objects;
}

}  // namespace

std::string built_shim() { return read_file(macos() / "libmetal-unlock.dylib"); }

std::string built_program() { return read_file(macos() / "metal-unlock"); }

std::string thin(const std::string& file, SliceKind kind) {
  for (const Image& image : images_of(file))
    if (image.slice.architecture.kind() == kind) return file.substr(image.slice.offset, image.slice.size);
  throw BrokenImage("no slice of that kind");
}

std::string signed_again(std::string file) {
  const Image image = only_image(file);
  const CodeDirectory& directory = image.slice.signature.value().directory;
  const std::uint64_t page_size = std::uint64_t{1} << directory.page_size_log2;
  for (const std::uint64_t page : changed_pages(image)) {
    const std::uint64_t begin = page * page_size;
    const std::string_view bytes = image.bytes.text(begin, std::min(page_size, directory.code_limit - begin));
    file.replace(directory.hashes_offset + page * directory.hash_size, directory.hash_size, sha256(bytes));
  }
  return file;
}

std::string without_section(std::string file, std::string_view segment, std::string_view name) {
  const Image image = only_image(file);
  std::size_t number = 0;
  for (const LoadCommand& command : image.slice.commands) {
    if (command.command != 0x19) continue;
    const auto& sections = image.slice.segments.at(number++).sections;
    const auto found = std::ranges::find_if(
        sections, [&](const Section& it) { return it.segment == segment && it.name == name; });
    if (found == sections.end()) continue;
    const auto place = static_cast<std::uint64_t>(found - sections.begin());
    const std::uint64_t all = image.bytes.little32(20);
    file.erase(command.offset + segment_size + place * section_size, section_size);
    file.insert(header_size + all - section_size, section_size, '\0');
    set_word(file, command.offset + 4, command.size - section_size);
    set_word(file, command.offset + 64, sections.size() - 1);
    set_word(file, 20, all - section_size);
    return signed_again(file);
  }
  throw BrokenImage("no such section");
}

std::string with_text_replaced(std::string file, std::string_view text, std::string_view replacement) {
  if (text.size() != replacement.size()) throw std::runtime_error("the texts differ in length");
  std::size_t count = 0;
  for (std::size_t at = 0; (at = file.find(text, at)) != std::string::npos; at += text.size(), ++count)
    file.replace(at, text.size(), replacement);
  if (count == 0) throw BrokenImage("no such text");
  return signed_again(file);
}

std::string linked_again(const std::filesystem::path& folder, std::string_view source,
                         const std::vector<std::string>& options, std::string_view without_object) {
  const std::string sdk = build_directory() / "macos-sdk";
  write_file(folder / "more.cpp", source);
  const std::string object = folder / "more.o";
  run({"clang++-19", "-target", "arm64-apple-macos13.0", "-isysroot", sdk, "-std=c++20", "-O2",
       "-fno-exceptions", "-fvisibility=hidden", "-c", folder / "more.cpp", "-o", object});
  const std::string library = folder / "libmetal-unlock.dylib";
  std::vector<std::string> words{"ld64.lld-19",
                                 "-dylib",
                                 "-arch",
                                 "arm64",
                                 "-platform_version",
                                 "macos",
                                 "13.0",
                                 "13.0",
                                 "-syslibroot",
                                 sdk,
                                 "-install_name",
                                 "@rpath/libmetal-unlock.dylib",
                                 "-dead_strip",
                                 "-x",
                                 "-adhoc_codesign",
                                 "-o",
                                 library,
                                 object};
  for (const std::string& shim_object : objects_without(without_object)) words.push_back(shim_object);
  words.insert(words.end(), {"-lobjc", "-lSystem"});
  words.insert(words.end(), options.begin(), options.end());
  run(words);
  return read_file(library);
}

}  // namespace metal_unlock
