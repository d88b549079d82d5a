// SPDX-License-Identifier: MIT
#include "cli/core/debugger_script.hpp"

#include "cli/core/attach.hpp"
#include "cli/core/text_format.hpp"
#include "shim/handoff.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace metal_unlock {
namespace {

constexpr std::string_view marker = "metal-unlock-attach: ";

// Both debuggers speak Python. Each brings the same six functions, and what they do with them is the same.
//
// A call into a stopped process must not enter a function that one of its threads is in the middle of: the
// memory, the loader, the environment and the Objective-C runtime have locks, and dlopen needs them all. So
// every thread's callers are looked at first, and the process goes on for a moment where one is in there.

// clang-format takes Python for C++.
// clang-format off
constexpr std::string_view gdb_functions = R"py(
import gdb, re, time
errors = (gdb.error, gdb.MemoryError, KeyboardInterrupt)
def set_up():
    # A signal of the process itself is its own affair; only the one that ends a call too long stops it.
    gdb.execute("handle all nostop noprint pass", to_string=True)
    for setting in ("confirm off", "pagination off", "unwindonsignal on", "print thread-events off"):
        gdb.execute("set " + setting)
def attach():
    gdb.execute("attach %d" % pid, to_string=True)
def detach():
    gdb.execute("detach", to_string=True)
def is_alive():
    return gdb.selected_inferior().pid != 0
def functions():
    for thread in gdb.selected_inferior().threads():
        thread.switch()
        frame = gdb.newest_frame()
        for depth in range(64):
            if frame is None:
                break
            yield frame.name() or ""
            frame = frame.older()
def choose_thread():
    min(gdb.selected_inferior().threads(), key=lambda thread: thread.num).switch()
    gdb.execute("set scheduler-locking on")
def called(form, name, words):
    return gdb.parse_and_eval("((%s) %s)(%s)" % (form.replace("(", "(*)(", 1), name, words))
def number(form, name, words):
    return int(called(form, name, words))
def text(form, name, words):
    return called(form, name, words).string()
)py";

constexpr std::string_view lldb_functions = R"py(
import lldb, re, time
errors = (RuntimeError, KeyboardInterrupt)
process = frame = None
def set_up():
    lldb.debugger.SetAsync(False)
def attach():
    global process
    error = lldb.SBError()
    target = lldb.debugger.CreateTarget("")
    process = target.AttachToProcessWithID(lldb.debugger.GetListener(), pid, error)
    if error.Fail():
        raise RuntimeError(error.GetCString())
def detach():
    process.Detach()
def is_alive():
    return process is not None and process.GetState() not in (lldb.eStateExited, lldb.eStateDetached)
def functions():
    for thread in process:
        for depth in range(min(64, thread.GetNumFrames())):
            yield thread.GetFrameAtIndex(depth).GetFunctionName() or ""
def choose_thread():
    global frame
    frame = process.GetThreadAtIndex(0).GetFrameAtIndex(0)
def called(form, name, words):
    options = lldb.SBExpressionOptions()
    options.SetIgnoreBreakpoints(True)
    options.SetUnwindOnError(True)
    options.SetTimeoutInMicroSeconds(20 * 1000 * 1000)
    answer = frame.EvaluateExpression("(%s) %s(%s)" % (form.split("(")[0], name, words), options)
    if answer.GetError().Fail():
        raise RuntimeError(answer.GetError().GetCString())
    return answer
def number(form, name, words):
    return called(form, name, words).GetValueAsSigned()
def text(form, name, words):
    return (called(form, name, words).GetSummary() or "").strip('"')
)py";

constexpr std::string_view common_part = R"py(
busy = re.compile(r"^_*(GI_+)?(libc_)?(malloc|calloc|realloc|reallocarray|free|memalign|posix_memalign|"
                  r"aligned_alloc|valloc|cfree|(szone|tiny|small|nanov2|xzm)_(malloc|calloc|realloc|free)|"
                  r"dl_iterate_phdr|dlopen|dlsym|dlclose|dladdr|(un|secure_)?[gs]etenv|putenv|clearenv|"
                  r"objc_|dispatch_once|MTLCreate|MTLCopy)|^_dl_|^dyld|"
                  r"^_*(fork|vfork|posix_spawn|exit)$")
def find_quiet_moment():
    global is_in
    name = ""
    for attempt in range(12):
        attach()
        is_in = True
        name = next((name for name in functions() if busy.search(name)), None)
        if name is None:
            return None
        detach()
        time.sleep(0.01 * attempt)
    return name
def unlock():
    name = find_quiet_moment()
    if name is not None:
        return "busy", name
    choose_thread()
    if number("int (const char *, const char *, int)", "setenv", handoff + ", 1") != 0:
        return "failed", "setenv"
    if number("void *(const char *, int)", "dlopen", shim + ", 2") == 0:
        return "refused", text("char *(void)", "dlerror", "")
    return "loaded", ""
try:
    is_in = False
    set_up()
    verdict, words = unlock()
