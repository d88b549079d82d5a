# SPDX-License-Identifier: MIT
# Builds llama-bench in FOLDER with COMPILER: its source from the git bundle in the npm package node-llama-cpp, its
# libraries, built by the same project for the CPU, from that package's half for this system.
cmake_minimum_required(VERSION 3.25)

set(version 3.22.1)
set(commit de3ff815ea7d559ee917f063901b8986f038abc6)
set(libraries_sha256 0d953e1503d5ab4608d8ed5b739132308c81ac05ffeb760d2a7f30e08a9f90e0)

# run(WHAT COMMAND…): in FOLDER; ends the build with WHAT where it fails.
function(run what)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${FOLDER}"
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "llama-bench: ${what}\n${output}")
  endif()
endfunction()

find_program(npm npm REQUIRED)
find_program(git git REQUIRED)
file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}/source")
run("the packages cannot be fetched" "${npm}" pack --ignore-scripts --loglevel=error --prefer-offline
  "node-llama-cpp@${version}" "@node-llama-cpp/linux-x64@${version}")
set(libraries "${FOLDER}/node-llama-cpp-linux-x64-${version}.tgz")
file(SHA256 "${libraries}" sum)
if(NOT sum STREQUAL libraries_sha256)
  message(FATAL_ERROR "llama-bench: the libraries are not those that were looked at: ${sum}")
endif()
run("the libraries cannot be unpacked" tar -xzf "${libraries}" --strip-components=3 package/bins/linux-x64)
run("the sources cannot be unpacked" tar -xzf "node-llama-cpp-${version}.tgz" --strip-components=2
  package/llama/gitRelease.bundle)
run("the bundle is no repository" "${git}" clone --quiet --bare gitRelease.bundle git)
run("the bundle lacks the commit" "${git}" --git-dir=git archive --output=source.tar "${commit}" common include ggml/include
  tools/llama-bench vendor)
run("the sources cannot be unpacked" tar -xf source.tar -C source)
run("llama-bench cannot be compiled" "${COMPILER}" -std=c++17 -O1 -w -Isource/common -Isource/include
  -Isource/ggml/include -Isource/vendor source/tools/llama-bench/llama-bench.cpp source/tools/llama-bench/main.cpp
  -o llama-bench -L. -l:libllama-common.so -l:libllama.v0.5.0.so -l:libggml.v0.5.0.so -l:libggml-base.so -pthread
  "-Wl,-rpath,$ORIGIN")
file(REMOVE_RECURSE "${FOLDER}/source" "${FOLDER}/git" "${FOLDER}/source.tar" "${FOLDER}/gitRelease.bundle"
  "${libraries}" "${FOLDER}/node-llama-cpp-${version}.tgz")
