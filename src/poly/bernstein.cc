#include "poly/bernstein.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include <hydae/error.h>

#include "base/check.h"

namespace hydae::poly {

void BernsteinConverter::prepare(std::size_t size) {
  if (reciprocal_binomial_.size() == size) return;
  if (size > kMaxDegree + 1) {
    throw UsageError("polynomial of degree " + std::to_string(size - 1) + ": at most " +
                     std::to_string(kMaxDegree) + " is supported");
  }
  reciprocal_binomial_.resize(size);
  const auto n = static_cast<double>(size) - 1;
  double binomial = 1;
  for (std::size_t k = 0; k < size; ++k) {
    reciprocal_binomial_[k] = 1 / binomial;
    binomial *= (n - static_cast<double>(k)) / (static_cast<double>(k) + 1);
  }
}

// b_i = sum_{k<=i} C(i,k)/C(n,k) p_k, by summing the scaled coefficients like Pascal's triangle.
void BernsteinConverter::convert(std::span<const double> p, std::span<double> b) {
  HYDAE_CHECK(p.size() == b.size());
  prepare(p.size());
  for (std::size_t k = 0; k < p.size(); ++k) b[k] = p[k] * reciprocal_binomial_[k];
  for (std::size_t level = 1; level < b.size(); ++level) {
    for (std::size_t i = b.size() - 1; i >= level; --i) b[i] += b[i - 1];
  }
}

void split_in_half(std::span<double> b, std::span<double> left) {
  HYDAE_CHECK(b.size() == left.size() && !b.empty());
  left[0] = b[0];
  for (std::size_t level = 1; level < b.size(); ++level) {
    for (std::size_t i = 0; i + level < b.size(); ++i) b[i] = 0.5 * (b[i] + b[i + 1]);
    left[level] = b[0];
  }
}

int certified_sign(std::span<const double> b, double bound) {
  if (b.empty()) return 0;
  const int sign = b[0] > 0 ? 1 : -1;
  const bool is_certain =
      std::all_of(b.begin(), b.end(), [&](double value) { return sign * value > bound; });
  return is_certain ? sign : 0;
}

int certified_direction(std::span<const double> b) {
  bool rises = false, falls = false;
  for (std::size_t i = 0; i + 1 < b.size(); ++i) {
    rises |= b[i + 1] > b[i];
    falls |= b[i + 1] < b[i];
  }
  return static_cast<int>(rises && !falls) - static_cast<int>(falls && !rises);
}

}  // namespace hydae::poly
