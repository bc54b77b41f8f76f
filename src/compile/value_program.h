// Expressions as a flat list of operations on numbers, for the integrators: what depends on
// parameters and held values alone is computed once per change of them, the rest in one pass
// without branches into the graph. Derivatives are roots like others (derivative.h). A function
// that exists as code is called once for all that is asked of it at one point.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <hydae/expr.h>

#include "expr/function_point.h"

namespace hydae {

class ValueProgram {
 public:
  using Functions = IdVector<FunctionId, Function>;
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
  std::size_t num_operations() const { return operations_.size(); }

  // Parameters by ParamId, at least as many as the roots refer to.
  void set_fixed(std::span<const double> parameters, std::span<const double> held);
  // The running inputs; to be filled before evaluate().
  std::span<double> inputs() { return {registers_.data(), num_running_}; }
  // Writes the values of the roots; undefined ones are NaN or infinite.
  void evaluate(double time, std::span<double> out);
  double value(std::size_t root) const { return registers_[roots_[root]]; }  // of the last run

  // After an evaluation with an undefined root: an operation that is undefined although its
  // operands are defined.
  std::optional<NodeId> find_undefined() const;
  // What a function said that failed in the last evaluation; empty if none did.
  const std::string& call_failure() const { return call_failure_; }

 private:
  using Register = std::uint32_t;
  // Operations that are common enough to be told apart at once; the rest is kOther.
  enum class Kind : std::uint8_t {
    kAdd,
    kSub,
    kMul,
    kDiv,
    kNeg,
    kMulAdd,  // a * b + c
    kMulSub,  // a * b - c
    kSubMul,  // c - a * b
    kSelect,  // a ? b : c
    kUnary,   // op(a)
    kBinary,  // op(a, b)
    kCall,    // use number a
  };
  // The result goes to the register behind that of the operation before.
  struct Operation {
    Kind kind;
    Op op;
    Register a, b, c;
  };
  struct CallSite {
    FunctionPoint point;
    std::vector<Register> arguments;
    std::size_t run = 0;
    bool has_failed = false;
  };
  struct CallUse {
    std::uint32_t site;
    int output, input, second_input;
  };
  class Builder;

  void run(std::size_t begin, std::size_t end);
  double other(const Operation& operation);
  double call(const CallUse& use);

  std::size_t num_running_ = 0, num_held_ = 0;
  Register first_parameter_ = 0, first_result_ = 0;
  std::vector<std::uint32_t> parameters_;  // ParamId of the parameter registers
  std::vector<double>
      registers_;  // running inputs, time, held inputs, parameters, constants, results
  std::vector<Operation> operations_;
  std::size_t num_fixed_ = 0;  // operations that run in set_fixed()
  std::vector<NodeId> nodes_;  // of the operations
  std::vector<Register> roots_;
  std::vector<bool> is_fixed_;  // of the roots
  std::vector<CallSite> sites_;
  std::vector<CallUse> uses_;
  std::vector<double> arguments_;
  std::size_t run_ = 0;
  std::string call_failure_;
};

}  // namespace hydae
