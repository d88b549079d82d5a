// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/hostile/faults.hpp"
#include "tests/lines_of.hpp"
#include "tests/text_search.hpp"

using namespace metal_unlock;

namespace {

constexpr char earlier[] = "what was there before\n";

bool was_killed(const Struck& start) { return start.outcome.signal.has_value(); }

/// A signal in between and a short write are nothing that anybody should notice.
bool is_harmless(const Fault& fault) { return fault.kind == FaultKind::short_write || fault.error == EINTR; }

bool has_next_step(const Outcome& outcome) { return holds(outcome.err, "\n  next: "); }

Words started(const Words& words) {
  Words argv{metal_unlock_program()};
  argv.insert(argv.end(), words.begin(), words.end());
  return argv;
}

std::unique_ptr<Sandbox> plain() { return std::make_unique<Sandbox>(); }

/// With tools of a Mac that do nothing, and bench's quiet machine.
std::unique_ptr<Sandbox> with_tools() {
  auto sandbox = std::make_unique<Sandbox>();
  for (const char* tool : {"codesign", "xattr"})
    sandbox->write_program(std::string("bin/") + tool, "#!/bin/sh\n");
  sandbox->write_program("bin/launchctl", "#!/bin/sh\n[ \"$1\" != print ] || exit 113\n");
  std::filesystem::create_symlink(metal_unlock_program(), sandbox->home().parent_path() / "bin/metal-unlock");
  sandbox->set("PATH", (sandbox->home().parent_path() / "bin").string() + ":/usr/bin:/bin");
  sandbox->set("METAL_UNLOCK_MACHINE_STATE", sandbox->write("state", "busy 0\n"));
  return sandbox;
}

/// A command that writes one file which is named to it, or follows from what is.
struct NamedFile {
  std::string name;  ///< below the working folder
  Writer writer;
  Words findings;  ///< where it cannot be written, one of these is said
  int status = 1;  ///< and this is the exit status
  /// Whether a text is the whole of what is to be written.
  std::function<bool(const std::string&)> is_whole;
};

/// After any fault the file holds what it held before, or the whole of what is new; nothing else is left; a
/// failure is said; and a start without a fault does its work.
void check_named_file(const NamedFile& file, const std::vector<Fault>& faults = all_faults()) {
  for (const Struck& start : starts_with_faults(file.writer, faults, 5)) {
    const std::filesystem::path path = start.sandbox->work() / file.name;
    const std::string text = std::filesystem::exists(path) ? read_file(path) : "";
    const Words ids = finding_ids(start.outcome.err);
    CAPTURE(file.name, name_of(start.fault), start.call, start.outcome.err, text);
    CHECK((text == earlier || text.empty() || file.is_whole(text)));
    if (was_killed(start)) {
      CHECK(start.sandbox->execute(file.writer.argv(*start.sandbox)).exit_status == 0);
      CHECK(file.is_whole(read_file(path)));
      continue;
    }
    CHECK(parts_below(start.sandbox->work()).empty());
    if (start.outcome.exit_status == 0) {
      CHECK(file.is_whole(text));
      continue;
    }
    CHECK_FALSE(is_harmless(start.fault));
    CHECK(start.outcome.exit_status == file.status);
    REQUIRE(ids.size() == 1);
    CHECK(std::ranges::count(file.findings, ids.front()) == 1);
    CHECK(has_next_step(start.outcome));
  }
}

/// With a file that has the name already.
std::function<std::unique_ptr<Sandbox>()> in_place(std::unique_ptr<Sandbox> (*make)(),
                                                   const std::string& name,
                                                   const std::string& text = earlier) {
  return [=] {
    auto sandbox = make();
    sandbox->write("work/" + name, text);
    return sandbox;
  };
}

std::string sample(const char* name) { return source_directory() / "tests/samples" / name; }

bool is_chart(const std::string& text) { return text.starts_with("<svg") && text.ends_with("</svg>\n"); }

}  // namespace

