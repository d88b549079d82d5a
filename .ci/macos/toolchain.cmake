# SPDX-License-Identifier: MIT
# From Debian to macOS: clang-19 and ld64.lld-19 over the folder that make_sdk puts together, named by CMAKE_OSX_SYSROOT.
set(CMAKE_SYSTEM_NAME Darwin)
set(CMAKE_SYSTEM_PROCESSOR arm64)
set(CMAKE_OSX_ARCHITECTURES arm64 CACHE STRING "of the program; the shim has its own list")
set(CMAKE_OSX_DEPLOYMENT_TARGET 13.0 CACHE STRING "")

find_program(CMAKE_CXX_COMPILER clang++-19 REQUIRED)
find_program(CMAKE_OBJCXX_COMPILER clang++-19 REQUIRED)
find_program(CMAKE_ASM_COMPILER clang-19 REQUIRED)
find_program(CMAKE_AR llvm-ar-19 REQUIRED)
find_program(CMAKE_RANLIB llvm-ranlib-19 REQUIRED)
find_program(CMAKE_INSTALL_NAME_TOOL llvm-install-name-tool-19 REQUIRED)
foreach(language CXX OBJCXX ASM)
  set(CMAKE_${language}_COMPILER_TARGET arm64-apple-darwin)
  set(CMAKE_${language}_FLAGS_INIT "-B${CMAKE_OSX_SYSROOT}/usr/bin")
endforeach()

# x86_64 code is signed only where that is asked for; without a signature the universal file would be half signed.
foreach(kind EXE SHARED)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT "-fuse-ld=lld -Wl,-adhoc_codesign")
endforeach()
# The C++ library is part of the build, so there is none yet when CMake tries the compiler.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
