// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"

#include <set>

using namespace metal_unlock;

namespace {

std::set<std::string> files_below(const std::filesystem::path& folder) {
  std::set<std::string> files;
  if (!std::filesystem::exists(folder)) return files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (!entry.is_directory()) files.insert(std::filesystem::relative(entry.path(), folder));
  return files;
}

const std::set<std::string>& installed_files() {
  static const std::set<std::string> files{"bin/metal-unlock",
                                           "share/man/man1/metal-unlock.1",
                                           "share/bash-completion/completions/metal-unlock",
                                           "share/zsh/site-functions/_metal-unlock",
                                           "share/fish/vendor_completions.d/metal-unlock.fish",
                                           "share/metal-unlock/metal-unlock.mk"};
  return files;
}

/// CMake's part of `make install` and `make uninstall`: the build itself is there already.
Outcome install(const Sandbox& sandbox, const std::filesystem::path& prefix) {
  return sandbox.execute(
      {"cmake", "--install", build_directory(), "--prefix", prefix, "--component", "program"});
}

Outcome uninstall(const Sandbox& sandbox) {
  return sandbox.execute({"cmake",
                          "-DMANIFEST=" + (build_directory() / "install_manifest_program.txt").string(), "-P",
                          source_directory() / ".ci/uninstall.cmake"});
}

}  // namespace

TEST_CASE("what is installed is what doctor lists, and uninstall removes just that") {
  for (const bool with_destdir : {false, true}) {
    CAPTURE(with_destdir);
    Sandbox sandbox;
    const auto root = sandbox.work().parent_path();
    const auto prefix = with_destdir ? std::filesystem::path{"/opt/metal-unlock"} : root / "a prefix";
    const auto place = with_destdir ? root / "stage/opt/metal-unlock" : prefix;
    if (with_destdir) sandbox.set("DESTDIR", (root / "stage").string());
    const Outcome installed = install(sandbox, prefix);
    CAPTURE(installed.err);
    REQUIRE(installed.exit_status == 0);
    CHECK(files_below(place) == installed_files());
    sandbox.set("PATH", (place / "bin").string() + ":/usr/bin:/bin");
    std::set<std::string> listed;
    const json answer =
        json::parse(sandbox.execute({place / "bin/metal-unlock", "doctor", "--paths", "--json"}).out);
    for (const json& entry : answer.at("paths"))
      if (entry.at("what") == "installed")
        listed.insert(std::filesystem::relative(entry.at("path").get<std::string>(), place));
    CHECK(listed == installed_files());
    write_file(place / "share/man/man1/other.1", "");
    CHECK(uninstall(sandbox).exit_status == 0);
    CHECK(files_below(place) == std::set<std::string>{"share/man/man1/other.1"});
  }
}

TEST_CASE("the program is one file, which runs from anywhere under any name") {
  const Sandbox sandbox;
  const auto root = sandbox.work().parent_path();
  std::filesystem::create_directories(root / "else where");
  const auto copy = root / "else where/mu";
  std::filesystem::copy_file(metal_unlock_program(), copy);
  const Outcome unlocked = sandbox.execute({copy, "run", "--require", "--", metal_caps_program(), "--json"});
  CAPTURE(unlocked.err);
  CHECK(unlocked.exit_status == 0);
  CHECK(apple_families(json::parse(unlocked.out)).back() == 1007);
  CHECK(sandbox.execute({copy, "doctor", "--paths"}).out.find("make install") == std::string::npos);
}

TEST_CASE("the files that come with the program are what it prints") {
  const Sandbox sandbox;
  const auto share = build_directory() / "share";
  CHECK(read_file(share / "man/man1/metal-unlock.1") == sandbox.metal_unlock({"help", "--man"}).out);
  CHECK(read_file(share / "bash-completion/completions/metal-unlock") ==
        sandbox.metal_unlock({"completions", "bash"}).out);
  CHECK(read_file(share / "zsh/site-functions/_metal-unlock") ==
        sandbox.metal_unlock({"completions", "zsh"}).out);
  CHECK(read_file(share / "fish/vendor_completions.d/metal-unlock.fish") ==
        sandbox.metal_unlock({"completions", "fish"}).out);
}

TEST_CASE("the Homebrew formula is Ruby, and installs what make would") {
  const Sandbox sandbox;
  const auto formula = source_directory() / "docs/examples/metal-unlock.rb";
  CHECK(sandbox.execute({"ruby", "-c", formula}).exit_status == 0);
  // Homebrew's own methods, as recorders: what the formula puts where.
  const auto recorder = sandbox.write("work/formula.rb", R"RUBY(
$put = []
Place = Struct.new(:name) do
  def install(file) = $put << (file.is_a?(Hash) ? file.map { |from, to| "#{name}/#{to}" } : "#{name}/#{File.basename(file)}")
end
class Formula
  %w[desc homepage url sha256 license version depends_on].each { |name| define_singleton_method(name) { |*, **| } }
  def self.test(&block) = nil
  def self.livecheck(&block) = nil
  { bin: "bin", man1: "share/man/man1", bash_completion: "share/bash-completion/completions",
    zsh_completion: "share/zsh/site-functions", fish_completion: "share/fish/vendor_completions.d",
    pkgshare: "share/metal-unlock" }.each { |name, path| define_method(name) { Place.new(path) } }
end
load ARGV[0]
MetalUnlock.new.install
puts $put.flatten.sort
)RUBY");
  const Outcome put = sandbox.execute({"ruby", recorder, formula});
  CAPTURE(put.err);
  std::string expected;
  for (const std::string& file : installed_files()) expected += file + "\n";
  CHECK(put.out == expected);
}
