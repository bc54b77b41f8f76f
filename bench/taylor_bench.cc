// The Taylor engine without front end: nanoseconds per stage and per product of series, and whole
// runs of pendulum, car axis and Andrews' mechanism with their errors beside the times. Times are
// minima over repetitions.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "codegen/expansion.h"
#include "codegen/sample_systems.h"
#include "codegen/stage_tape.h"
#include "integrate/taylor_stepper.h"

namespace {

using namespace hydae;
using codegen::SampleSystem;

double nanoseconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::nano>(now).count();
}

template <class F>
double fastest(int repetitions, F&& f) {
  double best = std::numeric_limits<double>::infinity();
  for (int k = 0; k < repetitions; ++k) {
    const double start = nanoseconds();
    f();
    best = std::min(best, nanoseconds() - start);
  }
  return best;
}

struct Case {
  const char* name;
  SampleSystem system;
  std::vector<double> parameters;
  double step;  // for repeated expansions
  double stop;
  std::vector<double> exact;  // of the first variables at `stop`; empty: the energy is checked
};

// The largest error of a variable at the end; of the pendulum that of its energy v^2/2 - g y, which
// is 0 for a start at rest at the height of the pivot.
double error_at(const Case& c, const integrate::TaylorStepper& stepper, double t) {
  if (c.exact.empty()) {
    const double vx = stepper.value(0, 1, t), vy = stepper.value(1, 1, t);
    return std::abs((vx * vx + vy * vy) / 2 - c.parameters[0] * stepper.value(1, 0, t));
  }
  double error = 0;
  for (std::size_t j = 0; j < c.exact.size(); ++j) {
    error = std::max(error, std::abs(stepper.value(static_cast<int>(j), 0, t) - c.exact[j]));
  }
  return error;
}

// Products of series in one stage.
int count_products(const codegen::Program& program) {
  using codegen::SeriesOp;
  int count = 0;
  for (const codegen::Form& form : program.stages().fused.residuals) {
    count += static_cast<int>(form.products.size());
  }
  for (const codegen::Series& s : program.stages().fused.series) {
    const bool is_double = s.op == SeriesOp::kSinCos || s.op == SeriesOp::kPower;
    const bool is_leaf =
        s.op == SeriesOp::kVariable || s.op == SeriesOp::kTime || s.op == SeriesOp::kSecond;
    if (s.op == SeriesOp::kSum)
      count += static_cast<int>(s.form.products.size());
    else if (!is_leaf)
      count += is_double ? 2 : 1;
  }
  return count;
}

void measure_stages(const Case& c) {
  const auto program = c.system.make_program();
  codegen::Expansion expansion(program, 30);
  if (!c.parameters.empty()) expansion.set_parameters(c.parameters);
  const std::vector<double> weights(program->num_state(), 1e6);
  const auto time_of = [&](int order) {
    return fastest(2000, [&] {
      expansion.expand(
          {.step = c.step, .order = order, .state = c.system.state, .weights = weights});
    });
  };
  const double one = time_of(1), eight = time_of(8), all = time_of(24);
  const int products = count_products(*program);
  fmt::print(
      "{:10} prologue+stage {:6.0f} ns   stage 1..7 {:5.0f} ns   8..23 {:5.0f} ns   "
      "{} products, {:.1f} ns each\n",
      c.name, one, (eight - one) / 7, (all - eight) / 16, products, (all - one) / 23 / products);
}

void measure_runs(const Case& c) {
  const auto program = c.system.make_program();
  for (double tolerance : {1e-6, 1e-9, 1e-12}) {
    integrate::TaylorOptions options;
    options.rtol = tolerance;
    integrate::TaylorStepper stepper(program, options,
                                     std::vector<double>(program->num_variables(), tolerance));
    if (!c.parameters.empty()) stepper.set_parameters(c.parameters);
    double error = 0;
    const double time = fastest(30, [&] {
      stepper.start(0, c.system.state, 1);
      while (stepper.time() < c.stop && stepper.expand(c.stop)) {
        const double reach = stepper.reach();
        if (reach == c.stop) error = error_at(c, stepper, reach);
        stepper.advance(reach);
      }
    });
    fmt::print("{:10} tolerance {:.0e}  order {}  {:7.3f} ms  error {:.1e}\n", c.name, tolerance,
               stepper.order(), time * 1e-6, error);
  }
}

std::vector<Case> cases() {
  return {
      {"pendulum", codegen::pendulum(1, 0, 0, 0), {9.8, 1.0}, 0.2, 100, {}},
      {"car axis",
       codegen::car_axis(),
       {},
       0.02,
       3,
       {.0493455784275240, .4969894602300081, 1.041742524885426, .3739110272653658}},
      {"Andrews",
       codegen::andrews(),
       {},
       1e-3,
       0.03,
       {15.8107711951537, -15.7563710584119, .0408222401196459, -.534730116342079, .524409965879954,
        .534730116342079, 1.04808074104194}},
  };
}

}  // namespace

int main() {
  for (const Case& c : cases()) measure_stages(c);
  for (const Case& c : cases()) measure_runs(c);
}
