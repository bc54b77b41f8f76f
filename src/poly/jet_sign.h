// Sign of a function just after (and just before) a point, from its jet there: the sequence of its
// derivatives or Taylor coefficients g_0, g_1, ... The first entry that is not noise decides. For a
// relation on an impulsive quantity put the impulse coefficients first, highest order first.
#pragma once

#include <span>

namespace hydae::poly {

struct JetSign {
  int sign = 0;   // just after the point; 0: every entry is noise, or the jet is not a number
  int order = 0;  // index of the entry that decides; the size of the jet if every entry is noise
  bool is_defined = true;  // false: an entry before any that could decide is NaN

  // Just before the point, if g continues there smoothly and no impulse entries lead the jet.
  int sign_before() const { return order % 2 == 0 ? sign : -sign; }
};

// Entry k is noise if |jet[k]| <= noise[k]. The spans have one size (UsageError otherwise). An
// infinite entry decides by its sign.
JetSign find_jet_sign(std::span<const double> jet, std::span<const double> noise);
// The same bound for every entry.
JetSign find_jet_sign(std::span<const double> jet, double noise);

}  // namespace hydae::poly
