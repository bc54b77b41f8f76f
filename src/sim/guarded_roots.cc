#include "sim/guarded_roots.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include <hydae/diagnostic.h>

#include "expr/incidence.h"
#include "expr/rewrite.h"
#include "expr/walk.h"

namespace hydae {
namespace {

// What a zero may be missed by, in tolerances of the largest that the argument has been: errors of
// the solution where it came to rest.
constexpr double kMostBelowZero = 10;
// The same where it is a function of time, whose rounding it has.
constexpr double kRoundingOfTime = 1e-14;

bool is_whole(double number) { return number == std::floor(number); }

// The base of a root or a power that negative numbers do not have, and that zero has.
NodeId argument_of_root(const Graph& graph, NodeId id) {
  const Op op = graph.op(id);
  if (op == Op::kSqrt) return graph.operands(id)[0];
  if (op != Op::kPow) return {};
  const NodeId exponent = graph.operands(id)[1];
  if (!graph.is_constant(exponent)) return {};
  const double value = graph.constant_value(exponent);
  return value > 0 && !is_whole(value) ? graph.operands(id)[0] : NodeId();
}

std::vector<NodeId> arguments_of(const HybridModel& model) {
  std::vector<NodeId> arguments;
  for (const GuardedRoot& root : model.guarded_roots()) arguments.push_back(root.argument);
  return arguments;
}

}  // namespace

bool is_sum_of_squares(const Graph& graph, NodeId id) {
  const auto operands = graph.operands(id);
  switch (graph.op(id)) {
    case Op::kConstant: return graph.constant_value(id) >= 0;
    case Op::kAdd:
      return is_sum_of_squares(graph, operands[0]) && is_sum_of_squares(graph, operands[1]);
    case Op::kMul:
      return operands[0] == operands[1] ||
             (is_sum_of_squares(graph, operands[0]) && is_sum_of_squares(graph, operands[1]));
    case Op::kPow:
      return graph.is_constant(operands[1]) && is_whole(0.5 * graph.constant_value(operands[1]));
    case Op::kExp:
    case Op::kCosh: return true;
    default: return false;
  }
}

std::vector<NodeId> guard_roots(Graph& graph, const std::vector<NodeId>& expressions,
                                std::vector<GuardedRoot>& choices) {
  const auto change = [&](NodeId id, const std::vector<NodeId>& operands) {
    const NodeId argument = argument_of_root(graph, id);
    if (!argument.is_valid() || is_sum_of_squares(graph, argument)) return NodeId();
    const Contents found = contents(graph, argument);
    if (!found.has_time && !found.has_variables) return NodeId();
    const NodeId zero = graph.constant(0);
    const NodeId is_positive = graph.relation(Op::kGreater, operands[0], zero, /*silent=*/true);
    choices.emplace_back().argument = graph.select(is_positive, graph.rebuild(id, operands), zero);
    return choices.back().argument;
  };
  Rewriter<decltype(change)> rewriter(graph, change);
  std::vector<NodeId> guarded;
  for (NodeId expression : expressions) guarded.push_back(rewriter.rewrite(expression));
  return guarded;
}

RootChecks::RootChecks(const HybridModel& model, double rtol, RunReport& report)
    : model_(model), rtol_(rtol), report_(report), arguments_(model, arguments_of(model)) {}

// Inside a step it has left zero where the step begins, as far as is known.
Outcome<Done> RootChecks::check(const StateView& view, double t) {
  if (model_.guarded_roots().empty()) return Done{};
  const std::vector<std::size_t>& read = view.solution.mode().inputs;
  const auto values = arguments_.evaluate(view.at(t));
  for (std::size_t k = 0; k < values.size(); ++k) {
    const GuardedRoot& root = model_.guarded_roots()[k];
    if (std::ranges::find(read, root.slot) == read.end()) continue;
    if (t != view.time() && !root.is_bounded) say_rest(k, view.time());
    if (!(values[k] < 0)) continue;
    const std::vector<double>& sizes = view.state.guards.sizes[root.relation];
    const double allowed = model_.relations()[root.relation].is_time_only
                               ? kRoundingOfTime * std::abs(t)
                               : kMostBelowZero * rtol_ * (sizes.empty() ? 0 : sizes[0]);
    if (-values[k] <= allowed) continue;
    return Failure{
        Status::kUndefinedFunction,
        fmt::format("simulation stopped at t = {:.10g}: {} is undefined, in equation {}: "
                    "its argument has come to zero and goes on to negative numbers "
                    "({:.3g}); write what holds then, such as max(..., 0)",
                    t, quoted(root.text), name_and_place(k), values[k])};
  }
  return Done{};
}

// Another solution may leave it.
void RootChecks::say_rest(std::size_t root, double t) {
  if (said_.insert(root).second)
    report_.warn(fmt::format("{} stays at zero from t = {:.10g} on: its argument has come to rest",
                             quoted(model_.guarded_roots()[root].text), t));
}

// "`f2` (tank.mo:14:3)": the first equation that contains it.
std::string RootChecks::name_and_place(std::size_t root) const {
  const NodeId zero = model_.graph().parameter(ParamId(model_.guarded_roots()[root].slot));
  const System system = model_.system(model_.model().shared_graph(), model_.residuals());
  Walk walk;
  for (EqId eq : ids<EqId>(system.residuals.size())) {
    walk.order(model_.graph(), system.residuals[eq]);
    if (!walk.contains(zero)) continue;
    const auto& sources = model_.model().sources;
    const std::string place = sources ? sources->place(system.equation_sources[eq]) : "";
    const std::string name = quoted(system.equation_names[eq]);
    return place.empty() ? name : fmt::format("{} ({})", name, place);
  }
  return "of a reaction";
}

}  // namespace hydae
