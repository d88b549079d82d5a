// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/target.hpp"

#include <map>
#include <string>
#include <utility>

namespace metal_unlock {

/// A file system kept in memory: programs, scripts, folders and symbolic links, by absolute path.
class RecordedFiles final : public FileLookup {
 public:
  RecordedFiles& program(const std::string& path, FileFacts facts = {FileKind::regular, true, false}) {
    files_[path] = {facts, std::string("\x7f"
                                       "ELF\0",
                                       5)};
    return *this;
  }
  RecordedFiles& binary(const std::string& path, std::string bytes,
                        FileFacts facts = {FileKind::regular, true, false}) {
    files_[path] = {facts, std::move(bytes)};
    return *this;
  }
  RecordedFiles& script(const std::string& path, std::string text) {
    files_[path] = {{FileKind::regular, true, false}, std::move(text)};
    return *this;
  }
  RecordedFiles& text(const std::string& path, std::string text) {
    files_[path] = {{FileKind::regular, false, false}, std::move(text)};
    return *this;
  }
  RecordedFiles& folder(const std::string& path) {
    files_[path] = {{FileKind::directory, false, false}, {}};
    return *this;
  }
  RecordedFiles& link(const std::string& path, const std::string& to) {
    links_[path] = to;
    return *this;
  }

  std::string canonical(const std::string& path) const override {
    if (path == ".") return "/home/me/app";
    for (const auto& [link, to] : links_)
      if (path == link || path.starts_with(link + "/")) return canonical(to + path.substr(link.size()));
    return path;
  }
  FileFacts facts(const std::string& path) const override {
    const auto found = files_.find(canonical(path));
    return found == files_.end() ? FileFacts{} : found->second.first;
  }
  std::vector<std::string> names_in(const std::string& folder) const override {
    std::vector<std::string> names;
    for (const auto& [path, ignored] : files_) {
      const bool is_inside = path.starts_with(folder + "/");
      if (is_inside && path.find('/', folder.size() + 1) == std::string::npos)
        names.push_back(path.substr(folder.size() + 1));
    }
    return names;
  }
  Result<std::unique_ptr<ByteSource>> open_bytes(const std::string& path) const override {
    const auto found = files_.find(canonical(path));
    if (found == files_.end() || found->second.first.kind != FileKind::regular)
      return Finding{FindingId::file_unreadable, path, ""};
    return std::unique_ptr<ByteSource>{std::make_unique<MemorySource>(found->second.second)};
  }

 private:
  std::map<std::string, std::pair<FileFacts, std::string>> files_;
  std::map<std::string, std::string> links_;
};

}  // namespace metal_unlock
