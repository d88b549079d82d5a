// SPDX-License-Identifier: MIT
#include "cli/core/target/find_program.hpp"

#include "tests/catch.hpp"

#include <map>

using namespace metal_unlock;

namespace {

constexpr FileFacts program{FileKind::regular, true, false};
constexpr FileFacts plain{FileKind::regular, false, false};
constexpr FileFacts directory{FileKind::directory, false, false};
constexpr FileFacts device{FileKind::other, true, false};

/// A file system that is a table, and remembers what it was asked.
class Files final : public FileLookup {
 public:
  explicit Files(std::map<std::string, FileFacts> files) : files_(std::move(files)) {}

  FileFacts facts(const std::string& path) const override {
    asked.push_back(path);
    const auto found = files_.find(path);
    return found == files_.end() ? FileFacts{} : found->second;
  }
  std::vector<std::string> names_in(const std::string& folder) const override {
    std::vector<std::string> names;
    for (const auto& [path, ignored] : files_)
      if (path.starts_with(folder + "/")) names.push_back(path.substr(folder.size() + 1));
    return names;
  }
  std::string canonical(const std::string& path) const override { return path; }
  Result<std::unique_ptr<ByteSource>> open_bytes(const std::string& path) const override {
    return Finding{FindingId::file_unreadable, path, ""};
  }

  mutable std::vector<std::string> asked;

 private:
  std::map<std::string, FileFacts> files_;
};

/// The file, or the finding's name with its sentence.
std::string resolved(const std::string& word, std::string_view path, const FileLookup& files) {
  const auto found = find_program(word, path, files);
  if (!found) return std::string{catalogue_row(found.finding().id).name} + ": " + found.finding().sentence;
  CHECK(found->facts == files.facts(found->file));
  return found->file;
}

}  // namespace

TEST_CASE("the folder of a file is what stands before its last slash, and of one below the root the root") {
  CHECK(folder_name("/opt/bin/tool") == "/opt/bin");
  CHECK(folder_name("/tool") == "/");
  CHECK(folder_name("tool") == ".");
}

TEST_CASE("a target is found as execvp finds it") {
  const Files files({{"/a/tool", program},
                     {"/b/tool", program},
                     {"/b/only-b", program},
                     {"/a/plain", plain},
                     {"/b/plain", program},
                     {"/a/folder", directory},
                     {"/b/folder", program},
                     {"/a/blocked", plain},
                     {"/b/blocked", plain},
                     {"/a/place", directory},
                     {"here", program},
                     {"tool", program},
                     {"./tool", program},
                     {"/dev/thing", device},
                     {"dir/tool", program},
                     {"/a/mixed", directory},
                     {"/b/mixed", plain},
                     {"/a/device", device}});
  struct Row {
    const char* word;
    const char* path;
    const char* outcome;
  };
  const Row rows[] = {
      // The first folder that has it.
      {"tool", "/a:/b", "/a/tool"},
      {"tool", "/b:/a", "/b/tool"},
      {"only-b", "/a:/b", "/b/only-b"},
      {"tool", "/a/", "/a/tool"},
      {"device", "/a", "/a/device"},
      // An empty entry is the current folder, wherever it stands.
      {"here", "", "here"},
      {"here", ":/a", "here"},
      {"here", "/a:", "here"},
      {"here", "/a::/b", "here"},
      {"tool", ":/a", "tool"},
      {"tool", "/a:", "/a/tool"},
      {"here", "/a", "not-found: 'here' is not on PATH"},
      // A file that may not be run does not end the search, but is remembered.
      {"plain", "/a:/b", "/b/plain"},
      {"plain", "/a", "not-executable: '/a/plain' is not an executable file"},
      {"blocked", "/a:/b", "not-executable: '/a/blocked' is not an executable file"},
      {"blocked", "/c:/b", "not-executable: '/b/blocked' is not an executable file"},
      // A folder of that name is passed over.
      {"folder", "/a:/b", "/b/folder"},
      {"place", "/a:/b", "not-found: 'place' is not on PATH"},
      {"mixed", "/a:/b", "not-executable: '/b/mixed' is not an executable file"},
      // A word with a slash is a path, and PATH is not asked.
      {"/b/tool", "/a", "/b/tool"},
      {"./tool", "/a", "./tool"},
      {"dir/tool", "", "dir/tool"},
      {"/dev/thing", "", "/dev/thing"},
      {"/a/folder", "/b", "not-executable: '/a/folder' is a directory"},
      {"/a/plain", "/b", "not-executable: '/a/plain' is not an executable file"},
      {"/a/absent", "/b", "not-found: '/a/absent' does not exist"},
      {"./absent", "/b", "not-found: './absent' does not exist"},
      // Nothing at all.
      {"absent", "/a:/b", "not-found: 'absent' is not on PATH"},
      {"", "/a:", "not-found: '' is not on PATH"},
      {"-weird", "/a", "not-found: '-weird' is not on PATH"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.word, row.path);
    CHECK(resolved(row.word, row.path, files) == row.outcome);
  }
}

TEST_CASE("the search ends at the first file that can run") {
  const Files files({{"/b/tool", program}, {"/c/tool", program}});
  REQUIRE(find_program("tool", "/a:/b:/c", files));
  CHECK(files.asked == std::vector<std::string>{"/a/tool", "/b/tool"});
}

TEST_CASE("a missing program names those that are near, in every folder of PATH") {
  const Files files(
      {{"/a/llama-server", program}, {"/b/llama-serve", program}, {"./llama-servers", program}});
  const auto next = [&](const char* word, const char* path) {
    const auto target = find_program(word, path, files);
    REQUIRE_FALSE(target);
    return target.finding().next;
  };
  CHECK(next("llama-sever", "/a") == "did you mean llama-server?");
  CHECK(next("llama-sever", "/a:/b") == "did you mean llama-server or llama-serve?");
  CHECK(next("llama-sever", "") == "did you mean llama-servers?");
  CHECK(next("ollama", "/a:/b") == "give the path of the program");
  CHECK(next("", "/a:/b") == "give the path of the program");
}
