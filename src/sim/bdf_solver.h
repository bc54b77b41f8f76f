// BDF on the index-reduced equations of one mode: states chosen by numbers, chosen anew when the
// solution has moved to where they are bad ones. To the outside it is a solver of the whole system:
// values of all variables and derivatives, at any time of the last step.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <hydae/simulate.h>

#include "compile/reduced_program.h"
#include "compile/state_selector.h"
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

struct BdfCounters {
  integrate::BdfCounters steps;
  bool has_cvode = false, has_ida = false;  // a run of modes or choices of states may have both
  long selections = 0;                      // of states, after the first
  double constraint_residual = 0;  // largest seen, of equations that have been differentiated
};

// Into the summary of a run.
void add_counters(const BdfCounters& counters, Summary& summary);

class BdfSolver {
 public:
  using LeafValue = std::function<double(Leaf)>;
  enum class Status { kStepped, kReached, kFailed };

  // `prepared` must outlive the solver. `outputs`: further expressions of its variables.
  BdfSolver(const Prepared& prepared, std::vector<NodeId> outputs, BdfSettings settings);

  // Parameters and values of discrete variables until the next start.
  struct Fixed {
    std::vector<double> parameters;
    LeafValue discrete, pre;
  };
  // `value` of every variable and derivative up to d_j; NaN where unknown: states must be known,
  // the rest is solved for. False: see failure_status().
  bool start(double t, const LeafValue& value, Fixed fixed, double first_step = 0);
  // By column, from the next start on.
  void set_tolerances(std::vector<double> atol);
  Status step(double limit);

  // Variables that are unknowns of BDF, at time().
  void visit_values(const std::function<void(VarId column, double value)>& visit) const;

  double time() const { return t_; }
  double start_time() const { return start_time_; }  // of the last start(): no step is before it
  double last_step() const;                          // its length, with sign; 0 before the first
  // x_j^(order), order at most d_j, at a time in the last step.
  double value(VarId column, int order, double t);
  // The outputs from `from` to the end of the last step. Valid until the next step.
  StepOutputs& outputs_over_step(double from);
  std::size_t num_outputs() const { return outputs_.size(); }

  const std::string& failure_status() const { return failure_status_; }
  const std::string& failure_message() const { return failure_message_; }
  BdfCounters counters() const;
  int last_order() const { return current_->stepper ? current_->stepper->last_order() : 0; }
  int size() const { return current_->program.size(); }
  std::size_t num_assigned() const { return current_->program.reduced().assignments.size(); }

 private:
  // One choice of states with its equations.
  struct Selected {
    Selected(const Prepared& prepared, Reduced reduced, std::span<const NodeId> outputs,
             const BdfSettings& settings);
    ReducedProgram program;
    std::unique_ptr<integrate::BdfStepper> stepper;
    std::optional<StepOutputs> over_step;
    std::optional<BdfLeaves> leaves;
  };

  Selected& selected_for(structure::StateSelection selection);
  bool start_with_best_states(double t, const LeafValue& value, double first_step);
  bool should_select_again();
  bool select_again();
  bool interpolate(double t);
  bool take_over_step();
  bool has_passed_singularity(double from);
  void load(double t);
  double slope_of_explicit(VarId column, int highest, int more, double t);
  double beyond_equations(VarId column, int highest, int more, double t);
  double leaf_value(Leaf leaf);
  bool fail_at(double t, std::string status, std::string message);
  void explain(integrate::BdfStatus status);
  void measure_constraints();
  bool has_finite_values();

  std::optional<Prepared> raised_;  // where outputs have derivatives that no equation has
  const Prepared& prepared_;
  std::vector<NodeId> outputs_;
  BdfSettings settings_;
  StateSelector selector_;
  Fixed fixed_;
  std::map<std::vector<int>, std::unique_ptr<Selected>> selected_;
  Selected* current_ = nullptr;
  double t_ = 0, start_time_ = 0;
  std::optional<double> loaded_;  // time of the values in the program
  std::vector<double> y_, yp_;
  long steps_since_check_ = 0, selections_ = 0, num_steps_ = 0;
  double constraint_residual_ = 0;
  std::vector<double> residual_;
  ReducedProgram::LinearState linear_, linear_now_;  // at the last step
  double size_at_start_ = 1;                         // of unknowns of linear equations
  double last_rescue_ = 0;
  bool has_rescued_ = false;
  std::string failure_status_, failure_message_;
};

}  // namespace hydae
