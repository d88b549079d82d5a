// SPDX-License-Identifier: MIT
#include "cli/verify/verdict_json.hpp"
#include "tests/files.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/handoff_mutations.hpp"
#include "tests/macho/macho_samples.hpp"
#include "tests/macho/signature_builder.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

using Seeds = std::vector<FuzzSeed>;

/// The files of a folder of the source tree whose names end so, as far as they are small: a fuzzer learns
/// more from many short inputs than from a long one.
Seeds files_in(std::string_view folder, std::string_view ending) {
  constexpr std::uintmax_t largest_seed = 8192;
  Seeds seeds;
  for (const auto& entry : std::filesystem::directory_iterator{source_directory() / folder}) {
    const std::string name = entry.path().filename();
    if (name.ends_with(ending) && entry.file_size() <= largest_seed)
      seeds.push_back({name, read_file(entry.path())});
  }
  std::ranges::sort(seeds, {}, &FuzzSeed::name);
  return seeds;
}

Seeds numbered(const std::vector<std::string>& texts) {
  Seeds seeds;
  for (const std::string& text : texts) seeds.push_back({"text-" + std::to_string(seeds.size() + 1), text});
  return seeds;
}

Seeds operator+(Seeds seeds, const Seeds& more) {
  seeds.insert(seeds.end(), more.begin(), more.end());
  return seeds;
}

Seeds macho_seeds(bool is_file) {
  Seeds seeds;
  for (const auto& [name, bytes] : mach_samples())
    if (name.starts_with("entitlements") != is_file) seeds.push_back({name, bytes});
  return seeds;
}

Seeds entitlements_seeds(std::string_view ending) {
  Seeds seeds = macho_seeds(false);
  std::erase_if(seeds, [&](const FuzzSeed& seed) { return !seed.name.ends_with(ending); });
  return seeds;
}

Seeds signature_seeds() {
  const std::string strong = code_directory({.team = "AB12CD34EF", .version = 0x20500, .special_slots = 7});
  const std::string weak = code_directory({.version = 0x20100, .hash_type = 1, .hash_size = 20});
  const std::string rights = der_root(der_pair("com.apple.security.get-task-allow", der_truth(true)));
  return numbered({linker_signature(), code_directory(), super_blob({}),
                   super_blob({{0, weak}, {0x1000, strong}}),
                   super_blob({{0, strong}, {7, der_entitlements(rights)}}),
                   super_blob({{0, strong}, {5, xml_entitlements(property_list("<key>a</key><true/>"))}}),
                   super_blob({{0, strong}, {0x10000, signature_blob(0xfade0b01, "CMS")}})});
}

Seeds handoff_seeds() {
  Mutator mutator;
  std::vector<std::string> texts{"v1;class=A;apple-family=1007;metal=/" + std::string(1000, 'm') +
                                 ";open=always;end"};
  for (int i = 0; i < 40; ++i) texts.push_back(mutator.handoff());
  return numbered(texts);
}

Seeds preload_seeds() {
  Mutator mutator;
  std::vector<std::string> texts{"/a/LumeMetalCapabilities.dylib:/b/libTartMetalCapabilities.dylib"};
  for (int i = 0; i < 20; ++i) texts.push_back(mutator.preload_list());
  return numbered(texts);
}

Seeds configuration_seeds() {
  return numbered({"policy = \"require\"\nprofile = \"apple9\"\nchildren = true\nmin_version = \"0.1.0\"\n",
                   "profile = \"a/b.toml\"\n", "policy = \"of\"\n", "\u03e9+", "[= 1]",
                   "min_version = \"99\"\n", "[table]\nx = [1, 2.5]\n"});
}

Seeds host_report_seeds() {
  return numbered(
      {"schema = 1\ntool = \"0.1.0\"\n[host]\nchip = \"Apple M1\"\nmodel = \"Mac13,1\"\nos_version = "
       "\"26.1\"\n"
       "os_build = \"25B1\"\n[device]\nname = \"Apple M1\"\narchitecture = \"applegpu_g13g\"\ngpu_cores = 8\n"
       "unified_memory = true\nmax_threadgroup_memory = 32768\nrecommended_max_working_set = 11453251584\n"
       "max_buffer_length = 9534832640\nfamilies = [1001, 1002, 2002, 3001, 5001]\nrefused_families = "
       "[1003]\n",
       "schema = 1\n[host]\nchip = \"A\"\n[device]\nfamilies = [1001]\nmax_threadgroup_memory = 1\n"});
}

Seeds sample_seeds() {
  return files_in("tests/samples", "json") + files_in("tests/samples", "jsonl") +
         files_in("tests/samples", "log") +
         numbered(
             {R"({"schema":1,"rows":[{"test":"wall time","model":"","model_size":null,"build":"","threads":null,)"
              R"("settings":{"a":"b"},"unit":"s","stock":{"samples":[1,2.5]},"unlocked":{"samples":[1e3]}}]})",
              R"({"samples":[{"prompt_tokens":8,"prompt_tps":1.5,"generation_tokens":4,"generation_tps":2}],)"
              R"("model":{"id":"m","revision":"r"},"runtime":{"mlx":"1"},"configuration":{"seed":1}})"});
}

