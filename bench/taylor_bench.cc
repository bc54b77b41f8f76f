// The Taylor engine on models of the problem library: nanoseconds per stage, and per operation and
// coefficient; whole runs with their errors beside the times; cost of a chain of pendula that are
// not coupled. Processor times, minima over repetitions.
#include <fmt/format.h>
#include <initializer_list>
#include <string_view>

#include "codegen/expansion.h"
#include "codegen/stage_tape.h"
#include "compiled_problem.h"
#include "measure.h"

namespace {

using namespace hydae;
using bench::CompiledProblem;
using bench::fastest;

struct Case {
  const char* name;
  CompiledProblem problem;
  double step;  // for repeated expansions
};

// Convolutions in one stage: products, and one or two for every function.
int count_convolutions(const codegen::Program& program) {
  using codegen::SeriesOp;
  int count = 0;
  for (const codegen::Form& form : program.stages().fused.residuals)
    count += static_cast<int>(form.products.size());
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
  codegen::Expansion expansion(c.problem.program, 30);
  expansion.set_parameters(c.problem.parameters);
  const std::vector<double> weights(c.problem.program->num_state(), 1e6);
  const auto time_of = [&](int order) {
    return fastest(0.1,
                   [&] {
                     for (int k = 0; k < 20; ++k)
                       expansion.expand({.step = c.step,
                                         .order = order,
                                         .state = c.problem.state,
                                         .weights = weights});
                   }) /
           20;
  };
  const double one = time_of(1), eight = time_of(8), all = time_of(24);
  const int convolutions = count_convolutions(*c.problem.program);
  fmt::print("{:10} {:12.0f} {:10.0f} {:10.0f} {:13} {:12.1f}\n", c.name, one, (eight - one) / 7,
             (all - eight) / 16, convolutions, (all - one) / 23 / convolutions);
}

void measure_run(const Case& c, double tolerance, int order = 0) {
  integrate::TaylorStepper stepper = c.problem.make_stepper(tolerance, order);
  const double error = c.problem.run(stepper);
  const long steps = stepper.counters().steps;
  const double time = fastest(order > 0 ? 0.05 : 0.3, [&] { c.problem.run(stepper); });
  fmt::print("{:10} {:9.0e} {:6} {:6} {:9.3f} {:9.0f} {:9.1e}\n", c.name, tolerance,
             stepper.order(), steps, time * 1e-6, time / static_cast<double>(steps), error);
}

// Pendula that do not know of each other, all released from the horizontal: the steps are those of
// one.
CompiledProblem uncoupled_pendula(int count) {
  CompiledProblem chain;
  codegen::TapeBuilder tape;
  codegen::ProgramInput input;
  const auto square = [&](int j) { return tape.mul(tape.variable(j, 0), tape.variable(j, 0)); };
  for (int i = 0; i < count; ++i) {
    const int x = 3 * i, y = x + 1, lambda = x + 2;
    const auto pull = [&](int j) {
      return tape.add(tape.variable(j, 2), tape.mul(tape.variable(j, 0), tape.variable(lambda, 0)));
    };
    input.residuals.push_back(pull(x));
    input.residuals.push_back(tape.sub(pull(y), tape.constant(9.8)));
    input.residuals.push_back(tape.sub(tape.add(square(x), square(y)), tape.constant(1)));
    for (int c : {0, 0, 2}) input.structure.c.push_back(c);
    for (int d : {2, 2, 0}) input.structure.d.push_back(d);
    input.structure.blocks.push_back({{x, y, lambda}, {x, y, lambda}});
    for (double value : {1.0, 0.0, 0.0, 0.0}) chain.state.push_back(value);
  }
  chain.program = std::make_shared<const codegen::Program>(tape, input);
  chain.stop = 5;
  return chain;
}

void measure_chains() {
  for (int count : {1, 4, 16, 64, 256, 1024}) {
    const CompiledProblem chain = uncoupled_pendula(count);
    integrate::TaylorStepper stepper = chain.make_stepper(1e-9);
    chain.run(stepper);
    const auto steps = static_cast<double>(stepper.counters().steps);
    const double time = fastest(0.2, [&] { chain.run(stepper); });
    fmt::print("{:6} {:6.0f} {:12.0f}\n", count, steps, time / steps / count);
  }
}

std::vector<Case> cases() {
  CompiledProblem pendulum = bench::compile_problem("pendulum", 100);
  // From the closed form (src/problems/pendulum.cc) in 40 digits.
  pendulum.known = {{0, 0, 0.39239041268655424}, {1, 0, 0.91979876279090289}};
  std::vector<Case> list;
  list.push_back({"pendulum", std::move(pendulum), 0.2});
  list.push_back({"caraxis", bench::compile_problem("caraxis"), 0.02});
  list.push_back({"andrews", bench::compile_problem("andrews"), 1e-3});
  list.push_back({"chemakzo", bench::compile_problem("chemakzo"), 1e-2});
  return list;
}

void print_run_heading() {
  fmt::print("runs\n{:10} {:>9} {:>6} {:>6} {:>9} {:>9} {:>9}\n", "problem", "tolerance", "order",
             "steps", "ms", "ns/step", "error");
}

// taylor_bench PROBLEM: its runs only, for a profiler. taylor_bench PROBLEM all: every order.
void measure_one(const Case& c, bool with_all_orders) {
  print_run_heading();
  for (double tolerance : {1e-6, 1e-9, 1e-12}) {
    measure_run(c, tolerance);
    for (int order = 10; order <= 34 && with_all_orders; order += 2)
      measure_run(c, tolerance, order);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<Case> list = cases();
  if (argc > 1) {
    for (const Case& c : list)
      if (std::string_view(argv[1]) == c.name) measure_one(c, argc > 2);
    return 0;
  }
  fmt::print("stages, ns\n{:10} {:>12} {:>10} {:>10} {:>13} {:>12}\n", "problem", "with stage 0",
             "stage 1-7", "8-23", "convolutions", "each");
  for (const Case& c : list) measure_stages(c);
  fmt::print("\n");
  print_run_heading();
  for (const Case& c : list)
    for (double tolerance : {1e-6, 1e-9, 1e-12}) measure_run(c, tolerance);
  fmt::print("\nuncoupled pendula\n{:>6} {:>6} {:>12}\n", "count", "steps", "ns/step each");
  measure_chains();
}
