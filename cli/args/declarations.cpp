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
constexpr OptionRow verify{"--verify", "", "",
                           "unlock only where the GPU is known to compute what is claimed"};
constexpr OptionRow forget{"--forget", "", "", "drop the remembered verdict, run nothing"};
constexpr OptionRow check_timeout{"--timeout", "", "SECONDS", "end a check that takes longer (20)"};
constexpr OptionRow let_go{"--timeout", "", "SECONDS", "let go of the process after that long (30)"};
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

constexpr OptionRow paths{"--paths", "", "", "list every file that this program may ever write"};
constexpr OptionRow format{"--format", "", "FORM", "text, json, or github: annotations of a workflow"};
constexpr OptionRow launchd{"--launchd", "", "", "print a LaunchAgent that starts COMMAND with `run`"};
constexpr OptionRow label{"--label", "", "LABEL", "the LaunchAgent's name (local.metal-unlock.COMMAND)"};
constexpr OptionRow keep_alive{"--keep-alive", "", "", "launchd starts COMMAND again where it fails"};
constexpr OptionRow alias_shell{"--shell", "", "SHELL", "the shell it is for (that of $SHELL)"};
constexpr OptionRow manual{"--man", "", "", "print the manual page, for man and mandoc"};

constexpr std::array bench_options{runs,     warmup, timeout, allow_load,  host,     evidence, json, csv,
                                   markdown, svg,    profile, host_report, children, beyond,   help};
constexpr std::array compare_options{json, csv, markdown, svg, help};
constexpr OptionRow copy{"--output", "", "COPY", "where the copy goes; without it ./NAME-unlocked"};
constexpr OptionRow show_only{"--dry-run", "", "", "print what is lost and the commands, do nothing"};

constexpr std::array doctor_options{json, format, paths, profile, host_report, children, beyond, help};
constexpr std::array attach_options{profile, host_report, report, let_go, beyond, help};
constexpr std::array alias_options{alias_shell, profile, host_report, require, children, help};
constexpr std::array launchd_options{profile, host_report, require, children, keep_alive, json, help};
constexpr std::array prepare_options{copy, show_only, help};
constexpr std::array verify_options{json, profile, host_report, beyond, forget, check_timeout, help};
constexpr std::array run_options{profile, host_report, require, children, verify, dry_run,
                                 report,  beyond,      quiet,   verbose,  help};
constexpr std::array probe_options{json, unlocked, profile, host_report, beyond, help};
constexpr std::array profiles_options{json, help};
constexpr std::array env_options{shell,       json,    launchd,  label,  keep_alive, profile,
                                 host_report, require, children, beyond, help};
constexpr std::array explain_options{guest, json, profile, host_report, beyond, help};
constexpr std::array host_options{output, json, help};
constexpr std::array config_options{json, help};
constexpr std::array completions_options{help};
constexpr std::array help_options{manual, help};

constexpr std::array profiles_actions{ActionRow{"list", Completing::nothing},
                                      ActionRow{"show", Completing::profile},
                                      ActionRow{"check", Completing::file}};
constexpr std::array host_actions{
    ActionRow{"report", Completing::nothing}, ActionRow{"status", Completing::nothing},
    ActionRow{"enable", Completing::nothing}, ActionRow{"disable", Completing::nothing}};
constexpr std::array launchd_actions{ActionRow{"install", Completing::nothing},
                                     ActionRow{"status", Completing::nothing},
                                     ActionRow{"remove", Completing::nothing}};

