// Bernstein form on [0, 1]: p(x) = sum_i b_i C(n,i) x^i (1-x)^(n-i). Two facts make it the tool for
// event location: p lies between min b and max b, with p(0) = b_0 and p(1) = b_n; and the number of
// roots in (0, 1) is at most the number of sign changes of b (Descartes' rule). The differences of
// b are those of p', so b that only rises or only falls proves p monotone, with at most one root.
// Farouki, Computer Aided Geometric Design 29 (2012) 379-419.
#pragma once

#include <span>
#include <vector>

namespace hydae::poly {

// Converts power form to Bernstein form; keeps the reciprocal binomial coefficients of the last
// degree.
class BernsteinConverter {
 public:
  // Beyond this degree binomial coefficients leave the range of double.
  static constexpr int kMaxDegree = 512;

  // Both of size n + 1, n <= kMaxDegree (UsageError otherwise). Rounding error of each b_i: at most
  // (n + 2) u sum |p_k|, u = 2^-53.
  void convert(std::span<const double> p, std::span<double> b);

 private:
  void prepare(std::size_t size);
  std::vector<double> reciprocal_binomial_;
};

// Splits at 1/2 by de Casteljau's algorithm: `b` holds the form on [0, 1] and afterwards that on
// [1/2, 1]; `left` becomes that on [0, 1/2]. The end coefficients b_0 and b_n are kept exactly, and
// the value at 1/2 is the same number on both sides.
void split_in_half(std::span<double> b, std::span<double> left);

// +1 or -1 if every b_i is above `bound` or every one below -`bound`: then |p| > bound on [0, 1],
// with that sign. Otherwise 0.
int certified_sign(std::span<const double> b, double bound);

// +1 if b never falls, -1 if it never rises: then p is monotone on [0, 1]. Otherwise, or if b is
// constant, 0.
int certified_direction(std::span<const double> b);

}  // namespace hydae::poly
