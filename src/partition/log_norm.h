// The logarithmic norm for the Euclidean norm,
//
//     mu(A) = lim (|I + e A| - 1) / e  (e -> 0+) = largest eigenvalue of (A + A^T) / 2,
//
// a bound on growth: |x(t)| <= exp(mu t) |x(0)| for x' = A x. Of no state at all it is -infinity.
#pragma once

#include <functional>

#include "partition/matrices.h"

namespace hydae::partition {

double log_norm(const Matrix& matrix);

// mu(u v^T), exactly: (u.v + |u| |v|) / 2 in two or more dimensions, u v in one. This is (11), (15)
// and (17) of Raha & Petzold 2000: their maximum with 0 is never below (1 + cos)/2 >= 0.
double rank_one_log_norm(const Vector& u, const Vector& v);

// Largest eigenvalue of a symmetric operator on a subspace of R^n and a unit vector for it, by the
// Lanczos method with full reorthogonalisation. `apply` maps the subspace into itself, `project`
// projects onto it orthogonally. `error` bounds the distance to the nearest eigenvalue.
struct LeadingEigenvalue {
  double value = 0;
  double error = 0;
  Vector vector;
};
struct SymmetricOperator {
  int size = 0;
  std::function<Vector(const Vector&)> apply;
  std::function<Vector(const Vector&)> project;
};
LeadingEigenvalue find_leading_eigenvalue(const SymmetricOperator& op);

// Orthonormal basis of the eigenspace of (A + A^T)/2 that attains mu(A), eigenvalues within a
// relative 1e-9 counted in.
Matrix leading_eigenspace(const Matrix& matrix);

}  // namespace hydae::partition
