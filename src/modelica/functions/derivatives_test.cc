// `derivative` annotations of functions that are not inlined. Their loops run as often as the data
// say, so that they are programs.
#include <cmath>
#include <gtest/gtest.h>
#include <stdexcept>

#include <hydae/modelica.h>

#include "modelica/models_testing.h"
#include "ops/function_point.h"

namespace hydae {
namespace {

// The function that was not inlined, with derivatives up to order 2 at a point.
FunctionPoint point_of(const Model& model, const std::string& name, std::vector<double> in) {
  for (const Function& function : model.functions())
    if (function.name == name) {
      FunctionPoint point(function, 2);
      point.evaluate(in);
      return point;
    }
  throw std::runtime_error("there is no function " + name);
}

// Newton's iteration for the square root.
const char* kRoot = R"(
function root input Real x; output Real y;
protected Real old;
algorithm
  y := max(x, 1); old := 2*y;
  while y < old*(1 - 1e-15) loop old := y; y := (y + x/y)/2; end while;
  annotation(derivative = root_der);
end root;
function root_der input Real x; input Real dx; output Real dy;
algorithm dy := dx/(2*root(x));
end root_der;
model M Real x(start = 1, fixed = true), y;
equation der(x) = 1; y = root(x);
end M;
)";

TEST(DerivativeAnnotation, gives_first_and_second_derivatives) {
  // y = sqrt(x): y' = 1/(2 y) = 1/4 and y'' = -1/(4 y^3) = -1/32 at x = 4.
  const FunctionPoint point = point_of(load_ok(kRoot, "M"), "root", {4});
  EXPECT_NEAR(point.output(0), 2, 1e-15);
  EXPECT_NEAR(point.derivative(0, 0), 0.25, 1e-15);
  // Differences of y' would be off by 1e-11.
  EXPECT_NEAR(point.derivative(0, 0, 0), -1.0 / 32, 1e-15);
}

TEST(DerivativeAnnotation, is_kept_in_flat_text) {
  const std::string flat = flatten_to_text(load_ok(kRoot, "M"));
  const Model again = load_ok(flat);
  EXPECT_EQ(flatten_to_text(again), flat);
  const FunctionPoint point = point_of(again, "root", {4});
  EXPECT_NEAR(point.derivative(0, 0), 0.25, 1e-15);
  EXPECT_NEAR(point.derivative(0, 0, 0), -1.0 / 32, 1e-15);
}

// f(x, k) = k x, by additions of x/1024, with derivatives that tell which of them was taken: the
// one without der(k) is 10 times too large.
std::string product(const std::string& annotation) {
  return R"(
function f input Real x; input Real k; output Real y;
protected Real rest;
algorithm
  y := 0; rest := k;
  while rest > 0 and x < 1e9 loop y := y + x/1024; rest := rest - 1/1024; end while;
  annotation()" +
         annotation + R"();
end f;
function f_x input Real x; input Real k; input Real dx; output Real dy;
algorithm dy := 10*k*dx;
end f_x;
function f_xk input Real x; input Real k; input Real dx; input Real dk; output Real dy;
algorithm dy := k*dx + x*dk;
end f_xk;
model WithParameter parameter Real k = 2; Real x = time, y = f(x, k); end WithParameter;
model WithVariable Real k = 2*time; Real x = time, y = f(x, k); end WithVariable;
)";
}

TEST(DerivativeAnnotation, counts_if_inputs_without_derivative_are_constant) {
  const std::string text = product("derivative(zeroDerivative = k) = f_x, derivative = f_xk");
  const FunctionPoint constant = point_of(load_ok(text, "WithParameter"), "f", {3, 2});
  EXPECT_EQ(constant.derivative(0, 0), 20);
  EXPECT_EQ(constant.derivative(0, 1), 0);
  const FunctionPoint changing = point_of(load_ok(text, "WithVariable"), "f", {3, 2});
  EXPECT_EQ(changing.derivative(0, 0), 2);
  EXPECT_EQ(changing.derivative(0, 1), 3);
}

TEST(DerivativeAnnotation, leaves_out_inputs_that_need_no_derivative) {
  const std::string text = product("derivative(noDerivative = k) = f_x");
  const FunctionPoint point = point_of(load_ok(text, "WithVariable"), "f", {3, 2});
  EXPECT_EQ(point.derivative(0, 0), 20);
  EXPECT_EQ(point.derivative(0, 1), 0);
}

TEST(DerivativeAnnotation, that_does_not_hold_is_left_alone) {
  // Then the program is differentiated: d(k x)/dx = k, and k decides only how often the loop runs.
  const std::string text = product("derivative(zeroDerivative = k) = f_x");
  const FunctionPoint point = point_of(load_ok(text, "WithVariable"), "f", {3, 2});
  EXPECT_EQ(point.derivative(0, 0), 2);
}

