#!/bin/sh
# SPDX-License-Identifier: MIT
# verify_test.sh BUILD [RESULT]: does the GPU of this guest compute what is claimed? The same script runs in a real macOS
# guest and, in every `make test` on Linux, in the simulated one. RESULT gets the JSON.
set -eu
build=$(cd "$1" && pwd)
. "$(dirname "$0")/checks.sh"
unlock=$build/metal-unlock
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
result=${2:-$work/verify.json}
export XDG_CONFIG_HOME="$work/config" XDG_CACHE_HOME="$work/cache"
unset METAL_UNLOCK METAL_UNLOCK_PROFILE METAL_UNLOCK_CONFIG METAL_UNLOCK_VERIFY

status=0
"$unlock" verify --json >"$result" || status=$?
"$unlock" verify --forget >/dev/null
check "verify says that everything claimed is correct" sh -c "[ $status = 0 ] || { cat '$result'; exit 1; }"
check "it was verified unlocked" grep -q '"unlocked": true' "$result"
"$unlock" run --verify -v -- true 2>"$work/first"
check "run --verify makes a verdict" grep -q "GPU verified now" "$work/first"
"$unlock" run --verify -v -- true 2>"$work/second"
check "the next start uses it" grep -q "GPU verdict from" "$work/second"
"$unlock" doctor >"$work/doctor" || true
check "doctor shows it" grep -q "verdict from" "$work/doctor"
"$unlock" verify --timeout 60 >/dev/null 2>&1 &
started=$!
sleep 1
kill -KILL "$started" 2>/dev/null || true
wait "$started" 2>/dev/null || true
sleep 1
check "no check outlives a verify that was killed" sh -c "! ps -ax -o command | grep '[v]erify-check' | grep -F '$unlock'"
same "nothing but the shim and a verdict is left" "" \
  "$(find "$work/cache" -type f ! -name 'libmetal-unlock.*' ! -name verdict.json; find "$work/cache" -name '*.part')"

finish
