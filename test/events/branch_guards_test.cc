// Guards that have no derivative at their root: g = a u^p - b u^q with p < 1, u >= 0, is zero where
// u begins to grow, positive up to u = (a/b)^(1/(q - p)) and negative behind it. u grows from zero
// at the start, at a kink in the middle of a run, or behind a reinit. Series say nothing at u = 0:
// whoever relies on them takes g > 0 for false for ever, or switches to and fro.
// HYDAE_GUARDS: number of models.
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>

#include <hydae/modelica.h>
#include <hydae/simulate.h>

namespace hydae {
namespace {

struct BranchCase {
  std::string text;
  SimulateOptions options;
  double true_for = 0;  // how long the relation is true
};

class BranchCaseMaker {
 public:
  explicit BranchCaseMaker(unsigned seed) : random_(seed) {}

  BranchCase make() {
    const double p = pick({0.25, 0.3, 1.0 / 3.0, 0.5, 0.5, 0.75}), q = pick({1.0, 1.5, 2.0});
    const double size = pick({1.0, 1.0, 1e-9, 1e9}), unit = pick({1.0, 1.0, 1e-6, 1e4});
    // u reaches (a/b)^(1/(q - p)) = `zero` in a time of zero * unit.
    const double zero = std::uniform_real_distribution(0.05, 0.4)(random_);
    const double a = std::pow(zero, q - p);
    const int where = choice(3);
    const std::string x = fmt::format("(x/{:.17g})", size);
    const std::string u = where == 1 ? positive_part_of(x) : x;
    const std::string guard = fmt::format("{:.17g}*{} - {}", a, power_of(u, p), power_of(u, q));
    BranchCase result;
    const double turn = 0.3 * unit;
    result.text = fmt::format(
        "model M\n  Real x(start = {:.17g}, fixed = true), y(start = 0, fixed = true);\n"
        "  Integer n(start = 0, fixed = true), m(start = 0, fixed = true);\n  Boolean "
        "b;\nequation\n"
        "  der(x) = {:.17g};\n  b = {};\n  der(y) = if b then {:.17g} else 0;\n"
        "  when b then n = pre(n) + 1; end when;\n  when not b then m = pre(m) + 1; end when;\n{}"
        "end M;\n",
        size * (where == 1   ? -0.3
                : where == 2 ? 0.5
                             : 0.0),
        size / unit, relation(guard), 1 / unit,
        where == 2 ? fmt::format("  when time >= {:.17g} then reinit(x, 0); end when;\n", turn)
                   : "");
    result.options.stop = unit;
    result.options.tolerance = pick({1e-4, 1e-6, 1e-9});
    result.options.solver = std::vector{Solver::kAuto, Solver::kTaylor,
                                        Solver::kIda}[static_cast<std::size_t>(choice(3))];
    result.options.points = 2;
    result.true_for = zero;
    return result;
  }

 private:
  int choice(int count) { return std::uniform_int_distribution(0, count - 1)(random_); }
  double pick(std::vector<double> values) {
    return values[static_cast<std::size_t>(choice(static_cast<int>(values.size())))];
  }

  std::string positive_part_of(const std::string& x) {
    switch (choice(3)) {
      case 0: return "max(" + x + ", 0)";
      case 1: return "(if " + x + " > 0 then " + x + " else 0)";
      default: return "noEvent(if " + x + " > 0 then " + x + " else 0)";
    }
  }

  std::string power_of(const std::string& u, double p) {
    if (p == 1) return u;
    if (p == 0.5 && choice(2) == 0) return "sqrt(" + u + ")";
    if (p == 0.25 && choice(2) == 0) return "sqrt(sqrt(" + u + "))";
    if (p == 1.5 && choice(2) == 0) return "sqrt(" + u + ")*" + u;
    return fmt::format("{}^{:.17g}", u, p);
  }

  std::string relation(const std::string& guard) {
    switch (choice(4)) {
      case 0: return guard + " > 0";
      case 1: return "0 < " + guard;
      case 2: return "not " + guard + " <= 0";
      default: return "not -(" + guard + ") >= 0";
    }
  }

  std::mt19937 random_;
};

// In units of time: from where u leaves zero up to the root.
TEST(BranchGuards, are_true_behind_their_branch_points_and_up_to_their_roots) {
  const char* count = std::getenv("HYDAE_GUARDS");
  const unsigned last_seed = count == nullptr ? 300 : static_cast<unsigned>(std::atol(count));
  for (unsigned seed = 1; seed <= last_seed; ++seed) {
    const BranchCase c = BranchCaseMaker(seed).make();
    const LoadResult loaded = load_text(c.text);
    ASSERT_TRUE(loaded.model) << c.text;
    const Simulation run = simulate(*loaded.model, c.options);
    const std::string what =
        fmt::format("// seed {}, solver {}, tolerance {}\n{}", seed,
                    static_cast<int>(c.options.solver), *c.options.tolerance, c.text);
    EXPECT_TRUE(run.summary.succeeded()) << run.summary.message << "\n" << what;
    if (!run.summary.succeeded()) continue;
    const auto last = [&](const std::string& name) { return run.trajectory.series(name).back(); };
    EXPECT_EQ(last("n"), 1) << what;
    EXPECT_EQ(last("m"), 1) << what;
    // x is a line and exact but for rounding; y is a state.
    EXPECT_NEAR(last("y"), c.true_for, 10 * *c.options.tolerance) << what;
  }
}

}  // namespace
}  // namespace hydae
