// SPDX-License-Identifier: MIT
#pragma once

#include "cli/core/diagnosis.hpp"

#include <string>

namespace metal_unlock {

/// A diagnosis as commands of a GitHub workflow: an annotation for each finding, the worst first, then the
/// verdict as plain text.
std::string doctor_annotations(const Diagnosis& diagnosis);

}  // namespace metal_unlock
