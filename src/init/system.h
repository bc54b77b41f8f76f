// A problem in the coordinates the methods work in: free unknowns only, each divided by its nominal
// value, y_j = x_j / nominal_j. Norms, minimum-norm steps and distances are then plain Euclidean
// ones.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "init/problem.h"

namespace hydae::init {

class System {
 public:
  // UsageError if sizes do not fit or a callable is missing.
  explicit System(const Problem& problem);
  explicit System(ParametricProblem problem);

  int num_equations() const { return problem_.equations.count; }
  int num_free() const { return static_cast<int>(free_.size()); }
  int unknown(int free_index) const { return free_[static_cast<std::size_t>(free_index)]; }

  // What is wrong with the numbers of the problem; empty if nothing is.
  std::string find_contradiction() const;

  void set_parameter(double lambda) { lambda_ = lambda; }
  double parameter() const { return lambda_; }

  // Evaluations fail once the limits are reached, which ends every search; until they are lifted.
  void set_limits(const Options& options);
  void lift_limits();
  bool is_stopped() const { return is_stopped_; }  // also after lifting

  // False if a value is not finite; then the result is of no use.
  bool evaluate(const Vector& y, Vector& f);
  bool differentiate(const Vector& y, Matrix& J);
  bool differentiate_parameter(const Vector& y, Vector& f_lambda);
  // The same, and says which equations are not defined.
  int count_undefined(const Vector& y, std::vector<int>* equations = nullptr);

  // Size of each equation where differentiate() was called last: what a residual is compared with.
  const Vector& equation_size() const { return equation_size_; }
  // From where the search begins: what is_at_pole() compares with.
  void begin_at(const Vector& y) { begin_ = y; }
  // Whether an equation has grown on the way, and is as large as its terms: 1/x = 0.01 at x =
  // 1e-12, where a correction of 1e-12 would seem to remove what is left. Where differentiate() was
  // called last.
  bool is_at_pole(const Vector& f);
  // max_i |f_i| / size_i, and where.
  double residual_norm(const Vector& f, int* worst = nullptr) const;

  const Vector& guess() const { return guess_; }  // moved into the bounds
  const Vector& wish() const { return wish_; }    // as it was given: the centre of distances
  // Free unknowns that nobody wants at their guess; empty if there is none.
  const std::vector<bool>& weightless() const { return weightless_; }
  // From the wish, over the unknowns that have a weight.
  Vector away_from_wish(const Vector& y) const;
  const Vector& lower() const { return lower_; }
  const Vector& upper() const { return upper_; }
  bool is_within_bounds(const Vector& y) const;
  // The nearest point within the bounds; takes back the rounding of a step that ends on one.
  Vector into_bounds(const Vector& y) const { return y.cwiseMax(lower_).cwiseMin(upper_); }
  // Largest |step_j| relative to max(1, |y_j|).
  static double relative_size(const Vector& step, const Vector& y);

  Vector to_unknowns(const Vector& y) const;
  std::string unknown_name(int unknown) const;    // in backquotes
  std::string equation_name(int equation) const;  // in backquotes, with its place
  const Unknowns& unknowns() const { return problem_.unknowns; }

  int residual_evaluations = 0;
  int jacobian_evaluations = 0;

 private:
  void check_sizes() const;
  void fill_defaults();
  double value(int free_index, double y) const;
  void set_full(const Vector& y);
  void measure_equations();

  ParametricProblem problem_;
  double lambda_ = 1;
  int max_evaluations_ = std::numeric_limits<int>::max();
  std::function<bool()> is_cancelled_;
  bool is_stopped_ = false;
  std::vector<int> free_;
  Vector guess_, wish_, lower_, upper_;
  std::vector<bool> weightless_;
  Vector x_;                          // all unknowns, at the last point
  DenseMatrix dense_;                 // Jacobian of all unknowns, if given dense
  Matrix full_;                       // Jacobian of all unknowns
  std::vector<int> unknown_to_free_;  // -1: fixed
  Vector equation_size_;
  Vector begin_;
};

}  // namespace hydae::init
