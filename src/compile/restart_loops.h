// The nonlinear equations of a stage of a restart: from the left limits to the root of the new
// equations that is connected with them. Newton's method decides where it contracts at once
// (Deuflhard's test, which has no scale); otherwise the residuals that the left limits leave in the
// new equations are taken away little by little, f(z) = (1 - lambda) f(z_left), and the numbers
// that events change go from the old ones to the new ones, as if what has jumped had been a short
// ramp. docs/math/restart.md.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compile/analyzed_system.h"
#include "expr/evaluate.h"

namespace hydae {

class RestartLoops {
 public:
  // `stage`: 0, or -lead of blocks that are solved ahead. `slots`: where a leaf is in the values.
  RestartLoops(const AnalyzedSystem& prepared, int stage, const Evaluator::Slots& slots);
  ~RestartLoops();
  RestartLoops(RestartLoops&&) noexcept;

  bool empty() const;
  const std::vector<VarId>& columns() const;

  // Changes the unknowns among `values`, which are the left limits but for what is known to have
  // changed. False if no root was found: then they are as before. `old_parameters`: before the
  // instant; empty if they are the same.
  bool solve(const Point& point, const std::vector<double>& old_parameters,
             std::vector<double>& values);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hydae
