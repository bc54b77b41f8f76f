// Stiff systems step by step with the variable-order BDF of SUNDIALS and sparse matrices factorised
// by KLU: F(t, y, y') = 0 of index at most one by IDA, y' = f(t, y) by CVODE. Behind it are
// callables and numbers only; SUNDIALS does not show.
//
//     auto stepper = make_stepper(problem, options);
//     stepper->start(t, y, yp);               // consistent: F(t, y, yp) = 0
//     while (stepper->step(stop) == BdfStatus::kStepped) {
//       ... stepper->interpolate(t, 0, out) for t in [previous_time(), time()] ...
//     }
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace hydae::integrate {

struct BdfProblem {
  // Evaluations return false where something is undefined: the step is then tried again, shorter.
  using Residual = std::function<bool(double t, const double* y, const double* yp, double* r)>;
  using Derivative = std::function<bool(double t, const double* y, double* yp)>;
  using Linearize = std::function<bool(double t, double cj, const double* y, const double* yp)>;
  using Matrix = std::function<void(double cj, double* values)>;
  using Product = std::function<void(const double* b, double* product)>;

  int size = 0;
  // One of the two. An ordinary differential equation may be implicit behind the scenes: f is then
  // what solves F(t, y, f) = 0.
  Residual residual;
  Derivative derivative;

  // dF/dy + cj dF/dy' in compressed columns; F = y' - f if nothing else is said. The matrix may be
  // larger than `size`: rows and columns behind belong to unknowns that the evaluations solve for
  // themselves; eliminating them from it gives the matrix of the problem.
  int matrix_size = 0;
  std::vector<int> column_start, row;
  Linearize linearize;  // at a point; `matrix` is of the last one
  Matrix matrix;
  Product mass;  // with `derivative`: dF/dy' b, of matrix_size rows; empty: F = y' - f

  std::vector<bool> is_controlled;  // the component takes part in the error test; empty: all do
  // The component is given by derivatives of others, in which rounding errors are divided by the
  // step; empty: none is.
  std::vector<bool> is_follower;

  bool is_ode() const { return static_cast<bool>(derivative); }
};

struct BdfOptions {
  double rtol = 1e-6;
  std::vector<double> atol;  // per component
  // Tolerances that grow with what is met: up to these, as parts of the sizes; empty: they do not.
  std::vector<double> highest_atol{};
  double part_of_size = 0;
  double max_step = 0;           // 0: no limit
  double margin = 0.1;           // part of the tolerance that one step may use
  double follower_margin = 0.1;  // of a follower, in Newton's iteration
};

struct BdfCounters {
  long steps = 0;
  long error_test_failures = 0;  // steps taken again for their error
  long newton_failures = 0;      // steps taken again since Newton's iteration failed
  long evaluations = 0, jacobians = 0, factorizations = 0, newton_iterations = 0;
  BdfCounters& operator+=(const BdfCounters& other);
};

enum class BdfStatus {
  kStepped,      // one step further
  kReached,      // the limit
  kErrorTest,    // the error test fails again and again, or the step is below what time resolves
  kConvergence,  // Newton's iteration does not converge
  kUndefined,    // the system is undefined, however short the step
  kCrawling,     // at its pace it does not come to the limit in any reasonable time; message()
  kFailed,       // anything else; message()
};
inline bool is_failure(BdfStatus status) { return status > BdfStatus::kReached; }

class BdfStepper {
 public:
  virtual ~BdfStepper() = default;

  // From the next start on; in the form of the options.
  virtual void change_tolerances(std::vector<double> atol, std::vector<double> highest) = 0;
  // The history is forgotten. `step` is a first guess, signed; 0 for none.
  virtual void start(double t, std::span<const double> y, std::span<const double> yp,
                     double step = 0) = 0;
  // One step towards `limit`, not beyond it. After a failure time() and the solution are those of
  // the last good step.
  virtual BdfStatus step(double limit) = 0;

  // On its way the last step has met points at which the system is undefined, and became shorter.
  virtual bool has_met_undefined() const = 0;
  virtual double time() const = 0;           // reached
  virtual double previous_time() const = 0;  // before the last step
  virtual double last_step() const = 0;
  virtual int last_order() const = 0;
  virtual std::span<const double> y() const = 0;
  virtual std::span<const double> yp() const = 0;
  // Derivative `order` of the interpolating polynomial, t in [previous_time(), time()]; beyond the
  // first not known before the first step: NaN.
  virtual void interpolate(double t, int order, std::span<double> out) const = 0;
  // The component with the largest local error in units of its tolerance; -1 if unknown.
  virtual int limiting_component() const = 0;
  // Estimates of the errors that the last step has made, by component; zero where unknown.
  virtual void local_errors(std::span<double> out) const = 0;
  virtual const std::string& message() const = 0;  // of the library, after a failure
  virtual BdfCounters counters() const = 0;        // over all starts
};

// By CVODE if the problem is an ordinary differential equation, by IDA if not.
std::unique_ptr<BdfStepper> make_stepper(BdfProblem problem, BdfOptions options);

}  // namespace hydae::integrate
