// SPDX-License-Identifier: MIT
#include "cli/core/sha256.hpp"
#include "cli/core/text_format.hpp"
#include "cli/platform/descriptor.hpp"
#include "cli/platform/part_file.hpp"
#include "cli/platform/posix_system.hpp"
#include "cli/platform/writing.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __APPLE__
#include <sys/xattr.h>
#endif

namespace metal_unlock {
namespace {

Finding unreadable(const std::string& path, std::string_view reason) {
  return {FindingId::file_unreadable, formatted("'{}' {}", path, reason),
          "check the path and its permissions"};
}

Finding unreadable(const std::string& path, int error) {
  return unreadable(path, formatted("cannot be read: {}", std::strerror(error)));
}

/// A regular file that is open for reading, and its size.
struct OpenFile {
  Descriptor descriptor;
  std::uint64_t size = 0;
};

Result<OpenFile> open_file(const std::string& path) {
  // Not blocking, so that a pipe put in a file's place cannot hold the start up.
  constexpr int flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  Descriptor file{again_after_signals([&] { return ::open(path.c_str(), flags); })};
  if (!file) return unreadable(path, errno);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return unreadable(path, errno);
  if (S_ISDIR(status.st_mode)) return unreadable(path, "is a directory");
  if (!S_ISREG(status.st_mode)) return unreadable(path, "is not a regular file");
  return OpenFile{std::move(file), static_cast<std::uint64_t>(status.st_size)};
}

/// Not mapped into memory: a file that gets shorter meanwhile would end this process.
class FileSource final : public ByteSource {
 public:
  explicit FileSource(OpenFile file) : file_(std::move(file)) {}
  std::uint64_t size() const override { return file_.size; }

  bool read(std::uint64_t offset, std::span<std::byte> into) const override {
    while (!into.empty()) {
      const ssize_t count =
          ::pread(file_.descriptor.get(), into.data(), into.size(), static_cast<off_t>(offset));
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return false;
      offset += static_cast<std::uint64_t>(count);
      into = into.subspan(static_cast<std::size_t>(count));
    }
    return true;
  }

 private:
  OpenFile file_;
};

/// A device or a pipe is written to as it is: there is nothing to replace, and somebody may be reading. 0, or
/// errno.
int error_of_sending(const std::string& path, std::string_view text) {
  const SignalIgnored unread{SIGPIPE};
  constexpr int flags = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  const Descriptor there{again_after_signals([&] { return ::open(path.c_str(), flags); })};
  return there && write_all(there.get(), text) ? 0 : errno;
}

}  // namespace

FileFacts PosixSystem::facts(const std::string& path) const {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
  FileFacts facts;
  facts.kind = S_ISREG(status.st_mode)   ? FileKind::regular
               : S_ISDIR(status.st_mode) ? FileKind::directory
                                         : FileKind::other;
  facts.is_executable = facts.kind != FileKind::directory && ::access(path.c_str(), X_OK) == 0;
  facts.changes_identity = facts.kind == FileKind::regular && (status.st_mode & (S_ISUID | S_ISGID)) != 0;
#ifdef __APPLE__
  facts.is_restricted = (status.st_flags & SF_RESTRICTED) != 0;
  facts.is_quarantined = ::getxattr(path.c_str(), "com.apple.quarantine", nullptr, 0, 0, 0) >= 0;
#endif
  return facts;
}

std::vector<std::string> PosixSystem::names_in(const std::string& folder) const {
  const std::unique_ptr<DIR, int (*)(DIR*)> open_folder{::opendir(folder.c_str()), ::closedir};
  std::vector<std::string> names;
  if (!open_folder) return names;
  while (const dirent* entry = ::readdir(open_folder.get())) names.emplace_back(entry->d_name);
  std::ranges::sort(names);
  return names;
}

std::string PosixSystem::canonical(const std::string& path) const {
  const std::unique_ptr<char, void (*)(void*)> resolved{::realpath(path.c_str(), nullptr), ::free};
  return resolved ? resolved.get() : std::string{};
}

Result<std::string> PosixSystem::read_file(const std::string& path, Bytes largest) const {
  auto opened = open_file(path);
  if (!opened) return std::move(opened).finding();
  const auto& [file, size] = *opened;
  if (size > largest.count)
    return unreadable(path, formatted("has {}, more than {}", to_text(Bytes{size}), to_text(largest)));
  // One byte more than it should hold, so that a file which grows meanwhile is noticed.
  std::string bytes(static_cast<std::size_t>(size) + 1, '\0');
  std::size_t length = 0;
  while (length < bytes.size()) {
    const ssize_t count = ::read(file.get(), bytes.data() + length, bytes.size() - length);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return unreadable(path, errno);
    if (count == 0) break;
    length += static_cast<std::size_t>(count);
  }
  if (length == bytes.size()) return unreadable(path, "changed while it was read");
  bytes.resize(length);
  return bytes;
}

Result<std::unique_ptr<ByteSource>> PosixSystem::open_bytes(const std::string& path) const {
  auto opened = open_file(path);
  if (!opened) return std::move(opened).finding();
  return std::unique_ptr<ByteSource>{std::make_unique<FileSource>(*std::move(opened))};
}

Result<std::string> PosixSystem::hash_file(const std::string& path) const {
  const auto opened = open_file(path);
  if (!opened) return opened.finding();
  const Descriptor& file = opened->descriptor;
  Sha256 hash;
  std::string part(std::size_t{256} * 1024, '\0');
  while (true) {
    const ssize_t count = ::read(file.get(), part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return unreadable(path, errno);
    if (count == 0) return hash.finish();
    hash.add(std::string_view{part}.substr(0, static_cast<std::size_t>(count)));
  }
}

Result<std::string> PosixSystem::make_folder(const std::string& path) {
  constexpr mode_t readable_by_all = 0755;
  if (::mkdir(path.c_str(), readable_by_all) == 0) return path;
  return Finding{FindingId::evidence_unwritten,
                 formatted("the folder '{}' cannot be made: {}", path, std::strerror(errno)),
                 "name a folder that does not exist yet, in one that does"};
}

Result<std::string> PosixSystem::replace_file(const std::string& path, std::string_view text) {
  const FileKind kind = facts(path).kind;
  const int error = kind == FileKind::directory ? EISDIR
                    : kind == FileKind::other   ? error_of_sending(path, text)
                                                : error_of_writing(AT_FDCWD, path, text, Readers::as_before);
  if (error == 0) return path;
  return Finding{FindingId::report_unwritten,
                 formatted("'{}' cannot be written: {}", path, std::strerror(error)),
                 "check the folder and its permissions"};
}

Result<std::string> PosixSystem::remove_file(const std::string& path) {
  if (std::remove(path.c_str()) == 0) return path;
  return unreadable(path, formatted("cannot be removed: {}", std::strerror(errno)));
}

std::string PosixSystem::working_folder() const {
  const std::unique_ptr<char, void (*)(void*)> folder{::getcwd(nullptr, 0), ::free};
  return folder ? folder.get() : std::string{};
}

}  // namespace metal_unlock
