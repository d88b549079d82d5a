# SPDX-License-Identifier: MIT
# On Linux the same sources are built for macOS as well, by the same CMakeLists in a build of its own:
#   macos/libmetal-unlock.dylib   the shim, x86_64 and arm64
#   macos/metal-unlock            the program for Apple silicon, which carries that very file
#   macos-x86_64/metal-unlock     the same program for a processor that runs it here; for the tests, never shipped
set(macos "${CMAKE_BINARY_DIR}/macos")
set(macos_x86_64 "${CMAKE_BINARY_DIR}/macos-x86_64")
set(macos_sdk "${CMAKE_BINARY_DIR}/macos-sdk")

add_custom_command(
  OUTPUT "${macos_sdk}/made"
  COMMAND "${CMAKE_CURRENT_LIST_DIR}/make_sdk" "${macos_sdk}"
  DEPENDS "${CMAKE_CURRENT_LIST_DIR}/make_sdk"
  COMMENT "Putting a macOS SDK together")

# add_macos_build(NAME FOLDER FILE OPTIONS SOURCE…): FILE, in FOLDER, is what the inner target NAME makes, anew where one of
# the sources changed. Which of them concern it, the inner build knows.
function(add_macos_build name folder file options)
  add_custom_command(
    OUTPUT "${folder}/${file}.stamp"
    BYPRODUCTS "${folder}/${file}"
    COMMAND "${CMAKE_COMMAND}" -S "${CMAKE_SOURCE_DIR}" -B "${folder}" -G Ninja -Wno-dev
            "-DCMAKE_TOOLCHAIN_FILE=${CMAKE_CURRENT_FUNCTION_LIST_DIR}/toolchain.cmake"
            "-DCMAKE_OSX_SYSROOT=${macos_sdk}" ${options} > "${folder}/${file}.log"
    COMMAND "${CMAKE_COMMAND}" --build "${folder}" --target ${name} -- --quiet
    COMMAND "${CMAKE_COMMAND}" -E touch "${folder}/${file}.stamp"
    DEPENDS "${macos_sdk}/made" ${ARGN}
    COMMENT "Building for macOS: ${file} in ${folder}")
endfunction()

file(GLOB_RECURSE shim_sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/shim/*" "${CMAKE_SOURCE_DIR}/tests/macos_sdk/*")
file(GLOB_RECURSE program_sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/cli/*" "${CMAKE_SOURCE_DIR}/profiles/*")
file(MAKE_DIRECTORY "${macos}" "${macos_x86_64}")
set(shim_parts ${shim_sources} "${CMAKE_SOURCE_DIR}/CMakeLists.txt" "${CMAKE_CURRENT_LIST_DIR}/toolchain.cmake")
set(program_parts ${program_sources} "${CMAKE_CURRENT_LIST_DIR}/libcxx/CMakeLists.txt")
add_macos_build(metal_unlock_shim "${macos}" libmetal-unlock.dylib "" ${shim_parts})
add_macos_build(metal-unlock "${macos}" metal-unlock "" "${macos}/libmetal-unlock.dylib.stamp" ${program_parts})
# It runs a few times, and nobody measures it: what counts is how fast it compiles. No build type has no optimisation.
set(quickly -DCMAKE_OSX_ARCHITECTURES=x86_64 -DCMAKE_BUILD_TYPE=Unoptimised -DCMAKE_UNITY_BUILD=ON)
add_macos_build(metal-unlock "${macos_x86_64}" metal-unlock "${quickly}" ${shim_parts} ${program_parts})
add_custom_target(macos_shim DEPENDS "${macos}/libmetal-unlock.dylib.stamp")
add_custom_target(macos ALL DEPENDS "${macos}/metal-unlock.stamp")
add_dependencies(macos macos_shim)
add_custom_target(macos_x86_64 ALL DEPENDS "${macos_x86_64}/metal-unlock.stamp")
