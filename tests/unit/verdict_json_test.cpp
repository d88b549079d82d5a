// SPDX-License-Identifier: MIT
#include "cli/verify/verdict_json.hpp"

#include "tests/catch.hpp"
#include "tests/json.hpp"

#include <cmath>
#include <functional>
#include <limits>

using namespace metal_unlock;

namespace {

GpuVerdict verdict() {
  GpuVerdict verdict{
      .key = {"macOS 25F84", "Apple M1", "abc", "0.1.0"}, .verified_at = 1, .was_unlocked = true};
  for (const Check& check : all_checks())
    verdict.capabilities.push_back({std::string{check.name},
                                    true,
                                    {PassEnd::refused, 0, 0, "no \"such\"\nthing"},
                                    {PassEnd::correct, 1e-7, 1e-3}});
  verdict.capabilities.back().unlocked = {PassEnd::wrong, 0.1, 0.001, "element 3: 1 instead of 2"};
  return verdict;
}

}  // namespace

TEST_CASE("the line of a check comes back as it was") {
  for (const CheckPass& pass :
       {CheckPass{PassEnd::correct, 0, 0, ""}, CheckPass{PassEnd::wrong, 3.5, 1e-9, "x 1"},
        CheckPass{PassEnd::no_device, 0, 0, "Metal says \"no\"\n\ttwice"},
        CheckPass{PassEnd::absent, 0, 0, "\xc3\xa4"}})
    CHECK(parse_pass_line(pass_line(pass)) == pass);
  CHECK(pass_line({}).ends_with("}\n"));
}

TEST_CASE("a result that is no number has an error without bound") {
  const double infinite = std::numeric_limits<double>::infinity();
  CHECK(parse_pass_line(pass_line({PassEnd::wrong, infinite, 1, ""}))->largest_error == infinite);
  CHECK(parse_pass_line(pass_line({PassEnd::wrong, std::nan(""), 1, ""}))->largest_error == infinite);
}

TEST_CASE("words are cut to a length, and bytes that are no UTF-8 are replaced") {
  const std::string noise(5000, '\xff');
  const auto pass = parse_pass_line(pass_line({PassEnd::refused, 0, 0, noise}));
  REQUIRE(pass);
  CHECK(pass->where.size() == 3000);
  CHECK(parse_pass_line(pass_line({PassEnd::refused, 0, 0, std::string(5000, 'x')}))->where.size() == 1000);
}

TEST_CASE("a line that is cut off anywhere is none") {
  const std::string line = pass_line({PassEnd::wrong, 0.5, 0.25, "element 17"});
  for (std::size_t length = 0; length < line.size(); ++length)
    CHECK_FALSE(parse_pass_line(line.substr(0, length)));
  CHECK(parse_pass_line(line));
  CHECK_FALSE(parse_pass_line("noise\n" + line));
  CHECK_FALSE(parse_pass_line(line + line));
}

TEST_CASE("a memory comes back as it was, and is small") {
  const std::string text = verdict_memory(verdict());
  CHECK(parse_verdict_memory(text) == verdict());
  CHECK(text.size() < 8192);
  GpuVerdict stuck = verdict();
  stuck.is_stuck = true;
  stuck.was_unlocked = false;
  CHECK(parse_verdict_memory(verdict_memory(stuck)) == stuck);
}

TEST_CASE("a memory that is cut off, or has a byte changed, is none or another whole one") {
  const std::string text = verdict_memory(verdict());
  for (std::size_t length = 0; length + 1 < text.size(); ++length)
    CHECK_FALSE(parse_verdict_memory(text.substr(0, length)));
  for (std::size_t at = 0; at < text.size(); ++at)
    for (const char byte : {'\0', '"', '{', '9', '\xff'}) {
      std::string changed = text;
      changed[at] = byte;
      const auto parsed = parse_verdict_memory(changed);
      if (parsed) CHECK(parse_verdict_memory(verdict_memory(*parsed)) == parsed);
    }
}

TEST_CASE("a memory with one thing wrong is none") {
  const json good = json::parse(verdict_memory(verdict()));
  const auto is_read = [&](const std::function<void(json&)>& change) {
    json changed = good;
    change(changed);
    return parse_verdict_memory(changed.dump()).has_value();
  };
  CHECK(is_read([](json&) {}));
  CHECK(is_read([](json& j) { j["more"] = 1; }));
  for (const auto& item : good.items()) {
    const std::string& key = item.key();
    CAPTURE(key);
    CHECK_FALSE(is_read([&](json& j) { j.erase(key); }));
    CHECK_FALSE(is_read([&](json& j) { j[key] = json::object(); }));
    CHECK_FALSE(is_read([&](json& j) { j[key] = nullptr; }));
  }
  CHECK_FALSE(is_read([](json& j) { j["schema"] = 2; }));
  CHECK_FALSE(is_read([](json& j) { j["verified_at"] = -1; }));
  CHECK_FALSE(is_read([](json& j) { j["verified_at"] = 1e300; }));
  CHECK_FALSE(is_read([](json& j) { j["verified_at"] = 253402300800; }));
  CHECK_FALSE(is_read([](json& j) { j["chip"] = std::string(3001, 'x'); }));
  CHECK_FALSE(is_read([](json& j) { j["capabilities"][0]["unlocked"]["outcome"] = "fine"; }));
  CHECK_FALSE(is_read([](json& j) { j["capabilities"][0]["unlocked"]["largest_error"] = -1; }));
  CHECK_FALSE(is_read([](json& j) { j["capabilities"][0]["stock"] = 1; }));
  CHECK_FALSE(is_read([](json& j) { j["capabilities"][0] = "trivial"; }));
  CHECK_FALSE(is_read([](json& j) {
    for (int i = 0; i < 100; ++i) j["capabilities"].push_back(j["capabilities"][0]);
  }));
  for (const char* text : {"", "null", "[]", "1", "\"x\"", "{", "{}"})
    CHECK_FALSE(parse_verdict_memory(text));
  CHECK_FALSE(parse_verdict_memory(std::string(60000, '[')));
  CHECK_FALSE(parse_verdict_memory(good.dump() + std::string(largest_verdict.count, ' ')));
}
