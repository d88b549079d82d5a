// SPDX-License-Identifier: MIT
#include "cli/commands/output.hpp"

#include "cli/commands/commands.hpp"
#include "cli/text/findings_text.hpp"

namespace metal_unlock {

bool print_answer(System& system, std::string_view text) {
  if (system.write(Stream::out, text)) return true;
  tell(system, {FindingId::output_failed, "stdout did not take all of the output",
                "check that stdout is open, and that its disk is not full"});
  return false;
}

void tell(System& system, const Finding& finding) {
  system.write(Stream::err, findings_text({&finding, 1}, Style{system.terminal(Stream::err)}));
}

int fail(System& system, const Finding& finding) {
  tell(system, finding);
  return status_wrong;
}

}  // namespace metal_unlock