Seeds script_seeds() {
  return numbered({"#!/usr/bin/env python3\nprint(1)\n",
                   "#! /bin/sh -e\n# why\nset -eu\nLANG=C exec '/a b/server' --port 1 \"$@\"\n",
                   "#!/bin/sh\n'''exec' \"/a b/python\" \"$0\" \"$@\"\n' '''\nimport x\n",
                   "#!/usr/bin/env -S ${A} server --x\n",
                   "#!/bin/bash\nexport PYENV_ROOT=\"/r\"\nexec \"/r/bin/pyenv\" exec \"$program\" \"$@\"\n",
                   "3.12\n", "#!/bin/zsh\nmetal-unlock run --profile m1 -- tool \"$@\"\nexec server\n",
                   "#!tool\n", "#!h\n'''exec' \"-x\" \"$0\" \"$@\"\n", "#!/bin/tool -x\r\n",
                   "<plist><dict><key>CFBundleExecutable</key><string>X</string></dict></plist>"});
}

Seeds argv_seeds() {
  using namespace std::string_literals;
  return numbered({"run\0--profile\0m1\0-qv\0--\0server\0--port\0001"s, "doctor\0--json\0--\0server"s,
                   "profiles\0show\0m1"s, "bench\0--runs\0003\0--timeout=9\0server"s,
                   "compare\0a\0b\0--svg=c"s, "env\0--agent\0--label\0x\0--\0a"s,
                   "launchd\0install\0--keep-alive\0--\0a"s, "alias\0--shell\0fish\0a"s,
                   "explain\0--guest\0g.json\0mlx"s, "host\0report\0--output\0f"s, "completions\0zsh"s,
                   "--version"s, "prepare\0a\0--output=b\0--dry-run"s, "help\0--man"s,
                   "run\0--profile=[a,b]\0--host-report\0h\0x"s});
}

Seeds env_seeds() {
  return numbered({"1\n${A} 'a b' \"c\\_d\" \\$x", "-S${A}\n${A}", "x y\n-i -u B C=\"${B}\" tool\\tx #rest",
                   "-S${A} ${A}\n-S'${A}'", "\n--split-string='a b' --unset=B\\c x"});
}

Seeds timing_seeds() {
  return files_in("tests/samples", ".log") +
         numbered(
             {"build: 1\ngeneral.name str = m\nsystem_info: n_threads = 4\n"
              "prompt eval time =  925.78 ms /  24 tokens (  38.57 ms per token,  25.93 tokens per second)\n"
              "       eval time =  10 ms /  4 runs   (  2.5 ms per token,  400 tokens per second)\n",
              "prompt eval count: 8 token(s)\nprompt eval rate: 12.5 tokens/s\neval rate: 3 tokens/s\n"});
}

Seeds agent_seeds() {
  return numbered(
      {"gui/501/x = {\n\tpath = /a.plist\n\tstate = running\n\tpid = 12\n\tlast exit code = 0\n"
       "\t\tstate = active\n}\n"});
}

Seeds verdict_seeds() {
  GpuVerdict verdict{
      .key = {"macOS 25F84", "Apple M1", "abc", "0.1.0"}, .verified_at = 1, .was_unlocked = true};
  for (const PassEnd end : {PassEnd::correct, PassEnd::wrong, PassEnd::refused, PassEnd::crashed})
    verdict.capabilities.push_back(
        {"matrix-half", true, {PassEnd::refused, 0, 0, "no"}, {end, 0.5, 0.25, "3"}});
  GpuVerdict stuck = verdict;
  stuck.is_stuck = true;
  stuck.capabilities.resize(1);
  return numbered({verdict_memory(verdict), verdict_memory(stuck),
                   pass_line(verdict.capabilities[1].unlocked),
                   pass_line({PassEnd::timed_out, 0, 0, "\xff"})});
}

Seeds attach_seeds() {
  return numbered(
      {"{\"event\":\"loaded\",\"pid\":7}\n{\"event\":\"metal\",\"origin\":\"linked\"}\n"
       "{\"event\":\"effective\",\"class\":\"AppleParavirtDevice\"}\n",
       "{\"event\":\"ineffective\",\"class\":\"A\",\"question\":\"supportsFamily:\",\"reason\":\"own\"}\n",
       "\nmetal-unlock-attach: loaded \n", "x\nmetal-unlock-attach: busy malloc\n",
       "\nmetal-unlock-attach: refused dlopen: no such file\n",
       "\nmetal-unlock-attach: denied ptrace\n\nmetal-unlock-attach: gone \n",
       "\nmetal-unlock-attach: failed why\n"});
}

}  // namespace

std::vector<FuzzSeed> fuzz_seeds(std::string_view target) {
  if (target == "agent_state") return agent_seeds();
  if (target == "argv") return argv_seeds();
  if (target == "attach") return attach_seeds();
  if (target == "code_signature") return signature_seeds();
  if (target == "configuration") return configuration_seeds();
  if (target == "der_entitlements") return entitlements_seeds(".der");
  if (target == "env_words") return env_seeds();
  if (target == "guest") return files_in("tests/guests", ".json");
  if (target == "handoff") return handoff_seeds();
  if (target == "host_report") return host_report_seeds();
  if (target == "macho") return macho_seeds(true);
  if (target == "preload_list") return preload_seeds();
  if (target == "profile")
    return files_in("profiles/chips", ".toml") + files_in("tests/profiles/valid", ".toml") +
           files_in("tests/profiles/invalid", ".toml");
  if (target == "program") return files_in("profiles/programs", ".toml");
  if (target == "samples") return sample_seeds();
  if (target == "script" || target == "target_files") return script_seeds();
  if (target == "timing_lines") return timing_seeds();
  if (target == "verdict") return verdict_seeds();
  return entitlements_seeds(".xml");
}

}  // namespace metal_unlock
