#include "init/report.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string_view>

#include "init/pseudo_inverse.h"

namespace hydae::init {
namespace {

constexpr std::size_t kMostNames = 5;

std::string join(const std::vector<std::string>& names) {
  const std::size_t shown = std::min(names.size(), kMostNames);
  std::string text = fmt::format(
      "{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

std::vector<Movement> find_movements(const System& system, const Vector& x, double tolerance) {
  const Unknowns& u = system.unknowns();
  std::vector<Movement> movements;
  for (int j = 0; j < x.size(); ++j) {
    const double size = std::max(u.nominal[j], std::abs(x[j]));
    if (u.is_fixed[static_cast<std::size_t>(j)]) {
      movements.push_back(Movement::kFixed);
    } else if (x[j] == u.lower[j]) {
      movements.push_back(Movement::kAtLower);
    } else if (x[j] == u.upper[j]) {
      movements.push_back(Movement::kAtUpper);
    } else {
      const bool is_there = std::abs(x[j] - u.guess[j]) <= 10 * tolerance * size;
      movements.push_back(is_there ? Movement::kUnmoved : Movement::kMoved);
    }
  }
  return movements;
}

std::vector<std::string> names_at_bounds(const System& system, const Report& report) {
  std::vector<std::string> names;
  for (std::size_t j = 0; j < report.movements.size(); ++j) {
    const int unknown = static_cast<int>(j);
    const Unknowns& u = system.unknowns();
    if (report.movements[j] == Movement::kAtLower) {
      names.push_back(
          fmt::format("{} (at least {})", system.unknown_name(unknown), u.lower[unknown]));
    } else if (report.movements[j] == Movement::kAtUpper) {
      names.push_back(
          fmt::format("{} (at most {})", system.unknown_name(unknown), u.upper[unknown]));
    }
  }
  return names;
}

std::string names_of_methods(const Report& report) {
  std::vector<std::string> names;
  for (const Attempt& attempt : report.attempts) {
    const std::string method = name(attempt.method);
    if (std::find(names.begin(), names.end(), method) == names.end()) names.push_back(method);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

void write_message(const System& system, Report& report) {
  const std::string worst =
      report.worst_equation < 0 ? "" : system.equation_name(report.worst_equation);
  if (report.num_free == 0) {
    report.message =
        fmt::format("every unknown is fixed, and {} is not satisfied: relative residual {:.3g}",
                    worst, report.residual_norm);
  } else if (system.is_stopped()) {
    report.message =
        fmt::format("stopped after {} evaluations: relative residual {:.3g}, largest in {}",
                    system.residual_evaluations, report.residual_norm, worst);
  } else if (report.status == Status::kInconsistent) {
    report.message = fmt::format(
        "the equations cannot be satisfied together near the guesses: relative residual {:.3g}, "
        "largest in {}",
        report.residual_norm, worst);
  } else {
    report.message = fmt::format(
        "no solution found from the guesses: relative residual {:.3g}, largest in {}; tried {}",
        report.residual_norm, worst, names_of_methods(report));
  }
  const auto at_bounds = names_at_bounds(system, report);
  if (!at_bounds.empty()) report.help = "the search ended at bounds: " + join(at_bounds);
}

}  // namespace

void describe_point(System& system, const Vector& y, const Options& options, Report& report) {
  const Vector x = system.space().to_unknowns(y);
  report.num_free = system.num_free();
  report.movements = find_movements(system, x, options.step_tolerance);
  Vector f;
  Matrix J;
  if (system.evaluate(y, f) && system.differentiate(y, J)) {
    report.residual_norm = system.residual_norm(f, &report.worst_equation);
    PseudoInverse inverse;
    scale_rows(system.equation_size().cwiseInverse(), J);
    inverse.compute(J, options.rank_tolerance);
    report.rank = inverse.rank();
  }
  if (report.status != Status::kSolved) write_message(system, report);
}

std::string describe_undefined(const System& system, std::span<const int> equations) {
  std::vector<std::string> names;
  for (const int equation : equations) names.push_back(system.equation_name(equation));
  return fmt::format("{} {} not defined at the guesses nor at any point tried around them",
                     join(names), names.size() == 1 ? "is" : "are");
}

}  // namespace hydae::init
