// Tapes written by hand: values, lanes and adjoints of what random expressions do not reach.
#include "ops/tape.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <stdexcept>

#include "base/count_allocations_testing.h"
#include "ops/adjoints.h"
#include "ops/lanes.h"
#include "ops/machine.h"

namespace hydae::ops {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Machine machine_of(TapeBuilder& builder) {
  return Machine(std::make_shared<const Tape>(builder.take()));
}

// Derivatives of one register by inputs 0, 1, ... by lanes, one direction per input.
std::vector<double> by_lanes(Machine& machine, std::size_t num_inputs, Register root) {
  std::vector<Register> inputs;
  std::vector<double> seeds(num_inputs * num_inputs), rows;
  for (std::size_t k = 0; k < num_inputs; ++k) {
    inputs.push_back(static_cast<Register>(k));
    seeds[k * num_inputs + k] = 1;
  }
  Lanes(machine, inputs).run(seeds, num_inputs, std::span(&root, 1), rows);
  return rows;
}

std::vector<double> by_adjoints(Machine& machine, std::size_t num_inputs, Register root) {
  std::vector<Register> inputs;
  for (std::size_t k = 0; k < num_inputs; ++k) inputs.push_back(static_cast<Register>(k));
  Adjoints adjoints(machine, inputs, std::span(&root, 1));
  machine.run();
  adjoints.update();
  std::vector<double> row(num_inputs);
  for (const DerivativeEntry& entry : adjoints.row(0)) row[entry.column] = entry.value;
  return row;
}

TEST(Tape, products_inside_of_sums_are_one_instruction) {
  TapeBuilder builder;
  const Register a = builder.add_register(), b = builder.add_register(), c = builder.add_register();
  const Register roots[] = {builder.emit(kMulAdd, {a, b, c}, 0),
                            builder.emit(kMulSub, {a, b, c}, 1),
                            builder.emit(kSubMul, {a, b, c}, 2)};
  Machine machine = machine_of(builder);
  const double in[] = {3, 5, 7};
  std::copy(in, in + 3, machine.registers().begin());
  machine.run();
  EXPECT_EQ(machine.value(roots[0]), 22);
  EXPECT_EQ(machine.value(roots[1]), 8);
  EXPECT_EQ(machine.value(roots[2]), -8);
  const std::vector<double> expected[] = {{5, 3, 1}, {5, 3, -1}, {-5, -3, 1}};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(by_lanes(machine, 3, roots[k]), expected[k]);
    EXPECT_EQ(by_adjoints(machine, 3, roots[k]), expected[k]);
  }
}

// homotopy(sqrt(x), y) at x = -1: a share of 0 does not look at the root.
TEST(Tape, homotopy_does_not_look_at_what_has_no_share) {
  TapeBuilder builder;
  const Register x = builder.add_register(-1), y = builder.add_register(4),
                 share = builder.add_register(0);
  const Register root = builder.emit(code_of(Op::kSqrt), {x, 0, 0}, 0);
  const Register mixed = builder.emit(code_of(Op::kHomotopy), {root, y, share}, 1);
  Machine machine = machine_of(builder);
  machine.run();
  EXPECT_EQ(machine.value(mixed), 4);
  EXPECT_EQ(by_adjoints(machine, 2, mixed), (std::vector<double>{0, 1}));
  machine.registers()[x] = 9;
  machine.registers()[share] = 0.25;
  machine.run();
  EXPECT_EQ(machine.value(mixed), 0.25 * 3 + 0.75 * 4);
  EXPECT_EQ(by_lanes(machine, 2, mixed), (std::vector<double>{0.25 * 0.5 / 3, 0.75}));
}

// y sqrt(x) at (0, 0): the derivative by x is 0, since the factor 0 hides the infinite slope; by y
// it is sqrt(0). And sqrt(x) + y does not become undefined along y.
TEST(Tape, a_zero_hides_an_infinite_slope_and_directions_do_not_mix) {
  TapeBuilder builder;
  const Register x = builder.add_register(0), y = builder.add_register(0);
  const Register root = builder.emit(code_of(Op::kSqrt), {x, 0, 0}, 0);
  const Register product = builder.emit(code_of(Op::kMul), {y, root, 0}, 1);
  const Register sum = builder.emit(code_of(Op::kAdd), {root, y, 0}, 2);
  Machine machine = machine_of(builder);
  EXPECT_EQ(by_lanes(machine, 2, product), (std::vector<double>{0, 0}));
  EXPECT_EQ(by_adjoints(machine, 2, product), (std::vector<double>{0, 0}));
  EXPECT_EQ(by_lanes(machine, 2, sum), (std::vector<double>{kInfinity, 1}));
  EXPECT_EQ(by_adjoints(machine, 2, sum), (std::vector<double>{kInfinity, 1}));
}

