#include "modelica/functions/loop_function.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <stdexcept>

#include "base/check.h"
#include "expr/evaluate.h"
#include "expr/tangents.h"
#include "modelica/functions/loop_function_text.h"
#include "ops/exact_jacobian.h"

namespace hydae::modelica {

// ---- recording ----

NodeId ProgramRecorder::add_register() { return graph_.variable(VarId(kFirst + num_registers_++)); }

void ProgramRecorder::assign(const std::vector<NodeId>& registers, std::vector<NodeId> values) {
  if (registers.empty()) return;
  Step step;
  for (const NodeId id : registers)
    step.targets.push_back(register_of(graph_.leaf_of(id).variable));
  step.values = std::move(values);
  lists_.back()->push_back(std::move(step));
}

void ProgramRecorder::begin_loop() {
  lists_.back()->emplace_back();
  lists_.push_back(&lists_.back()->back().body);
}

void ProgramRecorder::end_loop(NodeId condition) {
  HYDAE_CHECK(lists_.size() > 1);
  lists_.pop_back();
  lists_.back()->back().condition = condition;
}

void ProgramRecorder::require(NodeId condition, std::string message) {
  if (graph_.is_constant(condition, 1)) return;
  if (!failed_.is_valid()) failed_ = add_register();
  messages_.push_back(std::move(message));
  const NodeId number = graph_.constant(static_cast<double>(messages_.size()));
  const NodeId is_first = graph_.relation(Op::kEqual, failed_, graph_.constant(0), true);
  const NodeId fails = graph_.binary(Op::kAnd, is_first, graph_.unary(Op::kNot, condition));
  assign({failed_}, {graph_.select(fails, number, failed_)});
}

NodeId as_number(Graph& graph, NodeId cell, BaseType type) {
  if (type != BaseType::kBoolean) return cell;
  return graph.select(cell, graph.constant(1), graph.constant(0));
}

void ProgramRecorder::move(std::uint32_t count, const std::function<NodeId(NodeId)>& rewrite) {
  const auto move_steps = [&](auto&& self, std::vector<Step>& steps) -> void {
    for (Step& step : steps) {
      for (std::uint32_t& target : step.targets) target += count;
      for (NodeId& value : step.values) value = rewrite(value);
      if (step.condition.is_valid()) step.condition = rewrite(step.condition);
      self(self, step.body);
    }
  };
  move_steps(move_steps, steps_);
  num_registers_ += count;
  if (failed_.is_valid()) failed_ = rewrite(failed_);
}

// ---- running ----

namespace {

constexpr std::int64_t kMostTurns = 1'000'000;

using FunctionList = IdVector<FunctionId, Function>;

// Some formulas over registers, ready to be evaluated with their derivatives.
class Formulas {
 public:
  Formulas(const Graph& graph, const std::vector<NodeId>& roots, const FunctionList& functions)
      : evaluator_(
            graph, roots, &functions,
            [](Leaf leaf) -> std::size_t { return ProgramRecorder::register_of(leaf.variable); }),
        tangents_(evaluator_, evaluator_.leaves()) {}

  std::span<const double> values(std::span<const double> registers) {
    return evaluator_.evaluate({.values = registers});
  }
  // Values, and of each root the row of derivatives by the inputs of the program.
  std::span<const double> values(std::span<const double> registers, std::span<const double> slopes,
                                 std::size_t num_inputs, std::vector<double>& rows) {
    seeds_.clear();
    for (const Leaf leaf : evaluator_.leaves()) {
      const std::size_t from = ProgramRecorder::register_of(leaf.variable) * num_inputs;
      const std::span<const double> row = slopes.subspan(from, num_inputs);
      seeds_.insert(seeds_.end(), row.begin(), row.end());
    }
    return tangents_.evaluate({.values = registers}, seeds_, num_inputs, rows);
  }

 private:
  hydae::Evaluator evaluator_;
  Tangents tangents_;
  std::vector<double> seeds_;  // rows of slopes, by leaf
};

class Program {
 public:
  Program(const ProgramHead& head, const Graph& graph, const ProgramRecorder& recorder,
          const std::vector<NodeId>& outputs, const FunctionList& functions)
      : name_(head.name),
        functions_(functions),
        num_inputs_(static_cast<std::size_t>(head.num_inputs)),
        registers_(recorder.num_registers()),
        steps_(prepare(graph, recorder.steps())),
        outputs_(std::make_unique<Formulas>(graph, outputs, functions_)),
        messages_(recorder.messages()) {
    if (recorder.failed().is_valid())
      failed_ = ProgramRecorder::register_of(graph.leaf_of(recorder.failed()).variable);
  }

  void evaluate(std::span<const double> in, std::span<double> out) {
    start(in, false);
    run(steps_, false);
    note_failure();
    const std::span<const double> values = outputs_->values(registers_);
    require_defined(values);
    std::copy(values.begin(), values.end(), out.begin());
  }

