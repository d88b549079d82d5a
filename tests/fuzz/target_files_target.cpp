// SPDX-License-Identifier: MIT
#include "cli/core/target.hpp"

#include "tests/fuzz/promise.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/unit/recorded_files.hpp"

namespace metal_unlock {
namespace {

RecordedFiles installed_files() {
  RecordedFiles files;
  for (const char* program : {"/usr/bin/env", "/bin/sh", "/usr/bin/python3", "/r/versions/3.12.1/bin/tool",
                              "/home/me/X.app/Contents/MacOS/X", "/bin/server"})
    files.program(program);
  files.folder("/r/versions/3.12.1").script("/bin/other", "#!/usr/bin/env -S ${A} tool\n");
  return files;
}

}  // namespace

/// The same bytes stand as a script, as what pyenv reads and as an application's property list.
void fuzz_target_files(std::string_view bytes) {
  static RecordedFiles files = installed_files();
  const std::string text{bytes};
  files.script("/bin/tool", text).text("/home/me/X.app/Contents/Info.plist", text);
  files.text("/home/me/.python-version", text);
  const Environment environment{{"PATH=/bin:/usr/bin", "A=-S${A} ${B}", "B=b c"}};
  for (const char* word : {"tool", "other", "/home/me/X.app"}) {
    const auto target = resolve_target({word, "--port", "1"}, environment, files);
    if (!target) {
      promise_told(target.finding(), bytes);
      continue;
    }
    promise(!target->program.empty() && !target->file.empty(), "a target has a file");
    promise(target->argv.size() >= 3 || target->wrapper, "no argument is lost");
    promise(target->chain.size() <= 17, "a chain of links ends");
    std::size_t size = 0;
    for (const std::string& argument : target->argv) size += argument.size();
    promise(size < 65536, "what a script adds is no longer than the script");
  }
}

}  // namespace metal_unlock
