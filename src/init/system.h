// A problem as the methods see it: its equations over the free unknowns in the coordinates of
// search_space.h, with limits to the work.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "init/problem.h"
#include "init/search_space.h"

namespace hydae::init {

class System {
 public:
  // UsageError if sizes do not fit or a callable is missing.
  explicit System(const Problem& problem);
  explicit System(ParametricProblem problem);

  int num_equations() const { return problem_.equations.count; }
  int num_free() const { return space_.size(); }
  const SearchSpace& space() const { return space_; }

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

  std::string unknown_name(int unknown) const;    // in backquotes
  std::string equation_name(int equation) const;  // in backquotes, with its place
  const Unknowns& unknowns() const { return problem_.unknowns; }

  int residual_evaluations = 0;
  int jacobian_evaluations = 0;

 private:
  void measure_equations();

  ParametricProblem problem_;  // nothing left out
  SearchSpace space_;
  double lambda_ = 1;
  int max_evaluations_ = std::numeric_limits<int>::max();
  std::function<bool()> is_cancelled_;
  bool is_stopped_ = false;
  Vector x_;           // all unknowns, at the last point
  DenseMatrix dense_;  // Jacobian of all unknowns, if given dense
  Matrix full_;        // Jacobian of all unknowns
  Vector equation_size_;
  Vector begin_;
};

}  // namespace hydae::init
