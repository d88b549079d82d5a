// SPDX-License-Identifier: MIT
#include "cli/core/pairing.hpp"

#include "cli/core/text_format.hpp"

#include <algorithm>
#include <set>

namespace metal_unlock {
namespace {

struct Difference {
  std::string what;
  std::string one;
  std::string other;
};

std::string shown(const std::optional<std::uint64_t>& number) {
  return number ? formatted("{}", *number) : std::string{};
}

std::string shown(const std::optional<Bytes>& size) {
  return size ? formatted("{}", size->count) : std::string{};
}

std::string setting(const Workload& workload, const std::string& name) {
  const auto found = workload.settings.find(name);
  return found == workload.settings.end() ? std::string{} : found->second;
}

std::vector<Difference> differences(const Series& one, const Series& other) {
  std::vector<Difference> all{
      {"unit", std::string{to_text(one.unit)}, std::string{to_text(other.unit)}},
      {"test", one.workload.test, other.workload.test},
      {"model", one.workload.model, other.workload.model},
      {"model size", shown(one.workload.model_size), shown(other.workload.model_size)},
      {"build", one.workload.build, other.workload.build},
      {"threads", shown(one.workload.threads), shown(other.workload.threads)}};
  std::set<std::string> names;
  for (const auto& [name, chosen] : one.workload.settings) names.insert(name);
  for (const auto& [name, chosen] : other.workload.settings) names.insert(name);
  for (const std::string& name : names)
    all.push_back({name, setting(one.workload, name), setting(other.workload, name)});
  std::erase_if(all, [](const Difference& difference) { return difference.one == difference.other; });
  return all;
}

std::string quoted_or_none(const std::string& text) {
  return text.empty() ? "none" : formatted("'{}'", text);
}

/// "tg128: threads '8' stock, '4' unlocked"
std::string sentence(const Series& one, Side side, const Series& other, Side other_side) {
  constexpr std::size_t most_named = 3;
  std::vector<Difference> all = differences(one, other);
  std::string text = formatted("{}:", one.workload.test);
  for (std::size_t i = 0; i < std::min(all.size(), most_named); ++i)
    text += formatted("{} {} {} {}, {} {}", i == 0 ? "" : ";", all[i].what, quoted_or_none(all[i].one),
                      to_text(side), quoted_or_none(all[i].other), to_text(other_side));
  if (all.size() > most_named) text += formatted("; {} more", all.size() - most_named);
  return text;
}

/// The series of one side, each of which can be used once.
class Pool {
 public:
  Pool(const std::vector<Series>& series, Side side) : left_(series), side_(side) {}

  /// The samples of the same workload, which are then used; empty where there is none.
  std::vector<double> take(const Workload& workload, Unit unit) {
    const auto same = std::ranges::find_if(
        left_, [&](const Series& series) { return series.workload == workload && series.unit == unit; });
    if (same == left_.end()) return {};
    std::vector<double> samples = std::move(same->samples);
    left_.erase(same);
    return samples;
  }

  /// Names what is left here beside the nearest that is left of another side; `alone` is said where none is.
  void name_differences(Pool& other, std::string_view alone, std::vector<std::string>& mismatches) {
    for (const Series& series : left_) {
      const auto nearest = other.take_nearest(series);
      mismatches.push_back(nearest ? sentence(series, side_, *nearest, other.side_)
                                   : formatted("{}: {}", series.workload.test, alone));
    }
    left_.clear();
  }

 private:
  std::optional<Series> take_nearest(const Series& series) {
    auto nearest = left_.end();
    std::size_t fewest = 0;
    for (auto candidate = left_.begin(); candidate != left_.end(); ++candidate) {
      if (candidate->workload.test != series.workload.test) continue;
      const std::size_t count = differences(series, *candidate).size();
      if (nearest != left_.end() && count >= fewest) continue;
      nearest = candidate;
      fewest = count;
    }
    if (nearest == left_.end()) return std::nullopt;
    Series found = std::move(*nearest);
    left_.erase(nearest);
    return found;
  }

  std::vector<Series> left_;
  Side side_;
};

/// The host has no partner of its own: what is left of it is named beside the rows that miss it.
void name_missing_host(const std::vector<Row>& rows, Pool& host, std::vector<std::string>& mismatches) {
  std::vector<Series> alone;
  for (const Row& row : rows)
    if (row.host.empty()) alone.push_back({row.workload, row.unit, {}});
  Pool{alone, Side::unlocked}.name_differences(host, "not measured on the host", mismatches);
}

}  // namespace

const std::vector<double>& Row::samples(Side side) const {
  return side == Side::stock ? stock : side == Side::unlocked ? unlocked : host;
}

std::vector<SideSummary> summaries_of(const Row& row) {
  std::vector<SideSummary> all;
  for (const Side side : all_sides)
    if (auto summary = summarise(row.samples(side))) all.push_back({side, *std::move(summary)});
  return all;
}

double most_of(const std::vector<SideSummary>& sides) {
  double most = 0;
  for (const auto& [side, summary] : sides) most = std::max(most, summary.most);
  return most;
}

std::optional<Comparison> Row::comparison() const { return compare_series(stock, unlocked, better()); }

std::optional<double> Row::host_share() const {
  return better() == Better::more ? ratio_of_medians(unlocked, host) : ratio_of_medians(host, unlocked);
}

Pairing pair_series(const std::vector<Series>& stock, const std::vector<Series>& unlocked,
                    const std::vector<Series>& host) {
  Pairing pairing;
  Pool unlocked_left{unlocked, Side::unlocked};
  Pool host_left{host, Side::host};
  std::vector<Series> alone;
  for (const Series& series : stock) {
    Row row{series.workload, series.unit, series.samples, {}, {}};
    row.unlocked = unlocked_left.take(row.workload, row.unit);
    if (row.unlocked.empty()) {
      alone.push_back(series);
      continue;
    }
    row.host = host_left.take(row.workload, row.unit);
    pairing.rows.push_back(std::move(row));
  }
  Pool stock_left{alone, Side::stock};
  stock_left.name_differences(unlocked_left, "only stock", pairing.mismatches);
  unlocked_left.name_differences(stock_left, "only unlocked", pairing.mismatches);
  if (!host.empty()) name_missing_host(pairing.rows, host_left, pairing.mismatches);
  Pool nobody{{}, Side::stock};
  host_left.name_differences(nobody, "only host", pairing.mismatches);
  return pairing;
}

std::string description_of(const Workload& workload) {
  std::vector<std::string> parts;
  if (!workload.model.empty()) parts.push_back(workload.model);
  if (workload.model_size) parts.push_back(to_text(*workload.model_size));
  if (!workload.build.empty()) parts.push_back(formatted("build {}", workload.build));
  if (workload.threads)
    parts.push_back(formatted("{} thread{}", *workload.threads, *workload.threads == 1 ? "" : "s"));
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

}  // namespace metal_unlock
