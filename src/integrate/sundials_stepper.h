// What IDA and CVODE have in common as steppers: the loop around one step,
// interpolation, weights, counters and messages. The two libraries say the same
// things in two languages; each translates (SundialsLibrary).
#pragma once

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nonlinearsolver.h>
#include <type_traits>

#include "integrate/bdf_stepper.h"
#include "integrate/end_check.h"
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

using Vector = Owned<N_Vector, FreeVector>;

// What a library works on, and what it calls.
class SundialsWork {
 public:
  SundialsWork(BdfProblem problem, BdfOptions options);
  SundialsWork(const SundialsWork&) = delete;

  void weigh(N_Vector at, N_Vector weight);
  // The outcome of an evaluation, remembered.
  int note(bool is_defined);

  N_Vector new_vector() const { return N_VNew_Serial(problem.size, context.get()); }
  std::span<const double> values(const Vector& v) const {
    return {data(v.get()), static_cast<std::size_t>(problem.size)};
  }

  BdfProblem problem;
  BdfOptions options;
  NewtonMatrix newton_matrix;
  Owned<SUNContext, FreeContext> context;
  Vector y, yp, scratch, weights;
  // Shells around newton_matrix.
  Owned<SUNMatrix, FreeMatrix> matrix;
  Owned<SUNLinearSolver, FreeSolver> solver;
  double t = 0;
  bool is_undefined = false;  // the last evaluation
  int failed_calls = 0;
  std::string text;  // of the library
};

struct LastStep {
  double step = 0;
  int order = 0;
};

// What IDA and CVODE say in their own words.
class SundialsLibrary {
 public:
  explicit SundialsLibrary(SundialsWork& work) : at_(work) {}
  virtual ~SundialsLibrary() = default;
  SundialsLibrary(const SundialsLibrary&) = delete;

  virtual void set_up(double t0) = 0;    // at the first start, from y and yp
  virtual void set_back(double t0) = 0;  // at later ones
  virtual void suggest_step(double step) = 0;
  // One step: the flag of the library, its time in t, the solution in y and yp.
  virtual int advance(double limit) = 0;
  virtual LastStep read_last_step() const = 0;
  virtual BdfStatus failure_of(int flag) const = 0;
  // Derivative of the interpolating polynomial; false if t is not in the last
  // step.
  virtual bool differentiate(double t, int order, N_Vector out) const = 0;
  virtual bool read_errors(N_Vector weights, N_Vector errors) const = 0;
  virtual BdfCounters read_counters() const = 0;  // since the last start

 protected:
  SundialsLibrary* self() { return this; }  // what the libraries are given as user data
  static int weigh(N_Vector y, N_Vector weight, void* self);
  static void hear(int code, const char* module, const char* function, char* message, void* self);

  SundialsWork& at_;
};

std::unique_ptr<SundialsLibrary> make_ida(SundialsWork& work);
std::unique_ptr<SundialsLibrary> make_cvode(SundialsWork& work);

class SundialsStepper final : public BdfStepper {
 public:
  SundialsStepper(BdfProblem problem, BdfOptions options);

  void change_tolerances(std::vector<double> atol, std::vector<double> highest) override;
  void start(double t, std::span<const double> y, std::span<const double> yp, double step) override;
  BdfStatus step(double limit) override;
  bool has_met_undefined() const override { return at_.failed_calls > 0; }
  double time() const override { return at_.t; }
  double previous_time() const override { return previous_; }
  double last_step() const override { return last_.step; }
  int last_order() const override { return last_.order; }
  std::span<const double> y() const override { return at_.values(at_.y); }
  std::span<const double> yp() const override { return at_.values(at_.yp); }
  void interpolate(double t, int order, std::span<double> out) const override;
  int limiting_component() const override;
  void local_errors(std::span<double> out) const override;
  const std::string& message() const override { return at_.text; }
  BdfCounters counters() const override;

 private:
  void restart(double t, std::span<const double> y, std::span<const double> yp, double step);
  BdfStatus try_step(double limit);
  bool holds_at_end();
  bool go_back();
  BdfStatus give_up(BdfStatus status);
  bool is_stuck();
  bool is_crawling(double limit);

  SundialsWork at_;
  std::unique_ptr<SundialsLibrary> library_;
  EndCheck end_check_;
  double previous_ = 0;
  LastStep last_;
  int num_tiny_ = 0;
  long num_steps_ = 0;
  double mark_ = 0;  // time at the last multiple of many steps
  bool is_set_up_ = false, has_stepped_ = false;
  BdfCounters before_;  // of earlier starts
};

}  // namespace hydae::integrate