TEST_CASE("whatever goes wrong while the shim is placed, the target runs and the user is told", "[faults]") {
  const Writer writer{plain, [](const Sandbox&) { return run_words({metal_caps_program(), "--json"}); }};
  const Sandbox reference;
  const std::string unlocked = reference.run_caps().out;
  const std::string stock = reference.execute({metal_caps_program(), "--json"}).out;
  const std::string shim = read_file(reference.placed_shim());
  const std::filesystem::path name = std::filesystem::relative(reference.placed_shim(), reference.cache());
  for (const Struck& start : starts_with_faults(writer, all_faults(), 10)) {
    CAPTURE(name_of(start.fault), start.call, start.outcome.err);
    const auto placed = start.sandbox->cache() / name;
    if (std::filesystem::exists(placed)) CHECK((read_file(placed) == shim));
    if (!was_killed(start)) {
      const Words ids = finding_ids(start.outcome.err);
      CHECK(start.outcome.exit_status == 0);
      CHECK((ids.empty() || ids == Words{"shim-unplaced"}));
      CHECK(has_next_step(start.outcome) == !ids.empty());
      CHECK(start.outcome.out == (ids.empty() ? unlocked : stock));
      if (is_harmless(start.fault)) CHECK(ids.empty());
      CHECK(parts_below(start.sandbox->cache()).empty());
    } else {
      const Outcome next = start.sandbox->run_caps();
      CHECK(next.out == unlocked);
      CHECK(next.err.empty());
    }
  }
}

TEST_CASE("with --require, a shim that cannot be placed stops the start", "[faults]") {
  const Writer writer{plain, [](const Sandbox&) { return run_words({"touch", "ran"}, {"--require"}); }};
  for (const Struck& start : starts_with_faults(writer, {{FaultKind::failure, ENOSPC}}, 10)) {
    CAPTURE(start.call, start.outcome.err);
    const bool has_run = std::filesystem::exists(start.sandbox->work() / "ran");
    CHECK(start.outcome.exit_status == (has_run ? 0 : 125));
    const Words ids = finding_ids(start.outcome.err);
    CHECK((has_run ? ids.empty() : ids == Words{"shim-unplaced"} || ids == Words{"shim-silent"}));
  }
}

TEST_CASE("a report of run that cannot be written stops the start, and what was there stays", "[faults]") {
  check_named_file({"report.jsonl",
                    {in_place(plain, "report.jsonl"),
                     [](const Sandbox&) {
                       return run_words({"true"}, {"--report", "report.jsonl"});
                     },
                     "report.jsonl"},
                    {"report-unwritten"},
                    125,
                    [](const std::string& text) {
                      for (const std::string& line : lines_of(text)) CHECK_NOTHROW(json::parse(line));
                      return text.starts_with("{\"event\":\"plan\"") && text.ends_with("}\n");
                    }});
}

TEST_CASE("a host report that cannot be written is said, and what was there stays", "[faults]") {
  check_named_file(
      {"host.toml",
       {in_place([] { return std::make_unique<Sandbox>("bare-metal-m5"); }, "host.toml"),
        [](const Sandbox&) {
          return started({"host", "report", "--output", "host.toml"});
        },
        "host.toml"},
       {"report-unwritten"},
       1,
       [](const std::string& text) {
         static const std::string whole = Sandbox{"bare-metal-m5"}.metal_unlock({"host", "report"}).out;
         return text == whole;
       }});
}

TEST_CASE("a chart that cannot be written is said, and what was there stays", "[faults]") {
  check_named_file({"chart.svg",
                    {in_place(plain, "chart.svg"),
                     [](const Sandbox&) {
                       return started({"compare", sample("tinyllama-stock.json"),
                                       sample("tinyllama-unlocked.json"), "--svg", "chart.svg"});
                     },
                     "chart.svg"},
                    {"report-unwritten"},
                    1,
                    is_chart});
}

TEST_CASE("a signed copy whose entitlements cannot be written is not made", "[faults]") {
  const auto surroundings = [] {
    auto sandbox = with_tools();
    sandbox->execute({build_directory() / "make-program", "tool", "hardened", "team"});
    return sandbox;
  };
  const auto prepare = [](const Sandbox& sandbox) {
    std::filesystem::remove(sandbox.work() / "copy");
    std::filesystem::remove(sandbox.work() / "copy.entitlements");
    return started({"prepare", "./tool", "--output", "copy"});
  };
  const NamedFile file{"copy.entitlements",
                       {surroundings, prepare, "copy.entitlements"},
                       {"report-unwritten", "prepare-failed"},
                       1,
                       [](const std::string& text) { return text.ends_with("</plist>\n"); }};
  check_named_file(file);
  for (const Struck& start : starts_with_faults(file.writer, {{FaultKind::failure, ENOSPC}}, 5)) {
    const bool is_unwritten = finding_ids(start.outcome.err) == Words{"report-unwritten"};
    if (is_unwritten) CHECK_FALSE(std::filesystem::exists(start.sandbox->work() / "copy"));
  }
}

