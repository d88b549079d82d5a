// SPDX-License-Identifier: MIT
#include "cli/core/macho/xml_scanner.hpp"

#include "cli/core/text_format.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace metal_unlock {
namespace {

constexpr std::string_view xml_blanks = " \t\r\n";

constexpr std::array<std::pair<std::string_view, char>, 5> named_references{
    {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}}};

void skip_blanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(xml_blanks), text.size()));
}

/// A character below 0x80; further ones stand in the text as they are.
std::optional<char> numbered_reference(std::string_view name) {
  const bool is_hex = name.starts_with("#x");
  name.remove_prefix(is_hex ? 2 : 1);
  unsigned number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number, is_hex ? 16 : 10);
  if (error != std::errc{} || end != name.data() + name.size() || number == 0 || number >= 0x80)
    return std::nullopt;
  return static_cast<char>(number);
}

std::optional<char> referenced(std::string_view name) {
  if (name.starts_with('#')) return numbered_reference(name);
  const auto* found =
      std::ranges::find(named_references, name, &decltype(named_references)::value_type::first);
  if (found == named_references.end()) return std::nullopt;
  return found->second;
}

}  // namespace

ByteFault XmlScanner::fault(std::string what) const {
  const auto at = static_cast<std::uint64_t>(rest_.data() - whole_.data());
  return {ByteFaultKind::malformed, offset_ + at, std::move(what) + " in the XML entitlements"};
}

bool XmlScanner::pass(std::string_view begin, std::string_view end) {
  if (!rest_.starts_with(begin)) return false;
  const std::size_t at = rest_.find(end, begin.size());
  if (at == std::string_view::npos) return false;
  rest_.remove_prefix(at + end.size());
  return true;
}

void XmlScanner::pass_over() {
  do skip_blanks(rest_);
  while (pass("<!--", "-->") || pass("<?", "?>") || pass("<!DOCTYPE", ">"));
}

bool XmlScanner::is_at_end() {
  pass_over();
  // The blob may end with the byte 0 that ended the text in memory.
  return rest_.find_first_not_of('\0') == std::string_view::npos;
}

std::optional<ByteFault> XmlScanner::take_tag(XmlTag& into) {
  pass_over();
  if (!rest_.starts_with('<')) return fault("text where a tag is expected");
  const std::size_t end = rest_.find('>');
  if (end == std::string_view::npos) return fault("a tag that does not end");
  std::string_view inside = rest_.substr(1, end - 1);
  into.is_closing = inside.starts_with('/');
  into.is_empty = !into.is_closing && inside.ends_with('/');
  if (into.is_closing) inside.remove_prefix(1);
  if (into.is_empty) inside.remove_suffix(1);
  into.name = inside.substr(0, inside.find_first_of(xml_blanks));
  if (into.name.empty()) return fault("a tag without a name");
  rest_.remove_prefix(end + 1);
  return std::nullopt;
}

std::optional<ByteFault> XmlScanner::take_text(std::string_view name, std::string& into) {
  const std::size_t end = rest_.find('<');
  if (end == std::string_view::npos) return fault("a text that does not end");
  if (auto fault = resolve(rest_.substr(0, end), into)) return fault;
  rest_.remove_prefix(end);
  XmlTag tag;
  if (auto fault = take_tag(tag)) return fault;
  if (!tag.is_closing || tag.name != name) return fault(formatted("a tag inside of <{}>", name));
  return std::nullopt;
}

std::optional<ByteFault> XmlScanner::resolve(std::string_view text, std::string& into) const {
  into.clear();
  while (true) {
    const std::size_t begin = text.find('&');
    into += text.substr(0, begin);
    if (begin == std::string_view::npos) return std::nullopt;
    text.remove_prefix(begin + 1);
    const std::size_t end = text.find(';');
    const auto letter = end == std::string_view::npos ? std::nullopt : referenced(text.substr(0, end));
    if (!letter) return fault("a reference without a meaning");
    into += *letter;
    text.remove_prefix(end + 1);
  }
}

}  // namespace metal_unlock
