#include "integrate/ida_stepper.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>
#include <type_traits>

#include <hydae/error.h>

namespace hydae::integrate {
namespace {

constexpr int kRecoverable = 1;
constexpr int kMostTinySteps = 20;
constexpr double kPivotThreshold = 0.1;  // of the largest entry in a column, for KLU
constexpr int kSmallSystem = 300;        // always pivoted anew
constexpr double kPivotsLast = 8;        // factor of cj for which pivots are kept in larger ones
constexpr double kNewtonPart = 0.1;      // of the tolerance that an iteration may leave
constexpr double kSlowestRate = 0.9;     // of convergence
constexpr double kUnknownRate = 20;      // rate / (1 - rate) while nothing is known
constexpr double kNegligible = 1e-4;     // part of the tolerance that is no correction

double* data(N_Vector v) { return NV_DATA_S(v); }

struct FreeContext {
  void operator()(SUNContext context) const { SUNContext_Free(&context); }
};
struct FreeVector {
  void operator()(N_Vector v) const { N_VDestroy(v); }
};
struct FreeMatrix {
  void operator()(SUNMatrix m) const { SUNMatDestroy(m); }
};
struct FreeSolver {
  void operator()(SUNLinearSolver s) const { SUNLinSolFree(s); }
};
struct FreeNewton {
  void operator()(SUNNonlinearSolver s) const { SUNNonlinSolFree(s); }
};
struct FreeMemory {
  void operator()(void* memory) const { IDAFree(&memory); }
};
template <class T, class Free>
using Owned = std::unique_ptr<std::remove_pointer_t<T>, Free>;

SUNContext make_context() {
  SUNContext context = nullptr;
  if (SUNContext_Create(nullptr, &context) != 0) throw InternalError("SUNDIALS gives no context");
  return context;
}

void require(int flag, const char* what) {
  if (flag < 0) throw InternalError(fmt::format("{} returns {}", what, flag));
}

}  // namespace

struct IdaStepper::Impl {
  Impl(IdaProblem p, IdaOptions o)
      : problem(std::move(p)),
        options(std::move(o)),
        context(make_context()),
        y(new_vector()),
        yp(new_vector()),
        weights(new_vector()),
        scratch(new_vector()),
        matrix(SUNSparseMatrix(problem.size, problem.size, std::max<sunindextype>(1, nonzeros()),
                               CSC_MAT, context.get())),
        solver(SUNLinSol_KLU(y.get(), matrix.get(), context.get())),
        newton(SUNNonlinSol_Newton(y.get(), context.get())),
        memory(IDACreate(context.get())) {
    if (!memory || !newton || !solver || !matrix) throw InternalError("SUNDIALS gives no solver");
    // Minimum degree of A + A^T suits the nearly symmetric patterns of discretised systems.
    SUNLinSol_KLUSetOrdering(solver.get(), 0);
    SUNLinSol_KLUGetCommon(solver.get())->tol = kPivotThreshold;
  }

  sunindextype nonzeros() const { return static_cast<sunindextype>(problem.row.size()); }
  N_Vector new_vector() const { return N_VNew_Serial(problem.size, context.get()); }

  void set_up(double t0) {
    require(IDAInit(memory.get(), residual, t0, y.get(), yp.get()), "IDAInit");
    require(IDASetUserData(memory.get(), this), "IDASetUserData");
    set_tolerances();
    require(IDASetLinearSolver(memory.get(), solver.get(), matrix.get()), "IDASetLinearSolver");
    require(IDASetJacFn(memory.get(), jacobian), "IDASetJacFn");
    require(IDASetErrHandlerFn(memory.get(), hear, this), "IDASetErrHandlerFn");
    require(IDASetNonlinearSolver(memory.get(), newton.get()), "IDASetNonlinearSolver");
    require(SUNNonlinSolSetConvTestFn(newton.get(), has_converged, this), "conv test");
    require(IDASetNonlinConvCoef(memory.get(), kNewtonPart), "IDASetNonlinConvCoef");
    require(IDASetMaxNumSteps(memory.get(), -1), "IDASetMaxNumSteps");
    require(IDASetMaxErrTestFails(memory.get(), 20), "IDASetMaxErrTestFails");
    require(IDASetMaxConvFails(memory.get(), 20), "IDASetMaxConvFails");
    if (options.max_step > 0)
      require(IDASetMaxStep(memory.get(), options.max_step), "IDASetMaxStep");
    is_set_up = true;
  }

