// Series through code against the same series through formulas.
#include <cmath>
#include <gtest/gtest.h>
#include <memory>

#include "codegen/expansion.h"
#include "codegen/term_notation.h"

namespace hydae::codegen {
namespace {

constexpr double kEpsilon = 2.2e-16;

// f(x, y) = (sin(x) y, exp(x - y)); without its matrix, differences of 10 digits.
BlackBox example(bool has_jacobian) {
  const auto value = [](double x, double y, double* out) {
    out[0] = std::sin(x) * y;
    out[1] = std::exp(x - y);
  };
  BlackBox code;
  code.num_inputs = code.num_outputs = 2;
  code.has_jacobian = has_jacobian;
  code.call = [=](std::span<const double> in, std::span<double> out, std::span<double> jacobian) {
    value(in[0], in[1], out.data());
    if (jacobian.empty()) return std::string();
    if (has_jacobian) {
      jacobian[0] = std::cos(in[0]) * in[1];
      jacobian[1] = std::sin(in[0]);
      jacobian[2] = out[1];
      jacobian[3] = -out[1];
      return std::string();
    }
    const double h = std::cbrt(kEpsilon);
    double plus[2], minus[2];
    for (int j = 0; j < 2; ++j) {
      value(in[0] + (j == 0) * h, in[1] + (j == 1) * h, plus);
      value(in[0] - (j == 0) * h, in[1] - (j == 1) * h, minus);
      for (int i = 0; i < 2; ++i) jacobian[2 * i + j] = (plus[i] - minus[i]) / (2 * h);
    }
    return std::string();
  };
  return code;
}

enum class As { kFormulas, kCode, kCodeWithJacobian };

struct Outputs {
  Sym first, second;
};

Outputs apply_example(TapeBuilder& tape, As as, Sym x, Sym y) {
  if (as == As::kFormulas) return {sin(x) * y, exp(x - y)};
  const int code = tape.add_code(example(as == As::kCodeWithJacobian));
  return {{&tape, tape.call(code, {x.id, y.id}, 0)}, {&tape, tape.call(code, {x.id, y.id}, 1)}};
}

// A bound for coefficient m: differences are good to eps^(2/(m+2)) relative to the movement of the
// arguments over one unit of tau, which is at most 1 here; constants of the formulas below 10.
double bound(int m) { return m < 2 ? 1e-9 : 10 * std::pow(kEpsilon, 2.0 / (m + 2)); }

constexpr double kStep = 0.25;

// Coefficients of variable `second` are those of a second derivative of code.
double bound(int m, bool is_second) {
  return is_second ? bound(m + 2) * (m + 1) * (m + 2) / (kStep * kStep) : bound(m);
}

void compare(const Expansion& formulas, const Expansion& code, int second = -1) {
  for (int j = 0; j < formulas.program().num_variables(); ++j) {
    const auto expected = formulas.series(j), found = code.series(j);
    ASSERT_EQ(expected.size(), found.size());
    for (std::size_t m = 0; m < expected.size(); ++m)
      EXPECT_NEAR(found[m], expected[m], bound(static_cast<int>(m), j == second))
          << j << ", order " << m;
  }
  for (int i = 0; i < formulas.program().num_outputs(); ++i)
    for (std::size_t m = 0; m < formulas.output_series(i).size(); ++m)
      EXPECT_NEAR(code.output_series(i)[m], formulas.output_series(i)[m],
                  bound(static_cast<int>(m)))
          << "output " << i << ", order " << m;
}

Expansion expand(const TapeBuilder& tape, const ProgramInput& input, std::vector<double> state) {
  Expansion expansion(std::make_shared<const Program>(tape, input), 6);
  state.resize(expansion.program().entries().size(), std::nan(""));
  const ExpandResult result =
      expansion.expand({.time = 0.3, .step = kStep, .order = 6, .state = state});
  EXPECT_TRUE(result.ok()) << to_string(result);
  return expansion;
}

// x' = f_1(x, y), y' = f_2(x, y) + t; the output is f_1 of other arguments.
Expansion ordinary(As as) {
  TapeBuilder tape;
  const Sym x{&tape, tape.variable(0)}, y{&tape, tape.variable(1)}, t{&tape, tape.time()};
  const Sym dx{&tape, tape.variable(0, 1)}, dy{&tape, tape.variable(1, 1)};
  const Outputs f = apply_example(tape, as, x, y), g = apply_example(tape, as, x * y, t);
  ProgramInput input;
  input.structure = {{0, 0}, {1, 1}, {{{0}, {0}, 0}, {{1}, {1}, 0}}};
  input.residuals = {(dx - f.first).id, (dy - f.second - t).id};
  input.outputs = {g.first.id};
  return expand(tape, input, {0.4, 0.7});
}

TEST(Call, series_of_an_ordinary_equation_agree_with_formulas) {
  const Expansion formulas = ordinary(As::kFormulas);
  compare(formulas, ordinary(As::kCode));
  compare(formulas, ordinary(As::kCodeWithJacobian));
}

// w + w^3 = f_1(x, w) is a loop through code, solved by iteration; x' = w.
Expansion loop(As as) {
  TapeBuilder tape;
  const Sym x{&tape, tape.variable(0)}, w{&tape, tape.variable(1)};
  const Sym dx{&tape, tape.variable(0, 1)};
  const Outputs f = apply_example(tape, as, x, w - 1.0);
  ProgramInput input;
  input.structure = {{0, 0}, {1, 0}, {{{1}, {1}, 0}, {{0}, {0}, 0}}};
  input.residuals = {(dx - w).id, (w + w * w * w - f.first).id};
  return expand(tape, input, {0.4, 0.1});
}

TEST(Call, loops_through_code_are_iterated) {
  const Expansion formulas = loop(As::kFormulas);
  compare(formulas, loop(As::kCode));
  compare(formulas, loop(As::kCodeWithJacobian));
}

// x'' = u with f_2(x, t) = 1 + t^2/2: a constraint that is differentiated twice.
Expansion constraint(As as) {
  TapeBuilder tape;
  const Sym x{&tape, tape.variable(0)}, t{&tape, tape.time()}, u{&tape, tape.variable(1)};
  const Sym ddx{&tape, tape.variable(0, 2)};
  const Outputs f = apply_example(tape, as, x, t);
  ProgramInput input;
  input.structure = {{0, 2}, {2, 0}, {{{1}, {0}, 2}, {{0}, {1}, 0}}};
  input.residuals = {(ddx - u).id, (f.second - 1.0 - 0.5 * t * t).id};
  return expand(tape, input, {0.3});
}

TEST(Call, constraints_through_code_are_differentiated) {
  const Expansion formulas = constraint(As::kFormulas);
  compare(formulas, constraint(As::kCode), 1);
  compare(formulas, constraint(As::kCodeWithJacobian), 1);
}

// x' = sqrt(x) as code that is not defined below zero, at x = 0.1 and next to the edge.
TEST(Call, differences_stay_inside_the_domain) {
  for (const double start : {0.1, 1e-9}) {
    TapeBuilder tape;
    BlackBox root;
    root.num_inputs = 1;
    root.call = [](std::span<const double> in, std::span<double> out, std::span<double> jacobian) {
      if (in[0] < 0) return std::string("root of a negative number");
      out[0] = std::sqrt(in[0]);
      if (!jacobian.empty()) jacobian[0] = 0.5 / out[0];
      return std::string();
    };
    const int code = tape.add_code(root);
    const Sym x{&tape, tape.variable(0)}, dx{&tape, tape.variable(0, 1)};
    const Sym f{&tape, tape.call(code, {x.id}, 0)};
    ProgramInput input;
    input.structure = {{0}, {1}, {{{0}, {0}, 0}}};
    input.residuals = {(dx - f).id};
    const Expansion expansion = expand(tape, input, {start});
    EXPECT_NEAR(expansion.series(0)[1], 0.25 * std::sqrt(start), 1e-15);
    EXPECT_NEAR(expansion.series(0)[2], 0.25 * 0.25 * 0.25, 1e-12);  // x'' = 1/2, h^2/2!
  }
}

TEST(Call, failing_code_is_told_in_its_own_words) {
  TapeBuilder tape;
  BlackBox broken;
  broken.num_inputs = 1;
  broken.call = [](std::span<const double>, std::span<double>, std::span<double>) {
    return std::string("broken(1): no more");
  };
  const int code = tape.add_code(broken);
  const Sym x{&tape, tape.variable(0)}, dx{&tape, tape.variable(0, 1)};
  const Sym f{&tape, tape.call(code, {x.id}, 0)};
  ProgramInput input;
  input.structure = {{0}, {1}, {{{0}, {0}, 0}}};
  input.residuals = {(dx - f).id};
  Expansion expansion(std::make_shared<const Program>(tape, input), 6);
  const std::vector<double> state = {1.0};
  const ExpandResult result =
      expansion.expand({.time = 0, .step = 0.25, .order = 6, .state = state});
  EXPECT_EQ(result.status, ExpandStatus::kUndefinedFunction);
  EXPECT_EQ(to_string(result), "broken(1): no more");
}

}  // namespace
}  // namespace hydae::codegen
