// SPDX-License-Identifier: MIT
#include "cli/text/agent_text.hpp"

#include "cli/text/printable.hpp"
#include "cli/text/table.hpp"

namespace metal_unlock {

std::string_view to_text(AgentFile file) {
  if (file == AgentFile::missing) return "not there";
  return file == AgentFile::own ? "written by metal-unlock" : "somebody else's";
}

std::string agent_status_text(const ShownAgent& agent) {
  Table table;
  table.add_row({"service", agent.service});
  table.add_row({"file", printable(agent.path) + " (" + std::string{to_text(agent.file)} + ")"});
  table.add_row({"loaded", agent.state ? "yes" : "no"});
  if (!agent.state) return table.text();
  const std::pair<const char*, const std::string&> rows[] = {{"from", agent.state->file},
                                                             {"state", agent.state->state},
                                                             {"pid", agent.state->pid},
                                                             {"last exit", agent.state->last_exit}};
  for (const auto& [name, content] : rows)
    if (!content.empty()) table.add_row({name, printable(content)});
  return table.text();
}

}  // namespace metal_unlock
