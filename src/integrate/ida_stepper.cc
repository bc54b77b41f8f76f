// F(t, y, y') = 0 by IDA.
#include <bit>
#include <cmath>
#include <ida/ida.h>
#include <limits>
#include <sunnonlinsol/sunnonlinsol_newton.h>

#include <hydae/error.h>

#include "integrate/sundials_stepper.h"

namespace hydae::integrate {
namespace {

constexpr double kNewtonPart = 0.1;   // of the tolerance that an iteration may leave
constexpr double kSlowestRate = 0.9;  // of convergence
constexpr double kUnknownRate = 20;   // rate / (1 - rate) while nothing is known
constexpr double kNegligible = 1e-4;  // part of the tolerance that is no correction
// Rounding errors of the solution: a thousandth of the tolerance of one step at
// 1e-9.
constexpr double kLastDigits = 10;
constexpr int kMostStalls =
    3;  // of iterations in a row, before last digits are taken for the reason

struct FreeIda {
  void operator()(void* memory) const { IDAFree(&memory); }
};

class Ida final : public SundialsLibrary {
 public:
  explicit Ida(SundialsWork& work)
      : SundialsLibrary(work),
        newton_(SUNNonlinSol_Newton(at_.y.get(), at_.context.get())),
        memory_(IDACreate(at_.context.get())) {
    if (!memory_ || !newton_) throw InternalError("SUNDIALS gives no solver");
  }

 private:
  static Ida& from(void* self) { return static_cast<Ida&>(*static_cast<SundialsLibrary*>(self)); }
  void* ida() const { return memory_.get(); }

  void set_up(double t0) override {
    require(IDAInit(ida(), residual, t0, at_.y.get(), at_.yp.get()), "IDAInit");
    require(IDASetUserData(ida(), self()), "IDASetUserData");
    set_tolerances();
    require(IDASetLinearSolver(ida(), at_.solver.get(), at_.matrix.get()), "IDASetLinearSolver");
    require(IDASetJacFn(ida(), jacobian), "IDASetJacFn");
    require(IDASetErrHandlerFn(ida(), hear, self()), "IDASetErrHandlerFn");
    require(IDASetNonlinearSolver(ida(), newton_.get()), "IDASetNonlinearSolver");
    require(SUNNonlinSolSetConvTestFn(newton_.get(), has_converged, self()), "conv test");
    require(IDASetNonlinConvCoef(ida(), kNewtonPart), "IDASetNonlinConvCoef");
    require(IDASetMaxNumSteps(ida(), -1), "IDASetMaxNumSteps");
    require(IDASetMaxErrTestFails(ida(), 20), "IDASetMaxErrTestFails");
    require(IDASetMaxConvFails(ida(), 20), "IDASetMaxConvFails");
    if (at_.options.max_step > 0)
      require(IDASetMaxStep(ida(), at_.options.max_step), "IDASetMaxStep");
  }

  void set_tolerances() {
    require(IDAWFtolerances(ida(), weigh), "IDAWFtolerances");
    if (at_.problem.is_controlled.empty()) return;
    for (std::size_t i = 0; i < at_.problem.is_controlled.size(); ++i)
      data(at_.scratch.get())[i] = at_.problem.is_controlled[i] ? 1.0 : 0.0;
    require(IDASetId(ida(), at_.scratch.get()), "IDASetId");
    require(IDASetSuppressAlg(ida(), SUNTRUE), "IDASetSuppressAlg");
  }

  void set_back(double t0) override {
    require(IDAReInit(ida(), t0, at_.y.get(), at_.yp.get()), "IDAReInit");
  }

  void suggest_step(double step) override {
    require(IDASetInitStep(ida(), step), "IDASetInitStep");
  }

  int advance(double limit) override {
    if (const int flag = IDASetStopTime(ida(), limit); flag < 0) return flag;
    return IDASolve(ida(), limit, &at_.t, at_.y.get(), at_.yp.get(), IDA_ONE_STEP);
  }

  LastStep read_last_step() const override {
    LastStep last;
    IDAGetLastStep(ida(), &last.step);
    IDAGetLastOrder(ida(), &last.order);
    return last;
  }

  BdfStatus failure_of(int flag) const override {
    switch (flag) {
      case IDA_ERR_FAIL: return BdfStatus::kErrorTest;
      case IDA_CONV_FAIL:
      case IDA_LSETUP_FAIL:
      case IDA_LSOLVE_FAIL: return BdfStatus::kConvergence;
      case IDA_REP_RES_ERR:
      case IDA_FIRST_RES_FAIL:
      case IDA_RES_FAIL: return BdfStatus::kUndefined;
      default: return BdfStatus::kFailed;
    }
  }

  bool differentiate(double t, int order, N_Vector out) const override {
    return IDAGetDky(ida(), t, order, out) >= 0;
  }

