// F(t, y, y') = 0 of index at most one, step by step with the variable-order BDF of SUNDIALS IDA
// and sparse Jacobians factorised by KLU. Behind it are callables and numbers only; SUNDIALS does
// not show.
//
//     IdaStepper stepper(problem, options);
//     stepper.start(t, y, yp);               // consistent: F(t, y, yp) = 0
//     while (stepper.step(stop) == IdaStatus::kStepped) {
//       ... stepper.interpolate(t, 0, out) for t in [previous_time(), time()] ...
//     }
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace hydae::integrate {

struct IdaProblem {
  // Evaluations return false where something is undefined: the step is then tried again, shorter.
  using Residual = std::function<bool(double t, const double* y, const double* yp, double* r)>;
  using Jacobian =
      std::function<bool(double t, double cj, const double* y, const double* yp, double* values)>;

  int size = 0;
  // Pattern of dF/dy + cj dF/dy' in compressed columns; `jacobian` writes values in this order.
  std::vector<std::int64_t> column_start, row;
  Residual residual;
  Jacobian jacobian;
  std::vector<bool> is_controlled;  // the component takes part in the error test; empty: all do
  // The component is given by derivatives of others, in which rounding errors are divided by the
  // step; empty: none is.
  std::vector<bool> is_follower;
};

struct IdaOptions {
  double rtol = 1e-6;
  std::vector<double> atol;      // per component
  double max_step = 0;           // 0: no limit
  double margin = 0.1;           // part of the tolerance that one step may use
  double follower_margin = 0.1;  // of a follower, in Newton's iteration
};

struct IdaCounters {
  long steps = 0, error_test_failures = 0, residuals = 0, jacobians = 0, factorizations = 0,
       newton_iterations = 0, newton_failures = 0;
};

enum class IdaStatus {
  kStepped,      // one step further
  kReached,      // the limit
  kErrorTest,    // the error test fails again and again, or the step is below what time resolves
  kConvergence,  // Newton's iteration does not converge
  kUndefined,    // the residual is undefined, however short the step
  kFailed,       // anything else; message()
};
inline bool is_failure(IdaStatus status) { return status > IdaStatus::kReached; }

class IdaStepper {
 public:
  IdaStepper(IdaProblem problem, IdaOptions options);
  ~IdaStepper();
  IdaStepper(IdaStepper&&) noexcept;

  // The history is forgotten. `step` is a first guess, signed; 0 for none.
  void start(double t, std::span<const double> y, std::span<const double> yp, double step = 0);
  // One step towards `limit`, not beyond it. After a failure time() and the solution are those of
  // the last good step.
  IdaStatus step(double limit);

  double time() const;           // reached
  double previous_time() const;  // before the last step
  double last_step() const;
  int last_order() const;
  std::span<const double> y() const;
  std::span<const double> yp() const;
  // Derivative `order` of the interpolating polynomial, t in [previous_time(), time()]; beyond the
  // first not known before the first step: NaN.
  void interpolate(double t, int order, std::span<double> out) const;
  // The component with the largest local error in units of its tolerance; -1 if unknown.
  int limiting_component() const;
  const std::string& message() const;  // of the library, after a failure
  const IdaCounters& counters() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hydae::integrate
