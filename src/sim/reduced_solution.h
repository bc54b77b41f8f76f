// The solution of the index-reduced equations of one mode for one choice of states: values of all
// variables and derivatives, at any time of the last step.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <hydae/simulate.h>

#include "compile/reduced_program.h"
#include "integrate/bdf_stepper.h"
#include "sim/bdf_leaves.h"

namespace hydae {

struct BdfSettings {
  double rtol = 1e-6;
  double max_step = 0;
  JacobianBy jacobian = JacobianBy::kAssembly;
  BdfCode code = BdfCode::kBest;
  std::vector<double> atol;            // by column, of its value and derivatives
  std::vector<double> highest_atol{};  // by column: up to which they grow with what is met
  double part_of_size = 0;
};

// Part of the tolerance that one step may use. Where nothing damps them, the errors of several
// hundred steps add up, and those of BDF have one sign: they take energy away. A tighter tolerance
// takes more steps, so that each may use less; close to the precision of numbers it is more.
double share_of_step(double rtol);

class ReducedSolution {
 public:
  // `outputs`: further expressions of the variables. `prepared` must outlive this.
  ReducedSolution(const AnalyzedSystem& prepared, Reduced reduced, std::span<const NodeId> outputs,
                  const BdfSettings& settings);

  ReducedProgram& program() { return program_; }
  const ReducedProgram& program() const { return program_; }
  // Null if everything is given explicitly.
  integrate::BdfStepper* stepper() const { return stepper_.get(); }
  void change_tolerances(const BdfSettings& settings);

  // `known` of every variable and derivative up to d_j: the states are kept, the rest is solved
  // for. False if that has no solution.
  bool start(double t, const std::function<double(Leaf)>& known, double first_step);
  integrate::BdfStatus advance(double limit);
  double time() const { return end_; }
  double last_step() const;  // its length, with sign; 0 before the first
  // The values at the end of the step; false where something is undefined.
  bool take_over();
  // What linear equations give beside the values at hand, at time().
  bool complete() { return program_.complete(end_, y_, yp_); }
  // The values at another time of it: the polynomial of BDF, and what linear equations give.
  bool interpolate(double t);

  // x_j^(order) at a time in the last step. Orders beyond d_j, which no equation has: of the
  // polynomial that BDF works with, or by a difference along it.
  double value(VarId column, int order, double t);
  // The outputs from `from` to `to`, times of the last step. Valid until the next step.
  StepOutputs& outputs_over(double from, double to, const std::vector<double>& parameters);
  // Unknowns of BDF that are variables, at the end of the step.
  void visit_values(const std::function<void(VarId column, double value)>& visit) const;
  // At the end of the step: a variable without a finite value. What is given explicitly takes no
  // part in Newton's iteration: it may overflow unseen.
  std::optional<VarId> find_undefined(double& value);
  // The largest, at the end of the step, of equations that have been differentiated.
  double constraint_residual();

 private:
  std::size_t num_iterated() const { return static_cast<std::size_t>(program_.num_iterated()); }
  void load(double t);
  double beyond_equations(VarId column, int highest, int more, double t);
  double slope_of_explicit(VarId column, int highest, int more, double t);

  const AnalyzedSystem& prepared_;
  ReducedProgram program_;
  std::unique_ptr<integrate::BdfStepper> stepper_;
  std::optional<StepOutputs> over_step_;
  std::optional<BdfLeaves> leaves_;
  double begin_ = 0, end_ = 0;
  std::optional<double> loaded_;  // time of the values in the program
  std::vector<double> y_, yp_, residual_;
};

}  // namespace hydae
