// Numbers for expressions: an Evaluator is prepared once for a set of roots as a flat list of
// operations, operands first, and then evaluates them at as many points as wanted without
// allocating. For analysis, initialization and tests; the integrators run compiled programs.
// Jacobians are in jacobian.h.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <hydae/expr.h>

#include "expr/function_point.h"

namespace hydae {

// Where an evaluation takes place. A span that is too short for what the roots refer to is a
// UsageError.
struct Point {
  double time = 0;
  std::span<const double> parameters = {};  // by ParamId
  std::span<const double> values = {};      // by slot of the variable leaf
  std::span<const double> pre_values = {};  // by slot of the leaf under pre()
  std::span<const double> given = {};       // of Evaluator::given()
  bool is_initial = false;
  bool is_terminal = false;
  double homotopy = 1;  // share of the actual expression; 0 is the simplified one
};

class Evaluator {
 public:
  using Functions = IdVector<FunctionId, Function>;
  // Index of a leaf in Point::values or in Point::pre_values, asked once per leaf.
  using Slots = std::function<std::size_t(Leaf)>;

  // Without `slots`, values are in the order of leaves() and pre values in that of pre_leaves().
  // `functions` must outlive the Evaluator if the roots call any; the graph need not.
  Evaluator(const Graph& graph, std::span<const NodeId> roots, const Functions* functions = nullptr,
            const Slots& slots = nullptr);

  const std::vector<Leaf>& leaves() const { return leaves_; }          // sorted
  const std::vector<Leaf>& pre_leaves() const { return pre_leaves_; }  // sorted
  // The delay() and sample() nodes: they depend on the history, so their values are given.
  const std::vector<NodeId>& given() const { return given_; }
  std::size_t num_roots() const { return roots_.size(); }

  // Values of the roots, valid until the next call. Undefined ones are NaN or infinite; a relation
  // between undefined numbers is undefined too.
  std::span<const double> evaluate(const Point& point);

  // After an evaluation with an undefined root: the innermost node that is undefined although what
  // it is made of is defined; inactive branches do not count. No value if all roots are finite.
  std::optional<NodeId> find_undefined() const;
  // What the last function that failed in the last evaluation said; empty if none did. Its results
  // are undefined.
  const std::string& call_failure() const { return call_failure_; }

 private:
  friend class Jacobian;

  struct Instruction {
    Op op = Op::kConstant;
    std::uint32_t index = 0;          // constant, parameter, leaf, given value, or use of a call
    std::uint32_t first_operand = 0;  // in operands_
  };
  // One function at one list of arguments: evaluated once for all that is asked of it.
  struct CallSite {
    FunctionPoint point;
    std::size_t run = 0;  // of the last evaluation
    bool has_failed = false;
  };
  struct CallUse {
    std::uint32_t site;
    int output, input, second_input;
  };

  void find_slots(const Slots& slots);
  void number_leaves(const Graph& graph, Op op, std::vector<Leaf>& leaves);
  void compile(const Graph& graph, std::size_t i, std::span<const std::uint32_t> operands);
  CallUse use_of_call(const Node& node, std::span<const std::uint32_t> arguments);
  std::span<const std::uint32_t> operands(std::size_t i) const {
    const std::uint32_t first = instructions_[i].first_operand;
    return std::span(operands_).subspan(first, instructions_[i + 1].first_operand - first);
  }
  std::size_t num_instructions() const { return nodes_.size(); }
  double operand(std::size_t i, std::size_t k) const { return values_[operands(i)[k]]; }
  void check(const Point& point) const;
  double value_of(std::size_t i, const Point& point);
  double call_value(std::size_t i);
  void evaluate_site(CallSite& site, std::span<const std::uint32_t> arguments);
  std::optional<std::uint32_t> undefined_operand(std::size_t i) const;

  std::vector<Instruction> instructions_;  // and one more that closes operands_
  std::vector<std::uint32_t> operands_;    // instruction numbers
  std::vector<NodeId> nodes_;              // of the instructions
  std::vector<double> values_;             // of the instructions
  std::vector<std::uint32_t> roots_;
  std::vector<double> root_values_;
  std::vector<double> constants_;
  std::vector<Leaf> leaves_, pre_leaves_;
  std::vector<std::size_t> slots_, pre_slots_;  // of the leaves
  std::vector<NodeId> given_;
  std::size_t num_parameters_ = 0, num_values_ = 0, num_pre_values_ = 0;  // least lengths in Point
  const Functions* functions_;
  std::vector<CallSite> sites_;
  std::vector<CallUse> uses_;
  std::map<std::pair<FunctionId, std::vector<std::uint32_t>>, std::uint32_t> site_ids_;
  std::vector<double> arguments_;  // scratch
  std::size_t run_ = 0;
  std::string call_failure_;
};

}  // namespace hydae
