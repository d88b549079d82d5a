// SPDX-License-Identifier: MIT
#pragma once

typedef const struct __CFDictionary* CFDictionaryRef;
typedef struct __CFDictionary* CFMutableDictionaryRef;

/// An enumeration whose numbers have this type.
#define CF_ENUM(type, name) \
  enum name : type name;    \
  enum name : type
