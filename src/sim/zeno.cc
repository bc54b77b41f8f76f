#include "sim/zeno.h"

#include <algorithm>
#include <cmath>

namespace hydae {
namespace {

constexpr std::size_t kWatched = 4;
// Time left, relative to the time since the events began to accumulate, whatever the unit and the
// origin of time. Positions fall with its square: soon they are rounding errors, and the events
// lose their meaning.
constexpr double kClose = 1e-5;
constexpr double kResolved = 1e-12;     // of a time: shorter intervals mean nothing
constexpr double kMostRatio = 0.9995;   // nearer to one it is chattering
constexpr double kRatioSettled = 0.05;  // change of the ratio, relative to its distance from one

double aitken(double a, double b, double c) {
  const double first = b - a, second = c - b;
  if (!(std::abs(second) < std::abs(first))) return c;
  return c + second * (second / first) / (1 - second / first);
}

}  // namespace

void ZenoWatch::observe(double t, const std::vector<std::size_t>& relations,
                        std::vector<double> state) {
  const auto at = histories_.try_emplace(relations).first;
  last_ = relations;
  History& history = at->second;
  if (!history.events.empty() && history.events.back().t == t) history.events.pop_back();
  history.events.push_back({t, std::move(state)});
  ++history.count;
  if (history.events.size() > kWatched) history.events.pop_front();
  double ratio = 0;
  if (!remaining_time(history, ratio)) history.since = history.events.front().t;
}

std::optional<double> ZenoWatch::remaining_time(const History& history, double& ratio) {
  const auto& e = history.events;
  if (e.size() < kWatched) return std::nullopt;
  const double d1 = e[1].t - e[0].t, d2 = e[2].t - e[1].t, d3 = e[3].t - e[2].t;
  const double before = d2 / d1;
  ratio = d3 / d2;
  if (!(ratio > 0 && ratio < kMostRatio)) return std::nullopt;
  if (!(std::abs(ratio - before) < kRatioSettled * (1 - ratio))) return std::nullopt;
  return d3 * ratio / (1 - ratio);
}

std::optional<Accumulation> ZenoWatch::find_accumulation() const {
  if (last_.empty()) return std::nullopt;
  const History& history = histories_.at(last_);
  Accumulation found;
  const auto remaining = remaining_time(history, found.ratio);
  if (!remaining) return std::nullopt;
  const auto& e = history.events;
  const double close =
      std::max(kClose * std::abs(e[3].t - history.since), kResolved * std::abs(e[3].t));
  if (std::abs(*remaining) > close) return std::nullopt;
  found.t = e[3].t + *remaining;
  for (const auto& [relations, other] : histories_) {
    double ratio = 0;
    const auto rest = remaining_time(other, ratio);
    if (!rest) continue;
    const double difference = other.events[3].t + *rest - found.t;
    if (std::abs(difference) > std::abs(*remaining)) continue;
    found.relations.insert(relations.begin(), relations.end());
    found.num_events += other.count;
  }
  for (std::size_t k = 0; k < e[3].state.size(); ++k) {
    const bool is_comparable =
        e[1].state.size() == e[3].state.size() && e[2].state.size() == e[3].state.size();
    found.state.push_back(is_comparable ? aitken(e[1].state[k], e[2].state[k], e[3].state[k])
                                        : e[3].state[k]);
  }
  return found;
}

}  // namespace hydae
