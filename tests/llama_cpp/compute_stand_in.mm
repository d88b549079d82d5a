// SPDX-License-Identifier: MIT

// What llama.cpp needs of Metal beyond the answers of a device: a queue, and a shader compiler that takes
// whatever it is given. The device itself, and every answer, are those of tests/simulated_guest.

#include "tests/simulated_guest/device.h"

#include <cstring>

/// Where clang's code looks for the class of its constant strings, which GCC's runtime fills in.
extern "C" {
void* _OBJC_CLASS_NSConstantString[64];
}

@interface MTLFunctionConstantValues : MTLStandInObject
@end

@implementation MTLFunctionConstantValues
@end

@interface MTLCompileOptions : MTLStandInObject
@end

@implementation MTLCompileOptions
+ (id)new {
  return [[self alloc] init];
}

- (void)setPreprocessorMacros:(id)macros {
  (void)macros;
}

- (void)setLanguageVersion:(NSUInteger)version {
  (void)version;
}
@end

/// Command queue, library, function and pipeline in one.
@interface MTLStandInCompute : MTLStandInObject
@end

@implementation MTLStandInCompute
/// Nil is an empty list to whoever goes through it.
- (id)functionNames {
  return nil;
}

- (id)newFunctionWithName:(id)name {
  (void)name;
  return self;
}

- (NSUInteger)maxTotalThreadsPerThreadgroup {
  return 1024;
}

- (NSUInteger)threadExecutionWidth {
  return 32;
}
@end

// In the place of the stand-in's own, which know no kernels but those of cli/verify: what a program brings in
// is loaded after the libraries that it is linked with.
@implementation _MTLDevice (Compute)
- (id<MTLCommandQueue>)newCommandQueue {
  return (id)[[MTLStandInCompute alloc] init];
}

- (id<MTLLibrary>)newLibraryWithSource:(NSString*)source options:(id)options error:(NSError**)error {
  (void)source;
  (void)options;
  (void)error;
  return (id)[[MTLStandInCompute alloc] init];
}

- (id<MTLComputePipelineState>)newComputePipelineStateWithFunction:(id<MTLFunction>)function
                                                             error:(NSError**)error {
  (void)error;
  return (id)function;
}
@end

@implementation MTLStandInString (Foundation)
- (BOOL)containsString:(id<StandInString>)part {
  return std::strstr(text_, [part UTF8String]) != nullptr ? YES : NO;
}
@end