  void jacobian(std::span<const double> in, std::span<double> out) {
    start(in, true);
    run(steps_, true);
    note_failure();
    require_defined(outputs_->values(registers_, slopes_, num_inputs_, rows_));
    std::copy(rows_.begin(), rows_.end(), out.begin());
  }

 private:
  struct Step {
    std::vector<std::uint32_t> targets;
    std::unique_ptr<Formulas> formulas;  // values, or the condition of a loop
    bool is_loop = false;
    std::vector<Step> body;
  };

  std::vector<Step> prepare(const Graph& graph, const std::vector<ProgramRecorder::Step>& steps) {
    std::vector<Step> out;
    for (const ProgramRecorder::Step& from : steps) {
      Step& to = out.emplace_back();
      to.is_loop = from.condition.is_valid();
      const std::vector<NodeId> roots =
          to.is_loop ? std::vector<NodeId>{from.condition} : from.values;
      to.targets = from.targets;
      to.formulas = std::make_unique<Formulas>(graph, roots, functions_);
      to.body = prepare(graph, from.body);
    }
    return out;
  }

  void start(std::span<const double> in, bool has_slopes) {
    failure_.clear();
    std::fill(registers_.begin(), registers_.end(), 0.0);
    std::copy(in.begin(), in.end(), registers_.begin());
    if (!has_slopes) return;
    slopes_.assign(registers_.size() * num_inputs_, 0);
    for (std::size_t k = 0; k < num_inputs_; ++k) slopes_[k * num_inputs_ + k] = 1;
  }

  void run(std::vector<Step>& steps, bool has_slopes) {
    for (Step& step : steps) {
      if (step.is_loop)
        run_loop(step, has_slopes);
      else
        assign(step, has_slopes);
    }
  }

  void run_loop(Step& step, bool has_slopes) {
    for (std::int64_t turn = 0;; ++turn) {
      const double condition = step.formulas->values(registers_)[0];
      if (condition == 0) return;
      if (condition != 1) return give_up(step, "the condition of a loop is undefined");
      if (turn == kMostTurns) return give_up(step, "a loop does not end");
      run(step.body, has_slopes);
    }
  }

  // The loop may belong to a branch that is not taken (a function for water, called for steam): it
  // counts only if a result depends on it.
  void give_up(const Step& loop, const char* why) {
    if (failure_.empty()) failure_ = fmt::format("`{}`: {}", name_, why);
    for (const Step& step : loop.body) {
      for (std::uint32_t target : step.targets)
        if (target != failed_) registers_[target] = std::numeric_limits<double>::quiet_NaN();
      if (step.is_loop) give_up(step, why);
    }
  }

  // Of what the text of the function requires.
  void note_failure() {
    if (!failed_ || registers_[*failed_] == 0) return;
    const auto number = static_cast<std::size_t>(registers_[*failed_]);
    failure_ = fmt::format("`{}`: {}", name_, messages_.at(number - 1));
  }

  void require_defined(std::span<const double> values) const {
    const auto is_finite = [](double value) { return std::isfinite(value); };
    if (!failure_.empty() && !std::all_of(values.begin(), values.end(), is_finite))
      throw std::runtime_error(failure_);
  }

  void assign(Step& step, bool has_slopes) {
    const std::span<const double> values =
        has_slopes ? step.formulas->values(registers_, slopes_, num_inputs_, rows_)
                   : step.formulas->values(registers_);
    for (std::size_t i = 0; i < step.targets.size(); ++i) registers_[step.targets[i]] = values[i];
    if (!has_slopes) return;
    for (std::size_t i = 0; i < step.targets.size(); ++i)
      for (std::size_t k = 0; k < num_inputs_; ++k)
        slopes_[step.targets[i] * num_inputs_ + k] = rows_[i * num_inputs_ + k];
  }

  std::string name_, failure_;
  FunctionList functions_;
  std::size_t num_inputs_;
  std::vector<double> registers_, slopes_, rows_;  // slopes: by register, then by input
  std::vector<Step> steps_;
  std::unique_ptr<Formulas> outputs_;
  std::vector<std::string> messages_;
  std::optional<std::uint32_t> failed_;  // register
};

}  // namespace

Function make_function(const ProgramHead& head, const Graph& graph, const ProgramRecorder& recorder,
                       const std::vector<NodeId>& outputs,
                       const IdVector<FunctionId, Function>& functions) {
  const auto program = std::make_shared<Program>(head, graph, recorder, outputs, functions);
  Function out;
  out.name = head.name;
  out.num_inputs = head.num_inputs;
  out.num_outputs = static_cast<int>(outputs.size());
  out.evaluate = [program](std::span<const double> in, std::span<double> values) {
    program->evaluate(in, values);
  };
  out.jacobian = [program](std::span<const double> in, std::span<double> values) {
    program->jacobian(in, values);
  };
  if (head.derivative.is_valid()) {
    const Function& derivative = functions[head.derivative];
    out.jacobian = ExactJacobian{derivative.evaluate, derivative.jacobian};
  }
  out.source = head.source;
  out.definition = program_text(head, graph, recorder, outputs, functions);
  return out;
}

}  // namespace hydae::modelica
