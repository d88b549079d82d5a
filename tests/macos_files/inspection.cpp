// SPDX-License-Identifier: MIT
#include "tests/macos_files/inspection.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

namespace metal_unlock {
namespace {

using Texts = std::vector<std::string>;

constexpr std::uint32_t linker_signed_ad_hoc = 0x20002;
constexpr std::uint32_t segment_command = 0x19;
constexpr std::uint8_t page_of_4_kib = 12;

const std::map<std::uint32_t, std::string> names_of_commands{
    {0x2, "LC_SYMTAB"},
    {0xb, "LC_DYSYMTAB"},
    {0xc, "LC_LOAD_DYLIB"},
    {0xd, "LC_ID_DYLIB"},
    {0xe, "LC_LOAD_DYLINKER"},
    {0x1b, "LC_UUID"},
    {0x1d, "LC_CODE_SIGNATURE"},
    {0x26, "LC_FUNCTION_STARTS"},
    {0x29, "LC_DATA_IN_CODE"},
    {0x2a, "LC_SOURCE_VERSION"},
    {0x32, "LC_BUILD_VERSION"},
    {0x80000028, "LC_MAIN"},
    {0x80000033, "LC_DYLD_EXPORTS_TRIE"},
    {0x80000034, "LC_DYLD_CHAINED_FIXUPS"},
};

std::string number_text(std::uint64_t number) {
  std::ostringstream text;
  text << std::hex << std::showbase << number;
  return text.str();
}

/// A breach for each text that one side has and the other has not.
void compare(Texts& breaches, const std::string& what, Texts found, Texts expected) {
  std::ranges::sort(found);
  std::ranges::sort(expected);
  Texts more;
  Texts less;
  std::ranges::set_difference(found, expected, std::back_inserter(more));
  std::ranges::set_difference(expected, found, std::back_inserter(less));
  for (const std::string& text : more) breaches.push_back(what + " that should not be there: " + text);
  for (const std::string& text : less) breaches.push_back(what + " that is missing: " + text);
}

template <class Value>
void expect(Texts& breaches, const std::string& what, const Value& found, const Value& expected) {
  if (found != expected) breaches.push_back(what + ": not as expected");
}

void inspect_header(Texts& breaches, const Slice& slice, const ExpectedImage& expected) {
  expect(breaches, "the file type", slice.type, expected.type);
  expect(breaches, "the header's flags " + number_text(slice.flags), slice.flags, expected.flags);
  expect(breaches, "the install name", slice.install_name ? slice.install_name->path : "",
         expected.install_name);
  const BuildVersion* build = slice.build_for(Platform::macos);
  expect(breaches, "the number of systems it is built for", slice.builds.size(), std::size_t{1});
  if (build == nullptr || build->minimum != expected.deployment_target)
    breaches.emplace_back("the deployment target: not as expected");
  Texts libraries;
  for (const Dylib& dylib : slice.dylibs) {
    libraries.push_back(dylib.path);
    if (dylib.use != DylibUse::required) breaches.push_back(dylib.path + " is linked in an unusual way");
  }
  compare(breaches, "a library", libraries, expected.libraries);
  for (const std::string& path : slice.rpaths) breaches.push_back("a run path: " + path);
}

void inspect_sections(Texts& breaches, const Slice& slice, const ExpectedImage& expected) {
  for (const auto& [segment, name] : expected.sections) {
    const Section* section = slice.find_section(segment, name);
    if (section == nullptr || section->size == 0) breaches.push_back("no section " + segment + "," + name);
  }
}

void inspect_imports(Texts& breaches, const Image& image, const std::vector<AllowedImport>& allowed) {
  const Fixups fixups = read_fixups(image);
  std::set<std::uint64_t> bound;
  for (const Fixup& fixup : fixups.pointers)
    if (fixup.is_import) bound.insert(fixup.target);
  if (bound.size() != fixups.imports.size()) breaches.emplace_back("an import that no pointer is for");
  Texts names;
  for (const Import& import : fixups.imports) {
    names.push_back(import.name);
    if (import.is_weak) breaches.push_back("an import that may be missing: " + import.name);
    const auto entry = std::ranges::find(allowed, import.name, &AllowedImport::name);
    if (entry == allowed.end())
      breaches.push_back("an import that is not on the list: " + import.name);
    else if (!import.library.ends_with("/" + entry->library))
      breaches.push_back("an import from another library than the list says: " + import.name);
  }
  // The linker keeps the name of a function that lazily bound images would call; nothing is bound to it.
  names.emplace_back("dyld_stub_binder");
  Texts undefined;
  const Texts exports = read_exports(image);
  for (const std::string& symbol : read_symbols(image))
    if (std::ranges::find(exports, symbol) == exports.end()) undefined.push_back(symbol);
  compare(breaches, "a symbol", undefined, names);
}

void inspect_signature(Texts& breaches, const Image& image, const ExpectedImage& expected) {
  if (!image.slice.signature) {
    breaches.emplace_back("no signature");
    return;
  }
  const CodeSignature& signature = *image.slice.signature;
  const CodeDirectory& directory = signature.directory;
  expect(breaches, "the signature's flags", directory.flags.bits, linker_signed_ad_hoc);
  expect(breaches, "the signature's identifier", directory.identifier, expected.identifier);
  expect(breaches, "the signature's kind of program", directory.exec_segment_flags,
         expected.exec_segment_flags);
  expect(breaches, "the signature's hash", directory.hash, HashKind::sha256);
  expect(breaches, "the signature's size of a page", directory.page_size_log2, page_of_4_kib);
  expect(breaches, "the end of what is signed", directory.code_limit, image.slice.signature_range->offset);
  if (signature.blobs.size() != 1 || signature.has_certificates || !directory.team.empty())
    breaches.emplace_back("more in the signature than a linker puts there");
  for (const std::uint64_t page : changed_pages(image))
    breaches.push_back("page " + std::to_string(page) + " is not what was signed");
}

void inspect_texts(Texts& breaches, const Image& image, const ExpectedImage& expected) {
  const std::string_view bytes = image.bytes.text(0, image.bytes.size());
  for (const std::string& text : expected.foreign_texts)
    if (bytes.find(text) != std::string_view::npos) breaches.push_back("the bytes hold " + text);
}

}  // namespace

std::vector<std::string> command_names(const Image& image) {
  Texts names;
  std::size_t segment = 0;
  for (const LoadCommand& command : image.slice.commands) {
    if (command.command == segment_command) {
      const Segment& it = image.slice.segments.at(segment++);
      std::string rights = " ---";
      if ((it.initial_protection & 1) != 0) rights[1] = 'r';
      if ((it.initial_protection & 2) != 0) rights[2] = 'w';
      if ((it.initial_protection & 4) != 0) rights[3] = 'x';
      names.push_back(it.name + rights);
      continue;
    }
    const auto name = names_of_commands.find(command.command);
    names.push_back(name == names_of_commands.end() ? number_text(command.command) : name->second);
  }
  return names;
}

std::vector<std::string> inspect(const Image& image, const ExpectedImage& expected,
                                 const std::vector<AllowedImport>& allowed) {
  Texts breaches;
  try {
    inspect_header(breaches, image.slice, expected);
    compare(breaches, "a load command", command_names(image), expected.commands);
    inspect_sections(breaches, image.slice, expected);
    compare(breaches, "an export", read_exports(image), expected.exports);
    inspect_texts(breaches, image, expected);
    inspect_signature(breaches, image, expected);
    inspect_imports(breaches, image, allowed);
    if (expected.type == MachFileType::dylib)
      for (std::string& breach : inspect_start(image)) breaches.push_back(std::move(breach));
  } catch (const BrokenImage& broken) {
    breaches.emplace_back(broken.what());
  }
  return breaches;
}

std::vector<std::string> unused(const std::vector<AllowedImport>& allowed, const std::vector<Image>& images) {
  std::set<std::string> used;
  for (const Image& image : images)
    for (const Import& import : read_fixups(image).imports) used.insert(import.name);
  Texts names;
  for (const AllowedImport& entry : allowed)
    if (!used.contains(entry.name)) names.push_back(entry.name);
  return names;
}

}  // namespace metal_unlock
