# SPDX-License-Identifier: MIT
# Verbs for people; CMake does the work.

BUILD ?= build
PREFIX ?= /usr/local
CMAKE_FLAGS ?=

# Never in parallel with itself: every verb calls CMake, which is parallel inside.
.NOTPARALLEL:
.PHONY: build demo test install uninstall dist benchmark sanitize fuzz mutants coverage format format-check lint deps lint-deps clean

build: deps
	@cmake -S . -B $(BUILD) -G Ninja -DCMAKE_INSTALL_PREFIX=$(PREFIX) $(CMAKE_FLAGS) > $(BUILD).log || { cat $(BUILD).log; exit 1; }
	@mkdir -p $(BUILD) && mv $(BUILD).log $(BUILD)/configure.log
	@cmake --build $(BUILD)

demo: build
	@tests/demo/demo $(BUILD)

test: build
	@ctest --test-dir $(BUILD) --output-on-failure --no-tests=error --parallel $(shell getconf _NPROCESSORS_ONLN)

install: build
	@cmake --install $(BUILD)

uninstall:
	@cmake -DMANIFEST=$(BUILD)/install_manifest.txt -P .ci/uninstall.cmake

# What users download: the program for macOS, from what is committed.
dist: build
	@.ci/dist $(BUILD)

benchmark: build
	@$(BUILD)/benchmark $(BUILD)/metal-unlock
	@$(BUILD)/shim-benchmark
	@$(BUILD)/preflight-benchmark $(BUILD)/metal-unlock

# The unit tests and a short run of each fuzzer, under the address and undefined-behaviour sanitizers.
sanitize: lint-deps
	@cmake --preset sanitize > /dev/null
	@cmake --build --preset sanitize
	@ctest --preset sanitize --parallel $(shell getconf _NPROCESSORS_ONLN)

# Looks for bytes that the parsers stumble over, for hours: 10,000,000 inputs for each, or FUZZ_RUNS. What it finds is a
# file in build-sanitize/findings. FUZZ="handoff argv" chooses parsers.
FUZZ ?=
FUZZ_RUNS ?=
fuzz: lint-deps
	@cmake --preset sanitize > /dev/null
	@cmake --build --preset sanitize --target fuzzers
	@FUZZ_RUNS=$(FUZZ_RUNS) .ci/fuzz build-sanitize $(FUZZ)

# Changes one place of the core after another, and tells which test goes red; MUTANTS="decide plan" tries some of them.
MUTANTS ?=
mutants: lint-deps
	@tests/mutants/mutants build-mutants $(MUTANTS)

# How much of the pure part the unit tests run.
coverage: lint-deps
	@cmake --preset coverage > /dev/null
	@cmake --build --preset coverage
	@tests/coverage/coverage build-coverage

format: lint-deps
	@git ls-files -z '*.cpp' '*.hpp' '*.mm' '*.h' | xargs -0 clang-format -i

format-check: lint-deps
	@git ls-files -z '*.cpp' '*.hpp' '*.mm' '*.h' | xargs -0 clang-format --dry-run --Werror

lint: build lint-deps
	@.ci/lint $(BUILD)

deps:
	@.ci/deps

lint-deps:
	@.ci/deps lint

clean:
	@rm -rf $(BUILD) build-sanitize build-mutants build-coverage dist
