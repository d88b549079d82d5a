// SPDX-License-Identifier: MIT
#include "cli/core/macho/mach_file.hpp"

#include "tests/catch.hpp"
#include "tests/macho/macho_builder.hpp"
#include "tests/macho/signature_builder.hpp"

using namespace metal_unlock;

namespace {

Result<MachFile, ByteFault> read_macho(std::string bytes) {
  return read_mach_file(MemorySource{std::move(bytes)});
}

Slice read_slice(std::string bytes) {
  const auto file = read_macho(std::move(bytes));
  REQUIRE(file);
  REQUIRE(file->slices.size() == 1);
  return file->slices.front();
}

ByteFaultKind kind_of_fault(std::string bytes) {
  const auto file = read_macho(std::move(bytes));
  if (!file) return file.fault().kind;
  REQUIRE(file->slices.front().fault);
  return file->slices.front().fault->kind;
}

SliceBuilder program(Architecture architecture = arm64) {
  SliceBuilder builder{architecture, 2, 0x200085};
  builder.segment("__TEXT", {{"__TEXT", "__text", 0x80000400}}).text_command(0xe, "/usr/lib/dyld");
  return builder;
}

}  // namespace

TEST_CASE("a thin program is read command by command") {
  SliceBuilder builder = program();
  builder.build_version(1, 0x000e0200, 0x000f0001).entry_point(0x4a0, 0x100000);
  builder.dylib(0xc, "/usr/lib/libSystem.B.dylib", 0x05270000, 0x00010203)
      .text_command(0x8000001c, "@loader_path/lib");
  builder.text_command(0x27, "DYLD_LIBRARY_PATH=/opt").command(0x1b, "0123456789abcdef");
  const Slice slice = read_slice(builder.bytes());

  CHECK_FALSE(slice.fault);
  CHECK(slice.architecture == arm64);
  CHECK(slice.type == MachFileType::executable);
  CHECK(slice.flags == 0x200085);
  CHECK(slice.loader == "/usr/lib/dyld");
  REQUIRE(slice.build_for(Platform::macos) != nullptr);
  CHECK(to_text(slice.build_for(Platform::macos)->minimum) == "14.2");
  CHECK(to_text(slice.build_for(Platform::macos)->sdk) == "15.0.1");
  CHECK(slice.build_for(Platform::ios) == nullptr);
  CHECK(slice.entry_point == EntryPoint{0x4a0, 0x100000});
  CHECK(slice.dylibs ==
        std::vector<Dylib>{{"/usr/lib/libSystem.B.dylib", DylibUse::required, {0x527, 0, 0}, {1, 2, 3}}});
  CHECK(slice.rpaths == std::vector<std::string>{"@loader_path/lib"});
  CHECK(slice.loader_environment == std::vector<std::string>{"DYLD_LIBRARY_PATH=/opt"});
  CHECK_FALSE(slice.install_name);
  CHECK_FALSE(slice.signature_range);
  CHECK_FALSE(slice.has_restrict_section());
  CHECK_FALSE(slice.is_encrypted());
  REQUIRE(slice.commands.size() == 8);
  CHECK(slice.commands.back().command == 0x1b);
  CHECK(slice.commands.back().size == 24);
}

TEST_CASE("a library has an install name, and says how it uses others") {
  SliceBuilder builder{x86_64, 6};
  builder.dylib(0xd, "@rpath/libx.dylib", 0x20000, 0x10000).dylib(0x80000018, "/a").dylib(0x8000001f, "/b");
  builder.dylib(0x20, "/c").dylib(0x80000023, "/d").dylib_use(0xc, "/e", 0).dylib_use(0x80000018, "/f", 1);
  builder.dylib_use(0xc, "/g", 2).dylib_use(0xc, "/h", 4).dylib_use(0xc, "/i", 8);
  const Slice slice = read_slice(builder.bytes());
  CHECK_FALSE(slice.fault);
  CHECK(slice.type == MachFileType::dylib);
  REQUIRE(slice.install_name);
  CHECK(slice.install_name->path == "@rpath/libx.dylib");
  CHECK(slice.install_name->current == MachVersion{2, 0, 0});
  std::vector<std::pair<std::string, DylibUse>> uses;
  for (const Dylib& dylib : slice.dylibs) uses.emplace_back(dylib.path, dylib.use);
  CHECK(uses == std::vector<std::pair<std::string, DylibUse>>{{"/a", DylibUse::weak},
                                                              {"/b", DylibUse::reexported},
                                                              {"/c", DylibUse::lazy},
                                                              {"/d", DylibUse::upward},
                                                              {"/e", DylibUse::required},
                                                              {"/f", DylibUse::weak},
                                                              {"/g", DylibUse::reexported},
                                                              {"/h", DylibUse::upward},
                                                              {"/i", DylibUse::delayed}});
}

