// Forecast of a singularity on the real axis from Taylor coefficients. Near t* a component behaves
// like C (t* - t)^-s: a pole, or a branch point if s is no whole number. Its coefficients then have
// ratios c_n / c_{n-1} = (1 + (s - 1)/n) / R with R = t* - t, so that n r_n - (n - 1) r_{n-1} = 1/R
// whatever s is (Domb and Sykes 1957; Chang and Corliss 1982). Singularities off the real axis make
// the signs alternate, and entire functions have 1/R = 0. docs/math/taylor.md, section 7.
#pragma once

#include <limits>
#include <optional>
#include <span>

#include "codegen/expansion.h"

namespace hydae {

struct RealSingularity {
  double distance = 0;  // in units of the series' own variable, > 0
  double exponent = 0;  // s: 1 for a simple pole, -1/2 for a square root
  double strength = 0;  // size of the terms at this distance, relative to the value
};

// From the last coefficients of one series; nothing if they do not look like a singularity ahead.
std::optional<RealSingularity> find_real_singularity(std::span<const double> series);

// Believes a forecast that several expansions in a row agree on.
class SingularityWatch {
 public:
  struct Forecast {
    double t = 0;
    double exponent = 0;
    int variable = 0;     // of the program
    double strength = 0;  // of the last expansion, see RealSingularity
  };

  // After every successful expansion.
  void observe(const codegen::Expansion& expansion);
  // The solution has changed: an event.
  void reset() { num_agreeing_ = 0; }

  std::optional<Forecast> forecast() const;
  // From the last expansion to the singularity that it points to, believed or not.
  double distance() const {
    return num_agreeing_ > 0 && is_visible_ ? distance_ : std::numeric_limits<double>::infinity();
  }
  // The last expansion was so close to the singularity that no step beyond can be trusted: the
  // solution is unbounded there, or no longer real.
  bool is_reached() const;
  // All variables that show it have values there, and so do the derivatives that the equations
  // give: a branch point such as the root of something that passes zero. What comes behind may be
  // the same solution.
  bool is_passable() const { return is_passable_; }

 private:
  bool is_within(double part) const;

  Forecast last_;
  double distance_ = 0, first_distance_ = 0;
  int num_agreeing_ = 0;
  bool is_passable_ = false;
  bool is_visible_ = true;  // it shows in the value, or is still far away
};

}  // namespace hydae
