// SPDX-License-Identifier: MIT
#include "tests/macho_loader/darwin_program.hpp"

#include "tests/macho_loader/darwin_numbers.hpp"
#include "tests/macho_loader/libraries.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

// libSystem, as far as the command line uses it to say what it would do. It starts nothing here.

namespace metal_unlock::macho {
namespace {

/// `struct stat` of macOS.
struct DarwinStat {
  std::int32_t device;
  std::uint16_t mode, links;
  std::uint64_t inode;
  std::uint32_t user, group;
  std::int32_t special_device, padding;
  timespec accessed, modified, changed, born;
  std::int64_t size, blocks;
  std::int32_t block_size;
  std::uint32_t flags, generation, spare;
  std::int64_t spares[2];
};
static_assert(sizeof(DarwinStat) == 144);

struct DarwinEntry {
  std::uint64_t inode, position;
  std::uint16_t size, name_length;
  std::uint8_t type;
  char name[1024];
};
static_assert(offsetof(DarwinEntry, name) == 21);

/// The bits of `mode` are the same.
int told_stat(int result, const struct stat& stat, DarwinStat* into) {
  if (result != 0) {
    errno = darwin_error(errno);
    return result;
  }
  *into = {};
  into->mode = static_cast<std::uint16_t>(stat.st_mode);
  into->inode = stat.st_ino;
  into->user = stat.st_uid;
  into->group = stat.st_gid;
  into->modified = stat.st_mtim;
  into->size = stat.st_size;
  return 0;
}

int stat_path(const char* path, DarwinStat* into) {
  struct stat state {};
  return told_stat(stat(path, &state), state, into);
}

int stat_file(int file, DarwinStat* into) {
  struct stat state {};
  return told_stat(fstat(file, &state), state, into);
}

DIR* open_folder(const char* path) {
  DIR* const folder = opendir(path);
  if (folder == nullptr) errno = darwin_error(errno);
  return folder;
}

DarwinEntry* next_entry(DIR* folder) {
  static DarwinEntry entry;
  const dirent* found = readdir(folder);
  if (found == nullptr) return nullptr;
  entry = {.inode = found->d_ino,
           .position = 0,
           .size = sizeof entry,
           .name_length = 0,
           .type = found->d_type,
           .name = {}};
  std::strcpy(entry.name, found->d_name);
  entry.name_length = static_cast<std::uint16_t>(std::strlen(entry.name));
  return &entry;
}

template <auto function, class... Arguments>
auto with_darwin_error(Arguments... arguments) {
  const auto result = function(arguments...);
  if (result == -1) errno = darwin_error(errno);
  return result;
}

const char* error_text(int error) { return strerror(linux_error(error)); }

/// macOS marks what was initialised by a constant with a number; glibc wants zeros.
constexpr std::uint64_t constant_mutex = 0x32aaaba7;

pthread_mutex_t* prepared(void* mutex) {
  std::uint64_t mark;
  std::memcpy(&mark, mutex, sizeof mark);
  if (mark == constant_mutex) std::memset(mutex, 0, sizeof(pthread_mutex_t));
  return static_cast<pthread_mutex_t*>(mutex);
}

int lock_mutex(void* mutex) { return pthread_mutex_lock(prepared(mutex)); }
int unlock_mutex(void* mutex) { return pthread_mutex_unlock(prepared(mutex)); }

constexpr std::uint64_t constant_condition = 0x3cb0b1bb;

pthread_cond_t* prepared_condition(void* condition) {
  std::uint64_t mark;
  std::memcpy(&mark, condition, sizeof mark);
  if (mark == constant_condition) std::memset(condition, 0, sizeof(pthread_cond_t));
  return static_cast<pthread_cond_t*>(condition);
}

int wake_all(void* condition) { return pthread_cond_broadcast(prepared_condition(condition)); }

std::string& program_path() {
  static std::string path;
  return path;
}

int executable_path(char* into, std::uint32_t* size) {
  const auto needed = static_cast<std::uint32_t>(program_path().size()) + 1;
  const bool fits = needed <= *size;
  if (fits) std::memcpy(into, program_path().c_str(), needed);
  *size = fits ? *size : needed;
  return fits ? 0 : -1;
}

/// No file here has attributes of macOS.
ssize_t attribute(const char*, const char*, void*, std::size_t, std::uint32_t, int) {
  constexpr int no_such_attribute = 93;
  errno = no_such_attribute;
  return -1;
}

unsigned thread_number(pthread_t thread) { return static_cast<unsigned>(thread >> 4U | 1U); }

/// struct sigaction of macOS.
struct SignalAction {
  void (*handler)(int);
  std::uint32_t mask;
  int flags;
};

/// For the signals that have the same number, ignored or left to the system: a program that writes asks for
/// no more.
int change_signal(int number, const SignalAction* action, SignalAction* before) {
  const bool is_known = number == SIGPIPE || number == SIGXFSZ;
  const bool is_plain = action == nullptr || ((action->handler == SIG_IGN || action->handler == SIG_DFL) &&
                                              action->flags == 0 && action->mask == 0);
  if (!is_known || !is_plain) give_up("this loader ignores SIGPIPE and SIGXFSZ, and knows no other signals");
  struct sigaction change {};
  struct sigaction earlier {};
  if (action != nullptr) change.sa_handler = action->handler;
  const int result = sigaction(number, action == nullptr ? nullptr : &change, &earlier);
  if (before != nullptr) *before = {earlier.sa_handler, 0, 0};
  return result;
}

void* begin_pool() { return nullptr; }
void end_pool(void*) {}

template <class Function>
void* as_pointer(Function* function) {
  return reinterpret_cast<void*>(function);
}

const std::vector<Symbol>& differing() {
  static const std::vector<Symbol> symbols{
      {"_NSGetExecutablePath", as_pointer(executable_path)},
      {"access", as_pointer(with_darwin_error<access, const char*, int>)},
      {"fstat", as_pointer(stat_file)},
      {"getxattr", as_pointer(attribute)},
      {"opendir", as_pointer(open_folder)},
      {"pthread_mutex_lock", as_pointer(lock_mutex)},
      {"pthread_mutex_unlock", as_pointer(unlock_mutex)},
      {"pthread_cond_broadcast", as_pointer(wake_all)},
      {"pthread_mach_thread_np", as_pointer(thread_number)},
      {"pread", as_pointer(with_darwin_error<pread, int, void*, std::size_t, off_t>)},
      {"read", as_pointer(with_darwin_error<read, int, void*, std::size_t>)},
      {"readdir", as_pointer(next_entry)},
      {"sigaction", as_pointer(change_signal)},
      {"stat", as_pointer(stat_path)},
      {"strerror", as_pointer(error_text)},
      // So named in code for x86_64, whose macOS once had inodes of another size.
      {"fstat$INODE64", as_pointer(stat_file)},
      {"opendir$INODE64", as_pointer(open_folder)},
      {"readdir$INODE64", as_pointer(next_entry)},
      {"stat$INODE64", as_pointer(stat_path)},
  };
  return symbols;
}

// Of what localeconv points to, the first three members are the same.
const std::vector<const char*>& same() {
  static const std::vector<const char*> names{
      "localeconv", "__cxa_atexit", "abort",   "calloc",  "closedir", "dlerror",
      "free",       "getcwd",       "geteuid", "getpid",  "getuid",   "isatty",
      "malloc",     "memchr",       "memset",  "realloc", "strtoll",  "strtoull",
  };
  return names;
}

const std::vector<Symbol>& pools() {
  static const std::vector<Symbol> symbols{
      {"objc_autoreleasePoolPop", as_pointer(end_pool)},
      {"objc_autoreleasePoolPush", as_pointer(begin_pool)},
  };
  return symbols;
}

const std::vector<const char*>& same_in_runtime() {
  static const std::vector<const char*> names{"object_getClassName"};
  return names;
}

}  // namespace

void add_program_libraries(const std::string& path) {
  program_path() = path;
  add_library({"/usr/lib/libSystem.B.dylib", nullptr, differing(), same()});
  add_library({"/usr/lib/libobjc.A.dylib", nullptr, pools(), same_in_runtime()});
  add_character_table();
  add_machine_libraries();
}

}  // namespace metal_unlock::macho
