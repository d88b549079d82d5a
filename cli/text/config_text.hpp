// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace metal_unlock {

/// One line of `config`: a setting with where it was set, or a file with its state.
struct ShownRow {
  std::string name;
  std::string content;
  std::string remark;
};

std::string config_text(const std::vector<ShownRow>& settings, const std::vector<ShownRow>& files);

}  // namespace metal_unlock
