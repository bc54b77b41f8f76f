// Compares the events of a run with those that are known of a problem.
#pragma once

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include <hydae/problems.h>
#include <hydae/simulate.h>

namespace hydae {

// Times and impulses within `accuracy`, relative to what is larger than one.
inline void expect_known_events(const Problem& problem, const Simulation& run, double accuracy) {
  const auto allowed = [&](double value) { return accuracy * std::max(1.0, std::abs(value)); };
  const auto& events = run.summary.events;
  for (const KnownEvent& known : problem.events()) {
    const auto at =
        std::min_element(events.begin(), events.end(), [&](const auto& a, const auto& b) {
          return std::abs(a.t - known.t) < std::abs(b.t - known.t);
        });
    ASSERT_NE(at, events.end()) << known.what;
    EXPECT_NEAR(at->t, known.t, known.accuracy + allowed(known.t)) << known.what;
    for (const KnownImpulse& impulse : known.impulses) {
      const auto found =
          std::find_if(at->impulses.begin(), at->impulses.end(), [&](const Impulse& candidate) {
            return candidate.variable == impulse.variable && candidate.order == impulse.order;
          });
      ASSERT_NE(found, at->impulses.end()) << impulse.variable;
      EXPECT_NEAR(found->weight, impulse.weight, allowed(impulse.weight)) << impulse.variable;
    }
  }
}

inline std::vector<std::string> mode_sequence(const Simulation& run) {
  std::vector<std::string> modes;
  for (const EventRecord& event : run.summary.events)
    modes.push_back(event.from_mode + ">" + event.to_mode);
  return modes;
}

}  // namespace hydae