  bool read_errors(N_Vector weights, N_Vector errors) const override {
    return IDAGetErrWeights(ida(), weights) >= 0 && IDAGetEstLocalErrors(ida(), errors) >= 0;
  }

  BdfCounters read_counters() const override {
    BdfCounters c;
    IDAGetNumSteps(ida(), &c.steps);
    IDAGetNumErrTestFails(ida(), &c.error_test_failures);
    IDAGetNumStepSolveFails(ida(), &c.newton_failures);
    IDAGetNumResEvals(ida(), &c.evaluations);
    IDAGetNumJacEvals(ida(), &c.jacobians);
    IDAGetNumLinSolvSetups(ida(), &c.factorizations);
    IDAGetNumNonlinSolvIters(ida(), &c.newton_iterations);
    return c;
  }

  static int residual(double t, N_Vector y, N_Vector yp, N_Vector r, void* self) {
    Ida& library = from(self);
    return library.at_.note(library.at_.problem.residual(t, data(y), data(yp), data(r)));
  }

  static int jacobian(double t, double cj, N_Vector y, N_Vector yp, N_Vector, SUNMatrix, void* self,
                      N_Vector, N_Vector, N_Vector) {
    Ida& library = from(self);
    library.convergence_ = kUnknownRate;
    library.matrix_uses_ = 0;
    if (library.at_.note(library.at_.problem.linearize(t, cj, data(y), data(yp))) != 0)
      return kRecoverable;
    return library.at_.newton_matrix.factorize(cj) ? 0 : kRecoverable;
  }

  // As IDA does it, but for the first iteration of a step. There IDA trusts the
  // rate that it has measured last, and never measures again while one
  // iteration is enough. But with a matrix made for another cj the corrections,
  // scaled by 2 / (1 + ratio), are off by a factor that depends on the ratio;
  // and as the solution moves away from where the matrix was made, the rate
  // grows in proportion. Constraints would be left with far more than the
  // tolerance. So the rate is measured at uses 1, 2, 4, 8, ... of a matrix, and
  // doubled in between.
  static int has_converged(SUNNonlinearSolver newton, N_Vector, N_Vector correction,
                           double tolerance, N_Vector weights, void* self) {
    Ida& library = from(self);
    int iteration = 0;
    SUNNonlinSolGetCurIter(newton, &iteration);
    const double size = N_VWrmsNorm(correction, weights);
    if (iteration == 0) return library.has_converged_at_once(size, tolerance);
    const double rate = std::pow(size / library.first_correction_, 1.0 / iteration);
    if (!(rate <= kSlowestRate)) return library.has_stalled(size, weights);
    library.convergence_ = rate / (1 - rate);
    return library.convergence_ * size <= tolerance ? library.succeed() : SUN_NLS_CONTINUE;
  }

  // Corrections of a few last digits do not become smaller, whatever the step:
  // where shorter ones have not helped either, they are taken for that from
  // then on.
  int has_stalled(double size, N_Vector weights) {
    N_Vector y = nullptr;
    IDAGetCurrentY(ida(), &y);
    const double last_digits =
        kLastDigits * std::numeric_limits<double>::epsilon() * N_VWrmsNorm(y, weights);
    if (!(size <= last_digits)) return SUN_NLS_CONV_RECVR;
    convergence_ = kUnknownRate;
    if (stalls_ < kMostStalls) ++stalls_;
    return stalls_ < kMostStalls ? SUN_NLS_CONV_RECVR : SUN_NLS_SUCCESS;
  }

  int succeed() {
    if (stalls_ < kMostStalls) stalls_ = 0;
    return SUN_NLS_SUCCESS;
  }

  int has_converged_at_once(double size, double tolerance) {
    first_correction_ = size;
    if (size <= kNegligible * tolerance) return SUN_NLS_SUCCESS;
    if (std::has_single_bit(++matrix_uses_)) return SUN_NLS_CONTINUE;
    double cj = 0;
    IDAGetCurrentCj(ida(), &cj);
    const double ratio = at_.newton_matrix.cj() == 0 ? 1 : cj / at_.newton_matrix.cj();
    const double rate = std::abs(1 - ratio) / (1 + ratio);
    const double expected = std::max(2 * convergence_, rate / (1 - rate));
    return expected * size <= tolerance ? SUN_NLS_SUCCESS : SUN_NLS_CONTINUE;
  }

  Owned<SUNNonlinearSolver, FreeNewton> newton_;
  std::unique_ptr<void, FreeIda> memory_;
  double first_correction_ = 0, convergence_ = kUnknownRate;
  unsigned matrix_uses_ = 0;  // steps with the matrix at hand
  int stalls_ = 0;            // at the last digits, in a row
};

}  // namespace

std::unique_ptr<SundialsLibrary> make_ida(SundialsWork& work) {
  return std::make_unique<Ida>(work);
}

}  // namespace hydae::integrate
