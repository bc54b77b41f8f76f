// The Taylor method against a hand-written program for SUNDIALS IDA: processor times of the
// integration alone, the smallest of several, and the errors at the end beside them. Both get the
// same tolerance, relative and absolute. IDA starts from consistent values found before.
#include <cmath>
#include <fmt/format.h>
#include <ida/ida.h>
#include <memory>
#include <nvector/nvector_serial.h>
#include <stdexcept>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "compiled_problem.h"
#include "ida_problems.h"
#include "measure.h"

namespace {

using namespace hydae;
using bench::DenseJacobian;
using bench::fastest;
using bench::IdaProblem;

template <auto kFree>
struct Deleter {
  template <class T>
  void operator()(T* p) const {
    kFree(p);
  }
};

void free_ida(void* memory) { IDAFree(&memory); }
void free_context(SUNContext context) { SUNContext_Free(&context); }

void require(int flag, const char* what) {
  if (flag < 0) throw std::runtime_error(fmt::format("{} failed with {}", what, flag));
}

int residual(realtype t, N_Vector y, N_Vector yp, N_Vector r, void* user) {
  static_cast<const IdaProblem*>(user)->residual(t, NV_DATA_S(y), NV_DATA_S(yp), NV_DATA_S(r));
  return 0;
}

int jacobian(realtype t, realtype cj, N_Vector y, N_Vector yp, N_Vector, SUNMatrix J, void* user,
             N_Vector, N_Vector, N_Vector) {
  static_cast<const IdaProblem*>(user)->jacobian(t, cj, NV_DATA_S(y), NV_DATA_S(yp),
                                                 {SM_DATA_D(J), static_cast<int>(SM_ROWS_D(J))});
  return 0;
}

class IdaRun {
 public:
  explicit IdaRun(IdaProblem problem)
      : problem_(std::move(problem)),
        context_(make_context()),
        y_(make_vector(problem_.y)),
        yp_(make_vector(problem_.yp)),
        id_(make_vector(problem_.id)),
        matrix_(SUNDenseMatrix(size(), size(), context_.get())),
        solver_(SUNLinSol_Dense(y_.get(), matrix_.get(), context_.get())),
        memory_(IDACreate(context_.get())) {
    require(IDAInit(memory_.get(), residual, 0, y_.get(), yp_.get()), "IDAInit");
    require(IDASetUserData(memory_.get(), &problem_), "IDASetUserData");
    require(IDASStolerances(memory_.get(), 1e-12, 1e-12), "IDASStolerances");
    require(IDASetLinearSolver(memory_.get(), solver_.get(), matrix_.get()), "linear solver");
    require(IDASetJacFn(memory_.get(), jacobian), "IDASetJacFn");
    require(IDASetMaxNumSteps(memory_.get(), 10'000'000), "IDASetMaxNumSteps");
    require(IDASetId(memory_.get(), id_.get()), "IDASetId");
    if (problem_.is_index_2)
      require(IDASetSuppressAlg(memory_.get(), SUNTRUE), "IDASetSuppressAlg");
    else
      find_start();
  }

  double run(double tolerance) {
    std::copy(problem_.y.begin(), problem_.y.end(), NV_DATA_S(y_.get()));
    std::copy(problem_.yp.begin(), problem_.yp.end(), NV_DATA_S(yp_.get()));
    require(IDAReInit(memory_.get(), 0, y_.get(), yp_.get()), "IDAReInit");
    require(IDASStolerances(memory_.get(), tolerance, tolerance), "IDASStolerances");
    require(IDASetStopTime(memory_.get(), problem_.stop), "IDASetStopTime");
    double t = 0;
    require(IDASolve(memory_.get(), problem_.stop, &t, y_.get(), yp_.get(), IDA_NORMAL),
            "IDASolve");
    return error();
  }

