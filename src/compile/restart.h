// Restart after a change of the equations: the staged solve continued below stage zero. The right
// limits of the new system follow from the left limits of the old one and from the equations
// integrated over the instant: what may jump, what persists and which variables carry impulses is
// derived, not declared.
//
// Stage l = -max c .. -1, q = c_i + l. Equation i with q >= 0 holds with its q-th derivative at the
// right limits; with q < 0 the coefficient of delta^(|q|-1) in it vanishes, in which a term A
// x_j^(k) counts as A [x_j^(k-|q|)] (a jump) for k >= |q| and as A a_{j,|q|-1-k} (an impulse)
// otherwise. Unknown is the right value of x_j^(d_j+l), or the impulse coefficient
// a_{j,-(d_j+l)-1}. Every stage has the matrix J of the new system. docs/math/restart.md.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compile/analyzed_system.h"

namespace hydae {

struct ImpulseWeight {
  VarId column;
  int order = 0;  // 0: Dirac delta, 1: its derivative, ...
  double weight = 0;
};

// Points between left and right limits, 0 to 1, with their weights.
using CoefficientMean = std::vector<std::pair<double, double>>;
// Gauss' formula: the mean along the straight way.
inline const CoefficientMean kPathMean = {
    {0.1127016653792583, 5.0 / 18}, {0.5, 8.0 / 18}, {0.8872983346207417, 5.0 / 18}};

struct RestartInput {
  double time = 0;
  std::vector<double> parameters;
  std::vector<double> old_parameters{};  // before the instant; empty: the same
  std::function<double(Leaf)> left;      // left limit of a variable or derivative
  std::function<double(Leaf)> held;      // new value of a discrete variable, or value under pre()
  double noise = 1e-10;                  // relative error of the left limits
  // Absolute error of a left limit. A jump of that size is none, and an impulse that such errors
  // may have made is none either. Empty: `noise` times the value, or times one if that is larger.
  std::function<double(Leaf)> error{};
  // Weights of Dirac deltas that act on equations from outside: equation + weight * delta = 0.
  std::vector<std::pair<EqId, double>> sources{};
  // Values that hold after the instant, whatever the constraints: reinit(). The left limits have
  // them already; what it takes to keep them acts on the equation of their derivative.
  std::vector<std::pair<Leaf, double>> resets{};
  CoefficientMean coefficients = kPathMean;  // what a coefficient that jumps is taken for
};

struct RestartResult {
  // "success", "singular-jacobian", "restart-failed", "undefined-function", "superlinear-impulse",
  // "impulse-times-jump"
  std::string status = "success";
  std::string message;
  // By column, derivatives 0 .. d_j - 1, and d_j where it was found by iteration.
  std::vector<std::vector<double>> right;
  std::vector<ImpulseWeight> impulses;
  // By guard: the coefficients of its impulses, highest order first; empty if there are none. With
  // right limit and derivatives behind them they make the extended jet.
  std::vector<std::vector<double>> guard_impulses;
  double largest_jump = 0;  // of a derivative below d_j, in units of the error of its left limit
  std::vector<std::string> warnings;

  bool succeeded() const { return status == "success"; }
};

class Restart {
 public:
  // `guards`: expressions whose impulses are wanted.
  explicit Restart(const AnalyzedSystem& prepared, const std::vector<NodeId>& guards = {});
  ~Restart();
  Restart(Restart&&) noexcept;

  RestartResult solve(const RestartInput& input);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hydae
