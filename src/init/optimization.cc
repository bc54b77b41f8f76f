#include "init/optimization.h"

#include <algorithm>
#include <cmath>
#include <coin/IpIpoptApplication.hpp>
#include <coin/IpTNLP.hpp>
#include <limits>
#include <utility>

namespace hydae::init {
namespace {

using Ipopt::Index;
using Ipopt::Number;

constexpr double kIpoptInfinity = 2e19;           // Ipopt takes bounds beyond 1e19 for none
constexpr Eigen::Index kMaxDenseEntries = 40000;  // of a Jacobian whose pattern may then change

class ClosestPoint : public Ipopt::TNLP {
 public:
  ClosestPoint(System& system, const Vector& start)
      : system_(system), start_(start), result_(start) {}

  const Vector& result() const { return result_; }

  // Weights and pattern of the Jacobian; false if not defined at the start, or too large there.
  bool prepare() {
    Matrix J;
    Vector f;
    if (!system_.evaluate(start_, f) || !system_.differentiate(start_, J)) return false;
    weight_ = system_.equation_size().cwiseInverse();
    f = weight_.cwiseProduct(f);
    if (!are_numbers(f.data(), f.size())) return false;
    if (J.rows() * J.cols() <= kMaxDenseEntries) {
      for (int j = 0; j < J.cols(); ++j) {
        for (int i = 0; i < J.rows(); ++i) pattern_.emplace_back(j, i);
      }
    } else {
      for (int j = 0; j < J.cols(); ++j) {
        for (Matrix::InnerIterator it(J, j); it; ++it) {
          pattern_.emplace_back(j, static_cast<int>(it.row()));
        }
      }
    }
    return true;
  }

  bool get_nlp_info(Index& n, Index& m, Index& nnz_jac, Index& nnz_hess,
                    IndexStyleEnum& style) override {
    n = system_.num_free();
    m = system_.num_equations();
    nnz_jac = static_cast<Index>(pattern_.size());
    nnz_hess = 0;
    style = TNLP::C_STYLE;
    return true;
  }

  bool get_bounds_info(Index n, Number* x_l, Number* x_u, Index m, Number* g_l,
                       Number* g_u) override {
    for (Index j = 0; j < n; ++j) {
      x_l[j] = std::max(system_.space().lower()[j], -kIpoptInfinity);
      x_u[j] = std::min(system_.space().upper()[j], kIpoptInfinity);
    }
    std::fill_n(g_l, m, 0.0);
    std::fill_n(g_u, m, 0.0);
    return true;
  }

  bool get_starting_point(Index n, bool, Number* x, bool, Number*, Number*, Index, bool,
                          Number*) override {
    std::copy_n(start_.data(), n, x);
    return true;
  }

  bool eval_f(Index n, const Number* x, bool, Number& value) override {
    value = 0.5 * system_.space().away_from_wish(view(x, n)).squaredNorm();
    return true;
  }

  bool eval_grad_f(Index n, const Number* x, bool, Number* gradient) override {
    Eigen::Map<Vector>(gradient, n) = system_.space().away_from_wish(view(x, n));
    return true;
  }

  bool eval_g(Index n, const Number* x, bool, Index m, Number* g) override {
    Vector f;
    if (!system_.evaluate(view(x, n), f)) return false;
    Eigen::Map<Vector>(g, m) = weight_.cwiseProduct(f);
    return are_numbers(g, m);
  }

  bool eval_jac_g(Index n, const Number* x, bool, Index, Index count, Index* rows, Index* columns,
                  Number* values) override {
    if (values == nullptr) {
      for (Index k = 0; k < count; ++k) {
        columns[k] = pattern_[static_cast<std::size_t>(k)].first;
        rows[k] = pattern_[static_cast<std::size_t>(k)].second;
      }
      return true;
    }
    std::fill_n(values, count, 0.0);
    return fill_values(view(x, n), values) && are_numbers(values, count);
  }

  void finalize_solution(Ipopt::SolverReturn, Index n, const Number* x, const Number*,
                         const Number*, Index, const Number*, const Number*, Number,
                         const Ipopt::IpoptData*, Ipopt::IpoptCalculatedQuantities*) override {
    result_ = system_.space().into_bounds(view(x, n));
  }

