// SPDX-License-Identifier: MIT
#include "tests/macho_loader/libraries.hpp"

#include <dlfcn.h>

// Apple's Objective-C runtime, as far as the shim uses it, in terms of GCC's.

extern "C" {

__attribute__((visibility("hidden"))) void* macho_find_method(void** receiver, const void* selector);
void macho_send_message();
}

// A message is sent by a jump to the method, so that all arguments stay where the caller put them: what could
// hold one is kept while the method is looked up.
#if defined(__x86_64__)
asm(R"(
  .text
  .globl macho_send_message
  .hidden macho_send_message
  .type macho_send_message, @function
macho_send_message:
  pushq %rbp
  movq %rsp, %rbp
  subq $192, %rsp
  movq %rdi, 0(%rsp)
  movq %rsi, 8(%rsp)
  movq %rdx, 16(%rsp)
  movq %rcx, 24(%rsp)
  movq %r8, 32(%rsp)
  movq %r9, 40(%rsp)
  movq %rax, 48(%rsp)
  movaps %xmm0, 64(%rsp)
  movaps %xmm1, 80(%rsp)
  movaps %xmm2, 96(%rsp)
  movaps %xmm3, 112(%rsp)
  movaps %xmm4, 128(%rsp)
  movaps %xmm5, 144(%rsp)
  movaps %xmm6, 160(%rsp)
  movaps %xmm7, 176(%rsp)
  call macho_find_method
  movq %rax, %r11
  movq 0(%rsp), %rdi
  movq 8(%rsp), %rsi
  movq 16(%rsp), %rdx
  movq 24(%rsp), %rcx
  movq 32(%rsp), %r8
  movq 40(%rsp), %r9
  movq 48(%rsp), %rax
  movaps 64(%rsp), %xmm0
  movaps 80(%rsp), %xmm1
  movaps 96(%rsp), %xmm2
  movaps 112(%rsp), %xmm3
  movaps 128(%rsp), %xmm4
  movaps 144(%rsp), %xmm5
  movaps 160(%rsp), %xmm6
  movaps 176(%rsp), %xmm7
  leave
  jmp *%r11
  .size macho_send_message, . - macho_send_message
)");
#else
asm(R"(
  .text
  .globl macho_send_message
  .hidden macho_send_message
  .type macho_send_message, %function
macho_send_message:
  stp x29, x30, [sp, #-224]!
  mov x29, sp
  stp x0, x1, [sp, #16]
  stp x2, x3, [sp, #32]
  stp x4, x5, [sp, #48]
  stp x6, x7, [sp, #64]
  str x8, [sp, #80]
  stp q0, q1, [sp, #96]
  stp q2, q3, [sp, #128]
  stp q4, q5, [sp, #160]
  stp q6, q7, [sp, #192]
  bl macho_find_method
  mov x16, x0
  ldp x0, x1, [sp, #16]
  ldp x2, x3, [sp, #32]
  ldp x4, x5, [sp, #48]
  ldp x6, x7, [sp, #64]
  ldr x8, [sp, #80]
  ldp q0, q1, [sp, #96]
  ldp q2, q3, [sp, #128]
  ldp q4, q5, [sp, #160]
  ldp q6, q7, [sp, #192]
  ldp x29, x30, [sp], #224
  br x16
  .size macho_send_message, . - macho_send_message
)");
#endif

namespace metal_unlock::macho {
namespace {

/// GCC's runtime has it as an inline function only.
void* object_class(void** object) { return object == nullptr ? nullptr : *object; }

/// A function of GCC's runtime, which is there once a library that needs it is.
template <class Function>
Function runtime_function(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

/// What both runtimes do in the end, though GCC's not for a root class that cannot forward messages.
[[noreturn]] void does_not_recognize(void* receiver_class, const void* selector) {
  const auto selector_name = runtime_function<const char* (*)(const void*)>("sel_getName");
  const auto class_name = runtime_function<const char* (*)(void*)>("class_getName");
  give_up(std::string("the class ") + class_name(receiver_class) + " has no method " +
          selector_name(selector));
}

}  // namespace

// Not among them: class_replaceMethod, which changes the superclass here and the class there.
const std::vector<const char*>& same_in_libobjc() {
  static const std::vector<const char*> names{
      "class_addMethod",  "class_getInstanceMethod", "class_getMethodImplementation",
      "class_getName",    "class_getSuperclass",     "method_getImplementation",
      "method_getName",   "method_getTypeEncoding",  "method_setImplementation",
      "objc_getClass",    "objc_lookUpClass",        "sel_getName",
      "sel_registerName",
  };
  return names;
}

const std::vector<Symbol>& differing_in_libobjc() {
  static const std::vector<Symbol> symbols{
      {"objc_msgSend", reinterpret_cast<void*>(macho_send_message)},
      {"object_getClass", reinterpret_cast<void*>(object_class)},
  };
  return symbols;
}

const void* selector_named(const char* name) {
  const auto register_name = runtime_function<const void* (*)(const char*)>("sel_registerName");
  if (register_name == nullptr) throw LoadError{"it has selectors and does not need the Objective-C runtime"};
  return register_name(name);
}

}  // namespace metal_unlock::macho

extern "C" void* macho_find_method(void** receiver, const void* selector) {
  using namespace metal_unlock::macho;
  static const auto look_up = runtime_function<void* (*)(void*, const void*)>("objc_msg_lookup");
  static const auto method_of = runtime_function<void* (*)(void*, const void*)>("class_getInstanceMethod");
  if (receiver != nullptr && method_of(*receiver, selector) == nullptr)
    does_not_recognize(*receiver, selector);
  return look_up(receiver, selector);
}