except errors as error:
    verdict, words = "failed", str(error) or type(error).__name__
    if re.search("not permitted|[Nn]ot allowed|denied|attach failed", words):
        verdict = "denied"
    elif (is_in and not is_alive()) or re.search("exited|No such process|no longer exists|invalid process", words):
        verdict = "gone"
try:
    if verdict != "busy" and is_alive():
        detach()
except errors as error:
    pass
print("\n" + marker + verdict + " " + ascii(" ".join(words.split()))[1:-1])
)py";
// clang-format on

/// A string of C and of C++: what is not plain, as octal digits.
std::string c_literal(std::string_view text) {
  std::string literal = "\"";
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte < 0x20 || byte >= 0x7f || letter == '"' || letter == '\\' || letter == '?')
      literal += formatted("\\{:03o}", byte);
    else
      literal += letter;
  }
  return literal + '"';
}

/// A string of Python, for a text without a line's end inside of a quoted word.
std::string python_literal(std::string_view text) {
  std::string literal = "'";
  for (const char letter : text) {
    if (letter == '\n')
      literal += "\\n";
    else if (letter == '\\' || letter == '\'')
      literal += formatted("\\{}", letter);
    else
      literal += letter;
  }
  return literal + '\'';
}

std::string script_for(std::string_view functions, const DebuggerTask& task) {
  const std::string handoff = c_literal(shim::handoff_variable) + ", " + c_literal(task.handoff);
  return formatted("pid = {}\nhandoff = {}\nshim = {}\nmarker = {}\n", task.pid, python_literal(handoff),
                   python_literal(c_literal(task.shim)), python_literal(marker)) +
         std::string{functions} + std::string{common_part};
}

constexpr std::array<std::pair<std::string_view, DebuggerVerdict>, 6> verdicts{
    {{"loaded", DebuggerVerdict::loaded},
     {"busy", DebuggerVerdict::busy},
     {"refused", DebuggerVerdict::refused},
     {"denied", DebuggerVerdict::denied},
     {"gone", DebuggerVerdict::gone},
     {"failed", DebuggerVerdict::failed}}};

}  // namespace

std::string_view program_of(DebuggerKind kind) { return kind == DebuggerKind::gdb ? "gdb" : "lldb"; }

std::vector<std::string> debugger_command(DebuggerKind kind, const DebuggerTask& task) {
  if (kind == DebuggerKind::gdb)
    return {"gdb",
            "-nx",
            "-batch",
            "-iex",
            "set auto-load no",
            "-iex",
            "set debuginfod enabled off",
            "-ex",
            "python " + script_for(gdb_functions, task)};
  // One line: lldb's command takes no more.
  const std::string script = python_literal(script_for(lldb_functions, task));
  return {"lldb", "--batch", "--no-lldbinit", "--one-line",
          formatted("script exec({}, dict(globals()))", script)};
}

DebuggerOutcome read_debugger_outcome(std::string_view output) {
  const std::size_t at = output.rfind(formatted("\n{}", marker));
  if (at == std::string_view::npos) return {};
  output.remove_prefix(at + 1 + marker.size());
  const std::string_view line = output.substr(0, output.find('\n'));
  const std::string_view word = line.substr(0, line.find(' '));
  const auto* const known = std::ranges::find(verdicts, word, [](const auto& pair) { return pair.first; });
  if (known == verdicts.end()) return {};
  return {known->second, std::string{line.substr(std::min(line.size(), word.size() + 1))}};
}

Finding attach_failure(const ProcessFacts& process, DebuggerKind kind, const DebuggerOutcome& outcome) {
  using enum DebuggerVerdict;
  const std::string name = name_of(process);
  const std::string_view debugger = program_of(kind);
  const std::string again = formatted("try again: metal-unlock attach {}", process.pid);
  switch (outcome.verdict) {
    case busy:
      return {
          FindingId::attach_failed,
          formatted("{} is inside '{}' whenever one looks, where nothing may be loaded", name, outcome.text),
          again};
    case refused:
      return {FindingId::attach_failed, formatted("{} does not load the shim: {}", name, outcome.text),
              "start it under the unlock instead: metal-unlock run -- COMMAND"};
    case denied:
      return {FindingId::attach_denied, formatted("{} cannot be attached to: {}", name, outcome.text),
              "start it under the unlock instead: metal-unlock run -- COMMAND"};
    case gone:
      return {FindingId::attach_failed, formatted("{} ended before the shim was loaded", name),
              "start it under the unlock instead: metal-unlock run -- COMMAND"};
    case failed:
      return {FindingId::attach_failed, formatted("{} could not load the shim: {}", debugger, outcome.text),
              again};
    case silent:
    case loaded:
      break;
  }
  return {FindingId::attach_failed, formatted("{} ended without a word about {}", debugger, name),
          formatted("it must have Python in it: {} --batch -ex 'python print(1)'", debugger)};
}

}  // namespace metal_unlock
