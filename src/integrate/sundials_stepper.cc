#include "integrate/sundials_stepper.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include <hydae/error.h>

namespace hydae::integrate {
namespace {

constexpr int kMostTinySteps = 20;

SUNContext make_context() {
  SUNContext context = nullptr;
  if (SUNContext_Create(nullptr, &context) != 0) throw InternalError("SUNDIALS gives no context");
  return context;
}

// --- shells: SUNDIALS calls, NewtonMatrix does

SUNMatrix make_shell_matrix(SUNContext context) {
  SUNMatrix matrix = SUNMatNewEmpty(context);
  if (matrix == nullptr) throw InternalError("SUNDIALS gives no matrix");
  matrix->ops->getid = [](SUNMatrix) { return SUNMATRIX_CUSTOM; };
  matrix->ops->zero = [](SUNMatrix) { return 0; };
  return matrix;
}

// The factors are made where the matrix is.
SUNLinearSolver make_shell_solver(SUNContext context, NewtonMatrix& matrix) {
  SUNLinearSolver solver = SUNLinSolNewEmpty(context);
  if (solver == nullptr) throw InternalError("SUNDIALS gives no linear solver");
  solver->content = &matrix;
  solver->ops->gettype = [](SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; };
  solver->ops->getid = [](SUNLinearSolver) { return SUNLINEARSOLVER_CUSTOM; };
  solver->ops->initialize = [](SUNLinearSolver) { return 0; };
  solver->ops->setup = [](SUNLinearSolver, SUNMatrix) { return 0; };
  solver->ops->solve = [](SUNLinearSolver self, SUNMatrix, N_Vector x, N_Vector b, double) {
    static_cast<NewtonMatrix*>(self->content)->solve(data(b), data(x));
    return 0;
  };
  return solver;
}

}  // namespace

void require(int flag, const char* what) {
  if (flag < 0) throw InternalError(fmt::format("{} returns {}", what, flag));
}

BdfCounters& BdfCounters::operator+=(const BdfCounters& other) {
  steps += other.steps;
  error_test_failures += other.error_test_failures;
  newton_failures += other.newton_failures;
  evaluations += other.evaluations;
  jacobians += other.jacobians;
  factorizations += other.factorizations;
  newton_iterations += other.newton_iterations;
  return *this;
}

SundialsStepper::SundialsStepper(BdfProblem problem, BdfOptions options)
    : problem_(std::move(problem)),
      options_(std::move(options)),
      newton_matrix_(problem_),
      context_(make_context()),
      y_(new_vector()),
      yp_(new_vector()),
      scratch_(new_vector()),
      matrix_(make_shell_matrix(context_.get())),
      solver_(make_shell_solver(context_.get(), newton_matrix_)),
      weights_(new_vector()) {}

// The libraries set their counters to zero at a start.
void SundialsStepper::start(double t, std::span<const double> y, std::span<const double> yp,
                            double step) {
  before_ = counters();
  std::copy(y.begin(), y.end(), data(y_.get()));
  std::copy(yp.begin(), yp.end(), data(yp_.get()));
  t_ = previous_ = t;
  last_ = {};
  text_.clear();
  if (is_set_up_)
    set_back(t);
  else
    set_up(t);
  suggest_step(step);
  is_set_up_ = true;
  has_stepped_ = false;
  num_tiny_ = 0;
}

BdfStatus SundialsStepper::step(double limit) {
  if (t_ == limit) return BdfStatus::kReached;
  const double from = t_;
  is_undefined_ = false;
  if (num_tiny_ == 0) failed_calls_ = 0;  // else they are why steps are tiny
  const int flag = advance(limit);
  if (flag < 0) {
    t_ = from;
    if (has_stepped_) {  // the library leaves predictions when it fails
      differentiate(from, 0, y_.get());
      differentiate(from, 1, yp_.get());
    }
    return give_up(is_undefined_ ? BdfStatus::kUndefined : failure_of(flag));
  }
  has_stepped_ = true;
  previous_ = from;
  last_ = read_last_step();
  constexpr int kStopTimeReached = 1;  // IDA_TSTOP_RETURN, CV_TSTOP_RETURN
  if (t_ == limit || flag == kStopTimeReached) {
    t_ = limit;
    return BdfStatus::kReached;
  }
  if (is_stuck()) return give_up(failed_calls_ > 0 ? BdfStatus::kUndefined : BdfStatus::kErrorTest);
  return BdfStatus::kStepped;
}

// The libraries go on with steps that time does not resolve; a few in a row are the end.
bool SundialsStepper::is_stuck() {
  const double resolution = 32 * std::numeric_limits<double>::epsilon() * std::abs(t_);
  num_tiny_ = std::abs(last_.step) <= resolution ? num_tiny_ + 1 : 0;
  if (num_tiny_ < kMostTinySteps) return false;
  text_ = "the step is below what the time can resolve";
  return true;
}

BdfStatus SundialsStepper::give_up(BdfStatus status) {
  if (text_.empty()) text_ = "the solver failed";
  return status;
}

void SundialsStepper::interpolate(double t, int order, std::span<double> out) const {
  if (order <= 1 && (t == t_ || !has_stepped_)) {
    std::ranges::copy(order == 0 ? y() : yp(), out.begin());
  } else if (!has_stepped_) {
    std::ranges::fill(out, std::numeric_limits<double>::quiet_NaN());
  } else if (order > last_.order) {
    std::ranges::fill(out, 0.0);
  } else {
    if (!differentiate(t, order, scratch_.get()))
      throw InternalError(fmt::format("no solution at t = {} between {} and {}", t, previous_, t_));
    std::ranges::copy(values(scratch_), out.begin());
  }
}

int SundialsStepper::limiting_component() const {
  if (!read_errors(weights_.get(), scratch_.get())) return -1;
  int worst = -1;
  double largest = 0;
  for (int i = 0; i < problem_.size; ++i) {
    const double size = std::abs(data(weights_.get())[i] * data(scratch_.get())[i]);
    if (!(size > largest)) continue;
    largest = size;
    worst = i;
  }
  return worst;
}

void SundialsStepper::local_errors(std::span<double> out) const {
  const bool is_known = has_stepped_ && read_errors(weights_.get(), scratch_.get());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = is_known ? data(scratch_.get())[i] : 0.0;
}

BdfCounters SundialsStepper::counters() const {
  BdfCounters sum = before_;
  if (is_set_up_) sum += read_counters();
  return sum;
}

int SundialsStepper::weigh(N_Vector y, N_Vector weight, void* self) {
  SundialsStepper& stepper = *static_cast<SundialsStepper*>(self);
  BdfOptions& o = stepper.options_;
  const std::vector<bool>& is_follower = stepper.problem_.is_follower;
  for (std::size_t i = 0; i < o.atol.size(); ++i) {
    const bool follows = !is_follower.empty() && is_follower[i];
    if (!o.highest_atol.empty() && o.atol[i] < o.highest_atol[i])
      o.atol[i] =
          std::min(o.highest_atol[i], std::max(o.atol[i], o.part_of_size * std::abs(data(y)[i])));
    const double size = o.rtol * std::abs(data(y)[i]) + o.atol[i];
    data(weight)[i] = 1 / ((follows ? o.follower_margin : o.margin) * size);
  }
  return 0;
}

void SundialsStepper::hear(int code, const char*, const char*, char* message, void* self) {
  if (code < 0) static_cast<SundialsStepper*>(self)->text_ = message;
}

int SundialsStepper::note(bool is_defined) {
  is_undefined_ = !is_defined;
  if (is_undefined_) ++failed_calls_;
  return is_defined ? 0 : kRecoverable;
}

std::unique_ptr<BdfStepper> make_stepper(BdfProblem problem, BdfOptions options) {
  const auto n = static_cast<std::size_t>(problem.size);
  const auto fits = [n](const std::vector<bool>& flags) {
    return flags.empty() || flags.size() == n;
  };
  if (n == 0) throw UsageError("a system without unknowns");
  if (problem.matrix_size < problem.size || options.atol.size() != n ||
      problem.column_start.size() != static_cast<std::size_t>(problem.matrix_size) + 1 ||
      !fits(problem.is_controlled) || !fits(problem.is_follower) ||
      static_cast<bool>(problem.residual) == problem.is_ode())
    throw UsageError("the parts of a problem for BDF do not fit together");
  return problem.is_ode() ? make_cvode_stepper(std::move(problem), std::move(options))
                          : make_ida_stepper(std::move(problem), std::move(options));
}

}  // namespace hydae::integrate