TEST_CASE("older programs name their system in another command") {
  SliceBuilder builder = program(x86_64);
  builder.command(0x24, ByteWriter{}.little32(0x000a0f04).little32(0x000b0000).bytes());
  const Slice slice = read_slice(builder.bytes());
  REQUIRE(slice.build_for(Platform::macos) != nullptr);
  CHECK(slice.build_for(Platform::macos)->minimum == MachVersion{10, 15, 4});
}

TEST_CASE("the section that shuts the loader's variables out is found by both of its names") {
  const auto with = [](std::string_view segment, std::string_view section) {
    return read_slice(program().segment(segment, {{segment, section}}).bytes()).has_restrict_section();
  };
  CHECK(with("__RESTRICT", "__restrict"));
  CHECK_FALSE(with("__RESTRICT", "__other"));
  CHECK_FALSE(with("__DATA", "__restrict"));
}

TEST_CASE("a program is encrypted only where a system is named for it") {
  CHECK(read_slice(program().encryption(1).bytes()).is_encrypted());
  const Slice prepared = read_slice(program().encryption(0).bytes());
  CHECK(prepared.encryption);
  CHECK_FALSE(prepared.is_encrypted());
}

TEST_CASE("architectures have the names that dyld gives them") {
  const auto name = [](CpuType cpu, std::uint32_t subtype) { return to_text(Architecture{cpu, subtype}); };
  CHECK(name(CpuType::arm64, 0) == "arm64");
  CHECK(name(CpuType::arm64, 1) == "arm64");
  CHECK(name(CpuType::arm64, 0x80000002) == "arm64e");
  CHECK(name(CpuType::arm64, 0x81000002) == "arm64e.v1");
  CHECK(name(CpuType::arm64, 0xc0000002) == "arm64e.kernel");
  CHECK(name(CpuType::arm64, 0xc2000002) == "arm64e.kernel.v2");
  CHECK(name(CpuType::arm64, 2) == "arm64e.old");
  CHECK(name(CpuType::x86_64, 3) == "x86_64");
  CHECK(name(CpuType::x86_64, 0x80000003) == "x86_64");
  CHECK(name(CpuType::x86_64, 8) == "x86_64h");
  CHECK(name(CpuType::i386, 3) == "i386");
  CHECK(name(CpuType::powerpc, 0) == "ppc");
  CHECK(name(CpuType::arm64_32, 1) == "arm64_32");
  CHECK(name(CpuType{0x12345}, 7) == "cpu 0x12345/0x7");
  CHECK(Architecture{CpuType::arm64, 0x81000002}.pointer_authentication() == PointerAuthentication{1, false});
  CHECK(Architecture{CpuType::arm64, 0xc0000002}.pointer_authentication() == PointerAuthentication{0, true});
  CHECK_FALSE(arm64.pointer_authentication());
  CHECK_FALSE(x86_64.pointer_authentication());
}

TEST_CASE("a fat file has the slices of its header, in either width") {
  for (const bool is_64 : {false, true}) {
    CAPTURE(is_64);
    const auto file = read_macho(
        fat_file({{x86_64, program(x86_64).bytes()}, {arm64e, program(arm64e).bytes(0x5000)}}, is_64));
    REQUIRE(file);
    CHECK(file->is_fat);
    REQUIRE(file->slices.size() == 2);
    CHECK(file->slices[0].offset == 0x4000);
    CHECK(file->slices[1].offset == 0x8000);
    CHECK(file->slices[1].size == 0x5000);
    CHECK(file->slices[1].alignment_log2 == 14);
    CHECK_FALSE(file->slices[0].fault);
    CHECK_FALSE(file->slices[1].fault);
    REQUIRE(file->slice(SliceKind::arm64e) != nullptr);
    CHECK(file->slice(SliceKind::arm64e)->loader == "/usr/lib/dyld");
    CHECK(file->slice(SliceKind::arm64) == nullptr);
    CHECK_FALSE(file->slices[1].is_hidden);
  }
}

