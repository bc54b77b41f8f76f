// For tests: polynomials with known roots. Coefficients are multiplied out in long double and
// rounded once, so that they carry half a unit in the last place each.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

namespace hydae::poly {

inline void multiply_into(std::vector<long double>& p, const std::vector<long double>& factor) {
  std::vector<long double> product(p.size() + factor.size() - 1, 0.0L);
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (std::size_t j = 0; j < factor.size(); ++j) product[i + j] += p[i] * factor[j];
  }
  p = product;
}

// scale * prod (x - r) * prod (x - z)(x - conj z), ascending.
inline std::vector<double> polynomial_with_roots(
    const std::vector<long double>& real_roots,
    const std::vector<std::complex<long double>>& pairs = {}, long double scale = 1) {
  std::vector<long double> p{scale};
  for (const long double r : real_roots) multiply_into(p, {-r, 1.0L});
  for (const auto& z : pairs) multiply_into(p, {std::norm(z), -2 * z.real(), 1.0L});
  return {p.begin(), p.end()};
}

}  // namespace hydae::poly
