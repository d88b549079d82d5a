# Writes OUTPUT, a C++ file that holds the text of every kernel in SOURCE/cli/verify/kernels.
file(GLOB files RELATIVE "${SOURCE}/cli/verify/kernels" "${SOURCE}/cli/verify/kernels/*.metal")
list(SORT files)
set(rows "")
foreach(file IN LISTS files)
  file(READ "${SOURCE}/cli/verify/kernels/${file}" text)
  get_filename_component(name "${file}" NAME_WLE)
  string(APPEND rows "  if (name == \"${name}\") return R\"metal(${text})metal\";\n")
endforeach()
file(WRITE "${OUTPUT}.part" "// Made from cli/verify/kernels/*.metal by cli/verify/embed_kernels.cmake.
#include \"cli/verify/kernel_sources.hpp\"

namespace metal_unlock {

std::string_view kernel_source(std::string_view name) {
${rows}  return {};
}

}  // namespace metal_unlock
")
file(RENAME "${OUTPUT}.part" "${OUTPUT}")
