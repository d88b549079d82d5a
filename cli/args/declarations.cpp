// SPDX-License-Identifier: MIT
#include "cli/args/declarations.hpp"

#include <algorithm>
#include <array>

namespace metal_unlock {
namespace {

constexpr OptionRow help{"--help", "-h", "", "show this page"};
constexpr OptionRow json{"--json", "", "", "print JSON for programs"};
constexpr OptionRow profile{"--profile", "", "NAME|FILE",
                            "use this profile instead of the one that matches the chip"};
constexpr OptionRow host_report{"--host-report", "", "FILE",
                                "take the ceiling from what the host's own Metal said"};
constexpr OptionRow require{"--require", "", "", "refuse with 125 where the unlock is not possible"};
constexpr OptionRow children{"--children", "", "", "unlock the processes that the target starts, too"};
constexpr OptionRow beyond{"--allow-beyond-host", "", "",
                           "let a profile claim more than the physical chip can do"};
constexpr OptionRow verbose{"--verbose", "-v", "", "say on stderr what was decided and done"};

constexpr OptionRow dry_run{"--dry-run", "", "",
                            "print the decision and the environment change, start nothing"};
constexpr OptionRow report{"--report", "", "FILE", "write what is done, event by event, as JSON lines"};
constexpr OptionRow quiet{"--quiet", "-q", "", "no line on success, no warning where the target runs stock"};
constexpr OptionRow unlocked{"--unlocked", "", "", "ask in a process that is unlocked as `run` would"};
constexpr OptionRow output{"--output", "", "FILE", "write the report to a file instead of stdout"};
constexpr OptionRow guest{"--guest", "", "FILE", "explain it for a guest recorded by `probe --json`"};
constexpr OptionRow shell{"--shell", "", "", "print commands for a POSIX shell (the default)"};

constexpr OptionRow runs{"--runs", "", "N", "runs of each side, 1 to 1000 (5)"};
constexpr OptionRow warmup{"--warmup", "", "N", "runs of each side that are not counted, 0 to 100 (1)"};
constexpr OptionRow timeout{"--timeout", "", "SECONDS", "end a run that takes longer (1800)"};
constexpr OptionRow allow_load{"--allow-load", "", "", "count runs during which other programs were busy"};
constexpr OptionRow host{"--host", "", "FILE", "samples of the same work on the host, to state the share"};
constexpr OptionRow csv{"--csv", "", "", "print CSV for spreadsheets"};
constexpr OptionRow markdown{"--markdown", "", "", "print a table for an issue or a pull request"};
constexpr OptionRow svg{"--svg", "", "FILE", "also write a chart"};
constexpr OptionRow evidence{"--evidence", "", "DIR",
                             "make a folder with everything others need to check it"};

constexpr std::array bench_options{runs,     warmup, timeout, allow_load,  host,     evidence, json, csv,
                                   markdown, svg,    profile, host_report, children, beyond,   help};
constexpr std::array compare_options{json, csv, markdown, svg, help};
constexpr OptionRow copy{"--output", "", "COPY", "where the copy goes; without it ./NAME-unlocked"};
constexpr OptionRow show_only{"--dry-run", "", "", "print what is lost and the commands, do nothing"};

constexpr OptionRow let_go{"--timeout", "", "SECONDS", "let go of the process after that long (30)"};
constexpr std::array attach_options{profile, host_report, report, let_go, beyond, help};

constexpr std::array doctor_options{json, profile, host_report, children, beyond, help};
constexpr std::array prepare_options{copy, show_only, help};
constexpr std::array run_options{profile, host_report, require, children, dry_run,
                                 report,  beyond,      quiet,   verbose,  help};
constexpr std::array probe_options{json, unlocked, profile, host_report, beyond, help};
constexpr std::array profiles_options{json, help};
constexpr std::array env_options{shell, json, profile, host_report, require, children, beyond, help};
constexpr std::array explain_options{guest, json, profile, host_report, beyond, help};
constexpr std::array host_options{output, json, help};
constexpr std::array config_options{json, help};
constexpr std::array help_options{help};

constexpr std::array commands{
    CommandRow{
        "run", "run [OPTION…] [--] COMMAND [ARG…]", "start a program with its GPU unlocked",
        Operands::command, run_options,
        "Options end at -- or at the first word that is not an option; COMMAND gets the rest untouched.\n"
        "Where no unlock is needed (bare metal, no Mac) COMMAND is started as it is, silently.\n"
        "Exit status: that of COMMAND; 125 metal-unlock refused, 126 COMMAND cannot run, 127 not found."},
    CommandRow{"doctor", "doctor [--json] [-- COMMAND]",
               "say whether this guest, and COMMAND, can be unlocked", Operands::optional_command,
               doctor_options,
               "Runs the stages of `run` without starting anything, and shows all that they find.\n"
               "Exit status: 0 ready, 3 not ready."},
    CommandRow{
        "prepare", "prepare TARGET [--output COPY]", "make a signed copy that accepts the shim",
        Operands::words, prepare_options,
        "For programs with the hardened runtime. The copy is signed ad hoc: what it loses is said first.\n"
        "TARGET itself is never changed, and the system's own programs are refused."},
    CommandRow{"probe", "probe [--json] [--unlocked]", "print what Metal answers on this machine",
               Operands::none, probe_options, ""},
    CommandRow{"profiles", "profiles list | show NAME… | check FILE…", "list, show or check profiles",
               Operands::words, profiles_options, ""},
    CommandRow{"env", "env [--shell|--json] [--] [COMMAND]",
               "print the environment change instead of running", Operands::optional_command, env_options,
               "Without COMMAND the change suits a shell whose programs are to be unlocked."},
    CommandRow{
        "bench", "bench [OPTION…] [--] COMMAND [ARG…]",
        "run a program stock and unlocked in turn, and compare", Operands::command, bench_options,
        "Every run is a process of its own, started as `run` would, with nothing to read on stdin.\n"
        "Takes the samples of llama-bench, MLX-LM, llama-server and Ollama, else wall and CPU time.\n"
        "Runs that failed, took too long or were disturbed are named and not counted.\n"
        "Exit status: 0 every run counted, 1 something is missing, 2 wrong usage or an unusable file."},
    CommandRow{
        "compare", "compare [OPTION…] STOCK UNLOCKED [HOST]", "compare samples that were measured elsewhere",
        Operands::words, compare_options,
        "Each FILE is llama-bench -o json or jsonl, MLX-LM JSON with samples, a log of llama-server,\n"
        "llama-cli or ollama --verbose, or what bench --json printed. Only what agrees in test, model,\n"
        "size, build, threads and every setting is compared; the rest is named.\n"
        "Exit status: 0 all of it compared, 1 something has no partner, 2 wrong usage or an unusable file."},
    CommandRow{
        "attach", "attach [OPTION…] PID", "load the shim into a process that runs already", Operands::words,
        attach_options,
        "Through gdb, or lldb on macOS. What the process has asked before, it keeps: llama.cpp asks once,\n"
        "when its device starts. For a process that has not touched Metal yet, or that asks again.\n"
        "Exit status: 0 unlocked, or nothing to do; 1 not, and the process goes on; 2 wrong usage."},
    CommandRow{"explain", "explain [PROGRAM] [--guest FILE] [--json]",
               "show which question decides what in a program: stock, unlocked, on bare metal",
               Operands::words, explain_options, "Without PROGRAM: which of the known programs gain."},
    CommandRow{"host", "host report [--output FILE] | status | enable | disable",
               "on the host: write what its Metal answers, or set its preference for virtual GPUs",
               Operands::words, host_options,
               "report   what this Mac's own Metal answers, for its guests to read (docs/host-report.md)\n"
               "status   whether ForceUnrestrictedDeviceFeatureLevel is set for this user\n"
               "enable   set it, for all virtual machines of this user, from their next start\n"
               "disable  remove it again"},
    CommandRow{"config", "config [--json]", "print every setting and where it was set", Operands::none,
               config_options, ""},
    CommandRow{"help", "help [COMMAND]", "show the page of a command", Operands::words, help_options, ""},
};

}  // namespace

std::span<const CommandRow> command_rows() { return commands; }

const CommandRow* command_row(std::string_view name) {
  const auto* const row = std::ranges::find(commands, name, &CommandRow::name);
  return row == commands.end() ? nullptr : row;
}

}  // namespace metal_unlock
