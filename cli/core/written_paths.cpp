// SPDX-License-Identifier: MIT
#include "cli/core/written_paths.hpp"

namespace metal_unlock {

std::vector<WrittenPath> written_paths(const WritingPlaces& places) {
  std::vector<WrittenPath> paths;
  const auto named = [&](std::string path, std::string what, std::string by) {
    paths.push_back({std::move(path), std::move(what), std::move(by), true});
  };
  if (!places.cache.empty())
    paths.push_back({places.cache + "/", "the shim, " + places.shim_name + ", in a folder for each version",
                     "run, env, bench, verify, attach, probe --unlocked"});
  named("FILE", "the report of one start", "run --report FILE");
  named("FILE", "the host report", "host report --output FILE");
  named("FILE", "a chart", "bench --svg FILE, compare --svg FILE");
  named("DIR/", "everything that others need to check a comparison", "bench --evidence DIR");
  named("COPY", "the signed copy; ./NAME-unlocked where it is not named", "prepare --output COPY");
  named("COPY.entitlements", "what the copy was signed with", "prepare --output COPY");
  if (!places.home.empty()) {
    const std::string library = places.home + "/Library";
    paths.push_back({library + "/LaunchAgents/LABEL.plist", "an agent", "launchd install LABEL"});
    paths.push_back({library + "/Logs/LABEL.log", "what an agent's program prints; launchd writes it",
                     "launchd install LABEL"});
    paths.push_back({library + "/Preferences/com.apple.gpusw.ParavirtualizedGraphics.plist",
                     "the host's preference; macOS writes it", "host enable, host disable"});
  }
  if (places.prefix.empty()) return paths;
  constexpr std::string_view installed[] = {"bin/metal-unlock",
                                            "share/man/man1/metal-unlock.1",
                                            "share/bash-completion/completions/metal-unlock",
                                            "share/zsh/site-functions/_metal-unlock",
                                            "share/fish/vendor_completions.d/metal-unlock.fish",
                                            "share/metal-unlock/metal-unlock.mk"};
  for (const std::string_view file : installed)
    paths.push_back({places.prefix + "/" + std::string{file}, "installed", "make install, Homebrew"});
  return paths;
}

}  // namespace metal_unlock