TEST_CASE("an arm64 slice hides behind those that a 32-bit fat header counts, and nothing else does") {
  const auto hidden = [](Architecture architecture, bool is_64) {
    const auto file = read_macho(fat_file(
        {{x86_64, program(x86_64).bytes()}, {architecture, program(architecture).bytes()}}, is_64, true));
    REQUIRE(file);
    return file->slices.size() == 2 && file->slices[1].is_hidden && !file->slices[1].fault;
  };
  CHECK(hidden(arm64, false));
  CHECK_FALSE(hidden(arm64, true));
  CHECK_FALSE(hidden(x86_64h, false));
}

TEST_CASE("a slice that is wrong leaves the others readable") {
  const std::string good = program(arm64).bytes();
  const auto second_fault = [&](Architecture announced, std::string bytes) {
    const auto file = read_macho(fat_file({{arm64, good}, {announced, std::move(bytes)}}));
    REQUIRE(file);
    CHECK_FALSE(file->slices[0].fault);
    return file->slices[1].fault;
  };
  CHECK_FALSE(second_fault(x86_64, program(x86_64).bytes()));
  const auto archive = second_fault(x86_64, "!<arch>\nsome library made of objects");
  REQUIRE(archive);
  CHECK(archive->kind == ByteFaultKind::not_mach_o);
  CHECK(archive->offset == 0x8000);
  const auto other = second_fault(x86_64, program(arm64e).bytes());
  REQUIRE(other);
  CHECK(other->kind == ByteFaultKind::malformed);
  CHECK(to_text(*other) == "the fat header says x86_64, the slice arm64e (at 0x8004)");
}

TEST_CASE("a fat header that says plain arm64e means the slice's own ABI") {
  const auto file = read_macho(fat_file({{{CpuType::arm64, 2}, program(arm64e).bytes()}}));
  REQUIRE(file);
  CHECK_FALSE(file->slices[0].fault);
  CHECK(file->slices[0].architecture == arm64e);
}

TEST_CASE("fat files that lie about their slices") {
  const std::string good = fat_file({{arm64, program().bytes()}});
  CHECK_FALSE(read_slice(good).fault);

  std::string behind = good;
  set_big32(behind, 16, 0x7fffffff);
  CHECK(kind_of_fault(behind) == ByteFaultKind::out_of_range);
  std::string longer = good;
  set_big32(longer, 20, 0xffffffff);
  CHECK(kind_of_fault(longer) == ByteFaultKind::out_of_range);
  std::string none = good;
  set_big32(none, 4, 0);
  CHECK(kind_of_fault(none) == ByteFaultKind::malformed);
  std::string many = good;
  set_big32(many, 4, 31);
  CHECK(kind_of_fault(many) == ByteFaultKind::not_mach_o);
  CHECK(kind_of_fault(good.substr(0, 20)) == ByteFaultKind::out_of_range);
}

TEST_CASE("what is no Mach-O file is told from what is one and cannot be read") {
  CHECK(kind_of_fault("") == ByteFaultKind::not_mach_o);
  CHECK(kind_of_fault("#!/bin/sh\necho a script that is longer than a header\n") ==
        ByteFaultKind::not_mach_o);
  CHECK(kind_of_fault(std::string{"\x7f"} + "ELF" + std::string(60, '\0')) == ByteFaultKind::not_mach_o);
  const std::string java_17 = ByteWriter{}.big32(0xcafebabe).big32(61).field({}, 100).bytes();
  CHECK(kind_of_fault(java_17) == ByteFaultKind::not_mach_o);

  const auto old =
      read_slice(ByteWriter{}.little32(0xfeedface).little32(7).little32(3).field({}, 20).bytes());
  REQUIRE(old.fault);
  CHECK(old.fault->kind == ByteFaultKind::unsupported);
  CHECK(old.architecture.cpu == CpuType::i386);
  const auto swapped = read_slice(ByteWriter{}.big32(0xfeedface).big32(18).big32(0).field({}, 20).bytes());
  REQUIRE(swapped.fault);
  CHECK(swapped.fault->kind == ByteFaultKind::unsupported);
  CHECK(to_text(swapped.architecture) == "ppc");
}

