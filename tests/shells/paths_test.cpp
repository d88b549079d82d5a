// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"

#include <algorithm>

using namespace metal_unlock;

namespace {

/// A sandbox with a Mac's helpers, in which every command can do its work.
struct PreparedPaths : Sandbox {
  PreparedPaths() {
    const auto bin = work().parent_path() / "bin";
    // Each is traced as well, and does what the real one would do to files.
    write_program("bin/codesign", "#!/bin/sh\nexit 0\n");
    write_program("bin/xattr", "#!/bin/sh\nexit 0\n");
    write_program("bin/launchctl", "#!/bin/sh\n[ \"$1\" != print ] || exit 113\n");
    std::filesystem::create_symlink(metal_unlock_program(), bin / "metal-unlock");
    std::filesystem::create_symlink(metal_caps_program(), bin / "caps");
    set("PATH", bin.string() + ":/usr/bin:/bin");
    set("SHELL", "/bin/bash");
  }
};

/// The paths of a call of strace that may change the file system; none for one that only looks.
Words changed_by(const std::string& line) {
  const std::size_t bracket = line.find('(');
  if (bracket == std::string::npos || line.find(" = -1 ") != std::string::npos) return {};
  const std::size_t begin = line.find_last_of(" ", bracket);
  const std::string call = line.substr(begin == std::string::npos ? 0 : begin + 1,
                                       bracket - (begin == std::string::npos ? 0 : begin + 1));
  const bool opens = call == "open" || call == "openat" || call == "creat";
  const bool writes = line.find("O_WRONLY") != std::string::npos ||
                      line.find("O_RDWR") != std::string::npos || line.find("O_CREAT") != std::string::npos ||
                      call == "creat";
  if (opens && !writes) return {};
  Words paths;
  for (std::size_t at = line.find('"'); at != std::string::npos; at = line.find('"', at)) {
    const std::size_t end = line.find('"', at + 1);
    paths.push_back(line.substr(at + 1, end - at - 1));
    at = end + 1;
    if (opens) break;
  }
  // With -y a descriptor is followed by the folder that it stands for: 5</cache/metal-unlock>.
  const std::size_t angle = line.find('<', bracket);
  if (!paths.empty() && !paths.front().starts_with('/') && angle != std::string::npos) {
    const std::string folder = line.substr(angle + 1, line.find('>', angle) - angle - 1);
    for (std::string& path : paths)
      if (!path.starts_with('/')) path.insert(0, folder + "/");
  }
  return paths;
}

struct Written {
  Words paths;
  Outcome outcome;
};

/// Runs `metal-unlock WORDS…` and tells everything that it, and what it started, changed in the file system.
Written traced(const Sandbox& sandbox, Words words) {
  const auto log = sandbox.work().parent_path() / "trace";
  Words argv{"strace",
             "-f",
             "-y",
             "-qq",
             "-s",
             "4096",
             "-o",
             log,
             "-e",
             "trace=open,openat,creat,mkdir,mkdirat,rename,renameat,renameat2,unlink,unlinkat,rmdir,"
             "symlink,symlinkat,link,linkat,truncate,chmod,fchmodat,chown,fchownat,mknod,mknodat,"
             "utimensat",
             metal_unlock_program()};
  argv.insert(argv.end(), words.begin(), words.end());
  Written written{{}, sandbox.execute(argv)};
  std::string text = read_file(log);
  while (!text.empty()) {
    const std::string line = text.substr(0, text.find('\n'));
    text.erase(0, line.size() + 1);
    for (std::string path : changed_by(line)) {
      if (!path.starts_with('/')) path = (sandbox.work() / path).string();
      if (!path.starts_with("/dev/")) written.paths.push_back(path);
    }
  }
  return written;
}

/// Whether `path` is one of the listed, in the making or done, or a folder that has to be made for it.
bool is_listed(const std::string& path, const Words& listed) {
  return std::ranges::any_of(listed, [&](const std::string& allowed) {
    if (allowed.ends_with('/') && (path + "/").starts_with(allowed)) return true;
    if (path == allowed || (path.starts_with(allowed + ".") && path.ends_with(".part"))) return true;
    return allowed.starts_with(path + "/");
  });
}

/// What `doctor --paths` lists, with the names that the test's command lines use.
Words listed_paths(const Sandbox& sandbox, const std::map<std::string, std::string>& names) {
  Words paths;
  const json answer = json::parse(sandbox.metal_unlock({"doctor", "--paths", "--json"}).out);
  for (const json& entry : answer.at("paths")) {
    std::string path = entry.at("path");
    if (entry.at("state") == "named by you") {
      // A file that is named on the command line counts for the command that names it.
      const auto name = names.find(entry.at("written_by").get<std::string>());
      if (name == names.end()) continue;
      const std::size_t end = path.find_first_of("./");
      path = (sandbox.work() / name->second).string() + (end == std::string::npos ? "" : path.substr(end));
    }
    if (const std::size_t label = path.find("LABEL"); label != std::string::npos)
      path.replace(label, 5, "my.label");
    paths.push_back(path);
  }
  return paths;
}

}  // namespace

