#include "init/system.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include <hydae/diagnostic.h>
#include <hydae/error.h>

namespace hydae::init {
namespace {

// A residual above this share of the terms is none that rounding has left.
constexpr double kNoResidue = 1e-3;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

ParametricProblem with_ignored_parameter(const Problem& problem) {
  ParametricProblem result;
  result.unknowns = problem.unknowns;
  result.equations = problem.equations;
  if (problem.residual) {
    result.residual = [f = problem.residual](const Vector& x, double, Vector& out) { f(x, out); };
  }
  if (problem.dense_jacobian) {
    result.dense_jacobian = [j = problem.dense_jacobian](const Vector& x, double,
                                                         DenseMatrix& out) { j(x, out); };
  }
  if (problem.sparse_jacobian) {
    result.sparse_jacobian = [j = problem.sparse_jacobian](const Vector& x, double, Matrix& out) {
      j(x, out);
    };
  }
  return result;
}

template <class Container>
void check_size(const char* what, const Container& given, Eigen::Index expected) {
  const auto size = static_cast<Eigen::Index>(given.size());
  if (size == 0 || size == expected) return;
  throw UsageError(
      fmt::format("initialization problem: {} has {} entries, expected {}", what, size, expected));
}

void check_result(const char* what, Eigen::Index rows, Eigen::Index columns,
                  Eigen::Index expected_rows, Eigen::Index expected_columns) {
  if (rows == expected_rows && columns == expected_columns) return;
  throw UsageError(
      fmt::format("initialization problem: the {} function returned {} x {}, expected {} x {}",
                  what, rows, columns, expected_rows, expected_columns));
}

bool is_finite(const Matrix& J) {
  const double* values = J.valuePtr();
  return std::all_of(values, values + J.nonZeros(), [](double v) { return std::isfinite(v); });
}

void check_sizes(const ParametricProblem& problem) {
  const Unknowns& u = problem.unknowns;
  const Eigen::Index n = u.guess.size(), m = problem.equations.count;
  if (m < 0) throw UsageError("initialization problem: negative number of equations");
  check_size("`nominal`", u.nominal, n);
  check_size("`lower`", u.lower, n);
  check_size("`upper`", u.upper, n);
  check_size("`is_fixed`", u.is_fixed, n);
  check_size("`is_wanted`", u.is_wanted, n);
  check_size("`names` of the unknowns", u.names, n);
  check_size("`scale`", problem.equations.scale, m);
  check_size("`names` of the equations", problem.equations.names, m);
  if (!problem.residual) throw UsageError("initialization problem without a residual function");
  if (!problem.dense_jacobian == !problem.sparse_jacobian) {
    throw UsageError("initialization problem needs one Jacobian function, dense or sparse");
  }
}

void fill_defaults(ParametricProblem& problem) {
  Unknowns& u = problem.unknowns;
  const Eigen::Index n = u.guess.size();
  if (u.nominal.size() == 0) u.nominal = Vector::Ones(n);
  if (u.lower.size() == 0) u.lower = Vector::Constant(n, -kInfinity);
  if (u.upper.size() == 0) u.upper = Vector::Constant(n, kInfinity);
  if (u.is_fixed.empty()) u.is_fixed.assign(static_cast<std::size_t>(n), false);
  Equations& e = problem.equations;
  if (e.scale.size() == 0) e.scale = Vector::Zero(e.count);
}

ParametricProblem checked(ParametricProblem problem) {
  check_sizes(problem);
  fill_defaults(problem);
  return problem;
}

}  // namespace

System::System(const Problem& problem) : System(with_ignored_parameter(problem)) {}

System::System(ParametricProblem problem)
    : problem_(checked(std::move(problem))),
      space_(problem_.unknowns),
      x_(problem_.unknowns.guess) {
  equation_size_ = Vector::Ones(num_equations());
}

std::string System::find_contradiction() const {
  const Unknowns& u = problem_.unknowns;
  for (int j = 0; j < u.guess.size(); ++j) {
    const double value = u.guess[j], low = u.lower[j], high = u.upper[j];
    if (!std::isfinite(value)) {
      return fmt::format("the guess of {} is {}", unknown_name(j), value);
    }
    if (!(u.nominal[j] > 0) || !std::isfinite(u.nominal[j])) {
      return fmt::format("the nominal value of {} is {}, it must be positive", unknown_name(j),
                         u.nominal[j]);
    }
    if (!(low <= high)) {
      return fmt::format("the bounds of {} exclude each other: at least {} and at most {}",
                         unknown_name(j), low, high);
    }
    if (u.is_fixed[static_cast<std::size_t>(j)] && (value < low || value > high)) {
      return fmt::format("{} is fixed at {}, outside its bounds {} to {}", unknown_name(j), value,
                         low, high);
    }
  }
  return {};
}

void System::set_limits(const Options& options) {
  max_evaluations_ = options.max_evaluations;
  is_cancelled_ = options.is_cancelled;
}

void System::lift_limits() {
  max_evaluations_ = std::numeric_limits<int>::max();
  is_cancelled_ = nullptr;
}

bool System::evaluate(const Vector& y, Vector& f) {
  if (residual_evaluations >= max_evaluations_ || (is_cancelled_ && is_cancelled_())) {
    is_stopped_ = true;
    return false;
  }
  if (!y.allFinite()) return false;
  ++residual_evaluations;
  space_.write(y, x_);
  f.setZero(num_equations());
  problem_.residual(x_, lambda_, f);
  check_result("residual", f.size(), 1, num_equations(), 1);
  return f.allFinite();
}

int System::count_undefined(const Vector& y, std::vector<int>* equations) {
  Vector f;
  if (evaluate(y, f) || is_stopped_) return 0;
  int count = 0;
  for (int i = 0; i < f.size(); ++i) {
    if (std::isfinite(f[i])) continue;
    ++count;
    if (equations) equations->push_back(i);
  }
  return count;
}

bool System::differentiate(const Vector& y, Matrix& J) {
  if (!y.allFinite()) return false;
  ++jacobian_evaluations;
  space_.write(y, x_);
  const Eigen::Index n = x_.size();
  if (problem_.sparse_jacobian) {
    if (full_.rows() != num_equations() || full_.cols() != n) full_.resize(num_equations(), n);
    problem_.sparse_jacobian(x_, lambda_, full_);
    check_result("Jacobian", full_.rows(), full_.cols(), num_equations(), n);
    full_.makeCompressed();
  } else {
    dense_.setZero(num_equations(), n);
    problem_.dense_jacobian(x_, lambda_, dense_);
    check_result("Jacobian", dense_.rows(), dense_.cols(), num_equations(), n);
    if (!dense_.allFinite()) return false;
    full_ = dense_.sparseView();
    full_.makeCompressed();
  }
  if (!is_finite(full_)) return false;
  measure_equations();

  J.resize(num_equations(), num_free());
  J.reserve(full_.nonZeros());
  for (int k = 0; k < num_free(); ++k) {
    J.startVec(k);
    for (Matrix::InnerIterator it(full_, space_.unknown(k)); it; ++it) {
      J.insertBack(it.row(), k) = it.value() * problem_.unknowns.nominal[space_.unknown(k)];
    }
  }
  J.finalize();
  return true;
}

void System::measure_equations() {
  equation_size_ = problem_.equations.scale;
  for (int j = 0; j < full_.cols(); ++j) {
    const double size = std::max(problem_.unknowns.nominal[j], std::abs(x_[j]));
    for (Matrix::InnerIterator it(full_, j); it; ++it) {
      double& largest = equation_size_[it.row()];
      largest = std::max(largest, std::abs(it.value()) * size);
    }
  }
  for (double& size : equation_size_) {
    if (size == 0) size = 1;  // an equation without unknowns: absolute
  }
}

bool System::is_at_pole(const Vector& f) {
  if (begin_.size() == 0) return false;
  Vector terms = Vector::Zero(f.size());
  for (int j = 0; j < full_.cols(); ++j)
    for (Matrix::InnerIterator it(full_, j); it; ++it)
      terms[it.row()] = std::max(terms[it.row()], std::abs(it.value() * x_[j]));
  const Eigen::Array<bool, Eigen::Dynamic, 1> is_large =
      f.array().abs() > kNoResidue * terms.array();
  if (!is_large.any()) return false;
  const Vector size = equation_size_;
  Vector first;
  Matrix J;
  const bool is_defined = evaluate(begin_, first) && differentiate(begin_, J);
  const Vector first_size = equation_size_;
  equation_size_ = size;
  if (!is_defined) return false;
  return (is_large && f.array().abs() > first.array().abs() + kNoResidue * first_size.array())
      .any();
}

bool System::differentiate_parameter(const Vector& y, Vector& f_lambda) {
  if (problem_.parameter_derivative) {
    space_.write(y, x_);
    f_lambda.setZero(num_equations());
    problem_.parameter_derivative(x_, lambda_, f_lambda);
    check_result("parameter derivative", f_lambda.size(), 1, num_equations(), 1);
    return f_lambda.allFinite();
  }
  const double lambda = lambda_;
  const double h = 6e-6 * std::max(problem_.parameter_nominal, std::abs(lambda));  // eps^(1/3)
  Vector ahead, behind;
  lambda_ = lambda + h;
  bool is_defined = evaluate(y, ahead);
  lambda_ = lambda - h;
  is_defined = evaluate(y, behind) && is_defined;
  lambda_ = lambda;
  f_lambda = (ahead - behind) / (2 * h);
  return is_defined;
}

double System::residual_norm(const Vector& f, int* worst) const {
  if (worst) *worst = -1;
  double largest = -1;
  for (int i = 0; i < f.size(); ++i) {
    const double size = std::abs(f[i]) / equation_size_[i];
    if (!(size > largest)) continue;
    largest = size;
    if (worst) *worst = i;
  }
  return std::max(0.0, largest);
}

std::string System::unknown_name(int unknown) const {
  const auto& names = problem_.unknowns.names;
  return names.empty() ? fmt::format("unknown {}", unknown)
                       : quoted(names[static_cast<std::size_t>(unknown)]);
}

std::string System::equation_name(int equation) const {
  const auto& names = problem_.equations.names;
  const std::string name = names.empty() ? fmt::format("equation {}", equation)
                                         : quoted(names[static_cast<std::size_t>(equation)]);
  const std::string place = problem_.equations.place ? problem_.equations.place(equation) : "";
  return place.empty() ? name : fmt::format("{} ({})", name, place);
}

}  // namespace hydae::init
