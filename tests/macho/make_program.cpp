// SPDX-License-Identifier: MIT
// make-program FILE [WORD…]: writes a Mach-O file that no Mac would run, but whose headers a loader could
// judge.
#include "cli/core/loader_rules.hpp"
#include "tests/macho/program_builder.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>

using namespace metal_unlock;

namespace {

void apply(BuiltProgram& program, const std::string& word) {
  static const std::map<std::string, Architecture> architectures{{"arm64e", arm64e}, {"x86_64", x86_64}};
  static const std::map<std::string, std::uint32_t> flags{
      {"hardened", hardened}, {"validating", validating}, {"restricted", restricted}};
  static const std::map<std::string, std::string_view> rights{
      {"allow-dyld", entitlement::allow_dyld_variables},
      {"disable-lv", entitlement::disable_library_validation},
      {"get-task-allow", entitlement::get_task_allow},
      {"sandboxed", entitlement::app_sandbox},
      {"icloud", "com.apple.developer.icloud-services"}};
  if (architectures.contains(word)) program.architecture = architectures.at(word);
  if (flags.contains(word)) program.flags = flags.at(word);
  if (rights.contains(word)) program.entitlements.push_back(rights.at(word));
  if (word == "team") program.team = "AB12CD34EF";
  if (word == "platform") program.platform = 15;
  if (word == "catalyst") program.system = 6;
  if (word == "restrict-section") program.has_restrict_section = true;
  if (word == "encrypted") program.is_encrypted = true;
  if (word == "unsigned") program.is_signed = false;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  BuiltProgram program;
  for (int i = 2; i < argc; ++i) apply(program, argv[i]);
  std::string bytes = program_file(program);
  for (int i = 2; i < argc; ++i)
    if (std::string_view{argv[i]} == "cut-off") bytes.resize(100);
  std::ofstream{argv[1], std::ios::binary} << bytes;
  std::filesystem::permissions(argv[1], std::filesystem::perms::owner_all);
  return std::filesystem::exists(argv[1]) ? 0 : 1;
}
