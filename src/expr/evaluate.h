// Numbers for expressions: an Evaluator is prepared once for a set of roots as a numeric tape
// (ops/tape.h) and then evaluates them at as many points as wanted without allocating. Rows of
// Jacobians are in jacobian.h, derivatives along directions in tangents.h.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <hydae/expr.h>

#include "ops/machine.h"

namespace hydae {

class TapeLowering;

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
  // What the first function that failed in the last evaluation said; empty if none did. Its results
  // are undefined.
  const std::string& call_failure() const { return machine_->call_failure(); }

 private:
  friend class Jacobian;
  friend class Tangents;

  // The registers of inputs come first, in this order: leaves, leaves under pre(), given values,
  // parameters, and these.
  enum Flag { kTimeInput, kInitialInput, kTerminalInput, kHomotopyInput, kNumFlags };

  void place_inputs(const Graph& graph, TapeLowering& lowering);
  void find_slots(const Slots& slots);
  void check(const Point& point) const;
  void set_inputs(const Point& point);
  std::span<const double> read_roots();
  // kNoRegister for leaves that do not occur.
  std::vector<ops::Register> registers_of(std::span<const Leaf> leaves) const;

  std::optional<ops::Machine> machine_;
  std::vector<ops::Register> roots_;
  std::vector<double> root_values_;
  std::vector<Leaf> leaves_, pre_leaves_;
  std::vector<NodeId> given_;
  std::vector<std::size_t> parameters_;                                   // ParamIds
  std::vector<std::size_t> slots_, pre_slots_;                            // of the leaves
  std::size_t num_parameters_ = 0, num_values_ = 0, num_pre_values_ = 0;  // least lengths in Point
};

}  // namespace hydae
