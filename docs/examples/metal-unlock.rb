# SPDX-License-Identifier: MIT
# A Homebrew formula, ready for a tap: put it into Formula/ of a repository called homebrew-TAP, set url and sha256 to
# those of a release (dist/SHA256SUMS has the sum), and users write: brew install USER/TAP/metal-unlock
class MetalUnlock < Formula
  desc "Gives a program inside a macOS virtual machine its GPU back"
  homepage "https://github.com/USER/metal-unlock"
  url "https://github.com/USER/metal-unlock/releases/download/v0.1.0/metal-unlock-0.1.0-macos.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on arch: :arm64
  depends_on :macos

  # The archive holds the program, signed ad hoc, and what it prints itself: nothing is built.
  def install
    bin.install "metal-unlock"
    man1.install "share/man/man1/metal-unlock.1"
    bash_completion.install "share/bash-completion/completions/metal-unlock"
    zsh_completion.install "share/zsh/site-functions/_metal-unlock"
    fish_completion.install "share/fish/vendor_completions.d/metal-unlock.fish"
    pkgshare.install "share/metal-unlock/metal-unlock.mk"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/metal-unlock --version")
  end
end
