// SPDX-License-Identifier: MIT
#include "cli/verify/verdict_json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace metal_unlock {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t longest_text = 1000;
constexpr std::size_t most_capabilities = 100;
constexpr std::int64_t last_second_of_9999 = 253'402'300'799;
constexpr int memory_schema = 1;

constexpr std::array all_ends{PassEnd::correct, PassEnd::wrong,   PassEnd::refused,   PassEnd::no_device,
                              PassEnd::absent,  PassEnd::crashed, PassEnd::timed_out, PassEnd::not_run};

/// JSON has no infinity: null stands for an error without bound, which a result that is no number has.
Json number_json(double number) { return std::isfinite(number) ? Json(number) : Json{}; }

Json pass_json(const CheckPass& pass) {
  return {{"outcome", to_text(pass.end)},
          {"largest_error", number_json(pass.largest_error)},
          {"tolerance", number_json(pass.tolerance)},
          {"where", pass.where.substr(0, longest_text)}};
}

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// The reader of one object; everything asked of it is checked, and one fault spoils the whole.
class Reader {
 public:
  explicit Reader(const Json& json) : json_(json), is_sound_(json.is_object()) {}

  bool is_sound() const { return is_sound_; }

  std::string text(const char* key) {
    const Json* const found = find(key);
    if (found == nullptr || !found->is_string()) return fault(std::string{});
    // A byte that is no UTF-8 was replaced by three when this was written.
    if (found->get_ref<const std::string&>().size() > 3 * longest_text) return fault(std::string{});
    return found->get<std::string>();
  }

  bool boolean(const char* key) {
    const Json* const found = find(key);
    return found != nullptr && found->is_boolean() ? found->get<bool>() : fault(false);
  }

  std::int64_t moment(const char* key) {
    const Json* const found = find(key);
    if (found == nullptr || !found->is_number_unsigned()) return fault(std::int64_t{0});
    const auto number = found->get<std::uint64_t>();
    return number <= std::uint64_t{last_second_of_9999} ? static_cast<std::int64_t>(number)
                                                        : fault(std::int64_t{0});
  }

  double amount(const char* key) {
    const Json* const found = find(key);
    if (found != nullptr && found->is_null()) return std::numeric_limits<double>::infinity();
    if (found == nullptr || !found->is_number() || found->get<double>() < 0) return fault(0.0);
    return found->get<double>();
  }

  PassEnd end(const char* key) {
    const std::string word = text(key);
    const auto* const found = std::ranges::find(all_ends, word, [](PassEnd end) { return to_text(end); });
    return found == all_ends.end() ? fault(PassEnd::not_run) : *found;
  }

  CheckPass pass(const char* key) {
    const Json* const found = find(key);
    return found == nullptr ? fault(CheckPass{}) : taken(Reader{*found});
  }

  CheckPass pass() { return {end("outcome"), amount("largest_error"), amount("tolerance"), text("where")}; }

  std::vector<CapabilityVerdict> capabilities(const char* key) {
    const Json* const found = find(key);
    std::vector<CapabilityVerdict> all;
    if (found == nullptr || !found->is_array() || found->size() > most_capabilities) return fault(all);
    for (const Json& element : *found) {
      Reader reader{element};
      all.push_back(
          {reader.text("name"), reader.boolean("claimed"), reader.pass("stock"), reader.pass("unlocked")});
      is_sound_ = is_sound_ && reader.is_sound();
    }
    return all;
  }

 private:
  const Json* find(const char* key) const {
    if (!json_.is_object()) return nullptr;
    const auto found = json_.find(key);
    return found == json_.end() ? nullptr : &*found;
  }

  CheckPass taken(Reader reader) {
    CheckPass pass = reader.pass();
    is_sound_ = is_sound_ && reader.is_sound();
    return pass;
  }

  template <class T>
  T fault(T instead) {
    is_sound_ = false;
    return instead;
  }

  const Json& json_;
  bool is_sound_;
};

Json parsed(std::string_view text) {
  if (text.size() > largest_verdict.count) return {};
  return Json::parse(text.begin(), text.end(), nullptr, false);
}

}  // namespace

std::string pass_line(const CheckPass& pass) { return text_of(pass_json(pass)); }

std::optional<CheckPass> parse_pass_line(std::string_view text) {
  if (!text.ends_with('\n') || text.find('\n') != text.size() - 1) return std::nullopt;
  const Json json = parsed(text);
  Reader reader{json};
  CheckPass pass = reader.pass();
  return reader.is_sound() ? std::optional{std::move(pass)} : std::nullopt;
}

std::string verdict_memory(const GpuVerdict& verdict) {
  Json capabilities = Json::array();
  for (const CapabilityVerdict& capability : verdict.capabilities)
    capabilities.push_back({{"name", capability.name},
                            {"claimed", capability.is_claimed},
                            {"stock", pass_json(capability.stock)},
                            {"unlocked", pass_json(capability.unlocked)}});
  return text_of({{"schema", memory_schema},
                  {"guest", verdict.key.guest},
                  {"chip", verdict.key.chip},
                  {"claims", verdict.key.claims},
                  {"tool", verdict.key.tool},
                  {"verified_at", verdict.verified_at},
                  {"was_unlocked", verdict.was_unlocked},
                  {"is_stuck", verdict.is_stuck},
                  {"capabilities", capabilities}});
}

std::optional<GpuVerdict> parse_verdict_memory(std::string_view text) {
  const Json json = parsed(text);
  Reader reader{json};
  if (reader.moment("schema") != memory_schema) return std::nullopt;
  GpuVerdict verdict{
      .key = {reader.text("guest"), reader.text("chip"), reader.text("claims"), reader.text("tool")},
      .verified_at = reader.moment("verified_at"),
      .was_unlocked = reader.boolean("was_unlocked"),
      .is_stuck = reader.boolean("is_stuck"),
      .capabilities = reader.capabilities("capabilities")};
  return reader.is_sound() ? std::optional{std::move(verdict)} : std::nullopt;
}

}  // namespace metal_unlock
