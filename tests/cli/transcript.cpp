// SPDX-License-Identifier: MIT
#include "tests/cli/transcript.hpp"

#include "tests/catch.hpp"
#include "tests/lines_of.hpp"

namespace metal_unlock {
namespace {

void replace_all(std::string& text, const std::string& found, const std::string& by) {
  for (std::size_t at = text.find(found); at != std::string::npos; at = text.find(found, at + by.size()))
    text.replace(at, found.size(), by);
}

/// The shim's folder is named by its content, which changes with each build.
void hide_shim_folder(std::string& text) {
  const std::string before = "/metal-unlock/";
  const std::string after = "/libmetal-unlock.so";
  for (std::size_t end = text.find(after); end != std::string::npos; end = text.find(after, end + 1)) {
    const std::size_t start = text.rfind(before, end);
    if (start != std::string::npos && end - start - before.size() == 16)
      text.replace(start + before.size(), 16, "CONTENT");
  }
}

}  // namespace

std::vector<TranscriptStep> read_transcript(std::string_view text) {
  std::vector<TranscriptStep> steps;
  for (const std::string& line : lines_of(text)) {
    if (line.starts_with("$ "))
      steps.push_back({line.substr(2), {}});
    else if (!steps.empty())
      steps.back().output += line + "\n";
  }
  return steps;
}

std::string transcript_text(const std::vector<TranscriptStep>& steps) {
  std::string text;
  for (const TranscriptStep& step : steps) text += "$ " + step.command + "\n" + step.output;
  return text;
}

std::vector<TranscriptStep> replay(const std::vector<TranscriptStep>& steps) {
  Sandbox sandbox;
  sandbox.set("guests", guests_directory().string());
  sandbox.set("PATH",
              build_directory().string() + ":" + (sandbox.home() / "bin").string() + ":/usr/bin:/bin");
  const std::string root = sandbox.home().parent_path().string();
  std::string script = "exec 2>&1\n";
  for (const TranscriptStep& step : steps) script += step.command + "\nprintf '\\001%d\\n' $?\n";
  std::string output = sandbox.execute({"/bin/sh", "-c", script}).out;
  replace_all(output, root, "/sandbox");
  replace_all(output, guests_directory().string(), "/guests");
  replace_all(output, build_directory().string(), "/build");
  hide_shim_folder(output);
  std::vector<TranscriptStep> replayed;
  for (const TranscriptStep& step : steps) {
    const std::size_t end = output.find('\001');
    INFO("after: " << step.command << "\n" << output);
    REQUIRE(end != std::string::npos);
    const std::size_t line = output.find('\n', end);
    const std::string status = output.substr(end + 1, line - end - 1);
    replayed.push_back(
        {step.command, output.substr(0, end) + (status == "0" ? "" : "exit " + status + "\n")});
    output.erase(0, line + 1);
  }
  return replayed;
}

}  // namespace metal_unlock