  const IdaProblem& problem() const { return problem_; }  // with consistent start values
  long steps() {
    long count = 0;
    IDAGetNumSteps(memory_.get(), &count);
    return count;
  }

 private:
  using Vector = std::unique_ptr<_generic_N_Vector, Deleter<N_VDestroy>>;

  static SUNContext make_context() {
    SUNContext context = nullptr;
    require(SUNContext_Create(nullptr, &context), "SUNContext_Create");
    return context;
  }
  Vector make_vector(const std::vector<double>& values) {
    Vector v(N_VNew_Serial(static_cast<sunindextype>(values.size()), context_.get()));
    std::copy(values.begin(), values.end(), NV_DATA_S(v.get()));
    return v;
  }
  sunindextype size() const { return static_cast<sunindextype>(problem_.y.size()); }

  // Accelerations and multipliers of the start.
  void find_start() {
    require(IDACalcIC(memory_.get(), IDA_YA_YDP_INIT, 1e-3 * problem_.stop), "IDACalcIC");
    require(IDAGetConsistentIC(memory_.get(), y_.get(), yp_.get()), "IDAGetConsistentIC");
    std::copy_n(NV_DATA_S(y_.get()), size(), problem_.y.begin());
    std::copy_n(NV_DATA_S(yp_.get()), size(), problem_.yp.begin());
  }

  double error() const {
    double largest = 0;
    for (std::size_t i = 0; i < problem_.known.size(); ++i) {
      const double known = problem_.known[i], value = NV_DATA_S(y_.get())[i];
      largest = std::max(largest, std::abs(value - known) / std::max(1.0, std::abs(known)));
    }
    return largest;
  }

  IdaProblem problem_;
  std::unique_ptr<_SUNContext, Deleter<free_context>> context_;
  Vector y_, yp_, id_;
  std::unique_ptr<_generic_SUNMatrix, Deleter<SUNMatDestroy>> matrix_;
  std::unique_ptr<_generic_SUNLinearSolver, Deleter<SUNLinSolFree>> solver_;
  std::unique_ptr<void, Deleter<free_ida>> memory_;
};

void compare(const char* form, const IdaProblem& problem) {
  bench::CompiledProblem compiled = bench::compile_problem(problem.name, problem.stop);
  compiled.known.clear();
  for (std::size_t i = 0; i < problem.known.size(); ++i)
    compiled.known.push_back({static_cast<int>(i), 0, problem.known[i]});
  IdaRun ida(problem);
  for (double tolerance : {1e-6, 1e-9}) {
    integrate::TaylorStepper stepper = compiled.make_stepper(tolerance);
    const double error = compiled.run(stepper), ida_error = ida.run(tolerance);
    const long steps = stepper.counters().steps, ida_steps = ida.steps();
    const double ida_time = fastest(0.5, [&] { ida.run(tolerance); });
    const double time = fastest(0.3, [&] { compiled.run(stepper); });
    fmt::print("{:10} {:8} {:9.0e} {:8} {:9.3f} {:9.1e} {:8} {:9.3f} {:9.1e} {:8.1f}\n",
               problem.name, form, tolerance, ida_steps, ida_time * 1e-6, ida_error, steps,
               time * 1e-6, error, ida_time / time);
  }
}

}  // namespace

int main() {
  fmt::print("{:10} {:8} {:>9} {:>8} {:>9} {:>9} {:>8} {:>9} {:>9} {:>8}\n", "problem", "IDA form",
             "tolerance", "steps", "IDA ms", "error", "steps", "hydae ms", "error", "ratio");
  compare("index 1", bench::ida_pendulum());
  compare("index 2", bench::ida_stabilized_pendulum());
  compare("index 1", bench::ida_andrews());
  compare("index 1", bench::ida_car_axis());
  compare("index 2", bench::ida_stabilized_car_axis(IdaRun(bench::ida_car_axis()).problem()));
  compare("index 1", bench::ida_chemakzo());
}
