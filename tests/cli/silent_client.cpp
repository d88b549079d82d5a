// SPDX-License-Identifier: MIT
// A program that no library can be preloaded into, since it is linked statically. It ends with 3, after as
// many seconds as it is told.
#include <cstdlib>
#include <unistd.h>

int main(int count, char** words) {
  if (count > 1) ::sleep(static_cast<unsigned>(std::atoi(words[1])));
  return 3;
}