  void set_tolerances() {
    require(IDAWFtolerances(memory.get(), weigh), "IDAWFtolerances");
    if (problem.is_controlled.empty()) return;
    for (std::size_t i = 0; i < problem.is_controlled.size(); ++i)
      data(scratch.get())[i] = problem.is_controlled[i] ? 1.0 : 0.0;
    require(IDASetId(memory.get(), scratch.get()), "IDASetId");
    require(IDASetSuppressAlg(memory.get(), SUNTRUE), "IDASetSuppressAlg");
  }

  void start(double t0, std::span<const double> y0, std::span<const double> yp0, double step) {
    keep_counters();
    std::copy(y0.begin(), y0.end(), data(y.get()));
    std::copy(yp0.begin(), yp0.end(), data(yp.get()));
    t = previous = t0;
    last = 0;
    order = 0;
    text.clear();
    if (is_set_up)
      require(IDAReInit(memory.get(), t0, y.get(), yp.get()), "IDAReInit");
    else
      set_up(t0);
    require(IDASetInitStep(memory.get(), step), "IDASetInitStep");
    has_stepped = false;
    num_tiny = 0;
  }

  IdaStatus step(double limit) {
    if (t == limit) return IdaStatus::kReached;
    if (IDASetStopTime(memory.get(), limit) < 0) return give_up(IdaStatus::kFailed);
    const double from = t;
    is_undefined = false;
    if (num_tiny == 0) failed_calls = 0;  // else they are why steps are tiny
    const int flag = IDASolve(memory.get(), limit, &t, y.get(), yp.get(), IDA_ONE_STEP);
    if (flag < 0) {
      t = from;
      if (has_stepped) restore(from);
      return give_up(failure_of(flag));
    }
    has_stepped = true;
    previous = from;
    IDAGetLastStep(memory.get(), &last);
    IDAGetLastOrder(memory.get(), &order);
    if (t == limit || flag == IDA_TSTOP_RETURN) return reach(limit);
    return is_stuck() ? give_up(failed_calls > 0 ? IdaStatus::kUndefined : IdaStatus::kErrorTest)
                      : IdaStatus::kStepped;
  }

  // IDA goes on with steps that time does not resolve; a few in a row are the end.
  bool is_stuck() {
    const double resolution = 32 * std::numeric_limits<double>::epsilon() * std::abs(t);
    num_tiny = std::abs(last) <= resolution ? num_tiny + 1 : 0;
    if (num_tiny < kMostTinySteps) return false;
    text = "the step is below what the time can resolve";
    return true;
  }

  IdaStatus reach(double limit) {
    t = limit;
    return IdaStatus::kReached;
  }

  // IDA leaves predictions in y and y' when it fails.
  void restore(double time) {
    IDAGetDky(memory.get(), time, 0, y.get());
    IDAGetDky(memory.get(), time, 1, yp.get());
  }

  IdaStatus failure_of(int flag) const {
    if (is_undefined) return IdaStatus::kUndefined;
    switch (flag) {
      case IDA_ERR_FAIL: return IdaStatus::kErrorTest;
      case IDA_CONV_FAIL:
      case IDA_LSETUP_FAIL:
      case IDA_LSOLVE_FAIL: return IdaStatus::kConvergence;
      case IDA_REP_RES_ERR:
      case IDA_FIRST_RES_FAIL:
      case IDA_RES_FAIL: return IdaStatus::kUndefined;
      default: return IdaStatus::kFailed;
    }
  }

  IdaStatus give_up(IdaStatus status) {
    if (text.empty()) text = "the solver failed";
    return status;
  }

  int limiting_component() {
    if (IDAGetErrWeights(memory.get(), weights.get()) < 0 ||
        IDAGetEstLocalErrors(memory.get(), scratch.get()) < 0)
      return -1;
    int worst = -1;
    double largest = 0;
    for (int i = 0; i < problem.size; ++i) {
      const double size = std::abs(data(weights.get())[i] * data(scratch.get())[i]);
      if (!(size > largest)) continue;
      largest = size;
      worst = i;
    }
    return worst;
  }

  // KLU keeps the pivots it has chosen first. They are good for one size of cj = O(1 / step) only:
  // with those of a tiny first step, Newton's iteration creeps.
  void refresh_pivots(double cj, SUNMatrix j) {
    const bool is_similar =
        pivoted_cj != 0 && cj / pivoted_cj < kPivotsLast && pivoted_cj / cj < kPivotsLast;
    if (problem.size > kSmallSystem && is_similar) return;
    pivoted_cj = cj;
    SUNLinSol_KLUReInit(solver.get(), j, nonzeros(), SUNKLU_REINIT_PARTIAL);
  }

