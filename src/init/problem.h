// A consistent point is a solution of f(x) = 0 near the guesses, with some unknowns fixed and all
// within bounds. There may be fewer or more equations than free unknowns, and they may depend on
// each other. This header states the problem and the answer; solve.h solves it. Numbers and
// callables only.
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <functional>
#include <string>
#include <vector>

namespace hydae::init {

using Vector = Eigen::VectorXd;
using DenseMatrix = Eigen::MatrixXd;
using Matrix = Eigen::SparseMatrix<double>;

// In place: Eigen's product with a diagonal matrix, assigned to its own factor, makes large
// matrices anew entry by entry.
inline void scale_rows(const Vector& scale, Matrix& matrix) {
  for (int j = 0; j < matrix.outerSize(); ++j)
    for (Matrix::InnerIterator it(matrix, j); it; ++it) it.valueRef() *= scale[it.row()];
}

struct Unknowns {
  Vector guess;
  Vector nominal;              // typical size, > 0; distances are measured in it. Empty: 1
  Vector lower, upper;         // closed bounds, may be infinite. Empty: none
  std::vector<bool> is_fixed;  // the guess is the value. Empty: none
  // Whether somebody wants the guess: only these count in distances and in the length of a step.
  // The guess of another is where the iteration begins, nothing more. Empty: all.
  std::vector<bool> is_wanted;
  std::vector<std::string> names;  // for messages; empty: "unknown 3"
};

struct Equations {
  int count = 0;
  // Size of the terms of each equation, at least: a residual is measured against this or against
  // max_j |J_ij| max(nominal_j, |x_j|), whichever is larger. Empty: 0
  Vector scale;
  std::vector<std::string> names;  // for messages; empty: "equation 3"
  // Where an equation is written, for messages: "tank.mo:14:3", or "". Empty: nowhere.
  std::function<std::string(int equation)> place;
};

// The callables see all unknowns, also the fixed ones, and may write NaN or infinity where the
// equations are not defined. `f` and `J` arrive in their size; a dense `J` arrives zero, a sparse
// one as it was left.
struct Problem {
  Unknowns unknowns;
  Equations equations;
  std::function<void(const Vector& x, Vector& f)> residual;
  // One of the two. Columns of fixed unknowns matter for the scale of an equation only.
  std::function<void(const Vector& x, DenseMatrix& J)> dense_jacobian;
  std::function<void(const Vector& x, Matrix& J)> sparse_jacobian;
};

// The same with a parameter lambda: a user's homotopy (simplified at 0, actual at 1), or an
// algebraic system whose solution is followed.
struct ParametricProblem {
  Unknowns unknowns;
  Equations equations;
  std::function<void(const Vector& x, double lambda, Vector& f)> residual;
  std::function<void(const Vector& x, double lambda, DenseMatrix& J)> dense_jacobian;
  std::function<void(const Vector& x, double lambda, Matrix& J)> sparse_jacobian;
  // df/dlambda; empty: central differences.
  std::function<void(const Vector& x, double lambda, Vector& f_lambda)> parameter_derivative;
  double parameter_nominal = 1;
};

// The problem for one value of the parameter.
Problem with_parameter(const ParametricProblem& problem, double lambda);

enum class Status {
  kSolved,
  kInconsistent,  // a point was reached where the residual is smallest nearby, and it is not zero
  kNotConverged,  // no method came to an end
  kUndefined,     // the equations are not defined at the guess nor at any point tried around it
  kBadInput,      // the numbers given contradict each other, e.g. a fixed value outside its bounds
};

enum class Method {
  kNone,
  kGaussNewton,
  kLevenbergMarquardt,
  kAffineHomotopy,
  kNewtonHomotopy,
  kFixedPointHomotopy,
  kUserHomotopy,
  kOptimization,
};

const char* name(Status status);  // "solved", "inconsistent", ...
const char* name(Method method);  // "Gauss-Newton", ...

enum class Movement { kFixed, kUnmoved, kMoved, kAtLower, kAtUpper };

struct Attempt {
  Method method = Method::kNone;
  Status status = Status::kNotConverged;
  int iterations = 0;
  double residual_norm = 0;
  std::string detail;  // why it ended
};

struct Report {
  Status status = Status::kNotConverged;
  std::string message;            // empty if solved
  std::string help;               // advice; may be empty
  Method method = Method::kNone;  // the one that gave the result
  // Of a solution: known to be the closest one to the guesses nearby. False: nobody has looked.
  bool is_closest = false;
  int iterations = 0;  // of all methods together
  int residual_evaluations = 0;
  int jacobian_evaluations = 0;
  double residual_norm = 0;         // max_i |f_i| / scale_i, see Equations::scale
  int worst_equation = -1;          // where that maximum is; -1 without equations
  int rank = 0;                     // of the Jacobian of the free unknowns at the end
  int num_free = 0;                 // unknowns that are not fixed
  std::vector<Movement> movements;  // by unknown
  std::vector<Attempt> attempts;    // in the order they were made
};

struct Solution {
  Vector x;  // the best point if not solved
  Report report;
  bool is_solved() const { return report.status == Status::kSolved; }
};

struct Options {
  double step_tolerance = 1e-11;     // last correction, relative to max(nominal, |x|)
  double residual_tolerance = 1e-9;  // of a solution, see Report::residual_norm
  double rank_tolerance = 1e-11;     // relative size of a pivot that counts as zero
  int max_iterations = 200;          // of each method
  // When equations are fewer than unknowns: end at the solution closest to the guesses, in nominal
  // units.
  bool wants_closest_point = true;
  // The same where curvature or bounds defeat the cheap iteration: Ipopt, from the guesses too, and
  // the nearer of what both find.
  bool insists_on_closest_point = false;
  // Of several solutions the one that belongs to the guesses, see nearest_root.h.
  bool wants_nearest_root = true;
  bool allows_homotopy = true;
  bool allows_optimization = true;     // Ipopt; not to be used from several threads at once
  int max_evaluations = 200000;        // of the residual, by all methods together
  double max_seconds = 20;             // of one run of Ipopt, which may not count its own work
  std::function<bool()> is_cancelled;  // asked before each evaluation; true ends the search
};

}  // namespace hydae::init
