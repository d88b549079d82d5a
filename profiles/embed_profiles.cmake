# Writes OUTPUT, a C++ file that holds the text of every TOML file below SOURCE/profiles.
file(GLOB files RELATIVE "${SOURCE}" "${SOURCE}/profiles/families/*.toml" "${SOURCE}/profiles/chips/*.toml")
list(SORT files)
list(LENGTH files count)
set(rows "")
foreach(file IN LISTS files)
  file(READ "${SOURCE}/${file}" text)
  get_filename_component(name "${file}" NAME_WLE)
  string(APPEND rows "    BuiltInProfile{\"${name}\", \"${file}\", R\"toml(${text})toml\"},\n")
endforeach()
file(WRITE "${OUTPUT}.part" "// Made from profiles/*/*.toml by profiles/embed_profiles.cmake.
#include \"profiles/built_in_profiles.hpp\"

#include <array>

namespace metal_unlock {
namespace {
constexpr std::array<BuiltInProfile, ${count}> profiles{
${rows}};
}  // namespace

std::span<const BuiltInProfile> built_in_profiles() { return profiles; }

}  // namespace metal_unlock
")
file(RENAME "${OUTPUT}.part" "${OUTPUT}")
