// SPDX-License-Identifier: MIT

// scope-client WAY…: starts itself in each way that a program has to start another; every process prints a
// line of JSON: how it was started, what it sees of the shim, and whether descriptor 9 is open. With `see
// WAY` it prints that line and nothing else. SCOPE_CLIENT_STARTER has the words that must stand in front of a
// program where the processor is not the machine's.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <spawn.h>
#include <sstream>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char** environ;

namespace {

std::string self;

std::string quoted(const char* text) {
  if (text == nullptr) return "null";
  std::string result = "\"";
  for (; *text != '\0'; ++text) {
    if (*text == '"' || *text == '\\') result += '\\';
    result += *text;
  }
  result += '"';
  return result;
}

/// Whether a file of this name is mapped into the process.
bool is_mapped(const std::string& name) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find(name) != std::string::npos) return true;
  }
  return false;
}

const char* in(char** environment, const char* name) {
  const std::size_t length = std::strlen(name);
  for (; *environment != nullptr; ++environment) {
    if (std::strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
      return *environment + length + 1;
  }
  return nullptr;
}

void see(const std::string& way, char** environment) {
  std::printf(
      "{\"way\":%s,\"LD_PRELOAD\":%s,\"DYLD_INSERT_LIBRARIES\":%s,\"METAL_UNLOCK_HANDOFF\":%s,\"shim\":%s,"
      "\"metal\":%s,\"descriptor\":%s}\n",
      quoted(way.c_str()).c_str(), quoted(in(environment, "LD_PRELOAD")).c_str(),
      quoted(in(environment, "DYLD_INSERT_LIBRARIES")).c_str(),
      quoted(in(environment, "METAL_UNLOCK_HANDOFF")).c_str(),
      is_mapped("libmetal-unlock") ? "true" : "false", is_mapped("libMetal") ? "true" : "false",
      fcntl(9, F_GETFD) != -1 ? "true" : "false");
  std::fflush(stdout);
}

/// The words that start this program again to see what it is given.
std::vector<std::string> start_words(const std::string& way) {
  const char* starter = std::getenv("SCOPE_CLIENT_STARTER");
  std::istringstream stream(starter == nullptr ? "" : starter);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  words.insert(words.end(), {self, "see", way});
  return words;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

void spawn(const std::string& way, char** environment) {
  std::vector<std::string> words = start_words(way);
  pid_t pid = 0;
  int status = 0;
  if (posix_spawnp(&pid, words[0].c_str(), nullptr, nullptr, pointers(words).data(), environment) == 0)
    waitpid(pid, &status, 0);
}

void execute(const std::string& way) {
  std::vector<std::string> words = start_words(way);
  execvp(words[0].c_str(), pointers(words).data());
}

void fork_and_exec(const std::string& way) {
  const pid_t pid = fork();
  if (pid == 0) {
    execute(way);
    _exit(127);
  }
  waitpid(pid, nullptr, 0);
}

void shell(const std::string& command) {
  if (std::system(command.c_str()) != 0) std::exit(3);
}

void start(const std::string& way, char** main_environment) {
  std::string child;
  for (const std::string& word : start_words(way)) child += "'" + word + "' ";
  if (way == "self") see(way, environ);
  if (way == "self, third argument of main") see(way, main_environment);
  if (way == "system()") shell(child);
  if (way == "sh -c in sh -c") shell("sh -c \"sh -c \\\"" + child + "\\\"\"");
  if (way == "posix_spawn, environ") spawn(way, environ);
  if (way == "posix_spawn, third argument of main") spawn(way, main_environment);
  if (way == "fork") {
    if (fork() == 0) {
      see(way, environ);
      _exit(0);
    }
    wait(nullptr);
  }
  if (way == "fork and exec") fork_and_exec(way);
  if (way == "exec of itself") execute(way);
}

}  // namespace

int main(int argc, char** argv, char** environment) {
  if (argc == 3 && std::string_view(argv[1]) == "see") {
    see(argv[2], environ);
    return 0;
  }
  char path[4096] = {};
  if (readlink("/proc/self/exe", path, sizeof path - 1) < 0) return 2;
  self = path;
  for (int i = 1; i < argc; ++i) start(argv[i], environment);
  return 0;
}
