// One run of the Taylor method: expand the solution at the current time, choose a step for which
// the series is accurate, look at the polynomials as long as one likes, advance.
//
//     stepper.start(t, state, +1);
//     while (stepper.time() < stop && stepper.expand(stop)) {
//       ... stepper.value(variable, order, t) for t in [time(), reach()] ...
//       stepper.advance(stepper.reach());
//     }
//
// Every expansion projects the state onto the constraints. A step that turns out too long (the
// projection has to move the state by more than the tolerance, or a function is undefined at its
// end) is taken back and shortened. Algebraic variables that are found by iteration are also found
// at the end of every step: exp(x) may be nothing at its start and everything at its end, which no
// coefficient tells. Nothing is allocated after start().
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "codegen/expansion.h"
#include "integrate/step_size.h"

namespace hydae::integrate {

struct TaylorOptions {
  double rtol = 1e-6;
  int order = 0;        // 0: from rtol
  double max_step = 0;  // 0: no limit
  double min_step = 0;  // 0: a few units in the last place of time
  double margin = 0.3;  // part of the tolerance that one step may use
};

struct TaylorCounters {
  long steps = 0, rejected_steps = 0, expansions = 0;
  double max_displacement = 0;  // of projections, in units of the tolerance
};

class TaylorStepper {
 public:
  // `atol` per variable of the program: absolute tolerance of its value and derivatives.
  TaylorStepper(std::shared_ptr<const codegen::Program> program, const TaylorOptions& options,
                std::vector<double> atol);

  void set_parameters(std::span<const double> values);

  // State: values of program().entries(). Direction +1 or -1. `step` is a first guess, 0 for none.
  void start(double t, std::span<const double> state, double direction, double step = 0);

  // Expands at the current time, unless it has, and fixes reach(), at most `limit`. False: see
  // failure().
  bool expand(double limit);
  // Takes less of the step: `t` between time() and reach().
  void shorten(double t) { reach_ = t; }
  // Whether the series can be believed at `t`, between time() and reach(): if not, the step is
  // shortened to where they can.
  bool confirm(double t);
  // Moves to `t` between time() and reach(); to be followed by expand().
  void advance(double t);

  double time() const { return t_; }
  double reach() const { return reach_; }
  // Whether there are series at time(): not behind advance(), nor where expand() could make none.
  bool is_expanded() const { return is_expanded_; }
  int order() const { return order_; }
  // Distance from time() to the nearest singularity of the solution in the complex plane,
  // estimated.
  double radius() const { return choice_.radius() * std::abs(expansion_.scale()); }
  // Why expand() failed.
  const codegen::ExpandResult& failure() const { return last_; }
  bool is_step_too_small() const { return is_step_too_small_; }
  // The step that was wanted last: too small, if is_step_too_small().
  double last_step() const { return wanted_; }
  // Shorter steps are not taken.
  double smallest_step() const;
  // The state entry whose coefficients limit the step, as a position in program().entries().
  int limiting_entry() const;
  const TaylorCounters& counters() const { return counters_; }
  const codegen::Program& program() const { return expansion_.program(); }
  const codegen::Expansion& expansion() const { return expansion_; }
  double condition() const { return last_.condition; }

  // Derivative of the given order at a time in the step; order at most d_j + order().
  double value(int variable, int derivative, double t) const;
  // Coefficients of an output of the program over [time(), reach()]: sum_n c_n ((t - time()) /
  // scale)^n.
  std::span<const double> output_series(int output) const {
    return expansion_.output_series(output);
  }
  std::span<const double> state() const { return expansion_.state(); }

 private:
  struct Component {
    int variable = 0;
    std::size_t derivative = 0;
    double unit = 0;  // 1 / tolerance, in the scale of the expansion
  };

  bool try_expand();
  void measure_coefficients();
  void fill_terms(double tau);
  void choose_reach(double limit, double longest);
  void keep_end_accurate();
  double error_of_end();
  void predict(double t, std::vector<double>& entries);
  bool take_back();
  void set_tolerances();
  double tolerance_of(int variable) const;
  void make_tables();

  codegen::Expansion expansion_;
  std::optional<codegen::Expansion> end_;  // at the end of a step, to order 1
  std::vector<std::size_t> iterated_;      // entries of algebraic variables found by iteration
  TaylorOptions options_;
  std::vector<double> atol_;
  int order_;
  std::vector<Component> components_;  // what error control looks at
  std::vector<double> sizes_;          // of coefficients relative to the tolerance, by order
  // By derivative q, at n - q: n!/(n-q)!; the same times tau^(n-q) / scale^q.
  std::vector<std::vector<double>> falling_, terms_;
  std::vector<double> powers_;  // tau^n
  std::vector<double> state_, carry_, weights_, end_state_;
  std::vector<double> previous_state_, previous_carry_;
  double t_ = 0, previous_t_ = 0, reach_ = 0, direction_ = 1, guess_ = 0, wanted_ = 0;
  double longest_ = 0;   // step that is allowed
  double rounding_ = 0;  // of the state, in units of the tolerance
  bool is_expanded_ = false;
  bool has_previous_ = false, is_first_ = true, is_step_too_small_ = false;
  StepChoice choice_;
  codegen::ExpandResult last_;
  TaylorCounters counters_;
};

}  // namespace hydae::integrate
