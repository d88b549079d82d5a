// SPDX-License-Identifier: MIT
#pragma once

// The one place that knows which Catch2 is installed: version 2 on Debian, version 3 from Homebrew.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
