# SPDX-License-Identifier: MIT
# For a Makefile whose recipes use the GPU:
#
#   -include metal-unlock.mk
#   bench: ; $(UNLOCK) ./llama-bench -m $(MODEL)
#
# UNLOCK is empty where metal-unlock is not installed, so that the same Makefile serves every machine; where it is
# installed and there is nothing to unlock, it starts the program as it is. Options go into UNLOCK_OPTIONS:
#
#   make bench UNLOCK_OPTIONS=--require
#
# Works with GNU make 3.81, which macOS has, and later.

# With the redirection make asks a shell, which knows `command`; without, make 3.81 would look for such a file.
ifeq ($(origin UNLOCK),undefined)
  ifneq ($(shell command -v metal-unlock 2>/dev/null),)
    UNLOCK = metal-unlock run $(UNLOCK_OPTIONS) --
  else
    UNLOCK =
  endif
endif
