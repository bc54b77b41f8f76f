#include "modelica/functions/loop_function_text.h"

#include <fmt/format.h>
#include <set>

#include <hydae/error.h>

#include "expr/walk.h"
#include "modelica/flat/flat_names.h"
#include "modelica/flat/shared_subexpressions.h"

namespace hydae::modelica {

namespace {

using Step = ProgramRecorder::Step;
using FunctionList = IdVector<FunctionId, Function>;

constexpr double kLongestFormula = 10'000;  // operations

class ProgramWriter {
 public:
  ProgramWriter(const Graph& graph, const ProgramRecorder& recorder, std::size_t num_inputs,
                const std::vector<NodeId>& outputs, const FunctionList& functions)
      : graph_(graph),
        recorder_(recorder),
        num_inputs_(num_inputs),
        outputs_(outputs),
        is_boolean_(recorder.num_registers(), false) {
    names_.variable = [this](VarId v) { return name_of(ProgramRecorder::register_of(v)); };
    names_.function = [&functions](FunctionId f) { return flat_function_name(functions[f].name); };
    has_output_registers_ = find_output_registers();
    while (spread_boolean(recorder.steps())) {
    }
  }

  std::string write(const std::string& name, const std::string& options) {
    write_steps(recorder_.steps(), "      ");
    for (std::size_t k = 0; k < outputs_.size() && !has_output_registers_; ++k)
      add_assignment("      ", fmt::format("y{}", k + 1), outputs_[k]);
    std::string out = fmt::format("  function {}\n", name);
    for (std::size_t k = 0; k < num_inputs_; ++k)
      out += fmt::format("    input Real x{};\n", k + 1);
    for (std::size_t k = 0; k < outputs_.size(); ++k)
      out += fmt::format("    output Real y{};\n", k + 1);
    out += "  protected\n";
    for (std::size_t r = first_local(); r < is_boolean_.size(); ++r)
      out += fmt::format("    {} {};\n", is_boolean_[r] ? "Boolean" : "Real", name_of(r));
    out += fmt::format("  algorithm\n{}    annotation(__hydae({}));\n", text_, options);
    return out + fmt::format("  end {};\n", name);
  }

 private:
  // Whether the outputs are the registers behind the inputs, as in a program that was read.
  bool find_output_registers() const {
    for (std::size_t k = 0; k < outputs_.size(); ++k)
      if (graph_.op(outputs_[k]) != Op::kVariable || register_of(outputs_[k]) != num_inputs_ + k)
        return false;
    return true;
  }

  std::size_t register_of(NodeId id) const {
    return ProgramRecorder::register_of(graph_.leaf_of(id).variable);
  }
  std::size_t first_local() const {
    return num_inputs_ + (has_output_registers_ ? outputs_.size() : 0);
  }
  std::string name_of(std::size_t r) const {
    if (r < num_inputs_) return fmt::format("x{}", r + 1);
    if (r < first_local()) return fmt::format("y{}", r - num_inputs_ + 1);
    return fmt::format("r{}", r - first_local() + 1);
  }

  // ---- which registers are Boolean ----

  bool is_boolean(NodeId id) const {
    while (graph_.op(id) == Op::kSelect) id = graph_.node(id).b;
    const Node node = graph_.node(id);
    if (node.op == Op::kConstant) return node.is_boolean;
    if (node.op == Op::kVariable) return is_boolean_[ProgramRecorder::register_of(node.variable)];
    return is_boolean_operation(node.op);
  }

  bool spread_boolean(const std::vector<Step>& steps) {
    bool has_changed = false;
    for (const Step& step : steps) {
      for (std::size_t i = 0; i < step.targets.size(); ++i)
        if (!is_boolean_[step.targets[i]] && is_boolean(step.values[i]))
          has_changed = is_boolean_[step.targets[i]] = true;
      has_changed |= spread_boolean(step.body);
    }
    return has_changed;
  }

  // ---- statements ----

  void write_steps(const std::vector<Step>& steps, const std::string& indent) {
    for (const Step& step : steps) {
      if (!step.condition.is_valid()) {
        write_assignments(step, indent);
        continue;
      }
      text_ += fmt::format("{}while {} loop\n", indent, formula(step.condition));
      write_steps(step.body, indent + "  ");
      text_ += indent + "end while;\n";
    }
  }

  // The values are assigned at once: one that a later value of the same step still needs as it was
  // waits in a register of its own.
  void write_assignments(const Step& step, const std::string& indent) {
    std::vector<bool> has_to_wait(step.targets.size(), false);
    std::set<std::uint32_t> read_later;
    for (std::size_t i = step.targets.size(); i-- > 0;) {
      has_to_wait[i] = read_later.contains(step.targets[i]);
      for (const NodeId id : walk_.order(graph_, step.values[i]))
        if (graph_.op(id) == Op::kVariable)
          read_later.insert(ProgramRecorder::register_of(graph_.leaf_of(id).variable));
    }
    std::vector<std::pair<std::size_t, std::size_t>> waiting;  // target, where it waits
    for (std::size_t i = 0; i < step.targets.size(); ++i) {
      std::size_t target = step.targets[i];
      if (has_to_wait[i]) {
        waiting.emplace_back(target, is_boolean_.size());
        is_boolean_.push_back(is_boolean_[target]);
        target = waiting.back().second;
      }
      add_assignment(indent, name_of(target), step.values[i]);
    }
    for (const auto& [target, place] : waiting)
      text_ += fmt::format("{}{} := {};\n", indent, name_of(target), name_of(place));
  }

  void add_assignment(const std::string& indent, const std::string& target, NodeId value) {
    text_ += fmt::format("{}{} := {};\n", indent, target, formula(value));
  }

  // The length of a formula can grow exponentially with its nodes: it is counted first.
  std::string formula(NodeId id) {
    const auto order = walk_.order(graph_, id);
    std::vector<double> length(order.size(), 1);
    for (std::size_t i = 0; i < order.size(); ++i)
      for (const NodeId operand : graph_.operands(order[i]))
        length[i] += length[walk_.position(operand)];
    if (length.back() > kLongestFormula) throw UsageError("the formula is too long");
    return to_string(graph_, id, names_);
  }

  const Graph& graph_;
  const ProgramRecorder& recorder_;
  const std::size_t num_inputs_;
  const std::vector<NodeId>& outputs_;
  std::vector<bool> is_boolean_;  // by register
  bool has_output_registers_ = false;
  Names names_;
  Walk walk_;
  std::string text_;
};

}  // namespace

std::string program_text(const ProgramHead& head, const Graph& graph,
                         const ProgramRecorder& recorder, const std::vector<NodeId>& outputs,
                         const FunctionList& functions) {
  std::string options = "program = true";
  if (head.derivative.is_valid())
    options += ", derivative = " + flat_function_name(functions[head.derivative].name);
  try {
    return ProgramWriter(graph, recorder, static_cast<std::size_t>(head.num_inputs), outputs,
                         functions)
        .write(flat_function_name(head.name), options);
  } catch (const UsageError&) {
    return "";  // too long
  }
}

}  // namespace hydae::modelica
