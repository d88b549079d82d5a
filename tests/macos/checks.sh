# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Sourced by the scripts here: a line for each check, and an exit status that no failed check escapes.

checks_failed=0

# check NAME COMMAND…: one line, and what the command printed where it failed.
check() {
  check_name=$1
  shift
  if check_output=$("$@" 2>&1); then
    printf 'ok      %s\n' "$check_name"
  else
    printf 'FAILED  %s\n' "$check_name"
    printf '%s\n' "$check_output" | sed 's/^/        /'
    checks_failed=$((checks_failed + 1))
  fi
}

# same NAME EXPECTED SEEN
same() {
  # shellcheck disable=SC2016 # expanded by the inner shell
  check "$1" sh -c '[ "$1" = "$2" ] || { printf "expected: %s\nseen:     %s\n" "$1" "$2"; exit 1; }' sh "$2" "$3"
}

finish() {
  if [ "$checks_failed" -ne 0 ]; then
    printf '%s checks failed\n' "$checks_failed"
    exit 1
  fi
  printf 'all checks passed\n'
}