TEST_CASE("an agent that cannot be written is said, and the one that was there stays", "[faults]") {
  const auto surroundings = [] {
    auto sandbox = with_tools();
    sandbox->set("HOME", sandbox->work());
    return sandbox;
  };
  check_named_file({"Library/LaunchAgents/mine.plist",
                    {surroundings,
                     [](const Sandbox&) {
                       return started({"launchd", "install", "mine", "--", "/bin/true"});
                     },
                     "Library"},
                    {"report-unwritten", "agent-refused", "exec-failed"},
                    1,
                    [](const std::string& text) { return text.ends_with("</plist>\n"); }});
}

TEST_CASE("evidence that cannot be written is said, and is never taken for whole", "[faults]") {
  const Writer bench{with_tools,
                     [](const Sandbox& sandbox) {
                       std::filesystem::remove_all(sandbox.work() / "evidence");
                       return started({"bench", "--runs", "1", "--warmup", "0", "--evidence", "evidence",
                                       "--", build_directory() / "bench-target", sandbox.work() / "log"});
                     },
                     "evidence"};
  for (const Struck& start :
       starts_with_faults(bench, {{FaultKind::failure, ENOSPC}, {FaultKind::kill}}, 40)) {
    CAPTURE(name_of(start.fault), start.call, start.outcome.err);
    const auto folder = start.sandbox->work() / "evidence";
    if (std::filesystem::exists(folder / "SHA256SUMS"))
      CHECK(
          start.sandbox->execute(shell("cd evidence && sha256sum --strict --check SHA256SUMS")).exit_status ==
          0);
    if (was_killed(start)) continue;
    CHECK(parts_below(start.sandbox->work()).empty());
    const Words ids = finding_ids(start.outcome.err);
    if (ids.empty()) CHECK(start.outcome.exit_status == 0);
    if (ids.empty()) continue;
    CHECK(start.outcome.exit_status != 0);
    // A process that cannot be made is no run, and one that has no shim is not counted.
    if (start.call.starts_with("fork") || ids.front() == "run-excluded") continue;
    CHECK(ids == Words{"evidence-unwritten"});
    CHECK(has_next_step(start.outcome));
    CHECK_FALSE(std::filesystem::exists(folder / "SHA256SUMS"));
  }
}

TEST_CASE("a verdict that cannot be kept is a note, and half of one is never kept", "[faults]") {
  const auto surroundings = [] {
    auto sandbox = std::make_unique<Sandbox>();
    sandbox->write("cache/metal-unlock/verdict.json", earlier);
    std::filesystem::permissions(sandbox->shim_folder(), std::filesystem::perms::owner_all);
    return sandbox;
  };
  const Writer verify{surroundings, [](const Sandbox&) { return started({"verify"}); }, "verdict.json"};
  const std::vector<Fault> faults{{FaultKind::failure, ENOSPC}, {FaultKind::kill}};
  for (const Struck& start : starts_with_faults(verify, faults, 5)) {
    CAPTURE(name_of(start.fault), start.call, start.outcome.err);
    const std::string text = read_file(start.sandbox->shim_folder() / "verdict.json");
    if (text != earlier) CHECK(json::parse(text).at("capabilities").size() == 12);
    // Killed is the process that writes, and not the one that waits for it.
    CHECK(start.outcome.exit_status == 0);
    const Words ids = finding_ids(start.outcome.err);
    CHECK((ids.empty() || ids == Words{"verdict-unkept"}));
    CHECK(has_next_step(start.outcome) == !ids.empty());
    CHECK((text == earlier) == !ids.empty());
    CHECK(parts_below(start.sandbox->cache()).empty());
  }
}
