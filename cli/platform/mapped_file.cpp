// SPDX-License-Identifier: MIT
#include "cli/platform/mapped_file.hpp"

#include "cli/platform/writing.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace metal_unlock {
namespace {

std::string temporary_folder() {
  const char* const folder = std::getenv("TMPDIR");
  return folder == nullptr || *folder == '\0' ? "/tmp" : folder;
}

/// A file that goes with its descriptor. Where the system makes none without a name, the name is taken away
/// at once.
int nameless_file_in(const std::string& folder) {
#ifdef O_TMPFILE
  const int made = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (made >= 0) return made;
#endif
  std::string path = folder + "/metal-unlock.XXXXXX";
  const int descriptor = ::mkstemp(path.data());
  if (descriptor < 0) return descriptor;
  ::unlink(path.c_str());
  ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  return descriptor;
}

/// A TMPDIR that leads nowhere says nothing about the GPU.
int nameless_file() {
  const int made = nameless_file_in(temporary_folder());
  return made < 0 ? nameless_file_in("/tmp") : made;
}

bool write_at(int descriptor, std::string_view bytes, std::size_t offset) {
  while (!bytes.empty()) {
    const ssize_t count = again_after_signals(
        [&] { return ::pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset)); });
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
    offset += static_cast<std::size_t>(count);
  }
  return true;
}

std::size_t whole_pages(std::size_t size) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return (size + page - 1) / page * page;
}

}  // namespace

MappedFile::MappedFile(const KernelBuffer& buffer, void* address, std::size_t length)
    : size_(buffer.bytes.size()),
      block_(buffer.spacing.count == 0 ? std::max(size_, std::size_t{1}) : spread_block.count),
      spacing_(buffer.spacing.count == 0 ? block_ : buffer.spacing.count),
      address_(address),
      length_(length) {}

std::optional<MappedFile> MappedFile::make(const KernelBuffer& buffer) {
  MappedFile file(buffer, MAP_FAILED, 0);
  file.length_ = whole_pages((file.size_ + file.block_ - 1) / file.block_ * file.spacing_);
  const int descriptor = nameless_file();
  if (descriptor < 0) return std::nullopt;
  const SignalIgnored too_large{SIGXFSZ};
  bool is_written = ::ftruncate(descriptor, static_cast<off_t>(file.length_)) == 0;
  const std::string_view bytes = buffer.bytes;
  for (std::size_t from = 0, at = 0; from < bytes.size() && is_written;
       from += file.block_, at += file.spacing_)
    is_written = write_at(descriptor, bytes.substr(from, file.block_), at);
  if (is_written) file.address_ = ::mmap(nullptr, file.length_, PROT_READ, MAP_SHARED, descriptor, 0);
  ::close(descriptor);
  if (file.address_ == MAP_FAILED) return std::nullopt;
  return file;
}

std::string MappedFile::bytes() const {
  std::string bytes;
  const char* from = static_cast<const char*>(address_);
  for (; bytes.size() < size_; from += spacing_) bytes.append(from, std::min(block_, size_ - bytes.size()));
  return bytes;
}

}  // namespace metal_unlock
