#include "integrate/sundials_stepper.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include <hydae/error.h>

namespace hydae::integrate {
namespace {

constexpr int kMostTinySteps = 20;
// So many steps that they would have to be repeated a million times over to come to the limit.
constexpr long kManySteps = 100'000;
constexpr double kCrawl = 1e-6;

double resolution(double t) { return 32 * std::numeric_limits<double>::epsilon() * std::abs(t); }

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

SundialsWork::SundialsWork(BdfProblem given, BdfOptions given_options)
    : problem(std::move(given)),
      options(std::move(given_options)),
      newton_matrix(problem),
      context(make_context()),
      y(new_vector()),
      yp(new_vector()),
      scratch(new_vector()),
      weights(new_vector()),
      matrix(make_shell_matrix(context.get())),
      solver(make_shell_solver(context.get(), newton_matrix)) {}

SundialsStepper::SundialsStepper(BdfProblem problem, BdfOptions options)
    : at_(std::move(problem), std::move(options)),
      library_(at_.problem.is_ode() ? make_cvode(at_) : make_ida(at_)),
      end_check_(at_.problem) {}

void SundialsStepper::change_tolerances(std::vector<double> atol, std::vector<double> highest) {
  at_.options.atol = std::move(atol);
  at_.options.highest_atol = std::move(highest);
}

// The libraries set their counters to zero at a start.
void SundialsStepper::start(double t, std::span<const double> y, std::span<const double> yp,
                            double step) {
  end_check_.start(/*is_again=*/false);
  restart(t, y, yp, step);
}

void SundialsStepper::restart(double t, std::span<const double> y, std::span<const double> yp,
                              double step) {
  before_ = counters();
  std::copy(y.begin(), y.end(), data(at_.y.get()));
  std::copy(yp.begin(), yp.end(), data(at_.yp.get()));
  at_.t = previous_ = t;
  last_ = {};
  at_.text.clear();
  if (is_set_up_)
    library_->set_back(t);
  else
    library_->set_up(t);
  library_->suggest_step(step);
  is_set_up_ = true;
  has_stepped_ = false;
  num_tiny_ = 0;
}

// A step whose end misses the equations is taken again from where it began,
// shorter.
BdfStatus SundialsStepper::step(double limit) {
  if (at_.t == limit) return BdfStatus::kReached;
  while (true) {
    const BdfStatus status = try_step(limit);
    if (is_failure(status)) return status;
    if (holds_at_end()) return is_crawling(limit) ? BdfStatus::kCrawling : status;
    if (!go_back() || end_check_.is_hopeless()) return give_up(BdfStatus::kConvergence);
  }
}

bool SundialsStepper::holds_at_end() {
  if (!end_check_.is_due(last_.step)) return true;
  at_.weigh(at_.y.get(), at_.weights.get());
  return end_check_.holds({at_.t, last_.step, y().data(), yp().data(), data(at_.weights.get())});
}

// False: shorter steps are below what time resolves.
bool SundialsStepper::go_back() {
  constexpr double kShorter = 0.125;
  const double from = previous_, step = kShorter * (at_.t - previous_);
  library_->differentiate(from, 0, at_.y.get());
  library_->differentiate(from, 1, at_.yp.get());
  const std::vector<double> state(y().begin(), y().end()), rates(yp().begin(), yp().end());
  end_check_.start(/*is_again=*/true);
  restart(from, state, rates, step);
  return std::abs(step) > resolution(from);
}

BdfStatus SundialsStepper::try_step(double limit) {
  const double from = at_.t;
  at_.is_undefined = false;
  if (num_tiny_ == 0) at_.failed_calls = 0;  // else they are why steps are tiny
  const int flag = library_->advance(limit);
  if (flag < 0) {
    at_.t = from;
    if (has_stepped_) {  // the library leaves predictions when it fails
      library_->differentiate(from, 0, at_.y.get());
      library_->differentiate(from, 1, at_.yp.get());
    }
    return give_up(at_.is_undefined ? BdfStatus::kUndefined : library_->failure_of(flag));
  }
  has_stepped_ = true;
  previous_ = from;
  last_ = library_->read_last_step();
  constexpr int kStopTimeReached = 1;  // IDA_TSTOP_RETURN, CV_TSTOP_RETURN
  if (at_.t == limit || flag == kStopTimeReached) {
    at_.t = limit;
    return BdfStatus::kReached;
  }
  if (is_stuck())
    return give_up(at_.failed_calls > 0 ? BdfStatus::kUndefined : BdfStatus::kErrorTest);
  return BdfStatus::kStepped;
}

// The libraries go on with steps that time does not resolve; a few in a row are
// the end.
bool SundialsStepper::is_stuck() {
  num_tiny_ = std::abs(last_.step) <= resolution(at_.t) ? num_tiny_ + 1 : 0;
  if (num_tiny_ < kMostTinySteps) return false;
  at_.text = "the step is below what the time can resolve";
  return true;
}

// Near the end of a solution steps may be good, each within its tolerance, and lead nowhere.
bool SundialsStepper::is_crawling(double limit) {
  if (++num_steps_ % kManySteps != 0) return false;
  const double moved = std::abs(at_.t - std::exchange(mark_, at_.t));
  if (!(moved < kCrawl * std::abs(limit - at_.t))) return false;
  at_.text = fmt::format("{} steps have moved time by {:.2g}: at this pace there is no end",
                         kManySteps, moved);
  return true;
}

BdfStatus SundialsStepper::give_up(BdfStatus status) {
  if (at_.text.empty()) at_.text = "the solver failed";
  return status;
}

void SundialsStepper::interpolate(double t, int order, std::span<double> out) const {
  if (order <= 1 && (t == at_.t || !has_stepped_)) {
    std::ranges::copy(order == 0 ? y() : yp(), out.begin());
  } else if (!has_stepped_) {
    std::ranges::fill(out, std::numeric_limits<double>::quiet_NaN());
  } else if (order > last_.order) {
    std::ranges::fill(out, 0.0);
  } else {
    if (!library_->differentiate(t, order, at_.scratch.get()))
      throw InternalError(
          fmt::format("no solution at t = {} between {} and {}", t, previous_, at_.t));
    std::ranges::copy(at_.values(at_.scratch), out.begin());
  }
}

int SundialsStepper::limiting_component() const {
  if (!library_->read_errors(at_.weights.get(), at_.scratch.get())) return -1;
  int worst = -1;
  double largest = 0;
  for (int i = 0; i < at_.problem.size; ++i) {
    const double size = std::abs(data(at_.weights.get())[i] * data(at_.scratch.get())[i]);
    if (!(size > largest)) continue;
    largest = size;
    worst = i;
  }
  return worst;
}

void SundialsStepper::local_errors(std::span<double> out) const {
  const bool is_known = has_stepped_ && library_->read_errors(at_.weights.get(), at_.scratch.get());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = is_known ? data(at_.scratch.get())[i] : 0.0;
}

BdfCounters SundialsStepper::counters() const {
  BdfCounters sum = before_;
  if (is_set_up_) sum += library_->read_counters();
  return sum;
}

void SundialsWork::weigh(N_Vector at, N_Vector weight) {
  BdfOptions& o = options;
  const std::vector<bool>& is_follower = problem.is_follower;
  for (std::size_t i = 0; i < o.atol.size(); ++i) {
    const bool follows = !is_follower.empty() && is_follower[i];
    if (!o.highest_atol.empty() && o.atol[i] < o.highest_atol[i])
      o.atol[i] =
          std::min(o.highest_atol[i], std::max(o.atol[i], o.part_of_size * std::abs(data(at)[i])));
    const double size = o.rtol * std::abs(data(at)[i]) + o.atol[i];
    data(weight)[i] = 1 / ((follows ? o.follower_margin : o.margin) * size);
  }
}

int SundialsLibrary::weigh(N_Vector y, N_Vector weight, void* self) {
  static_cast<SundialsLibrary*>(self)->at_.weigh(y, weight);
  return 0;
}

void SundialsLibrary::hear(int code, const char*, const char*, char* message, void* self) {
  if (code < 0) static_cast<SundialsLibrary*>(self)->at_.text = message;
}

int SundialsWork::note(bool is_defined) {
  is_undefined = !is_defined;
  if (is_undefined) ++failed_calls;
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
  return std::make_unique<SundialsStepper>(std::move(problem), std::move(options));
}

}  // namespace hydae::integrate
