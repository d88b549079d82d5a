// SPDX-License-Identifier: MIT
#include "tests/simulated_guest/recorded_guest.hpp"

#include "tests/simulated_guest/default_guest.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace metal_unlock {
namespace {

constexpr std::size_t max_report_size = std::size_t{1} << 20;

class Descriptor {
 public:
  explicit Descriptor(const char* path) : number_(open(path, O_RDONLY | O_CLOEXEC)) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }

 private:
  int number_;
};

Finding unusable(FindingId id, const std::string& path, const std::string& reason) {
  return {id, "the recorded guest '" + path + "' " + reason,
          std::string("set ") + recorded_guest_variable + " to a file made by 'metal-unlock probe --json'"};
}

Result<std::string> read_report_file(const std::string& path) {
  const auto unreadable = [&] {
    return unusable(FindingId::file_unreadable, path, std::string("cannot be read: ") + std::strerror(errno));
  };
  const Descriptor file(path.c_str());
  if (file.number() < 0) return unreadable();
  std::string text;
  char block[16384];
  while (true) {
    const ssize_t count = read(file.number(), block, sizeof block);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return unreadable();
    if (count == 0) return text;
    text.append(block, static_cast<std::size_t>(count));
    if (text.size() > max_report_size) {
      return unusable(FindingId::guest_invalid, path, "is larger than " + to_text(Bytes{max_report_size}));
    }
  }
}

/// The text of a guest, and the name by which a finding speaks of it.
struct Recording {
  std::string text;
  std::string name;
};

Result<Recording> read_recording() {
  const char* path = std::getenv(recorded_guest_variable);
  if (path == nullptr || *path == '\0') return Recording{std::string{default_guest}, "default guest"};
  const Result<std::string> text = read_report_file(path);
  if (!text) return text.finding();
  return Recording{*text, path};
}

}  // namespace

Result<GuestReport> load_recorded_guest() {
  const Result<Recording> recording = read_recording();
  if (!recording) return recording.finding();
  return parse_guest_report(recording->text, recording->name);
}

Result<Faults> load_recorded_faults() {
  const Result<Recording> recording = read_recording();
  if (!recording) return recording.finding();
  return parse_faults(recording->text, recording->name);
}

}  // namespace metal_unlock
