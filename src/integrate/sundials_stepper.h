// What IDA and CVODE have in common as steppers: the loop around one step, interpolation, weights,
// counters and messages. The two libraries say the same things in two languages; each translates.
#pragma once

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nonlinearsolver.h>
#include <type_traits>

#include "integrate/bdf_stepper.h"
#include "integrate/newton_matrix.h"

namespace hydae::integrate {

inline double* data(N_Vector v) { return NV_DATA_S(v); }
// Throws InternalError for the flag of a failure.
void require(int flag, const char* what);

constexpr int kRecoverable = 1;  // what SUNDIALS takes as: try again with a shorter step

struct FreeContext {
  void operator()(SUNContext context) const { SUNContext_Free(&context); }
};
struct FreeVector {
  void operator()(N_Vector v) const { N_VDestroy(v); }
};
struct FreeMatrix {
  void operator()(SUNMatrix m) const { SUNMatFreeEmpty(m); }
};
struct FreeSolver {
  void operator()(SUNLinearSolver s) const { SUNLinSolFreeEmpty(s); }
};
struct FreeNewton {
  void operator()(SUNNonlinearSolver s) const { SUNNonlinSolFree(s); }
};
template <class T, class Free>
using Owned = std::unique_ptr<std::remove_pointer_t<T>, Free>;

class SundialsStepper : public BdfStepper {
 public:
  SundialsStepper(BdfProblem problem, BdfOptions options);
  SundialsStepper(const SundialsStepper&) = delete;

  void change_tolerances(std::vector<double> atol, std::vector<double> highest) override {
    options_.atol = std::move(atol);
    options_.highest_atol = std::move(highest);
  }
  void start(double t, std::span<const double> y, std::span<const double> yp, double step) override;
  BdfStatus step(double limit) override;
  bool has_met_undefined() const override { return failed_calls_ > 0; }
  double time() const override { return t_; }
  double previous_time() const override { return previous_; }
  double last_step() const override { return last_.step; }
  int last_order() const override { return last_.order; }
  std::span<const double> y() const override { return values(y_); }
  std::span<const double> yp() const override { return values(yp_); }
  void interpolate(double t, int order, std::span<double> out) const override;
  int limiting_component() const override;
  void local_errors(std::span<double> out) const override;
  const std::string& message() const override { return text_; }
  BdfCounters counters() const override;

 protected:
  using Vector = Owned<N_Vector, FreeVector>;
  struct LastStep {
    double step = 0;
    int order = 0;
  };

  // --- what a library does in its own words

  virtual void set_up(double t0) = 0;    // at the first start, from y_ and yp_
  virtual void set_back(double t0) = 0;  // at later ones
  virtual void suggest_step(double step) = 0;
  // One step: the flag of the library, its time in t_, the solution in y_ and yp_.
  virtual int advance(double limit) = 0;
  virtual LastStep read_last_step() const = 0;
  virtual BdfStatus failure_of(int flag) const = 0;
  // Derivative of the interpolating polynomial; false if t is not in the last step.
  virtual bool differentiate(double t, int order, N_Vector out) const = 0;
  virtual bool read_errors(N_Vector weights, N_Vector errors) const = 0;
  virtual BdfCounters read_counters() const = 0;  // since the last start

  // --- what libraries call

  static int weigh(N_Vector y, N_Vector weight, void* self);
  static void hear(int code, const char* module, const char* function, char* message, void* self);
  // The outcome of an evaluation, remembered.
  int note(bool is_defined);

  SundialsStepper* self() { return this; }  // what they are given as user data
  N_Vector new_vector() const { return N_VNew_Serial(problem_.size, context_.get()); }

  BdfProblem problem_;
  BdfOptions options_;
  NewtonMatrix newton_matrix_;
  Owned<SUNContext, FreeContext> context_;
  Vector y_, yp_, scratch_;
  // Shells around newton_matrix_.
  Owned<SUNMatrix, FreeMatrix> matrix_;
  Owned<SUNLinearSolver, FreeSolver> solver_;
  double t_ = 0;

 private:
  std::span<const double> values(const Vector& v) const {
    return {data(v.get()), static_cast<std::size_t>(problem_.size)};
  }
  BdfStatus give_up(BdfStatus status);
  bool is_stuck();

  Vector weights_;
  double previous_ = 0;
  LastStep last_;
  int num_tiny_ = 0, failed_calls_ = 0;
  bool is_set_up_ = false, has_stepped_ = false, is_undefined_ = false;
  std::string text_;
  BdfCounters before_;  // of earlier starts
};

std::unique_ptr<BdfStepper> make_ida_stepper(BdfProblem problem, BdfOptions options);
std::unique_ptr<BdfStepper> make_cvode_stepper(BdfProblem problem, BdfOptions options);

}  // namespace hydae::integrate
