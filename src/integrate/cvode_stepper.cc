// y' = f(t, y) by CVODE.
#include <cvode/cvode.h>

#include <hydae/error.h>

#include "integrate/sundials_stepper.h"

namespace hydae::integrate {
namespace {

struct FreeCvode {
  void operator()(void* memory) const { CVodeFree(&memory); }
};

class Cvode final : public SundialsLibrary {
 public:
  explicit Cvode(SundialsWork& work)
      : SundialsLibrary(work), memory_(CVodeCreate(CV_BDF, at_.context.get())) {
    if (!memory_) throw InternalError("SUNDIALS gives no solver");
  }

 private:
  static Cvode& from(void* self) {
    return static_cast<Cvode&>(*static_cast<SundialsLibrary*>(self));
  }
  void* cvode() const { return memory_.get(); }

  void set_up(double t0) override {
    require(CVodeInit(cvode(), derivative, t0, at_.y.get()), "CVodeInit");
    require(CVodeSetUserData(cvode(), self()), "CVodeSetUserData");
    require(CVodeWFtolerances(cvode(), weigh), "CVodeWFtolerances");
    require(CVodeSetLinearSolver(cvode(), at_.solver.get(), at_.matrix.get()),
            "CVodeSetLinearSolver");
    require(CVodeSetLinSysFn(cvode(), set_up_matrix), "CVodeSetLinSysFn");
    require(CVodeSetErrHandlerFn(cvode(), hear, self()), "CVodeSetErrHandlerFn");
    require(CVodeSetMaxNumSteps(cvode(), -1), "CVodeSetMaxNumSteps");
    require(CVodeSetMaxErrTestFails(cvode(), 20), "CVodeSetMaxErrTestFails");
    require(CVodeSetMaxConvFails(cvode(), 20), "CVodeSetMaxConvFails");
    if (at_.options.max_step > 0)
      require(CVodeSetMaxStep(cvode(), at_.options.max_step), "CVodeSetMaxStep");
  }

  void set_back(double t0) override {
    require(CVodeReInit(cvode(), t0, at_.y.get()), "CVodeReInit");
  }

  void suggest_step(double step) override {
    require(CVodeSetInitStep(cvode(), step), "CVodeSetInitStep");
  }

  int advance(double limit) override {
    if (const int flag = CVodeSetStopTime(cvode(), limit); flag < 0) return flag;
    const int flag = CVode(cvode(), limit, at_.y.get(), &at_.t, CV_ONE_STEP);
    if (flag >= 0) CVodeGetDky(cvode(), at_.t, 1, at_.yp.get());
    return flag;
  }

  LastStep read_last_step() const override {
    LastStep last;
    CVodeGetLastStep(cvode(), &last.step);
    CVodeGetLastOrder(cvode(), &last.order);
    return last;
  }

  BdfStatus failure_of(int flag) const override {
    switch (flag) {
      case CV_ERR_FAILURE: return BdfStatus::kErrorTest;
      case CV_CONV_FAILURE:
      case CV_LSETUP_FAIL:
      case CV_LSOLVE_FAIL: return BdfStatus::kConvergence;
      case CV_RHSFUNC_FAIL:
      case CV_FIRST_RHSFUNC_ERR:
      case CV_REPTD_RHSFUNC_ERR:
      case CV_UNREC_RHSFUNC_ERR: return BdfStatus::kUndefined;
      default: return BdfStatus::kFailed;
    }
  }

  bool differentiate(double t, int order, N_Vector out) const override {
    return CVodeGetDky(cvode(), t, order, out) >= 0;
  }

  bool read_errors(N_Vector weights, N_Vector errors) const override {
    return CVodeGetErrWeights(cvode(), weights) >= 0 &&
           CVodeGetEstLocalErrors(cvode(), errors) >= 0;
  }

  BdfCounters read_counters() const override {
    BdfCounters c;
    CVodeGetNumSteps(cvode(), &c.steps);
    CVodeGetNumErrTestFails(cvode(), &c.error_test_failures);
    CVodeGetNumStepSolveFails(cvode(), &c.newton_failures);
    CVodeGetNumRhsEvals(cvode(), &c.evaluations);
    CVodeGetNumJacEvals(cvode(), &c.jacobians);
    CVodeGetNumLinSolvSetups(cvode(), &c.factorizations);
    CVodeGetNumNonlinSolvIters(cvode(), &c.newton_iterations);
    return c;
  }

  static int derivative(double t, N_Vector y, N_Vector yp, void* self) {
    Cvode& library = from(self);
    return library.at_.note(library.at_.problem.derivative(t, data(y), data(yp)));
  }

  // The matrix I - gamma J; where CVODE trusts J, it is the last one.
  static int set_up_matrix(double t, N_Vector y, N_Vector yp, SUNMatrix, int may_keep, int* is_new,
                           double gamma, void* self, N_Vector, N_Vector, N_Vector) {
    Cvode& library = from(self);
    *is_new = may_keep ? SUNFALSE : SUNTRUE;
    if (!may_keep &&
        library.at_.note(library.at_.problem.linearize(t, 1 / gamma, data(y), data(yp))) != 0)
      return kRecoverable;
    return library.at_.newton_matrix.factorize(1 / gamma) ? 0 : kRecoverable;
  }

  std::unique_ptr<void, FreeCvode> memory_;
};

}  // namespace

std::unique_ptr<SundialsLibrary> make_cvode(SundialsWork& work) {
  return std::make_unique<Cvode>(work);
}

}  // namespace hydae::integrate
