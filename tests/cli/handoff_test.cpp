// SPDX-License-Identifier: MIT
#include "tests/catch.hpp"
#include "tests/cli/sandbox.hpp"

#include <random>

using namespace metal_unlock;

namespace {

/// metal-caps with the shim preloaded, once for each handoff; nothing stands for an unset variable.
class Preloaded {
 public:
  explicit Preloaded(const Sandbox& sandbox) : sandbox_(sandbox) {
    const json change = json::parse(sandbox.metal_unlock({"env", "--json", "--", metal_caps_program()}).out);
    shim_ = change.at("set").at("LD_PRELOAD");
    handoff_ = change.at("set").at("METAL_UNLOCK_HANDOFF");
  }

  const std::string& handoff() const { return handoff_; }

  ProcessCommand command(const std::optional<std::string>& handoff) const {
    ProcessCommand command = sandbox_.command({metal_caps_program(), "--json"});
    command.environment["LD_PRELOAD"] = shim_;
    command.environment["METAL_UNLOCK_HANDOFF"] = handoff;
    return command;
  }

 private:
  const Sandbox& sandbox_;
  std::string shim_;
  std::string handoff_;
};

/// Every handoff must leave metal-caps stock, alive and quiet.
void check_stock(const Sandbox& sandbox, const std::vector<std::optional<std::string>>& handoffs) {
  const Preloaded preloaded(sandbox);
  const std::string stock = sandbox.execute({metal_caps_program(), "--json"}).out;
  std::vector<ProcessCommand> commands;
  for (const auto& handoff : handoffs) commands.push_back(preloaded.command(handoff));
  const std::vector<Outcome> outcomes = run_all(commands);
  REQUIRE(outcomes.size() == handoffs.size());
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    INFO("handoff: " << handoffs[i].value_or("unset"));
    CHECK(outcomes[i].exit_status == 0);
    CHECK(outcomes[i].out == stock);
    CHECK(outcomes[i].err.empty());
  }
}

std::string replaced(std::string text, const std::string& part, const std::string& by) {
  const std::size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  return text.replace(at, part.size(), by);
}

}  // namespace

TEST_CASE("the handoff that run makes unlocks metal-caps without run", "[handoff]") {
  const Sandbox sandbox;
  const Preloaded preloaded(sandbox);
  const Outcome outcome = run_process(preloaded.command(preloaded.handoff()));
  CHECK(outcome.out == sandbox.run_caps().out);
  CHECK(outcome.err.empty());
  CHECK(json::parse(outcome.out) != sandbox.stock_answers());
}

TEST_CASE("an unset, empty or damaged handoff, or one of a later version, leaves the process stock",
          "[handoff]") {
  const Sandbox sandbox;
  const std::string good = Preloaded(sandbox).handoff();
  check_stock(sandbox, {std::nullopt,
                        "",
                        " ",
                        ";",
                        "v1",
                        "v1;end",
                        "v1;apple-family=1007;end",
                        " " + good,
                        good + " ",
                        good + ";",
                        good + ";end",
                        good + "\n",
                        replaced(good, "v1;", "v2;"),
                        replaced(good, "v1;", "v10;"),
                        replaced(good, "v1;", ""),
                        replaced(good, ";end", ";later-key=1;end"),
                        replaced(good, "apple-family=1007", "apple-family=1000"),
                        replaced(good, "apple-family=1007", "apple-family=5001"),
                        replaced(good, "apple-family=1007", "apple-family=+1007"),
                        replaced(good, "apple-family=1007", "apple-family=18446744073709552623"),
                        replaced(good, "apple-family=1007", "apple-family=1007;apple-family=1007"),
                        replaced(good, "max-threadgroup-memory=32768", "max-threadgroup-memory=32769"),
                        replaced(good, "class=", "class=%00"),
                        replaced(good, "class=AppleParavirtDevice", "class=" + std::string(2000, 'A')),
                        replaced(good, ";end", ";report=" + std::string(9000, 'x') + ";end"),
                        std::string(100'000, ';')});
}

TEST_CASE("a handoff for another class leaves this device alone", "[handoff]") {
  const Sandbox sandbox;
  const Preloaded preloaded(sandbox);
  std::string other = preloaded.handoff();
  for (std::size_t at = 0; (at = other.find("class=Apple", at)) != std::string::npos;)
    other.replace(at, 11, "class=Other");
  CHECK(run_process(preloaded.command(other)).out == sandbox.execute({metal_caps_program(), "--json"}).out);
}

TEST_CASE("a handoff that ends early leaves the process stock, wherever it ends", "[handoff]") {
  const Sandbox sandbox;
  const std::string good = Preloaded(sandbox).handoff();
  std::vector<std::optional<std::string>> handoffs;
  for (std::size_t length = 0; length < good.size(); ++length) handoffs.emplace_back(good.substr(0, length));
  check_stock(sandbox, handoffs);
}

TEST_CASE("random bytes for a handoff leave the process stock", "[handoff]") {
  const Sandbox sandbox;
  const std::string good = Preloaded(sandbox).handoff();
  std::mt19937 random(20'261'130);
  const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random()) % limit; };
  std::vector<std::optional<std::string>> handoffs;
  while (handoffs.size() < 1000) {
    std::string text(below(300), '\0');
    for (char& byte : text) byte = static_cast<char>(1 + below(255));
    handoffs.emplace_back(std::move(text));
  }
  // The other half begins well: random bytes alone rarely get past the version.
  while (handoffs.size() < 2000) {
    std::string text = good.substr(0, below(good.size() - 4));
    for (std::size_t rest = below(60) + 1; rest > 0; --rest) text += static_cast<char>(1 + below(255));
    handoffs.emplace_back(std::move(text));
  }
  check_stock(sandbox, handoffs);
}
