#include "poly/jet_sign.h"

#include <cmath>
#include <cstddef>
#include <string>

#include <hydae/error.h>

namespace hydae::poly {
namespace {

template <class NoiseOf>
JetSign first_above(std::span<const double> jet, NoiseOf noise_of) {
  for (std::size_t k = 0; k < jet.size(); ++k) {
    const int order = static_cast<int>(k);
    if (std::isnan(jet[k]) || std::isnan(noise_of(k))) return {0, order, false};
    if (std::abs(jet[k]) > noise_of(k)) return {jet[k] > 0 ? 1 : -1, order, true};
  }
  return {0, static_cast<int>(jet.size()), true};
}

}  // namespace

JetSign find_jet_sign(std::span<const double> jet, std::span<const double> noise) {
  if (jet.size() != noise.size()) {
    throw UsageError("jet of " + std::to_string(jet.size()) + " entries with " +
                     std::to_string(noise.size()) + " noise bounds");
  }
  return first_above(jet, [&](std::size_t k) { return noise[k]; });
}

JetSign find_jet_sign(std::span<const double> jet, double noise) {
  return first_above(jet, [&](std::size_t) { return noise; });
}

}  // namespace hydae::poly