TEST_CASE("load commands that lie") {
  const std::string good = program().dylib(0xc, "/usr/lib/libSystem.B.dylib").bytes();
  REQUIRE_FALSE(read_slice(good).fault);
  const std::size_t dylib_at = good.size() - 24 - 32;
  REQUIRE(good.substr(dylib_at, 4) == std::string{"\x0c\0\0\0", 4});

  const auto changed = [&](std::size_t at, std::uint32_t number) {
    std::string bytes = good;
    set_little32(bytes, at, number);
    const auto fault = read_slice(bytes).fault;
    return fault ? to_text(*fault) : "";
  };
  CHECK(changed(16, 10'001) == "10001 load commands of 240 bytes (at 0x10)");
  CHECK(changed(20, 2 << 20) == "3 load commands of 2097152 bytes (at 0x10)");
  CHECK(changed(20, 281) == "load commands of 281 bytes would end behind the slice (at 0x14)");
  CHECK(changed(16, 4) == "load command 3 would end behind the load commands (at 0x110)");
  CHECK(changed(36, 4) == "load command 0 has a size of 4 bytes (at 0x24)");
  CHECK(changed(36, 0xfffffff8) == "load command 0 would end behind the load commands (at 0x20)");
  CHECK(changed(36, 153) == "load command 0 has a size of 153 bytes (at 0x24)");
  CHECK(changed(32 + 64, 2) == "2 sections in a command of 152 bytes (at 0x60)");
  CHECK(changed(32 + 64, 0xffffffff) == "4294967295 sections in a command of 152 bytes (at 0x60)");
  CHECK(changed(32 + 48, 0xffff) == "segment '__TEXT' would end behind the slice (at 0x48)");
  CHECK(changed(dylib_at + 8, 23) == "a text at 23 of a command of 56 bytes (at 0xe0)");
  CHECK(changed(dylib_at + 8, 56) == "a text at 56 of a command of 56 bytes (at 0xe0)");
  CHECK(changed(dylib_at, 0x80000028) == "");  // as an entry point the same bytes are well formed
  CHECK(changed(32, 0x2a) == "");              // a command that is not looked into may hold anything
}

TEST_CASE("a command that may stand once stands once") {
  const auto fault = [](const SliceBuilder& builder) {
    return read_slice(builder.bytes()).fault.has_value();
  };
  CHECK_FALSE(fault(program().entry_point(1)));
  CHECK(fault(program().entry_point(1).entry_point(2)));
  CHECK_FALSE(fault(program().dylib(0xd, "/a")));
  CHECK(fault(program().dylib(0xd, "/a").dylib(0xd, "/b")));
  CHECK_FALSE(fault(program().encryption(0)));
  CHECK(fault(program().encryption(0).encryption(1)));
  const std::string place = ByteWriter{}.little32(0).little32(0).bytes();
  CHECK_FALSE(fault(program().command(0x1d, place)));
  CHECK(fault(program().command(0x1d, place).command(0x1d, place)));
}

TEST_CASE("a signature that lies outside of its slice is a fault of the signature alone") {
  const Slice signed_slice = read_slice(program().signature(linker_signature()).bytes());
  REQUIRE(signed_slice.signature);
  CHECK(signed_slice.signature->directory.identifier == "tool");
  const std::string place = ByteWriter{}.little32(0x20).little32(0x100000).bytes();
  const Slice outside = read_slice(program().command(0x1d, place).bytes());
  CHECK_FALSE(outside.fault);
  CHECK_FALSE(outside.signature);
  REQUIRE(outside.signature_fault);
  CHECK(outside.signature_fault->kind == ByteFaultKind::out_of_range);
  CHECK(outside.signature_fault->what == "a signature of 1048576 bytes would end behind the slice");
}
