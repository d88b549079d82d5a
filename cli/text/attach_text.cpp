// SPDX-License-Identifier: MIT
#include "cli/text/attach_text.hpp"

#include "cli/core/text_format.hpp"
#include "cli/text/launch_text.hpp"
#include "cli/text/printable.hpp"
#include "cli/text/verdict_text.hpp"

namespace metal_unlock {

std::string attached_text(const ProcessFacts& process, const Launch& launch, const AttachProof& proof) {
  const Capabilities granted = launch.verdict ? launch.verdict->granted() : Capabilities{};
  std::string extent;
  if (const auto& family = granted[Field::apple_family])
    extent = formatted(" up to {}", amount_text(Field::apple_family, *family));
  return formatted(
      "{} is unlocked: its {}, asked from inside, gives the claimed answers{}\n"
      "what the process has asked before, it keeps: llama.cpp asks once, when its device starts\n",
      printable(name_of(process)), proof.device_class, extent);
}

std::string needless_text(const ProcessFacts& process, const Launch& launch) {
  return formatted("{} is left as it is: {}\n", printable(name_of(process)), printable(why_stock(launch)));
}

}  // namespace metal_unlock
