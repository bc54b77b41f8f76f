#include "init/problem.h"

namespace hydae::init {

const char* name(Status status) {
  switch (status) {
    case Status::kSolved:
      return "solved";
    case Status::kInconsistent:
      return "inconsistent";
    case Status::kNotConverged:
      return "not converged";
    case Status::kUndefined:
      return "undefined";
    case Status::kBadInput:
      return "bad input";
  }
  return "";
}

const char* name(Method method) {
  switch (method) {
    case Method::kNone:
      return "none";
    case Method::kGaussNewton:
      return "Gauss-Newton";
    case Method::kLevenbergMarquardt:
      return "Levenberg-Marquardt";
    case Method::kAffineHomotopy:
      return "affine homotopy";
    case Method::kNewtonHomotopy:
      return "Newton homotopy";
    case Method::kFixedPointHomotopy:
      return "fixed-point homotopy";
    case Method::kUserHomotopy:
      return "homotopy";
    case Method::kOptimization:
      return "optimization";
  }
  return "";
}

}  // namespace hydae::init