constexpr std::array commands{
    CommandRow{
        "run", "run [OPTION…] [--] COMMAND [ARG…]", "start a program with its GPU unlocked",
        Operands::command, run_options,
        "Options end at -- or at the first word that is not an option; COMMAND gets the rest untouched.\n"
        "Where no unlock is needed (bare metal, no Mac) COMMAND is started as it is, silently.\n"
        "Exit status: that of COMMAND; 125 metal-unlock refused, 126 COMMAND cannot run, 127 not found."},
    CommandRow{"doctor", "doctor [--json|--format FORM|--paths] [--] [COMMAND]",
               "say whether this guest, and COMMAND, can be unlocked", Operands::optional_command,
               doctor_options,
               "Runs the stages of `run` without starting anything, and shows all that they find.\n"
               "Exit status: 0 ready, 3 not ready."},
    CommandRow{
        "prepare", "prepare TARGET [--output COPY]", "make a signed copy that accepts the shim",
        Operands::words, prepare_options,
        "For programs with the hardened runtime. The copy is signed ad hoc: what it loses is said first.\n"
        "TARGET itself is never changed, and the system's own programs are refused.",
        Completing::program},
    CommandRow{"probe", "probe [--json] [--unlocked]", "print what Metal answers on this machine",
               Operands::none, probe_options, ""},
    CommandRow{
        "verify", "verify [OPTION…]", "find out whether the GPU computes what is claimed", Operands::none,
        verify_options,
        "Each check is a kernel in a process of its own, unlocked and stock; the CPU knows the result.\n"
        "`run --verify` uses the verdict until guest, chip, claims or version change.\n"
        "Exit status: 0 everything claimed is correct, 3 it is not, 1 it could not be found out,\n"
        "2 wrong usage, 130 stopped."},
    CommandRow{"profiles", "profiles list | show NAME… | check FILE…", "list, show or check profiles",
               Operands::words, profiles_options, "", Completing::nothing, profiles_actions},
    CommandRow{"env", "env [--shell|--json|--launchd] [--] [COMMAND]",
               "print the environment change instead of running", Operands::optional_command, env_options,
               "Without COMMAND the change suits a shell whose programs are to be unlocked."},
    CommandRow{
        "alias", "alias [--shell SHELL] [OPTION…] PROGRAM…",
        "print aliases for your shell, so that PROGRAM is unlocked whenever you type it", Operands::words,
        alias_options,
        "For the file that your shell reads at its start: metal-unlock alias llama-server >> ~/.zshrc\n"
        "A PROGRAM whose name is no plain word becomes a function, named after its file.",
        Completing::program},
    CommandRow{"launchd", "launchd install LABEL -- COMMAND [ARG…] | status LABEL | remove LABEL",
               "on macOS: have launchd start COMMAND with `run` when you log in", Operands::words,
               launchd_options,
               "The agent is ~/Library/LaunchAgents/LABEL.plist; `env --launchd` prints it instead.\n"
               "A file of that name that metal-unlock did not write is neither replaced nor removed.\n"
               "Exit status of status: 0 loaded, 1 not.",
               Completing::nothing, launchd_actions},
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
        "Exit status: 0 all of it compared, 1 something has no partner, 2 wrong usage or an unusable file.",
        Completing::file},
    CommandRow{
        "attach", "attach [OPTION…] PID", "load the shim into a process that runs already", Operands::words,
        attach_options,
        "Through gdb, or lldb on macOS. What the process has asked before, it keeps: llama.cpp asks once,\n"
        "when its device starts. For a process that has not touched Metal yet, or that asks again.\n"
        "Exit status: 0 unlocked, or nothing to do; 1 not, and the process goes on; 2 wrong usage."},
    CommandRow{"explain", "explain [PROGRAM] [--guest FILE] [--json]",
               "show which question decides what in a program: stock, unlocked, on bare metal",
               Operands::words, explain_options, "Without PROGRAM: which of the known programs gain.",
               Completing::known_program},
    CommandRow{"host", "host report [--output FILE] | status | enable | disable",
               "on the host: write what its Metal answers, or set its preference for virtual GPUs",
               Operands::words, host_options,
               "report   what this Mac's own Metal answers, for its guests to read (docs/host-report.md)\n"
               "status   whether ForceUnrestrictedDeviceFeatureLevel is set for this user\n"
               "enable   set it, for all virtual machines of this user, from their next start\n"
               "disable  remove it again",
               Completing::nothing, host_actions},
    CommandRow{"config", "config [--json]", "print every setting and where it was set", Operands::none,
               config_options, ""},
    CommandRow{
        "completions", "completions bash|zsh|fish", "print what a shell completes our command lines with",
        Operands::words, completions_options,
        "How to load it: docs/install.md. It asks `completions profiles` and `completions programs` for\n"
        "the names that they print.",
        Completing::shell},
    CommandRow{"help", "help [COMMAND]", "show the page of a command", Operands::words, help_options, "",
               Completing::command},
};

constexpr std::array variables{
    VariableRow{"METAL_UNLOCK", "off|prefer|require",
                "off: start every program as it is; require: refuse where the unlock is not possible"},
    VariableRow{"METAL_UNLOCK_PROFILE", "NAME|FILE", "the profile, as --profile"},
    VariableRow{"METAL_UNLOCK_CONFIG", "FILE",
                "the user's configuration, instead of the one that is looked for"},
    VariableRow{"METAL_UNLOCK_HOST_REPORT", "FILE", "the host report, as --host-report"},
    VariableRow{"METAL_UNLOCK_VERIFY", "1|0",
                "1: unlock only where the GPU is known to compute what is claimed, as --verify"},
};

struct ValueRow {
  std::string_view value;
  Completing completing;
};

constexpr std::array values{
    ValueRow{"NAME|FILE", Completing::profile_or_file},
    ValueRow{"FILE", Completing::file},
    ValueRow{"COPY", Completing::file},
    ValueRow{"DIR", Completing::folder},
    ValueRow{"FORM", Completing::report_form},
    ValueRow{"SHELL", Completing::alias_shell},
};

constexpr std::array<std::string_view, 3> shells{"bash", "zsh", "fish"};
constexpr std::array<std::string_view, 4> alias_shells{"bash", "zsh", "fish", "sh"};
constexpr std::array<std::string_view, 3> report_forms{"text", "json", "github"};

}  // namespace

std::span<const VariableRow> variable_rows() { return variables; }

Completing completing_of(std::string_view value) {
  const auto* const row = std::ranges::find(values, value, &ValueRow::value);
  return row == values.end() ? Completing::nothing : row->completing;
}

std::span<const std::string_view> fixed_words(Completing completing) {
  switch (completing) {
    case Completing::shell:
      return shells;
    case Completing::alias_shell:
      return alias_shells;
    case Completing::report_form:
      return report_forms;
    default:
      return {};
  }
}

std::span<const CommandRow> command_rows() { return commands; }

const CommandRow* command_row(std::string_view name) {
  const auto* const row = std::ranges::find(commands, name, &CommandRow::name);
  return row == commands.end() ? nullptr : row;
}

}  // namespace metal_unlock
