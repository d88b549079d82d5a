// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/files.hpp"
#include "tests/macos_files/inspection.hpp"
#include "tests/macos_files/variants.hpp"
#include "tests/process.hpp"

#include <algorithm>
#include <sstream>

using namespace metal_unlock;

// What our reader says about our files, LLVM's tools say as well.

namespace {

using Texts = std::vector<std::string>;

std::string output_of(const std::vector<std::string>& words) {
  const Outcome outcome = run_process({words});
  INFO(outcome.err);
  REQUIRE(outcome.exit_status == 0);
  REQUIRE_FALSE(outcome.out.empty());
  return outcome.out;
}

/// The words of each line.
std::vector<Texts> table(const std::string& text) {
  std::vector<Texts> rows;
  std::istringstream lines{text};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words{line};
    Texts row;
    for (std::string word; words >> word;) row.push_back(word);
    rows.push_back(row);
  }
  return rows;
}

/// The word at one place of each line that begins with these words.
Texts fields(const std::vector<Texts>& rows, const Texts& begin, std::size_t place) {
  Texts found;
  for (const Texts& row : rows)
    if (row.size() > place && std::equal(begin.begin(), begin.end(), row.begin()))
      found.push_back(row[place]);
  return found;
}

std::string file_of(bool is_program) {
  return build_directory() / "macos" / (is_program ? "metal-unlock" : "libmetal-unlock.dylib");
}

std::string hex(std::uint64_t number) {
  std::ostringstream text;
  text << std::hex << std::showbase << std::uppercase << number;
  return "0x" + text.str().substr(number == 0 ? 1 : 2);
}

void check_commands(const Image& image, const std::vector<Texts>& otool) {
  Texts commands = command_names(image);
  std::size_t segment = 0;
  for (std::string& name : commands)
    if (name.starts_with("__")) {
      ++segment;
      name = "LC_SEGMENT_64";
    }
  CHECK(fields(otool, {"cmd"}, 1) == commands);
  CHECK(segment == image.slice.segments.size());
  Texts sections;
  for (const Segment& it : image.slice.segments)
    for (const Section& section : it.sections) sections.push_back(section.name);
  CHECK(fields(otool, {"sectname"}, 1) == sections);
  Texts libraries;
  if (image.slice.install_name) libraries.push_back(image.slice.install_name->path);
  if (!image.slice.loader.empty()) libraries.push_back(image.slice.loader);
  for (const Dylib& dylib : image.slice.dylibs) libraries.push_back(dylib.path);
  CHECK(fields(otool, {"name"}, 1) == libraries);
  CHECK(fields(otool, {"minos"}, 1) == Texts{to_text(image.slice.builds.front().minimum)});
  CHECK(fields(otool, {"dataoff"}, 1).back() == std::to_string(image.slice.signature_range->offset));
}

/// Rows of "segment section address pointer type addend [library symbol | target]".
void check_fixups(const Image& image, const std::vector<Texts>& objdump) {
  const Fixups fixups = read_fixups(image);
  std::vector<Texts> found;
  std::vector<Texts> ours;
  for (const Texts& row : objdump) {
    if (row.size() == 8 && row[4] == "bind") found.push_back({row[2], row[7]});
    if (row.size() == 6 && row[4] == "rebase") found.push_back({row[2], row[5]});
  }
  for (const Fixup& fixup : fixups.pointers)
    ours.push_back(
        {hex(fixup.address), fixup.is_import ? fixups.imports[fixup.target].name : hex(fixup.target)});
  CHECK(ours.size() > 40);
  CHECK(found == ours);
}

void check_exports(const Image& image, const std::vector<Texts>& objdump) {
  Texts found;
  for (const Texts& row : objdump)
    if (row.size() == 2 && row[0].starts_with("0x")) found.push_back(row[1]);
  std::ranges::sort(found);
  CHECK(found == read_exports(image));
}

}  // namespace

TEST_CASE("LLVM's tools see the same files") {
  // Of a universal file llvm-otool shows the first slice, whichever is asked for.
  const TemporaryDirectory folder;
  for (const bool is_program : {false, true}) {
    const std::string file = file_of(is_program);
    for (const Image& image : images_of(read_file(file))) {
      const std::string name = to_text(image.slice.architecture);
      CAPTURE(file, name);
      const std::string slice = folder.path() / name;
      write_file(slice, image.bytes.text(0, image.bytes.size()));
      check_commands(image, table(output_of({"llvm-otool-19", "-l", slice})));
      const std::string option = "--arch=" + name;
      check_fixups(image, table(output_of({"llvm-objdump-19", "--macho", option, "--dyld-info", file})));
      check_exports(image, table(output_of({"llvm-objdump-19", "--macho", option, "--exports-trie", file})));
      const auto symbols =
          table(output_of({"llvm-nm-19", option, "--undefined-only", "--just-symbol-name", file}));
      const Texts names = read_symbols(image);
      for (const Texts& row : symbols)
        CHECK((row.size() != 1 || std::ranges::find(names, row[0]) != names.end()));
    }
  }
}

TEST_CASE("LLVM's tools see the same slices") {
  const auto rows = table(output_of({"llvm-objdump-19", "--macho", "--universal-headers", file_of(false)}));
  Texts offsets;
  Texts sizes;
  for (const Image& image : images_of(built_shim())) {
    offsets.push_back(std::to_string(image.slice.offset));
    sizes.push_back(std::to_string(image.slice.size));
  }
  CHECK(fields(rows, {"offset"}, 1) == offsets);
  CHECK(fields(rows, {"size"}, 1) == sizes);
}
