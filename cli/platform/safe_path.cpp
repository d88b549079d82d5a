// SPDX-License-Identifier: MIT
#include "cli/platform/safe_path.hpp"

#include "cli/core/text_format.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <unistd.h>

namespace metal_unlock {
namespace {

constexpr std::string_view writable{"can be written by other users"};
constexpr std::string_view foreign{"belongs to another user"};

/// Root can do everything anyway.
bool is_trusted(const struct stat& status) { return status.st_uid == ::geteuid() || status.st_uid == 0; }

/// Follows a path word by word, and looks at everything that it comes through.
class Walk {
 public:
  explicit Walk(std::string path) : left_(std::move(path)) {}

  std::string fault() {
    struct stat root {};
    if (::stat("/", &root) != 0) return said("/", std::strerror(errno));
    if (std::string found = fault_of("/", root); !found.empty()) return found;
    for (std::string name = next(); !is_last(); name = next())
      if (std::string found = step(name); !found.empty()) return found;
    return {};
  }

 private:
  static std::string said(const std::string& path, std::string_view what) {
    return formatted("'{}' {}", path, what);
  }

  /// Whoever can write in a folder can replace what lies in it; where it is sticky, only what is theirs.
  static std::string fault_of(const std::string& path, const struct stat& status) {
    if (!is_trusted(status)) return said(path, foreign);
    const bool is_open = (status.st_mode & S_IWOTH) != 0 && (status.st_mode & S_ISVTX) == 0;
    return S_ISDIR(status.st_mode) && is_open ? said(path, writable) : std::string{};
  }

  /// The next word of what is left. The last one is what the path names.
  std::string next() {
    const std::size_t begin = std::min(left_.find_first_not_of('/'), left_.size());
    const std::size_t end = std::min(left_.find('/', begin), left_.size());
    std::string name = left_.substr(begin, end - begin);
    left_.erase(0, end);
    return name;
  }

  bool is_last() const { return left_.find_first_not_of('/') == std::string::npos; }

  std::string step(const std::string& name) {
    if (name == ".") return {};
    if (name == "..") {
      here_.erase(std::min(here_.rfind('/'), here_.size()));
      return {};
    }
    const std::string path = here_ + "/" + name;
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) return said(path, std::strerror(errno));
    if (S_ISLNK(status.st_mode)) return follow(path, status);
    here_ = path;
    return fault_of(path, status);
  }

  std::string follow(const std::string& path, const struct stat& status) {
    constexpr int most_links = 40;
    if (!is_trusted(status)) return said(path, foreign);
    std::array<char, 4096> place{};
    const ssize_t length = ::readlink(path.c_str(), place.data(), place.size());
    if (length < 0) return said(path, std::strerror(errno));
    if (++links_ > most_links) return said(path, std::strerror(ELOOP));
    const std::string_view target{place.data(), static_cast<std::size_t>(length)};
    if (target.starts_with('/')) here_.clear();
    left_ = std::string{target} + left_;
    return {};
  }

  std::string here_;  ///< without links; empty: the root
  std::string left_;
  int links_ = 0;
};

}  // namespace

std::string ownership_fault(const struct stat& status) {
  if (status.st_uid != ::geteuid()) return std::string{foreign};
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) return std::string{writable};
  return {};
}

std::string fault_above(const std::string& path) { return Walk{path}.fault(); }

}  // namespace metal_unlock
