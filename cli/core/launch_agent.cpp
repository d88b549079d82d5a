// SPDX-License-Identifier: MIT
#include "cli/core/launch_agent.hpp"

#include "cli/core/target/find_program.hpp"
#include "cli/core/text_format.hpp"
#include "cli/core/xml_text.hpp"

#include <algorithm>

namespace metal_unlock {
namespace {

constexpr std::string_view plist_head =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" "
    "\"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n";
constexpr std::string_view own_mark =
    "<!-- Written by metal-unlock, which replaces and removes only files that say so in this line. -->\n";

/// The length of the UTF-8 sequence at the front; 0 where there is none, or XML has no place for it.
std::size_t sequence_length(std::string_view text) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = at(0);
  if (first < 0x80) return first >= 0x20 || first == '\t' || first == '\n' || first == '\r' ? 1 : 0;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  unsigned code = first & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((at(i) & 0xc0U) != 0x80) return 0;
    code = (code << 6U) | (at(i) & 0x3fU);
  }
  constexpr unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
  const bool is_no_character = code == 0xfffe || code == 0xffff || code > 0x10ffff;
  return code < least[length] || is_surrogate || is_no_character ? 0 : length;
}

bool fits_xml(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string plist_element(std::string_view name, std::string_view text) {
  return formatted("<{0}>{1}</{0}>\n", name, xml_text(text));
}

std::string plist_entry(std::string_view key, std::string_view text) {
  return "\t" + plist_element("key", key) + "\t" + plist_element("string", text);
}

Finding unfit_word(std::string_view word) {
  return {FindingId::agent_refused,
          formatted("'{}' cannot be written in a property list: it is no text", word),
          "put the command in a script, and have launchd start that"};
}

}  // namespace

Result<std::string> agent_plist(const LaunchAgent& agent) {
  for (const std::string& word : agent.argv)
    if (!fits_xml(word)) return unfit_word(word);
  for (const auto& [name, content] : agent.environment)
    if (!fits_xml(content)) return unfit_word(content);
  for (const std::string& path : {agent.working_folder, agent.log})
    if (!fits_xml(path)) return unfit_word(path);
  std::string text = std::string{plist_head} + std::string{own_mark} + "<plist version=\"1.0\">\n<dict>\n";
  text += plist_entry("Label", agent.label);
  text += "\t<key>ProgramArguments</key>\n\t<array>\n";
  for (const std::string& word : agent.argv) text += "\t\t" + plist_element("string", word);
  text += "\t</array>\n";
  if (!agent.environment.empty()) {
    text += "\t<key>EnvironmentVariables</key>\n\t<dict>\n";
    for (const auto& [name, content] : agent.environment)
      text += "\t\t" + plist_element("key", name) + "\t\t" + plist_element("string", content);
    text += "\t</dict>\n";
  }
  if (!agent.working_folder.empty()) text += plist_entry("WorkingDirectory", agent.working_folder);
  if (!agent.log.empty())
    text += plist_entry("StandardOutPath", agent.log) + plist_entry("StandardErrorPath", agent.log);
  text += "\t<key>RunAtLoad</key>\n\t<true/>\n";
  if (agent.keep_alive)
    text += "\t<key>KeepAlive</key>\n\t<dict>\n\t\t<key>SuccessfulExit</key>\n\t\t<false/>\n\t</dict>\n";
  // Without it launchd holds back processor and disk, as of work that nobody waits for.
  return text + plist_entry("ProcessType", "Interactive") + "</dict>\n</plist>\n";
}

bool is_own_agent(std::string_view text) {
  return text.starts_with(plist_head) && text.substr(plist_head.size()).starts_with(own_mark);
}

std::string label_for(std::string_view program) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  std::string label = "local.metal-unlock.";
  for (const char letter : file_name(program))
    label += plain.find(letter) == std::string_view::npos ? '_' : letter;
  return label;
}

AgentState read_agent_state(std::string_view printed) {
  AgentState state;
  const std::pair<std::string_view, std::string*> fields[] = {{"path = ", &state.file},
                                                              {"state = ", &state.state},
                                                              {"pid = ", &state.pid},
                                                              {"last exit code = ", &state.last_exit}};
  while (!printed.empty()) {
    std::string_view line = printed.substr(0, printed.find('\n'));
    printed.remove_prefix(std::min(printed.size(), line.size() + 1));
    if (!line.starts_with('\t')) continue;
    // Deeper lines, which keep a tab, belong to parts of the service, which have states of their own.
    line.remove_prefix(1);
    for (const auto& [name, into] : fields)
      if (line.starts_with(name) && into->empty()) *into = line.substr(name.size());
  }
  return state;
}

}  // namespace metal_unlock