Function polynomial() {  // x^2 y, x + y
  Function f{"f", 2, 2, {}, {}, {}};
  f.evaluate = [](auto in, auto out) {
    if (in[0] < 0) throw std::runtime_error("negative");
    out[0] = in[0] * in[0] * in[1];
    out[1] = in[0] + in[1];
  };
  f.jacobian = [](auto in, auto out) {
    out[0] = 2 * in[0] * in[1];
    out[1] = in[0] * in[0];
    out[2] = out[3] = 1;
  };
  return f;
}

TEST(Tape, a_function_is_called_once_for_all_that_is_asked_of_it) {
  int num_calls = 0;
  Function f = polynomial();
  f.evaluate = [&num_calls, inner = f.evaluate](auto in, auto out) {
    ++num_calls;
    inner(in, out);
  };
  TapeBuilder builder;
  const Register x = builder.add_register(3), y = builder.add_register(5);
  const Register value = builder.call(f, {x, y}, {.output = 0}, 0);
  const Register other = builder.call(f, {x, y}, {.output = 1}, 1);
  const Register slope = builder.call(f, {x, y}, {.output = 0, .input = 0}, 2);
  Machine machine = machine_of(builder);
  machine.run();
  EXPECT_EQ(num_calls, 1);
  EXPECT_EQ(machine.value(value), 45);
  EXPECT_EQ(machine.value(other), 8);
  EXPECT_EQ(machine.value(slope), 30);
  EXPECT_EQ(by_lanes(machine, 2, value), (std::vector<double>{30, 9}));
  EXPECT_EQ(by_adjoints(machine, 2, other), (std::vector<double>{1, 1}));
  // d(2xy) = (2y, 2x), by differences of the jacobian.
  const std::vector<double> second = by_adjoints(machine, 2, slope);
  EXPECT_NEAR(second[0], 10, 1e-7);
  EXPECT_NEAR(second[1], 6, 1e-7);
}

TEST(Tape, a_function_that_fails_is_undefined_and_says_why_until_the_next_run) {
  const Function f = polynomial();
  TapeBuilder builder;
  const Register x = builder.add_register(-1), y = builder.add_register(5);
  const Register value = builder.call(f, {x, y}, {}, 7);
  const Register sum = builder.emit(code_of(Op::kAdd), {value, y, 0}, 8);
  Machine machine = machine_of(builder);
  machine.run();
  EXPECT_TRUE(std::isnan(machine.value(sum)));
  EXPECT_EQ(machine.call_failure(), "f(-1, 5): negative");
  EXPECT_EQ(machine.tape().tag(machine.find_undefined(sum)), 7u);
  machine.registers()[x] = 1;
  machine.run();
  EXPECT_EQ(machine.value(sum), 10);
  EXPECT_EQ(machine.call_failure(), "");
}

// More directions than one pass has lanes (16): 20 of them, x_k^2 summed up.
TEST(Lanes, take_any_number_of_directions) {
  constexpr std::size_t kInputs = 20;
  TapeBuilder builder;
  for (std::size_t k = 0; k < kInputs; ++k) builder.add_register(double(k) + 1);
  Register sum = builder.add_register(0);
  for (Register k = 0; k < kInputs; ++k) sum = builder.emit(kMulAdd, {k, k, sum}, 0);
  Machine machine = machine_of(builder);
  const std::vector<double> row = by_lanes(machine, kInputs, sum);
  ASSERT_EQ(row.size(), kInputs);
  for (std::size_t k = 0; k < kInputs; ++k) EXPECT_EQ(row[k], 2 * (double(k) + 1));
  EXPECT_EQ(by_adjoints(machine, kInputs, sum), row);
}

TEST(Lanes, a_root_that_does_not_move_has_a_row_of_zeros) {
  TapeBuilder builder;
  const Register x = builder.add_register(2), y = builder.add_register(3);
  const Register roots[] = {builder.emit(code_of(Op::kFloor), {x, 0, 0}, 0), y};
  Machine machine = machine_of(builder);
  std::vector<double> rows;
  const double seeds[] = {1};
  Lanes(machine, std::span(&x, 1)).run(seeds, 1, roots, rows);
  EXPECT_EQ(rows, (std::vector<double>{0, 0}));
}

TEST(Tape, runs_with_and_without_derivatives_allocate_nothing) {
  const Function f = polynomial();
  TapeBuilder builder;
  const Register x = builder.add_register(2), y = builder.add_register(3);
  const Register value = builder.call(f, {x, y}, {}, 0);
  const Register root = builder.emit(code_of(Op::kSin), {value, 0, 0}, 0);
  Machine machine = machine_of(builder);
  const Register inputs[] = {x, y};
  Lanes lanes(machine, inputs);
  Adjoints adjoints(machine, inputs, std::span(&root, 1));
  const double seeds[] = {1, 0, 0, 1};
  std::vector<double> rows;
  lanes.run(seeds, 2, std::span(&root, 1), rows);
  adjoints.update();
  adjoints.row(0);
  rows.clear();
  const long before = num_allocations;
  machine.run();
  lanes.run(seeds, 2, std::span(&root, 1), rows);
  adjoints.update();
  adjoints.row(0);
  EXPECT_EQ(num_allocations, before);
}

}  // namespace
}  // namespace hydae::ops
