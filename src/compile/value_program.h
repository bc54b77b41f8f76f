// Expressions as a numeric tape (ops/tape.h), for the integrators: what depends on parameters and
// held values alone is computed once per change of them, the rest in one pass. Derivatives are
// roots like others (derivative.h).
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <hydae/expr.h>

#include "expr/tape_lowering.h"
#include "ops/machine.h"

namespace hydae {

class ValueProgram {
 public:
  using Functions = TapeLowering::Functions;
  // Place of a variable, derivative (kVariable) or value under pre() (kPre) among the inputs.
  using Place = std::function<std::size_t(const Node&)>;
  struct Inputs {
    std::size_t num_running = 0;  // change all the time
    std::size_t num_held = 0;     // behind them: change at events only
    Place place;
  };

  // `functions` must outlive the program if the roots call any. Throws ModelError for a delay.
  ValueProgram(const Graph& graph, std::span<const NodeId> roots, const Inputs& inputs,
               const Functions* functions);

  std::size_t num_roots() const { return roots_.size(); }
  // The root depends on parameters and held values alone.
  bool is_fixed(std::size_t root) const { return is_fixed_[root]; }
  std::size_t num_operations() const { return machine_->tape().instructions().size(); }

  // Parameters by ParamId, at least as many as the roots refer to.
  void set_fixed(std::span<const double> parameters, std::span<const double> held);
  // The running inputs; to be filled before evaluate().
  std::span<double> inputs() { return machine_->registers().first(num_running_); }
  // Writes the values of the roots; undefined ones are NaN or infinite.
  void evaluate(double time, std::span<double> out);
  double value(std::size_t root) const { return machine_->value(roots_[root]); }  // of the last run

  // After an evaluation with an undefined root: an operation that is undefined although its
  // operands are defined.
  std::optional<NodeId> find_undefined() const;
  // What a function said that failed in the last evaluation; empty if none did.
  const std::string& call_failure() const { return machine_->call_failure(); }

 private:
  void place_leaves(const Graph& graph, TapeLowering& lowering, const Place& place);

  std::size_t num_running_ = 0, num_held_ = 0;
  // The registers begin with running inputs, time, held inputs, parameters.
  std::optional<ops::Machine> machine_;
  std::vector<std::size_t> parameters_;  // ParamId of the parameter registers
  std::size_t num_fixed_ = 0;            // instructions that run in set_fixed()
  std::vector<ops::Register> roots_;
  std::vector<bool> is_fixed_;  // of the roots
};

}  // namespace hydae