  // --- counters: IDAReInit sets those of IDA to zero

  IdaCounters own_counters() const {
    IdaCounters c;
    if (!is_set_up) return c;
    void* m = memory.get();
    IDAGetNumSteps(m, &c.steps);
    IDAGetNumErrTestFails(m, &c.error_test_failures);
    IDAGetNumResEvals(m, &c.residuals);
    IDAGetNumJacEvals(m, &c.jacobians);
    IDAGetNumLinSolvSetups(m, &c.factorizations);
    IDAGetNumNonlinSolvIters(m, &c.newton_iterations);
    IDAGetNumNonlinSolvConvFails(m, &c.newton_failures);
    return c;
  }

  IdaCounters sum() const {
    IdaCounters c = own_counters();
    c.steps += before.steps;
    c.error_test_failures += before.error_test_failures;
    c.residuals += before.residuals;
    c.jacobians += before.jacobians;
    c.factorizations += before.factorizations;
    c.newton_iterations += before.newton_iterations;
    c.newton_failures += before.newton_failures;
    return c;
  }

  void keep_counters() { before = sum(); }

  // --- what IDA calls

  static int weigh(N_Vector y, N_Vector weight, void* self) {
    const Impl& impl = *static_cast<Impl*>(self);
    const IdaOptions& o = impl.options;
    for (std::size_t i = 0; i < o.atol.size(); ++i) {
      const bool is_follower = !impl.problem.is_follower.empty() && impl.problem.is_follower[i];
      const double size = o.rtol * std::abs(data(y)[i]) + o.atol[i];
      data(weight)[i] = 1 / ((is_follower ? o.follower_margin : o.margin) * size);
    }
    return 0;
  }

  static int residual(double t, N_Vector y, N_Vector yp, N_Vector r, void* self) {
    Impl& impl = *static_cast<Impl*>(self);
    impl.is_undefined = !impl.problem.residual(t, data(y), data(yp), data(r));
    if (impl.is_undefined) ++impl.failed_calls;
    return impl.is_undefined ? kRecoverable : 0;
  }

  static int jacobian(double t, double cj, N_Vector y, N_Vector yp, N_Vector, SUNMatrix j,
                      void* self, N_Vector, N_Vector, N_Vector) {
    Impl& impl = *static_cast<Impl*>(self);
    const IdaProblem& p = impl.problem;
    std::copy(p.column_start.begin(), p.column_start.end(), SUNSparseMatrix_IndexPointers(j));
    std::copy(p.row.begin(), p.row.end(), SUNSparseMatrix_IndexValues(j));
    impl.refresh_pivots(cj, j);
    impl.matrix_cj = cj;
    impl.convergence = kUnknownRate;
    impl.matrix_uses = 0;
    impl.is_undefined = !p.jacobian(t, cj, data(y), data(yp), SUNSparseMatrix_Data(j));
    return impl.is_undefined ? kRecoverable : 0;
  }

  // As IDA does it, but for the first iteration of a step. There IDA trusts the rate that it has
  // measured last, and never measures again while one iteration is enough. But with a matrix made
  // for another cj the corrections, scaled by 2 / (1 + ratio), are off by a factor that depends on
  // the ratio; and as the solution moves away from where the matrix was made, the rate grows in
  // proportion. Constraints would be left with far more than the tolerance. So the rate is measured
  // at uses 1, 2, 4, 8, ... of a matrix, and doubled in between.
  static int has_converged(SUNNonlinearSolver newton, N_Vector, N_Vector correction,
                           double tolerance, N_Vector weights, void* self) {
    Impl& impl = *static_cast<Impl*>(self);
    int iteration = 0;
    SUNNonlinSolGetCurIter(newton, &iteration);
    const double size = N_VWrmsNorm(correction, weights);
    if (iteration == 0) return impl.has_converged_at_once(size, tolerance);
    const double rate = std::pow(size / impl.first_correction, 1.0 / iteration);
    if (!(rate <= kSlowestRate)) return SUN_NLS_CONV_RECVR;
    impl.convergence = rate / (1 - rate);
    return impl.convergence * size <= tolerance ? SUN_NLS_SUCCESS : SUN_NLS_CONTINUE;
  }

