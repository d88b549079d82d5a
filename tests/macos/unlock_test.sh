#!/bin/sh
# SPDX-License-Identifier: MIT
# unlock_test.sh BUILD: does the unlock work on this guest? The same script runs in a real macOS guest and, in every
# `make test` on Linux, in the simulated one; nothing in it knows which of the two it is.
set -eu
build=$(cd "$1" && pwd)
. "$(dirname "$0")/checks.sh"
unlock=$build/metal-unlock
caps=$build/metal-caps
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
export XDG_CONFIG_HOME="$work/config"
unset METAL_UNLOCK METAL_UNLOCK_PROFILE METAL_UNLOCK_CONFIG

answer() { sed -n "s/^$2  *//p" "$1"; }
events() { sed -n 's/^{"event":"\([a-z-]*\)".*/\1/p' "$1" | sort -u | tr '\n' ' '; }

"$unlock" probe --json >"$work/probe"
"$caps" >"$work/stock"
"$unlock" run --require --report "$work/report" -- "$caps" >"$work/unlocked"
"$unlock" probe --unlocked --json >"$work/probe-unlocked"

check "the machine is a guest" grep -q '"virtual": true' "$work/probe"
check "its chip is named" grep -Eq '"chip": "Apple [AM][0-9]' "$work/probe"
check "its accelerator is the paravirtual one" grep -q AppleParavirtGPU "$work/probe"
check "the device's class is the one that profiles name" grep -q '"class": "AppleParavirtDevice"' "$work/probe"

same "stock: no Apple 7" no "$(answer "$work/stock" 'supportsFamily: 1007 (Apple7)')"
same "unlocked: Apple 7" yes "$(answer "$work/unlocked" 'supportsFamily: 1007 (Apple7)')"
same "unlocked: no family beyond Apple 11" no "$(answer "$work/unlocked" 'supportsFamily: 1012 (Apple12)')"
for question in name 'supportsFamily: 5001 (Metal3)' 'supportsFamily: 5002 (Metal4)' 'supportsFamily: 3003 (Common3)' \
  'supportsFamily: 2002 (Mac2)' maxThreadgroupMemoryLength recommendedMaxWorkingSetSize maxBufferLength hasUnifiedMemory; do
  same "the unlock leaves '$question' alone" "$(answer "$work/stock" "$question")" "$(answer "$work/unlocked" "$question")"
done
same "the report tells it event by event" "answer device effective loaded metal overridden plan " "$(events "$work/report")"
check "probe --unlocked sees what the program saw" grep -q 1007 "$work/probe-unlocked"

"$unlock" run --require --report "$work/env-report" -- /usr/bin/env >"$work/environment"
check "a system tool is unlocked as well (needs SIP off)" grep -q '"event":"loaded"' "$work/env-report"
check "its environment holds neither variable" \
  sh -c "grep -q ^PATH= '$work/environment' && ! grep -E '^(METAL_UNLOCK_HANDOFF|DYLD_INSERT_LIBRARIES|LD_PRELOAD)=' '$work/environment'"
"$caps" >"$work/after"
check "the next process is stock again" cmp "$work/stock" "$work/after"

status=0
"$unlock" run -- sh -c 'exit 42' || status=$?
same "the exit status is the program's" 42 "$status"
status=0
# shellcheck disable=SC2016 # expanded by the program
"$unlock" run -- sh -c 'kill -TERM $$' 2>/dev/null || status=$?
same "a signal stays a signal" 143 "$status"
# shellcheck disable=SC2016 # expanded by the program
"$unlock" run -- sh -c 'echo $$' >"$work/pid" &
started=$!
wait "$started"
same "the process is the one that was started" "$started" "$(cat "$work/pid")"
status=0
"$unlock" run -- "$work/no-such-program" 2>/dev/null || status=$?
same "a missing program is 127" 127 "$status"
METAL_UNLOCK=off "$unlock" run -- "$caps" >"$work/off"
check "METAL_UNLOCK=off leaves it stock" cmp "$work/stock" "$work/off"

# The same library, preloaded by hand: once with the handoff as it is, once with one wrong letter in it.
"$unlock" env >"$work/variables"
# shellcheck source=/dev/null
(. "$work/variables" && exec "$caps") >"$work/by-hand"
check "the variables that env prints unlock by themselves" cmp "$work/unlocked" "$work/by-hand"
sed 's/apple-family=1/apple-family=x1/' "$work/variables" >"$work/malformed"
# shellcheck source=/dev/null
(. "$work/malformed" && exec "$caps") >"$work/malformed-handoff"
check "a malformed handoff leaves it stock" cmp "$work/stock" "$work/malformed-handoff"

finish
