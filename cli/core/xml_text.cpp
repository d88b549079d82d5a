// SPDX-License-Identifier: MIT
#include "cli/core/xml_text.hpp"

namespace metal_unlock {

std::string xml_text(std::string_view text) {
  std::string escaped;
  for (const char letter : text) {
    if (letter == '&')
      escaped += "&amp;";
    else if (letter == '<')
      escaped += "&lt;";
    else if (letter == '>')
      escaped += "&gt;";
    else if (letter == '\r')
      escaped += "&#13;";  // else it is read as the end of a line
    else
      escaped += letter;
  }
  return escaped;
}

}  // namespace metal_unlock
