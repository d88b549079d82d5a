// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/profile_library.hpp"
#include "cli/core/program.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

/// What is known of programs, by name. A user's file replaces the built-in one of the same name, which it may
/// extend: an item of the same kind and name then replaces the inherited one.
class ProgramLibrary {
 public:
  ProgramLibrary(std::span<const BuiltInProfile> built_in, std::vector<UserProfile> user)
      : built_in_(built_in), user_(std::move(user)) {}

  Result<Program> load(std::string_view name) const;
  Result<Program> load_text(std::string_view text, std::string_view path) const;

  /// The program that a file is, by its name or the libraries it is linked with: a user's before a built-in.
  /// A file that cannot be read or parsed is passed over.
  std::optional<Program> recognise(std::string_view file, const std::vector<std::string>& libraries) const;

  /// Whether it can be worth recognising a file: its name stands in some text. No text is parsed for that.
  bool may_know(std::string_view file) const;

  /// Every name once, sorted.
  std::vector<std::string> names() const;

  bool has_user_files() const { return !user_.empty(); }

 private:
  Result<Program> read(std::string_view name, ProfileLayer highest) const;
  Result<Program> inherit(Program program) const;

  std::span<const BuiltInProfile> built_in_;
  std::vector<UserProfile> user_;
};

}  // namespace metal_unlock
