// SPDX-License-Identifier: MIT
#include "tests/hostile/faults.hpp"

#include "tests/catch.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace metal_unlock {
namespace {

/// Says at the end what docs/security.md quotes.
struct Figure {
  int injected = 0;
  ~Figure() {
    if (injected > 0) std::printf("%d faults injected\n", injected);
  }
} figure;

std::filesystem::path board_file(const Sandbox& sandbox) { return sandbox.home().parent_path() / "board"; }

FaultBoard& in_text(std::string& text) { return *reinterpret_cast<FaultBoard*>(text.data()); }

/// Has the `number`th call of the command go wrong; 0: only counts.
ProcessCommand with_fault(Sandbox& sandbox, const Writer& writer, const Fault& fault, int number) {
  std::string text(sizeof(FaultBoard), '\0');
  FaultBoard& board = in_text(text);
  board.wanted = number;
  board.kind = static_cast<int>(fault.kind);
  board.error = fault.error;
  writer.start.copy(board.start, sizeof board.start - 1);
  write_file(board_file(sandbox), text);
  sandbox.set(fault_board_variable, board_file(sandbox));
  ProcessCommand command = sandbox.command(writer.argv(sandbox));
  command.environment["LD_PRELOAD"] = build_directory() / "libfaults.so";
  return command;
}

std::string board_of(const Sandbox& sandbox) { return read_file(board_file(sandbox)); }

/// How many calls of an undisturbed start can have this fault.
int calls_with(const Writer& writer, const Fault& fault) {
  const auto sandbox = writer.surroundings();
  run_process(with_fault(*sandbox, writer, fault, 0));
  std::string board = board_of(*sandbox);
  return in_text(board).calls;
}

}  // namespace

const std::vector<Fault>& all_faults() {
  static const std::vector<Fault> faults{{FaultKind::failure, ENOSPC}, {FaultKind::failure, EIO},
                                         {FaultKind::failure, EROFS},  {FaultKind::failure, EACCES},
                                         {FaultKind::failure, EMFILE}, {FaultKind::failure, EINTR},
                                         {FaultKind::short_write},     {FaultKind::kill}};
  return faults;
}

std::string name_of(const Fault& fault) {
  if (fault.kind == FaultKind::kill) return "killed";
  return fault.kind == FaultKind::short_write ? "short write" : std::strerror(fault.error);
}

std::vector<Struck> starts_with_faults(const Writer& writer, const std::vector<Fault>& faults, int fewest) {
  std::vector<Struck> starts;
  std::vector<ProcessCommand> commands;
  for (const Fault& fault : faults) {
    const int calls = calls_with(writer, fault);
    CAPTURE(name_of(fault));
    CHECK(calls >= (fault.kind == FaultKind::short_write ? 1 : std::min(fewest, 3)));
    if (fault.kind == FaultKind::kill) CHECK(calls >= fewest);
    for (int number = 1; number <= calls; ++number) {
      starts.push_back({fault, {}, writer.surroundings(), {}});
      commands.push_back(with_fault(*starts.back().sandbox, writer, fault, number));
    }
  }
  std::vector<Outcome> outcomes = run_all(commands);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    starts[i].outcome = std::move(outcomes[i]);
    std::string board = board_of(*starts[i].sandbox);
    starts[i].call = in_text(board).call;
    CAPTURE(name_of(starts[i].fault), starts[i].outcome.err);
    CHECK(in_text(board).struck == 1);
    // What comes after is undisturbed.
    starts[i].sandbox->set(fault_board_variable, std::nullopt);
    ++figure.injected;
  }
  return starts;
}

Words parts_below(const std::filesystem::path& folder) {
  Words parts;
  if (!std::filesystem::exists(folder)) return parts;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".part") parts.push_back(entry.path());
  return parts;
}

}  // namespace metal_unlock
