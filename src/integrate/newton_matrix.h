// The linear systems of Newton's iteration in a BDF method, the matrix of a problem, factorised by
// KLU. Where a problem has unknowns that the method does not see, the
// system is solved with them, and without them the answer is that of the problem (docs/math/
// index-reduction.md).
#pragma once

#include <vector>

#include "integrate/bdf_stepper.h"
#include "linalg/sparse_lu.h"

namespace hydae::integrate {

class NewtonMatrix {
 public:
  // `problem` must outlive the matrix.
  explicit NewtonMatrix(const BdfProblem& problem);

  // At the last point of BdfProblem::linearize. False if it is singular.
  bool factorize(double cj);
  double cj() const { return cj_; }  // of the factors; 0 before the first ones
  // x = M^-1 b, or (I - J / cj)^-1 b of an ordinary differential equation.
  void solve(const double* b, double* x);

 private:
  const BdfProblem& problem_;
  linalg::SparseLU lu_;
  double cj_ = 0, pivoted_cj_ = 0;
  std::vector<double> values_, unknowns_;
};

}  // namespace hydae::integrate
