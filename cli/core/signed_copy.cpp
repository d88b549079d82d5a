// SPDX-License-Identifier: MIT
#include "cli/core/signed_copy.hpp"

#include "cli/core/loader_rules.hpp"
#include "cli/core/shell_word.hpp"
#include "cli/core/target/find_program.hpp"
#include "cli/core/text_format.hpp"

#include <algorithm>
#include <array>

namespace metal_unlock {
namespace {

constexpr std::array needed{entitlement::allow_dyld_variables, entitlement::disable_library_validation};
/// A sandboxed copy could not read the shim.
constexpr std::string_view sandbox = entitlement::app_sandbox;

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char letter : text) {
    if (letter == '&')
      safe += "&amp;";
    else if (letter == '<')
      safe += "&lt;";
    else if (letter == '>')
      safe += "&gt;";
    else
      safe += letter;
  }
  return safe;
}

std::string value_xml(const EntitlementValue& value, const std::string& indent);

struct ValueWriter {
  const std::string& indent;

  std::string operator()(bool is_true) const { return indent + (is_true ? "<true/>" : "<false/>") + "\n"; }
  std::string operator()(std::int64_t number) const {
    return formatted("{}<integer>{}</integer>\n", indent, number);
  }
  std::string operator()(const std::string& text) const {
    return formatted("{}<string>{}</string>\n", indent, escaped(text));
  }
  std::string operator()(const EntitlementValue::List& list) const {
    std::string xml = indent + "<array>\n";
    for (const EntitlementValue& value : list) xml += value_xml(value, indent + "  ");
    return xml + indent + "</array>\n";
  }
  std::string operator()(const EntitlementValue::Dictionary& entries) const {
    std::string xml = indent + "<dict>\n";
    for (const Entitlement& entry : entries)
      xml += formatted("{}  <key>{}</key>\n", indent, escaped(entry.name)) +
             value_xml(entry.value, indent + "  ");
    return xml + indent + "</dict>\n";
  }
};

std::string value_xml(const EntitlementValue& value, const std::string& indent) {
  return std::visit(ValueWriter{indent}, value.is);
}

Finding refused(const std::string& sentence, const std::string& next) {
  return {FindingId::prepare_refused, sentence, next};
}

bool is_apples(const std::string& file, const FileFacts& facts, const Slice& slice) {
  constexpr std::string_view folders[] = {"/System/",   "/bin/",         "/sbin/",   "/usr/bin/",
                                          "/usr/sbin/", "/usr/libexec/", "/usr/lib/"};
  const bool is_platform = slice.signature && slice.signature->directory.platform != 0;
  return facts.is_restricted || is_platform ||
         std::ranges::any_of(folders, [&](std::string_view folder) { return file.starts_with(folder); });
}

Entitlements merged(const Entitlements& original, SignedCopy& copy) {
  Entitlements all{.form = EntitlementForm::xml, .entries = {}};
  for (const Entitlement& entry : original.entries) {
    if (is_restricted_entitlement(entry.name) || entry.name == sandbox)
      copy.stripped.push_back(entry.name);
    else
      all.entries.push_back(entry);
  }
  for (const std::string_view name : needed) {
    const auto there = std::ranges::find(all.entries, name, &Entitlement::name);
    if (there != all.entries.end() && all.grants(name)) continue;
    if (there != all.entries.end())
      there->value = EntitlementValue{true};
    else
      all.entries.push_back({std::string{name}, EntitlementValue{true}});
    copy.added.emplace_back(name);
  }
  return all;
}

std::vector<std::string> losses_of(const Slice& slice, const SignedCopy& copy) {
  std::vector<std::string> losses;
  const std::string team = slice.signature ? slice.signature->directory.team : std::string{};
  losses.push_back(team.empty() ? "its signature is replaced by one of nobody"
                                : formatted("the signature of team {} and its notarization", team));
  losses.emplace_back("access that was granted to the original: keychain items, privacy permissions");
  for (const std::string& name : copy.stripped)
    losses.push_back(
        formatted("the entitlement {}{}", name,
                  name == sandbox ? ": the copy is not sandboxed" : ", which only Apple can grant"));
  losses.emplace_back("updates: it stays as it is when the original is updated");
  return losses;
}

}  // namespace

bool is_restricted_entitlement(std::string_view name) {
  // What an application may ask for by itself lies below com.apple.security.
  return !name.starts_with("com.apple.security.");
}

std::string entitlements_plist(const Entitlements& entitlements) {
  std::string xml =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" "
      "\"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n"
      "<plist version=\"1.0\">\n";
  return xml + ValueWriter{std::string{}}(entitlements.entries) + "</plist>\n";
}

std::string bundle_of(std::string_view program) {
  const std::size_t end = program.find(".app/Contents/");
  return end == std::string_view::npos ? std::string{} : std::string{program.substr(0, end + 4)};
}

std::string copy_name(std::string_view program) {
  const std::string bundle = bundle_of(program);
  if (bundle.empty()) return formatted("./{}-unlocked", file_name(program));
  const std::string_view name = file_name(bundle);
  return formatted("./{}-unlocked.app", name.substr(0, name.size() - 4));
}

Result<SignedCopy> plan_signed_copy(const Target& target, const std::string& output,
                                    const FileLookup& files) {
  const std::string program = files.canonical(target.program);
  const auto source = files.open_bytes(program);
  if (!source) return source.finding();
  const auto file = read_mach_file(**source);
  const auto slice = file ? starting_slice(*file) : std::nullopt;
  if (!slice)
    return refused(formatted("'{}' is no program for this Mac, so there is nothing to sign", program),
                   "name the program itself");
  if (is_apples(program, target.facts, *slice))
    return refused(
        formatted("'{}' belongs to the system, and macOS would not run a copy of it", program),
        formatted("use a build of {} that is not Apple's, for example Homebrew's", file_name(program)));
  SignedCopy copy;
  const std::string bundle = bundle_of(program);
  copy.is_bundle = !bundle.empty();
  copy.source = copy.is_bundle ? bundle : program;
  copy.output = output;
  if (files.facts(output).kind != FileKind::missing)
    return refused(formatted("'{}' is there already, and is not overwritten", output),
                   formatted("name another place, or: rm -r {}", shell_word(output)));
  if (copy.is_bundle && output.starts_with(bundle + "/"))
    return refused(formatted("'{}' lies inside of what is copied", output), "name a place outside of it");
  const Entitlements none;
  copy.entitlements =
      entitlements_plist(merged(slice->signature ? slice->signature->entitlements : none, copy));
  copy.losses = losses_of(*slice, copy);
  return copy;
}

std::vector<std::vector<std::string>> copy_commands(const SignedCopy& copy,
                                                    const std::string& entitlements_file) {
  const std::vector<std::string> duplicate =
      copy.is_bundle ? std::vector<std::string>{"ditto", copy.source, copy.output}
                     : std::vector<std::string>{"cp", "-p", copy.source, copy.output};
  return {duplicate,
          {"xattr", "-cr", copy.output},
          {"codesign", "--force", "--sign", "-", "--options", "runtime", "--entitlements", entitlements_file,
           copy.output},
          {"codesign", "--verify", "--strict", copy.output}};
}

}  // namespace metal_unlock
