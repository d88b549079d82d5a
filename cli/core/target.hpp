// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/environment.hpp"
#include "cli/core/macho/byte_source.hpp"
#include "cli/core/result.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace metal_unlock {

enum class FileKind : std::uint8_t { missing, regular, directory, other };

/// What is known of a file without opening it.
struct FileFacts {
  FileKind kind = FileKind::missing;
  bool is_executable = false;     ///< by this user, as access(X_OK) says
  bool changes_identity = false;  ///< set-user-id or set-group-id
  bool is_restricted = false;     ///< System Integrity Protection guards it
  bool is_quarantined = false;    ///< it came from the network, and nobody has approved it yet
  bool operator==(const FileFacts&) const = default;
};

/// What resolving a target asks of the file system.
class FileLookup {
 public:
  virtual ~FileLookup() = default;
  virtual FileFacts facts(const std::string& path) const = 0;
  /// Names in a folder; empty where it cannot be read.
  virtual std::vector<std::string> names_in(const std::string& folder) const = 0;
  /// The absolute path without symbolic links and dots; empty where there is no such file.
  virtual std::string canonical(const std::string& path) const = 0;
  /// A regular file to be read in places, however large it is; file-unreadable where it is none.
  virtual Result<std::unique_ptr<ByteSource>> open_bytes(const std::string& path) const = 0;
};

/// Why one program leads to another.
enum class LinkKind : std::uint8_t {
  interpreter,       ///< the first line of a script names it
  no_interpreter,    ///< a script without such a line is handed to the shell
  env,               ///< env(1) starts it
  wrapper_script,    ///< a script that does nothing but start it
  version_manager,   ///< a shim of pyenv starts it
  python_framework,  ///< the small program of a Python framework starts the real one
  developer_tool,    ///< a placeholder of the system starts the selected developer tool
  bundle,            ///< an application's folder names it
};

std::string_view to_text(LinkKind kind);

struct Link {
  LinkKind kind{};
  std::string from;
  std::string to;
  bool operator==(const Link&) const = default;
};

/// A program that starts the one that matters in its own way, so that the shim must go behind it.
struct Wrapper {
  std::string name;
  std::string next;       ///< where metal-unlock belongs instead
  bool is_shell = false;  ///< does its own work as well
  bool operator==(const Wrapper&) const = default;
};

/// What a command means.
struct Target {
  std::string word;               ///< as typed
  std::string typed_file;         ///< what the system would execute
  std::string file;               ///< what is executed so that the shim reaches the program
  std::vector<std::string> argv;  ///< for `file`
  EnvironmentChange change;       ///< what the links that are passed over would have changed
  std::string program;            ///< the file of the program that runs in the end; never a script
  FileFacts facts;                ///< of `program`
  std::vector<Link> chain;        ///< from the word to the program
  std::optional<Wrapper> wrapper;

  bool operator==(const Target&) const = default;
};

/// Follows a command to the program that it starts, as macOS does it: PATH as execvp(3), first lines of
/// scripts as its kernel reads them. A link that would lose the shim is passed over where it is certain what
/// it does; else `wrapper` says where metal-unlock belongs. Findings: not-found, interpreter-missing (127),
/// not-executable, script-cycle (126), self-loop (125).
Result<Target> resolve_target(const std::vector<std::string>& command, const Environment& environment,
                              const FileLookup& files);

}  // namespace metal_unlock
