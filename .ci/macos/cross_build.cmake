# SPDX-License-Identifier: MIT
# On Linux the same sources are built for macOS as well, by the same CMakeLists in a build of its own:
#   macos/libmetal-unlock.dylib   the shim, x86_64 and arm64
#   macos/metal-unlock            the program for Apple silicon, which carries that very file
set(macos "${CMAKE_BINARY_DIR}/macos")
set(macos_sdk "${CMAKE_BINARY_DIR}/macos-sdk")

add_custom_command(
  OUTPUT "${macos_sdk}/made"
  COMMAND "${CMAKE_CURRENT_LIST_DIR}/make_sdk" "${macos_sdk}"
  DEPENDS "${CMAKE_CURRENT_LIST_DIR}/make_sdk"
  COMMENT "Putting a macOS SDK together")

# add_macos_build(NAME FILE SOURCE…): FILE is what the inner target NAME makes, anew where one of the sources changed.
# Which of them concern it, the inner build knows.
function(add_macos_build name file)
  add_custom_command(
    OUTPUT "${file}.stamp"
    BYPRODUCTS "${file}"
    COMMAND "${CMAKE_COMMAND}" -S "${CMAKE_SOURCE_DIR}" -B "${macos}" -G Ninja -Wno-dev
            "-DCMAKE_TOOLCHAIN_FILE=${CMAKE_CURRENT_FUNCTION_LIST_DIR}/toolchain.cmake"
            "-DCMAKE_OSX_SYSROOT=${macos_sdk}" > "${file}.log"
    COMMAND "${CMAKE_COMMAND}" --build "${macos}" --target ${name} -- --quiet
    COMMAND "${CMAKE_COMMAND}" -E touch "${file}.stamp"
    DEPENDS "${macos_sdk}/made" ${ARGN}
    COMMENT "Building for macOS: ${name}")
endfunction()

file(GLOB_RECURSE shim_sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/shim/*" "${CMAKE_SOURCE_DIR}/tests/macos_sdk/*")
file(GLOB_RECURSE program_sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/cli/*" "${CMAKE_SOURCE_DIR}/profiles/*")
add_macos_build(metal_unlock_shim "${macos}/libmetal-unlock.dylib" ${shim_sources} "${CMAKE_SOURCE_DIR}/CMakeLists.txt"
  "${CMAKE_CURRENT_LIST_DIR}/toolchain.cmake")
add_macos_build(metal-unlock "${macos}/metal-unlock" "${macos}/libmetal-unlock.dylib.stamp" ${program_sources}
  "${CMAKE_CURRENT_LIST_DIR}/libcxx/CMakeLists.txt")
add_custom_target(macos_shim DEPENDS "${macos}/libmetal-unlock.dylib.stamp")
add_custom_target(macos ALL DEPENDS "${macos}/metal-unlock.stamp")
add_dependencies(macos macos_shim)