  int has_converged_at_once(double size, double tolerance) {
    first_correction = size;
    if (size <= kNegligible * tolerance) return SUN_NLS_SUCCESS;
    if (std::has_single_bit(++matrix_uses)) return SUN_NLS_CONTINUE;
    double cj = 0;
    IDAGetCurrentCj(memory.get(), &cj);
    const double ratio = matrix_cj == 0 ? 1 : cj / matrix_cj;
    const double rate = std::abs(1 - ratio) / (1 + ratio);
    const double expected = std::max(2 * convergence, rate / (1 - rate));
    return expected * size <= tolerance ? SUN_NLS_SUCCESS : SUN_NLS_CONTINUE;
  }

  static void hear(int code, const char*, const char*, char* message, void* self) {
    if (code < 0) static_cast<Impl*>(self)->text = message;
  }

  IdaProblem problem;
  IdaOptions options;
  Owned<SUNContext, FreeContext> context;
  Owned<N_Vector, FreeVector> y, yp, weights, scratch;
  Owned<SUNMatrix, FreeMatrix> matrix;
  Owned<SUNLinearSolver, FreeSolver> solver;
  Owned<SUNNonlinearSolver, FreeNewton> newton;
  std::unique_ptr<void, FreeMemory> memory;
  double t = 0, previous = 0, last = 0, pivoted_cj = 0;
  double matrix_cj = 0, first_correction = 0, convergence = kUnknownRate;
  int order = 0, num_tiny = 0, failed_calls = 0;
  unsigned matrix_uses = 0;  // steps with the matrix at hand
  bool is_set_up = false, has_stepped = false, is_undefined = false;
  std::string text;
  IdaCounters before;
  mutable IdaCounters counters;
};

IdaStepper::IdaStepper(IdaProblem problem, IdaOptions options) {
  const auto n = static_cast<std::size_t>(problem.size);
  if (n == 0) throw UsageError("a system without unknowns");
  if (options.atol.size() != n || problem.column_start.size() != n + 1 ||
      (!problem.is_controlled.empty() && problem.is_controlled.size() != n) ||
      (!problem.is_follower.empty() && problem.is_follower.size() != n))
    throw UsageError("the parts of a problem for IDA do not fit together");
  impl_ = std::make_unique<Impl>(std::move(problem), std::move(options));
}
IdaStepper::~IdaStepper() = default;
IdaStepper::IdaStepper(IdaStepper&&) noexcept = default;

void IdaStepper::start(double t, std::span<const double> y, std::span<const double> yp,
                       double step) {
  impl_->start(t, y, yp, step);
}
IdaStatus IdaStepper::step(double limit) { return impl_->step(limit); }
double IdaStepper::time() const { return impl_->t; }
double IdaStepper::previous_time() const { return impl_->previous; }
double IdaStepper::last_step() const { return impl_->last; }
int IdaStepper::last_order() const { return impl_->order; }

std::span<const double> IdaStepper::y() const {
  return {data(impl_->y.get()), static_cast<std::size_t>(impl_->problem.size)};
}
std::span<const double> IdaStepper::yp() const {
  return {data(impl_->yp.get()), static_cast<std::size_t>(impl_->problem.size)};
}

void IdaStepper::interpolate(double t, int order, std::span<double> out) const {
  const std::span<const double> here = order == 0 ? y() : yp();
  if (order <= 1 && (t == impl_->t || !impl_->has_stepped)) {
    std::copy(here.begin(), here.end(), out.begin());
    return;
  }
  if (!impl_->has_stepped) {
    std::fill(out.begin(), out.end(), std::numeric_limits<double>::quiet_NaN());
    return;
  }
  if (order > impl_->order) {
    std::fill(out.begin(), out.end(), 0.0);
    return;
  }
  if (IDAGetDky(impl_->memory.get(), t, order, impl_->scratch.get()) < 0)
    throw InternalError(
        fmt::format("no solution at t = {} between {} and {}", t, impl_->previous, impl_->t));
  const double* values = data(impl_->scratch.get());
  std::copy(values, values + impl_->problem.size, out.begin());
}

int IdaStepper::limiting_component() const { return impl_->limiting_component(); }
const std::string& IdaStepper::message() const { return impl_->text; }
const IdaCounters& IdaStepper::counters() const { return impl_->counters = impl_->sum(); }

}  // namespace hydae::integrate
