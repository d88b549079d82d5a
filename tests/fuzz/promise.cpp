// SPDX-License-Identifier: MIT
#include "tests/fuzz/promise.hpp"

#include "cli/text/printable.hpp"

#include <algorithm>
#include <charconv>

namespace metal_unlock {
namespace {

/// The number at the front of a text, which is taken off it together with the colon behind it; 0 where there
/// is none.
std::size_t take_place(std::string_view& text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end == text.data() + text.size() || *end != ':') return 0;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  return number;
}

}  // namespace

void promise(bool is_kept, std::string_view what) {
  if (!is_kept) throw BrokenPromise{std::string{what}};
}

void promise_told(const Finding& finding, std::string_view input) {
  constexpr std::size_t own_words = 2048;
  promise(!finding.sentence.empty(), "a finding says something");
  promise(!finding.next.empty(), "a finding says what to do");
  promise(finding.sentence.size() <= 2 * input.size() + own_words,
          "a finding is not much longer than the input");
  const std::string shown = printable(finding.sentence);
  promise(std::ranges::none_of(shown, [](unsigned char letter) { return letter < ' ' || letter == 0x7f; }),
          "a finding is printed on one line");
}

void promise_placed(const Finding& finding, std::string_view name, std::string_view input) {
  promise_told(finding, input);
  std::string_view rest = finding.sentence;
  promise(rest.starts_with(name) && rest.substr(name.size()).starts_with(':'), "a finding names the file");
  rest.remove_prefix(name.size() + 1);
  const std::size_t line = take_place(rest);
  const std::size_t column = take_place(rest);
  const auto lines = static_cast<std::size_t>(std::ranges::count(input, '\n')) + 1;
  promise(line >= 1 && line <= lines, "a finding names a line of the file");
  promise(column >= 1 && column <= input.size() + 1, "a finding names a column of the file");
}

void promise_inside(const ByteFault& fault, std::uint64_t offset, std::uint64_t size) {
  promise(!fault.what.empty(), "a fault says something");
  promise(fault.offset >= offset && fault.offset <= offset + size, "a fault is at a place in the bytes");
}

}  // namespace metal_unlock
