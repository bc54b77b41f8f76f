#include "init/problem.h"

namespace hydae::init {

Problem with_parameter(const ParametricProblem& problem, double lambda) {
  Problem result;
  result.unknowns = problem.unknowns;
  result.equations = problem.equations;
  if (problem.residual) {
    result.residual = [f = problem.residual, lambda](const Vector& x, Vector& out) {
      f(x, lambda, out);
    };
  }
  if (problem.dense_jacobian) {
    result.dense_jacobian = [j = problem.dense_jacobian, lambda](
                                const Vector& x, DenseMatrix& out) { j(x, lambda, out); };
  }
  if (problem.sparse_jacobian) {
    result.sparse_jacobian = [j = problem.sparse_jacobian, lambda](const Vector& x, Matrix& out) {
      j(x, lambda, out);
    };
  }
  return result;
}

const char* name(Status status) {
  switch (status) {
    case Status::kSolved: return "solved";
    case Status::kInconsistent: return "inconsistent";
    case Status::kNotConverged: return "not converged";
    case Status::kUndefined: return "undefined";
    case Status::kBadInput: return "bad input";
  }
  return "";
}

const char* name(Method method) {
  switch (method) {
    case Method::kNone: return "none";
    case Method::kGaussNewton: return "Gauss-Newton";
    case Method::kLevenbergMarquardt: return "Levenberg-Marquardt";
    case Method::kAffineHomotopy: return "affine homotopy";
    case Method::kNewtonHomotopy: return "Newton homotopy";
    case Method::kFixedPointHomotopy: return "fixed-point homotopy";
    case Method::kUserHomotopy: return "homotopy";
    case Method::kOptimization: return "optimization";
  }
  return "";
}

}  // namespace hydae::init