  // Also asked while it looks for a feasible point.
  bool intermediate_callback(Ipopt::AlgorithmMode, Index, Number, Number, Number, Number, Number,
                             Number, Number, Number, Index, const Ipopt::IpoptData*,
                             Ipopt::IpoptCalculatedQuantities*) override {
    return !system_.is_stopped();
  }

 private:
  // Ipopt takes anything larger for infinite, and its search for a regular matrix may never end.
  static bool are_numbers(const Number* values, Eigen::Index count) {
    return std::all_of(values, values + count,
                       [](Number value) { return std::abs(value) < kIpoptInfinity; });
  }
  static Vector view(const Number* x, Index n) { return Eigen::Map<const Vector>(x, n); }

  // False if the Jacobian has an entry that it did not have at the start.
  bool fill_values(const Vector& y, Number* values) {
    Matrix J;
    if (!system_.differentiate(y, J)) return false;
    for (int j = 0; j < J.cols(); ++j) {
      for (Matrix::InnerIterator it(J, j); it; ++it) {
        const std::pair<int, int> place(j, static_cast<int>(it.row()));
        const auto found = std::lower_bound(pattern_.begin(), pattern_.end(), place);
        if (found == pattern_.end() || *found != place) return false;
        values[found - pattern_.begin()] = weight_[it.row()] * it.value();
      }
    }
    return true;
  }

  System& system_;
  Vector start_, result_, weight_;
  std::vector<std::pair<int, int>> pattern_;  // (column, row), ascending
};

Ipopt::ApplicationReturnStatus run_ipopt(Ipopt::SmartPtr<ClosestPoint> problem,
                                         const Options& options) {
  Ipopt::SmartPtr<Ipopt::IpoptApplication> ipopt = new Ipopt::IpoptApplication(false);
  ipopt->Options()->SetIntegerValue("print_level", 0);
  ipopt->Options()->SetStringValue("sb", "yes");
  ipopt->Options()->SetStringValue("hessian_approximation", "limited-memory");
  ipopt->Options()->SetNumericValue("tol", 1e-9);
  ipopt->Options()->SetNumericValue("bound_relax_factor", 0);
  ipopt->Options()->SetIntegerValue("max_iter", 3 * options.max_iterations);
  ipopt->Options()->SetNumericValue("max_cpu_time", options.max_seconds);
  const auto status = ipopt->Initialize();
  if (status != Ipopt::Solve_Succeeded) return status;
  return ipopt->OptimizeTNLP(problem);
}

const char* describe(Ipopt::ApplicationReturnStatus status) {
  switch (status) {
    case Ipopt::Solve_Succeeded:
    case Ipopt::Solved_To_Acceptable_Level: return "converged";
    case Ipopt::Infeasible_Problem_Detected:
      return "no point satisfies equations and bounds nearby";
    case Ipopt::Maximum_Iterations_Exceeded: return "too many iterations";
    case Ipopt::Maximum_CpuTime_Exceeded: return "too long";
    case Ipopt::Not_Enough_Degrees_Of_Freedom: return "more equations than unknowns";
    default: return "stopped without a solution";
  }
}

}  // namespace

Outcome optimize(System& system, const Vector& start, const Options& options) {
  Outcome outcome;
  outcome.y = start;
  outcome.residual_norm = std::numeric_limits<double>::infinity();
  outcome.detail = "more equations than unknowns";
  if (system.num_equations() > system.num_free()) return outcome;
  const Ipopt::SmartPtr<ClosestPoint> problem = new ClosestPoint(system, start);
  outcome.detail = "undefined or too large at the start";
  if (!problem->prepare()) return outcome;
  const auto status = run_ipopt(problem, options);
  outcome.detail = describe(status);
  const std::string detail = outcome.detail;
  outcome = gauss_newton(system, problem->result(), options);
  if (outcome.status != Status::kSolved) outcome.detail = detail;
  if (status == Ipopt::Infeasible_Problem_Detected && outcome.status != Status::kSolved) {
    outcome.status = Status::kInconsistent;
  }
  return outcome;
}

}  // namespace hydae::init
