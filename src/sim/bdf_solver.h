// BDF on the index-reduced equations of one mode: states chosen by numbers, chosen anew when the
// solution has moved to where they are bad ones. To the outside it is a solver of the whole system:
// values of all variables and derivatives, at any time of the last step.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <hydae/simulate.h>

#include "compile/state_selector.h"
#include "sim/determinant_watch.h"
#include "sim/pulse_watch.h"
#include "sim/reduced_solution.h"

namespace hydae {

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
  BdfSolver(const AnalyzedSystem& prepared, std::vector<NodeId> outputs, BdfSettings settings);

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
  void visit_values(const std::function<void(VarId column, double value)>& visit) const {
    current_->visit_values(visit);
  }

  // The last step has become shorter since the equations are not defined everywhere.
  bool has_met_undefined() const {
    return current_->stepper() != nullptr && current_->stepper()->has_met_undefined();
  }
  double time() const { return t_; }
  double start_time() const { return start_time_; }  // of the last start(): no step is before it
  // Its length, with sign; 0 before the first.
  double last_step() const { return current_ == nullptr ? 0 : current_->last_step(); }
  // x_j^(order) at a time in the last step.
  double value(VarId column, int order, double t) { return current_->value(column, order, t); }
  // The outputs from `from` to the end of the last step. Valid until the next step.
  StepOutputs& outputs_over_step(double from) {
    return current_->outputs_over(from, t_, fixed_.parameters);
  }

  const std::string& failure_status() const { return failure_status_; }
  const std::string& failure_message() const { return failure_message_; }
  BdfCounters counters() const;
  int last_order() const { return current_->stepper() ? current_->stepper()->last_order() : 0; }

 private:
  ReducedSolution& solution_for(structure::StateSelection selection);
  bool start_with_best_states(double t, const LeafValue& value, double first_step);
  bool should_select_again();
  bool select_again();
  bool start_again(double first_step);
  bool cut_before_pulse(double from);
  bool has_defined_values();
  double leaf_value(Leaf leaf);
  bool fail_at(double t, std::string status, std::string message);
  void explain(integrate::BdfStatus status);

  std::optional<AnalyzedSystem> raised_;  // where outputs have derivatives that no equation has
  const AnalyzedSystem& prepared_;
  PulsePassage pulses_;
  std::vector<NodeId> outputs_;
  BdfSettings settings_;
  StateSelector selector_;
  Fixed fixed_;
  std::map<std::vector<int>, std::unique_ptr<ReducedSolution>> solutions_;  // by choice of states
  ReducedSolution* current_ = nullptr;
  DeterminantWatch determinants_;
  double t_ = 0, start_time_ = 0;
  long steps_since_check_ = 0, selections_ = 0, num_steps_ = 0;
  double constraint_residual_ = 0;
  bool is_cut_ = false;               // the last step ends before where BDF is
  std::optional<double> rescued_at_;  // time of the last new start after a failure
  std::string failure_status_, failure_message_;
};

}  // namespace hydae
