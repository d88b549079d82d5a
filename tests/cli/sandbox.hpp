// SPDX-License-Identifier: MIT
#pragma once

#include "tests/files.hpp"
#include "tests/json.hpp"
#include "tests/process.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

using Words = std::vector<std::string>;

/// The programs under test, by absolute path.
std::string metal_unlock_program();
std::string metal_caps_program();

/// The surroundings of one test: home, cache, configuration and working folder of its own, a recorded guest,
/// and an environment in which nothing else speaks to metal-unlock.
class Sandbox {
 public:
  explicit Sandbox(std::string_view guest = "tahoe-26-m1-ultra");

  std::filesystem::path home() const { return root() / "home"; }
  std::filesystem::path cache() const { return root() / "cache"; }    ///< XDG_CACHE_HOME; not made yet
  std::filesystem::path config() const { return root() / "config"; }  ///< XDG_CONFIG_HOME
  std::filesystem::path work() const { return root() / "work"; }      ///< every program starts here
  std::filesystem::path shim_folder() const { return cache() / "metal-unlock"; }
  /// The one placed shim; throws where there is none, or more than one.
  std::filesystem::path placed_shim() const;

  void choose_guest(std::string_view name) { set("METAL_UNLOCK_GUEST", guest_file(name)); }
  /// For every later program; nothing removes the variable.
  void set(const std::string& name, std::optional<std::string> value) {
    environment_[name] = std::move(value);
  }

  /// Writes a file below the sandbox's root, with the folders it needs.
  std::filesystem::path write(const std::filesystem::path& name, std::string_view text) const;
  /// The same, executable.
  std::filesystem::path write_program(const std::filesystem::path& name, std::string_view text) const;
  /// A file of the user's profile folder.
  std::filesystem::path write_user_profile(const std::string& name, std::string_view text) const;

  ProcessCommand command(Words argv) const;
  /// Any program, in these surroundings.
  Outcome execute(Words argv) const;
  /// `metal-unlock WORDS…`
  Outcome metal_unlock(Words words) const;
  /// `metal-unlock run OPTIONS… -- metal-caps --json`
  Outcome run_caps(Words options = {}) const;
  /// The device's answers without metal-unlock.
  json stock_answers() const;

 private:
  const std::filesystem::path& root() const { return directory_.path(); }

  TemporaryDirectory directory_;
  std::map<std::string, std::optional<std::string>> environment_;
};

/// The ids, in brackets at the end of the line, of all findings in a text, in order.
Words finding_ids(std::string_view text);

/// The parts of a text between its zero bytes; the last one ends it.
Words zero_terminated(std::string_view text);

/// `sh -c SCRIPT sh WORDS…`
Words shell(std::string script, const Words& words = {});

/// `metal-unlock run OPTIONS… -- TARGET…` for the shell or another program that starts it.
Words run_words(const Words& target, const Words& options = {});

/// A command to which file permissions apply, even where the tests run as root.
Words without_override(const Words& argv);

/// The Apple families that the device claims to support.
std::vector<int> apple_families(const json& answers);

/// Runs all commands, as many at a time as there are processors.
std::vector<Outcome> run_all(const std::vector<ProcessCommand>& commands);

}  // namespace metal_unlock
