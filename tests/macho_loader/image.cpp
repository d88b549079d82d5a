// SPDX-License-Identifier: MIT
#include "tests/macho_loader/image.hpp"

#include "tests/macho_loader/fixups.hpp"
#include "tests/macho_loader/libraries.hpp"
#include "tests/macho_loader/mapping.hpp"

#include <cstdlib>
#include <fcntl.h>
#include <memory>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

extern char** environ;

namespace metal_unlock::macho {

struct Image {
  std::string path;
  Slice slice;
  Mapping mapping;
  bool is_initialised = false;
};

namespace {

using Initialiser = void (*)(int, char**, char**, char**);

ProgramArguments program_arguments;

std::vector<std::unique_ptr<Image>>& images() {
  // Never destroyed: the process may ask until its very end.
  static auto& all = *new std::vector<std::unique_ptr<Image>>();
  return all;
}

/// The whole file, for as long as this lives.
class File {
 public:
  explicit File(const std::string& path) : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    struct stat state {};
    if (descriptor_ < 0 || fstat(descriptor_, &state) != 0) throw LoadError{"there is no such file"};
    size_ = static_cast<std::uint64_t>(state.st_size);
    if (size_ == 0) throw LoadError{"it is no Mach-O file"};
    void* start = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor_, 0);
    if (start == MAP_FAILED) throw LoadError{"it cannot be read"};
    start_ = static_cast<std::uint8_t*>(start);
  }
  ~File() {
    if (start_ != nullptr) munmap(start_, size_);
    if (descriptor_ >= 0) close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  int descriptor() const { return descriptor_; }
  View view() const { return {start_, size_}; }

 private:
  int descriptor_;
  std::uint64_t size_ = 0;
  std::uint8_t* start_ = nullptr;
};

std::string resolved(const std::string& path) {
  char* const real = realpath(path.c_str(), nullptr);
  if (real == nullptr) throw LoadError{"there is no such file"};
  std::string result = real;
  free(real);
  return result;
}

/// A reference to a selector is the address of its name until the runtime has said what it is.
void register_selectors(const Slice& slice, const Mapping& mapping) {
  for (const Section& section : slice.sections) {
    if (section.name != "__objc_selrefs") continue;
    for (std::uint64_t offset = 0; offset + 8 <= section.size; offset += 8) {
      auto* const reference = reinterpret_cast<const void**>(mapping.at(section.address + offset, 8));
      *reference = selector_named(static_cast<const char*>(*reference));
    }
  }
}

/// The addresses of all constructors, in their order.
std::vector<Initialiser> initialisers_of(const Image& image) {
  std::vector<Initialiser> found;
  for (const Section& section : image.slice.sections) {
    const bool as_pointers = section.type == init_pointers;
    if (!as_pointers && section.type != init_offsets) continue;
    const std::uint64_t step = as_pointers ? 8 : 4;
    for (std::uint64_t offset = 0; offset + step <= section.size; offset += step) {
      std::uint64_t word = 0;
      std::memcpy(&word, image.mapping.at(section.address + offset, step), step);
      const std::uint64_t code =
          as_pointers
              ? word
              : reinterpret_cast<std::uint64_t>(image.mapping.at(image.mapping.first_address() + word, 1));
      found.push_back(reinterpret_cast<Initialiser>(code));
    }
  }
  return found;
}

using Find = std::function<std::uint64_t(const Import&, const std::vector<Dependency>&)>;

Image& load(const std::string& path, FileType type, const Find& find) {
  const File file(path);
  Slice slice = slice_for_this_processor(file.view(), type);
  open_dependencies(slice.dependencies);
  const Mapping mapping(slice, file.descriptor());
  apply_fixups(slice, mapping, [&](const Import& import) { return find(import, slice.dependencies); });
  register_selectors(slice, mapping);
  mapping.protect();
  slice.bytes = View();
  images().push_back(std::make_unique<Image>(Image{path, std::move(slice), mapping}));
  return *images().back();
}

}  // namespace

Image& load_image(const std::string& path) {
  const std::string real = resolved(path);
  for (const auto& image : images()) {
    if (image->path == real) return *image;
  }
  return load(real, FileType::library, [](const Import& import, const std::vector<Dependency>& dependencies) {
    return address_of(import, dependencies);
  });
}

Image& load_program(const std::string& path) {
  return load(resolved(path), FileType::program, address_or_trap);
}

Main main_of(const Image& program) {
  if (!program.slice.main_offset) throw LoadError{"it has no main function"};
  return reinterpret_cast<Main>(
      program.mapping.at(program.mapping.first_address() + *program.slice.main_offset, 4));
}

void initialise(Image& image) {
  if (std::exchange(image.is_initialised, true)) return;
  char executable[] = "executable_path=";
  char* apple[] = {executable, nullptr};
  for (const Initialiser run : initialisers_of(image))
    run(program_arguments.count, program_arguments.words, environ, apple);
}

void set_program_arguments(ProgramArguments arguments) { program_arguments = arguments; }

bool is_image(const void* handle) {
  for (const auto& image : images()) {
    if (image.get() == handle) return true;
  }
  return false;
}

}  // namespace metal_unlock::macho
