// One run of the Taylor method: expand the solution at the current time, choose a step for which
// the series is accurate, look at the polynomials as long as one likes, advance.
//
//     stepper.start(t, state, +1);
//     while (stepper.time() < stop && stepper.expand(stop) && stepper.settle()) {
//       ... stepper.value(variable, order, t) for t in [time(), reach()] ...
//       stepper.advance(stepper.reach());
//     }
//
// A step is used only if the equations hold at its end: settle() makes the series there, which are
// those of the next step, and compares the derivatives that the equations give with those of the
// series at hand. Coefficients alone cannot tell: exp(x) or 1 + tanh(x) may be nothing at the start
// of a step and everything at its end. Every expansion projects the state onto the constraints.
// Nothing is allocated after the first settle(). docs/math/taylor.md, section 6.
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
  // Other absolute tolerances of the first variables, from the next step on.
  void set_tolerances(std::span<const double> atol);

  // State: values of program().entries(). Direction +1 or -1. `step` is a first guess, 0 for none.
  void start(double t, std::span<const double> state, double direction, double step = 0);

  // Expands at the current time, unless it has, and fixes reach(), at most `limit`. False: see
  // failure().
  bool expand(double limit);
  // Behind expand(), where a function has a value and no derivative (the root of zero), or where
  // rounding has left next to nothing in the place of zero, with series of no reach: the series a
  // little behind time() that lead back to it. `rates` of the state, if they are known: they serve
  // where rounding has left a negative number in the place of zero. False: there are none, and all
  // is as it was.
  bool depart(double limit, std::span<const double> rates = {});
  // Behind expand(): a step of so few neighbouring times that it is one of rounding.
  bool is_without_reach() const;
  // Takes less of the step: `t` between time() and reach().
  void shorten(double t) { reach_ = t; }
  // Whether the series can be believed at `t`, between time() and reach(): if not, the step is
  // shortened. For a place where the series will not go on, such as an event: cheaper than
  // settle().
  bool confirm(double t);
  // Shortens the step until the series can be believed at reach(); those of the next step are then
  // known. False: see failure().
  bool settle();
  // Moves to `t` between time() and reach(), at best where settle() has been; to be followed by
  // expand().
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

  // Derivative of the given order at a time in the step, or where the series have departed from;
  // order at most d_j + order().
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

  // What the equations give first: x_variable^(derivative); the derivatives below are the state.
  struct Given {
    int variable = 0;
    int derivative = 0;
    int entry = -1;  // of the derivative below in the state; -1: a variable without a state
  };
  // How far the series are from the equations at a place, in tolerances: derivatives of the state
  // times the step, and values of variables without a state.
  struct Miss {
    double state = 0, value = 0;
  };
  enum class Look { kDerivatives, kWholeSeries };
  using Jets = std::vector<std::vector<double>>;  // by variable, derivatives
  // A point without series, with what the equations give there.
  struct Departure {
    double t = 0;
    Jets jets;
  };
  double shortest_departure() const;
  std::vector<double> without_residues(std::span<const double> origin) const;
  Jets find_jets_near(std::span<const double> origin, std::span<const double> rates);
  Jets find_jets(double t, std::span<const double> state);
  std::vector<double> rates_of(const Jets& jets) const;
  std::vector<double> moved(std::span<const double> origin, std::span<const double> rates,
                            double time) const;
  bool depart_along(std::span<const double> rates, std::span<const double> origin, double limit);
  bool depart_implicitly(double t, std::span<const double> origin, double limit);
  std::vector<double> implicit_step(double t, double length, std::span<const double> origin);
  bool find_series_behind(double t, double length, std::span<const double> origin,
                          std::vector<double> behind);
  double lead_back(double t, std::span<const double> origin, std::vector<double>& behind);
  double size_of_tail() const;

  bool try_expand();
  void measure_coefficients();
  void fill_terms(double tau);
  void choose_reach();
  bool is_believed(double t, Look look);
  bool is_believed_where_it_ends(double t);
  bool is_believed_inside();
  bool expand_at(double t, Look look);
  Miss miss_at(double t) const;
  bool is_noise() const;
  bool shorten_after_miss(double t);
  void predict(double t);
  double set_weights(std::span<const double> state, std::vector<double>& weights) const;
  double tolerance(int variable, double value) const;
  void remember_sizes();
  void set_nominal(codegen::Expansion& expansion);
  void list_components();
  void make_tables();

  codegen::Expansion expansion_;
  std::optional<codegen::Expansion> next_;  // at the end of a step; made when first needed
  TaylorOptions options_;
  std::vector<double> atol_, parameters_;
  std::vector<double> nominal_;  // usual sizes of the variables
  std::vector<double> recent_;   // sizes of variables without a state, at the last steps
  int order_;
  std::vector<Component> components_;  // what error control looks at
  std::vector<Given> given_;           // what is compared at the end of a step
  std::vector<double> sizes_;          // of coefficients relative to the tolerance, by order
  // By derivative q, at n - q: n!/(n-q)!; the same times tau^(n-q) / scale^q.
  std::vector<std::vector<double>> falling_, terms_;
  std::vector<double> powers_;                                  // tau^n
  std::vector<double> state_, carry_, weights_;                 // at time()
  std::vector<double> next_state_, next_carry_, next_weights_;  // where it was looked at last
  double t_ = 0, reach_ = 0, limit_ = 0, direction_ = 1, guess_ = 0, wanted_ = 0;
  double longest_ = 0;                       // step from time() that is allowed
  double last_step_ = 0;                     // that was believed; 0 if none was
  double rounding_ = 0, next_rounding_ = 0;  // of the state, in units of the tolerance
  Miss miss_;                                // where it was looked at last
  std::optional<Miss> refused_;              // of the step from time() that was not believed
  int num_standing_ = 0;  // refusals in a row whose miss did not fall with the step
  double refused_reach_ = 0;
  double noise_ = 0;  // misses of values that did not fall with the step
  double growth_ =
      0;  // of the squares of terms over four orders, of the component where it is largest
  bool is_earned_ = true;     // the coefficients have something to say about the whole step
  bool can_deceive_ = false;  // the end of a step may be on another branch, or hardly foreseen
  bool is_expanded_ = false, is_first_ = true, is_step_too_small_ = false;
  bool has_parameters_ahead_ = false;   // next_ has the parameters
  std::optional<double> next_time_;     // of the series in next_, whole ones
  std::optional<Departure> departure_;  // where the series at time() lead back to
  StepChoice choice_;
  codegen::ExpandResult last_;
  TaylorCounters counters_;
};

}  // namespace hydae::integrate
