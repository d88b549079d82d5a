// SPDX-License-Identifier: MIT
#include "cli/core/target/env_words.hpp"

#include <numeric>

namespace metal_unlock {
namespace {

/// More than a system starts a program with: what env would make of such words is never started.
constexpr std::size_t longest_call = std::size_t{1} << 20;
/// A variable can hold the -S that names it again, and then env never comes to an end.
constexpr int most_splits = 16;

/// Splits the text of `env -S`, one character after another.
class Splitter {
 public:
  Splitter(std::string_view text, const Environment& environment) : text_(text), environment_(environment) {}

  std::optional<std::vector<std::string>> split() {
    while (!text_.empty() && !is_over_ && !is_wrong_) step(take());
    if (is_wrong_ || quote_ != '\0') return std::nullopt;
    end_word();
    return words_;
  }

 private:
  char take() {
    const char letter = text_.front();
    text_.remove_prefix(1);
    return letter;
  }
  void add(std::string_view text) {
    bytes_ += text.size();
    if (bytes_ > longest_call) {
      is_wrong_ = true;
      return;
    }
    word_ += text;
    has_word_ = true;
  }
  void end_word() {
    if (has_word_) words_.push_back(word_);
    word_.clear();
    has_word_ = false;
  }

  void step(char letter) {
    if (letter == '\\') return escape();
    if (letter == '$' && quote_ != '\'') return variable();
    if (quote_ != '\0' && letter == quote_) {
      quote_ = '\0';
    } else if (quote_ == '\0' && (letter == '\'' || letter == '"')) {
      quote_ = letter;
      has_word_ = true;
    } else if (quote_ == '\0' && std::string_view{" \t\n\v\f\r"}.find(letter) != std::string_view::npos) {
      end_word();
    } else if (letter == '#' && quote_ == '\0' && !has_word_) {
      is_over_ = true;
    } else {
      add({&letter, 1});
    }
  }

  void escape() {
    if (text_.empty()) {
      is_wrong_ = true;
      return;
    }
    const char letter = take();
    if (quote_ == '\'') {
      // Between single quotes only a quote and a backslash can be escaped.
      if (letter != '\'' && letter != '\\') add("\\");
      return add({&letter, 1});
    }
    constexpr std::string_view named = "fnrtv";
    constexpr std::string_view meant = "\f\n\r\t\v";
    if (const std::size_t which = named.find(letter); which != std::string_view::npos)
      return add(meant.substr(which, 1));
    if (letter == '_') return quote_ == '"' ? add(" ") : end_word();
    if (letter == 'c' && quote_ == '\0') {
      is_over_ = true;
    } else if (std::string_view{"#$\"'\\"}.find(letter) != std::string_view::npos) {
      add({&letter, 1});
    } else {
      is_wrong_ = true;
    }
  }

  void variable() {
    const std::size_t end = text_.find('}');
    if (!text_.starts_with('{') || end == std::string_view::npos) {
      is_wrong_ = true;
      return;
    }
    if (const auto known = environment_.get(text_.substr(1, end - 1))) add(*known);
    text_.remove_prefix(end + 1);
  }

  std::string_view text_;
  const Environment& environment_;
  std::vector<std::string> words_;
  std::string word_;
  std::size_t bytes_ = 0;  ///< of all words
  bool has_word_ = false;
  char quote_ = '\0';
  bool is_over_ = false;
  bool is_wrong_ = false;
};

/// The part of a word behind `letter` or `name`, or the word after it.
std::optional<std::string> argument_of(std::vector<std::string>& words, std::string_view letter,
                                       std::string_view name) {
  const std::string word = words.front();
  words.erase(words.begin());
  if (word != letter && word != name)
    return word.substr(word.starts_with("--") ? name.size() + 1 : letter.size());
  if (words.empty()) return std::nullopt;
  std::string argument = words.front();
  words.erase(words.begin());
  return argument;
}

bool is_option(const std::string& word, std::string_view letter, std::string_view name) {
  return word == name || word.starts_with(std::string{name} + "=") ||
         (word.starts_with(letter) && !word.starts_with("--"));
}

void clear_all(EnvCall& call, const Environment& environment) {
  for (const std::string& entry : environment.entries())
    call.change.unset.push_back(entry.substr(0, entry.find('=')));
}

bool is_longer_than_a_call(const std::vector<std::string>& words) {
  const auto add = [](std::size_t bytes, const std::string& word) { return bytes + word.size(); };
  return std::accumulate(words.begin(), words.end(), std::size_t{0}, add) > longest_call;
}

/// Reads the options off the front; false where one is not known.
bool read_options(std::vector<std::string>& words, const Environment& environment, EnvCall& call,
                  bool& is_only_printing) {
  int splits = 0;
  while (!words.empty() && words.front().starts_with('-')) {
    const std::string word = words.front();
    if (word == "-" || word == "-i" || word == "--ignore-environment" || word == "--") {
      words.erase(words.begin());
      if (word == "--") return true;
      clear_all(call, environment);
    } else if (word == "-0" || word == "--null") {
      words.erase(words.begin());
      is_only_printing = true;
    } else if (is_option(word, "-u", "--unset")) {
      const auto name = argument_of(words, "-u", "--unset");
      if (!name) return false;
      call.change.unset.push_back(*name);
    } else if (is_option(word, "-S", "--split-string")) {
      const auto text = argument_of(words, "-S", "--split-string");
      const auto split = text ? split_env_string(*text, environment) : std::nullopt;
      if (!split || ++splits > most_splits) return false;
      words.insert(words.begin(), split->begin(), split->end());
      if (is_longer_than_a_call(words)) return false;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace

std::optional<std::vector<std::string>> split_env_string(std::string_view text,
                                                         const Environment& environment) {
  return Splitter{text, environment}.split();
}

std::optional<EnvCall> read_env_words(std::span<const std::string> given, const Environment& environment) {
  EnvCall call;
  std::vector<std::string> words{given.begin(), given.end()};
  bool is_only_printing = false;
  if (!read_options(words, environment, call, is_only_printing)) return std::nullopt;
  while (!words.empty() && words.front().find('=') != std::string::npos) {
    const std::string& word = words.front();
    const std::size_t equals = word.find('=');
    if (equals == 0) return std::nullopt;
    call.change.set.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    words.erase(words.begin());
  }
  if (is_only_printing && !words.empty()) return std::nullopt;
  call.command = std::move(words);
  return call;
}

}  // namespace metal_unlock