TEST(DerivativeAnnotation, of_arrays_and_several_outputs) {
  // s = sum of x_i w_i and p = w_1, with counted turns: ds/dx = w, ds/dw = x, dp/dw = (1, 0).
  const std::string text = R"(
function f input Real x[2]; input Real w[2]; input Integer n; output Real s; output Integer m;
  output Real p;
algorithm
  s := 0; m := 0; p := 0;
  while m < n loop s := x*w; m := m + 1; p := w[1]; end while;
  annotation(derivative = f_der);
end f;
function f_der input Real x[2]; input Real w[2]; input Integer n; input Real dx[2];
  input Real dw[2]; output Real ds; output Real dp;
algorithm ds := dx*w + x*dw; dp := dw[1];
end f_der;
model M Real x[2] = {time, 2}, w[2] = {time, time}, s, p; Integer n = if time > 1 then 2 else 1;
equation (s, , p) = f(x, w, n);
end M;
)";
  // The inputs are x[1], x[2], w[1], w[2] and n.
  const FunctionPoint point = point_of(load_ok(text, "M"), "f", {3, 2, 5, 7, 1});
  const double expected[3][5] = {{5, 7, 3, 2, 0}, {0, 0, 0, 0, 0}, {0, 0, 1, 0, 0}};
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 5; ++k) EXPECT_EQ(point.derivative(i, k), expected[i][k]) << i << k;
}

TEST(DerivativeAnnotation, that_makes_no_sense_is_reported) {
  const auto codes = [](const std::string& annotation) {
    return error_codes(load_text(product(annotation), "WithVariable"));
  };
  EXPECT_EQ(codes("derivative = f_xk"), "");
  EXPECT_EQ(codes("derivative = f_x"), "derivative-annotation");  // dk is missing
  EXPECT_EQ(codes("derivative = nowhere"), "name-not-found");
  EXPECT_EQ(codes("derivative = 1"), "derivative-annotation");
  EXPECT_EQ(codes("derivative(order = 0) = f_xk"), "derivative-annotation");
  EXPECT_EQ(codes("derivative(noDerivative = z) = f_xk"), "derivative-annotation");
  // Higher orders belong to functions that are derivatives themselves.
  EXPECT_EQ(codes("derivative(order = 2) = f_xk"), "");
}

TEST(DerivativeAnnotation, a_mismatch_is_told_with_numbers) {
  const LoadResult result = load_text(product("derivative = f_x"), "WithVariable");
  EXPECT_NE(render(result.diagnostics, result.sources.get())
                .find("`f_x` is no derivative of `f`: it has 3 inputs and 1 outputs, not 4 (2 and "
                      "the derivatives of 2) and 1"),
            std::string::npos)
      << render(result.diagnostics, result.sources.get());
}

// ---- outputs without loops ----

TEST(FunctionProgram, outputs_that_need_no_loop_are_formulas) {
  const Model model = load_ok(R"(
function f input Real x; output Real y; output Integer kind; output Real twice;
algorithm
  y := x; kind := 3; twice := 2*x;
  while y > 1 loop y := y/2; end while;
end f;
model M Real y, s; Integer k;
equation (y, k, s) = f(time);
end M;
)",
                              "M");
  EXPECT_EQ(definition(model, "k"), "3");
  EXPECT_EQ(definition(model, "s"), "2*time");
  EXPECT_EQ(definition(model, "y"), "f(time)");
}

// A loop of a branch that is not taken: sqrt(-1) > 0.5 has no truth, but nobody asks for it. Where
// it is asked for the failure is told. halved(4): 2, 1, 0.5.
TEST(FunctionProgram, loops_of_branches_that_are_not_taken_do_not_count) {
  const char* text = R"(
    function halved
      input Real x;
      output Real y;
    algorithm
      y := sqrt(x);
      while y > 0.5 loop
        y := y/2;
      end while;
    end halved;
    function chosen
      input Real x;
      output Real y;
    algorithm
      if x > -2 and x < 0 then
        y := -x;
      else
        y := halved(x);
      end if;
    end chosen;
    model M
      Real y = chosen(time - 1);
    end M;)";
  const Model model = load_ok(text, "M");
  const FunctionPoint outside = point_of(model, "chosen", {-1});
  EXPECT_EQ(outside.output(0), 1);
  EXPECT_EQ(outside.derivative(0, 0), -1);
  EXPECT_EQ(point_of(model, "chosen", {4}).output(0), 0.5);
  EXPECT_THROW(point_of(model, "chosen", {-4}), std::runtime_error);
}

}  // namespace
}  // namespace hydae
