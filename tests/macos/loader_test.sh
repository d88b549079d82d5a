#!/bin/sh
# SPDX-License-Identifier: MIT
# loader_test.sh BUILD RESULTS: what the loader really does with an inserted library, for one client made in many ways;
# whether that is what loader_variants.tsv expects, and whether `run` keeps every one of them alive. Needs a macOS
# guest and the Command Line Tools. Writes RESULTS, a line for each variant.
set -eu
build=$(cd "$1" && pwd)
results=$2
here=$(cd "$(dirname "$0")" && pwd)
. "$here/checks.sh"
unlock=$build/metal-unlock
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
export XDG_CONFIG_HOME="$work/config"
unset METAL_UNLOCK METAL_UNLOCK_PROFILE METAL_UNLOCK_CONFIG

sip=on
csrutil status | grep -q disabled && sip=off

# entitlements NAME…: a property list in which each is true.
entitlements() {
  printf '<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict>\n'
  for name in "$@"; do printf '<key>com.apple.security.%s</key><true/>\n' "$name"; done
  printf '</dict></plist>\n'
}

# clang_for FILE OPTION…
clang_for() {
  output=$1
  shift
  xcrun clang "$here/apple7.m" -framework Foundation -framework Metal "$@" -o "$output"
}

# make_variant NAME FILE
make_variant() {
  case $1 in
    restrict) clang_for "$2" -Wl,-sectcreate,__RESTRICT,__restrict,/dev/null ;;
    rosetta) clang_for "$2" -arch x86_64 ;;
    arm64e) clang_for "$2" -arch arm64e ;;
    *) clang_for "$2" -arch arm64 ;;
  esac
  case $1 in
    adhoc) codesign --force --sign - "$2" ;;
    hardened) codesign --force --sign - --options runtime "$2" ;;
    hardened-*)
      case $1 in
        hardened-both) entitlements cs.allow-dyld-environment-variables cs.disable-library-validation ;;
        hardened-variables) entitlements cs.allow-dyld-environment-variables ;;
        hardened-debug) entitlements get-task-allow ;;
      esac >"$work/entitlements"
      codesign --force --sign - --options runtime --entitlements "$work/entitlements" "$2"
      ;;
    setuid) sudo chown root "$2" && sudo chmod 4755 "$2" ;;
  esac
}

# insert COMMAND: sets `seen` to what the loader did.
insert() {
  rm -f "$work/report"
  sed "s|;end'|;report=$work/report;end'|" "$work/variables" >"$work/with-report"
  status=0
  # shellcheck source=/dev/null
  answer=$( (. "$work/with-report" && exec "$1") 2>"$work/words") || status=$?
  if grep -q '"event":"loaded"' "$work/report" 2>/dev/null; then
    seen=inserted
  elif [ "$status" -eq 0 ]; then
    seen=dropped
  elif grep -q 'could not be loaded' "$work/words" || [ "$status" -eq 134 ]; then
    seen=killed
  else
    seen=refused
  fi
}

"$unlock" env >"$work/variables"
printf 'variant\texpected\tseen\tstatus\tanswer\tverdict\n' >"$results"

grep -v '^#' "$here/loader_variants.tsv" >"$work/variants"
while IFS='	' read -r name sip_off sip_on made; do
  program=$work/$name
  if [ "$name" = system ]; then
    program=/usr/bin/true
  elif ! make_variant "$name" "$program" >"$work/made" 2>&1; then
    # shellcheck disable=SC2016 # expanded by the inner shell
    check "$name can be made by: $made" sh -c 'cat "$1"; exit 1' sh "$work/made"
    continue
  fi
  if [ "$sip" = off ]; then expected=$sip_off; else expected=$sip_on; fi
  insert "$program"
  verdict=$("$unlock" run --dry-run -- "$program" 2>&1 | sed -n 's/^loader  *//p')
  printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$name" "$expected" "$seen" "$status" "$answer" "$verdict" >>"$results"
  [ "$expected" = any ] || same "$name: the loader does what is expected ($made)" "$expected" "$seen"

  alone=0
  "$program" >"$work/stock-answer" 2>/dev/null || alone=$?
  under=0
  "$unlock" run -- "$program" >"$work/unlocked-answer" 2>"$work/words" || under=$?
  same "$name: run ends as the program alone does" "$alone" "$under"
  if [ "$expected" = inserted ] && [ "$name" != system ]; then
    same "$name: run unlocks it" yes "$(cat "$work/unlocked-answer")"
  fi
  case $expected in
    dropped | killed)
      required=0
      "$unlock" run --require -- "$program" >/dev/null 2>"$work/words" || required=$?
      same "$name: run --require refuses it" 125 "$required"
      check "$name: and says what to do next" grep -q '^ *next:' "$work/words"
      ;;
  esac
done <"$work/variants"

finish
