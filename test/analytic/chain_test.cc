// Chains of pendula of index 2P + 1: after a second of motion the equations and all the derivatives
// that are used hold up to rounding.
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>

#include <hydae/problems.h>

#include "compile/consistent_point.h"
#include "compile/taylor_lowering.h"
#include "integrate/taylor_stepper.h"

namespace hydae {
namespace {

using Series = std::vector<long double>;

// A coefficient of a residual and the sum of the sizes of its terms.
struct Sum {
  long double value = 0, size = 0;
  void add(long double term) {
    value += term;
    size += std::abs(term);
  }
  void add_product(const Series& a, const Series& b, std::size_t m, long double factor) {
    for (std::size_t k = 0; k <= m; ++k) add(factor * a[k] * b[m - k]);
  }
  // Coefficient 200 of a motion of 1e-30 is below the numbers that have all their digits.
  double relative() const {
    constexpr long double kSmallest = 1e-290L;
    return static_cast<double>(std::abs(value) / std::max(size, kSmallest));
  }
};

class Chain {
 public:
  explicit Chain(int P)
      : P_(P),
        model_(find_problem("chained_pendula(" + std::to_string(P) + ")")->make_model()),
        prepared_(analyze_system(model_, {})) {
    const InitialSystem system = make_initial_system(prepared_, {});
    const ConsistentPoint point = solve_initial_system(system, {0, model_.parameter_values()});
    is_consistent_ = point.is_solved();
    integrate::TaylorOptions options;
    options.rtol = 1e-12;
    const auto program =
        compile_taylor(prepared_.system, prepared_.structure, {}, model_.parameter_values().size())
            .program;
    stepper_.emplace(program, options, std::vector<double>(3 * static_cast<std::size_t>(P), 1e-12));
    stepper_->set_parameters(model_.parameter_values());
    std::vector<double> state;
    for (const codegen::JetEntry& entry : program->entries()) {
      const VarId variable(static_cast<std::size_t>(entry.variable));
      const int column = system.leaf_to_column.at({variable, entry.order});
      state.push_back(point.values[static_cast<std::size_t>(column)]);
    }
    stepper_->start(0, state, 1);
  }

  bool is_consistent() const { return is_consistent_; }

  bool go_to(double t) {
    while (stepper_->time() < t) {
      if (!stepper_->expand(t) || !stepper_->settle()) return false;
      stepper_->advance(stepper_->reach());
    }
    return stepper_->expand(t + 1);
  }

  // Largest coefficient of a residual, f_i^(m) h^m / m! for m < c_i + order, relative to its terms.
  double largest_residual() const {
    const auto h = static_cast<long double>(stepper_->expansion().scale());
    double worst = 0;
    for (int i = 0; i < P_; ++i) {
      const Series x = series(i), y = series(P_ + i), lambda = series(2 * P_ + i);
      const std::size_t later = 2 * static_cast<std::size_t>(P_ - 1 - i);
      const auto order = static_cast<std::size_t>(stepper_->order());
      for (std::size_t m = 0; m < later + order; ++m) {
        const long double factor = static_cast<long double>((m + 1) * (m + 2)) / (h * h);
        Sum fx, fy;
        fx.add(factor * x[m + 2]);
        fx.add_product(x, lambda, m, 1);
        fy.add(factor * y[m + 2]);
        fy.add_product(y, lambda, m, 1);
        if (m == 0) fy.add(-9.8L);
        worst = std::max({worst, fx.relative(), fy.relative()});
      }
      Series length(later + order + 2, 0.0L);
      length[0] = 1;
      if (i > 0) {
        const Series tension = series(2 * P_ + i - 1);
        for (std::size_t m = 0; m < length.size(); ++m) length[m] += 0.1L * tension[m];
      }
      for (std::size_t m = 0; m < length.size(); ++m) {
        Sum constraint;
        constraint.add_product(x, x, m, 1);
        constraint.add_product(y, y, m, 1);
        constraint.add_product(length, length, m, -1);
        worst = std::max(worst, constraint.relative());
      }
    }
    return worst;
  }

 private:
  Series series(int variable) const {
    const auto coefficients = stepper_->expansion().series(variable);
    return {coefficients.begin(), coefficients.end()};
  }

  int P_;
  Model model_;
  AnalyzedSystem prepared_;
  std::optional<integrate::TaylorStepper> stepper_;
  bool is_consistent_ = false;
};

class ChainTest : public ::testing::TestWithParam<int> {};

// 1e-13 is 450 units of rounding: each coefficient is a sum of up to 70 products at P = 23, 220 at
// P = 100, and that many roundings at most make its relative error.
TEST_P(ChainTest, all_derivatives_of_all_equations_hold_after_a_second) {
  Chain chain(GetParam());
  ASSERT_TRUE(chain.is_consistent());
  ASSERT_TRUE(chain.go_to(1));
  EXPECT_LT(chain.largest_residual(), 1e-13);
}

int longest_chain() {
  const char* given = std::getenv("HYDAE_CHAIN");
  return given == nullptr ? 40 : std::atoi(given);
}

INSTANTIATE_TEST_SUITE_P(Pendula, ChainTest, ::testing::Values(1, 2, 5, 10, 23, longest_chain()));

}  // namespace
}  // namespace hydae
