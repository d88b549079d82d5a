# Writes OUTPUT, a C++ file that holds the text of every TOML file below SOURCE/profiles.
function(rows_of into)
  set(rows "")
  foreach(file IN LISTS ARGN)
    file(READ "${SOURCE}/${file}" text)
    get_filename_component(name "${file}" NAME_WLE)
    string(APPEND rows "    BuiltInProfile{\"${name}\", \"${file}\", R\"toml(${text})toml\"},\n")
  endforeach()
  set(${into} "${rows}" PARENT_SCOPE)
endfunction()

file(GLOB files RELATIVE "${SOURCE}" "${SOURCE}/profiles/families/*.toml" "${SOURCE}/profiles/chips/*.toml")
list(SORT files)
list(LENGTH files count)
rows_of(rows ${files})
file(GLOB program_files RELATIVE "${SOURCE}" "${SOURCE}/profiles/programs/*.toml")
list(SORT program_files)
list(LENGTH program_files program_count)
rows_of(program_rows ${program_files})
file(WRITE "${OUTPUT}.part" "// Made from profiles/*/*.toml by profiles/embed_profiles.cmake.
#include \"profiles/built_in_profiles.hpp\"

#include <array>

namespace metal_unlock {
namespace {
constexpr std::array<BuiltInProfile, ${count}> profiles{
${rows}};
constexpr std::array<BuiltInProfile, ${program_count}> programs{
${program_rows}};
}  // namespace

std::span<const BuiltInProfile> built_in_profiles() { return profiles; }
std::span<const BuiltInProfile> built_in_programs() { return programs; }

}  // namespace metal_unlock
")
file(RENAME "${OUTPUT}.part" "${OUTPUT}")
