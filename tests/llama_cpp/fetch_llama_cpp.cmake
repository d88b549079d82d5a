# SPDX-License-Identifier: MIT
# Fetches llama.cpp's sources into FOLDER: the npm package node-llama-cpp brings them as a git bundle for its own builds.
# A git commit names its content, so COMMIT says what is compiled, whatever the registry answers; VERSION is what the
# package calls it.
cmake_minimum_required(VERSION 3.25)

set(source "${FOLDER}/source")
set(device "${source}/ggml/src/ggml-metal/ggml-metal-device.m")

# run(WHAT COMMAND…): in FOLDER; ends the build with WHAT, the command and its own words where it fails.
function(run what)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${FOLDER}"
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "llama.cpp: ${what}\n  command: ${command}\n  status: ${status}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# edit(FROM TO): in ggml-metal-device.m, where FROM must stand exactly once.
function(edit from to)
  file(READ "${device}" text)
  string(FIND "${text}" "${from}" first)
  string(FIND "${text}" "${from}" last REVERSE)
  if(first EQUAL -1 OR NOT first EQUAL last)
    message(FATAL_ERROR "llama.cpp: '${from}' does not stand exactly once in ${device}")
  endif()
  string(REPLACE "${from}" "${to}" text "${text}")
  file(WRITE "${device}" "${text}")
endfunction()

find_program(npm npm)
find_program(git git)
if(NOT npm OR NOT git)
  message(FATAL_ERROR "llama.cpp: npm and git are needed to fetch its sources; install them, or run .ci/deps")
endif()

file(REMOVE_RECURSE "${FOLDER}/fetch" "${source}")
file(MAKE_DIRECTORY "${FOLDER}/fetch" "${source}")
run("${PACKAGE} cannot be fetched; is there a network, and does npm know its registry?"
  "${npm}" pack "${PACKAGE}" --ignore-scripts --loglevel=error --prefer-offline --pack-destination fetch)
file(GLOB archive "${FOLDER}/fetch/*.tgz")
run("the package cannot be unpacked" tar -xzf "${archive}" -C fetch package/llama/gitRelease.bundle
  package/llama/llama.cpp.info.json)
file(READ "${FOLDER}/fetch/package/llama/llama.cpp.info.json" about)
string(JSON version GET "${about}" tag)
if(NOT version STREQUAL VERSION)
  message(FATAL_ERROR "llama.cpp: ${PACKAGE} brings ${version}, not ${VERSION}")
endif()
run("the package's bundle is no git repository" "${git}" clone --quiet --bare fetch/package/llama/gitRelease.bundle fetch/git)
run("the bundle does not hold commit ${COMMIT}" "${git}" --git-dir=fetch/git cat-file -e "${COMMIT}^{commit}")
run("the commit lacks ggml" "${git}" --git-dir=fetch/git archive --output=fetch/ggml.tar "${COMMIT}"
  LICENSE ggml/include ggml/src/ggml-metal ":(glob)ggml/src/*"
  ":(glob)ggml/src/ggml-cpu/*.h")
run("ggml cannot be unpacked" tar -xf fetch/ggml.tar -C source)
file(REMOVE_RECURSE "${FOLDER}/fetch")

# clang has no subscripts on objects for GCC's runtime: each becomes the message that it stands for.
edit([=[index[fname] = @(kind);]=] [=[[index setObject:@(kind) forKey:fname];]=])
edit([=[lib->fn_to_lib[base_func]]=] [=[[lib->fn_to_lib objectForKey:base_func]]=])
edit([=[[[NSProcessInfo processInfo] arguments][0]]=] [=[[[[NSProcessInfo processInfo] arguments] objectAtIndex:0]]=])
edit([=[atts[NSFileType]]=] [=[[atts objectForKey:NSFileType]]=])

# What llama.cpp's own build would make: a header with its version, and a begin and an end for the text of each shader.
# The shaders are empty here, since there is nothing to compile them.
file(WRITE "${source}/ggml/src/ggml-version.h" "#define GGML_VERSION \"\"\n#define GGML_COMMIT \"\"\n")
set(shaders "    .section .note.GNU-stack,\"\",%progbits\n    .section .rodata\n")
file(GLOB kernels RELATIVE "${source}/ggml/src/ggml-metal/kernels" "${source}/ggml/src/ggml-metal/kernels/*.metal")
foreach(kernel IN LISTS kernels)
  string(REPLACE ".metal" "" kernel "ggml_metallib_${kernel}")
  string(APPEND shaders "    .globl ${kernel}_start, ${kernel}_end\n${kernel}_start:\n${kernel}_end:\n")
endforeach()
file(WRITE "${source}/shaders.s" "${shaders}")
file(TOUCH "${FOLDER}/fetched")