TEST_CASE("nothing is written but what doctor lists") {
  struct Row {
    Words words;
    int writes;  ///< at least as many paths; 0: none at all
  };
  const Row rows[] = {
      {{"run", "--", "caps"}, 2},
      {{"run", "--report", "report.jsonl", "--", "caps"}, 2},
      {{"run", "--require", "--children", "--", "caps"}, 0},
      {{"env"}, 0},
      {{"env", "--launchd", "--", "caps"}, 0},
      {{"alias", "caps"}, 0},
      {{"completions", "bash"}, 0},
      {{"help", "--man"}, 0},
      {{"doctor", "--", "caps"}, 0},
      {{"doctor", "--paths"}, 0},
      {{"probe", "--json"}, 0},
      {{"probe", "--unlocked"}, 0},
      {{"profiles", "list"}, 0},
      {{"config"}, 0},
      {{"explain", "llama.cpp"}, 0},
      {{"bench", "--runs", "1", "--warmup", "0", "--allow-load", "--evidence", "folder", "--svg", "chart.svg",
        "--", "caps"},
       5},
      {{"prepare", "./hardened", "--output", "copy"}, 2},
      {{"launchd", "install", "my.label", "--", "caps"}, 2},
      {{"launchd", "status", "my.label"}, 0},
      {{"launchd", "remove", "my.label"}, 1},
  };
  const std::map<std::string, std::string> names{{"run --report FILE", "report.jsonl"},
                                                 {"prepare --output COPY", "copy"},
                                                 {"bench --evidence DIR", "folder"},
                                                 {"bench --svg FILE, compare --svg FILE", "chart.svg"}};
  const PreparedPaths sandbox;
  REQUIRE(sandbox.execute({build_directory() / "make-program", "hardened", "hardened"}).exit_status == 0);
  const Words listed = listed_paths(sandbox, names);
  for (const Row& row : rows) {
    const Written written = traced(sandbox, row.words);
    CAPTURE(row.words, written.outcome.err, written.paths);
    CHECK((row.writes == 0 ? written.paths.empty()
                           : written.paths.size() >= static_cast<std::size_t>(row.writes)));
    for (const std::string& path : written.paths) {
      CAPTURE(path);
      CHECK(is_listed(path, listed));
    }
  }
}

TEST_CASE("a file that is not listed is noticed") {
  const PreparedPaths sandbox;
  const Words listed = listed_paths(sandbox, {});
  const Written written = traced(sandbox, {"run", "-q", "--", "touch", "elsewhere"});
  CHECK(std::ranges::count(written.paths, (sandbox.work() / "elsewhere").string()) >= 1);
  CHECK_FALSE(is_listed((sandbox.work() / "elsewhere").string(), listed));
  CHECK(is_listed(sandbox.shim_folder() / "0123/libmetal-unlock.so.7.part", listed));
  CHECK_FALSE(is_listed(sandbox.home() / "x", listed));
}

TEST_CASE("a host report is written where it was asked for, and nowhere else") {
  PreparedPaths host;
  host.choose_guest("bare-metal-m5");
  const Written report = traced(host, {"host", "report", "--output", "report.toml"});
  CAPTURE(report.outcome.err);
  REQUIRE_FALSE(report.paths.empty());
  for (const std::string& path : report.paths)
    CHECK(is_listed(path, listed_paths(host, {{"host report --output FILE", "report.toml"}})));
}

TEST_CASE("doctor says which of the files are there") {
  const PreparedPaths sandbox;
  const auto state = [&] {
    const json answer = json::parse(sandbox.metal_unlock({"doctor", "--paths", "--json"}).out);
    for (const json& entry : answer.at("paths"))
      if (entry.at("path") == sandbox.shim_folder().string() + "/")
        return entry.at("state").get<std::string>();
    return std::string{"not listed"};
  };
  CHECK(state() == "not there");
  sandbox.run_caps();
  CHECK(state() == "there");
  const Outcome text = sandbox.metal_unlock({"doctor", "--paths"});
  CHECK(text.exit_status == 0);
  CHECK(text.out.find(sandbox.shim_folder().string() + "/") != std::string::npos);
  CHECK(sandbox.metal_unlock({"doctor", "--paths", "x"}).exit_status == 2);
}
