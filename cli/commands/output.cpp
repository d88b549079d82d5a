// SPDX-License-Identifier: MIT
#include "cli/commands/output.hpp"

#include "cli/commands/commands.hpp"
#include "cli/text/findings_text.hpp"

namespace metal_unlock {

bool print_answer(System& system, std::string_view text) {
  if (system.write(Stream::out, text)) return true;
  const Finding finding{FindingId::output_failed, "stdout did not take all of the output",
                        "check that stdout is open, and that its disk is not full"};
  fail(system, finding);
  return false;
}

int fail(System& system, const Finding& finding) {
  system.write(Stream::err, findings_text({&finding, 1}, Style{system.terminal(Stream::err)}));
  return status_wrong;
}

}  // namespace metal_unlock
