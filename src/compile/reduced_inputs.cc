#include "compile/reduced_inputs.h"

#include <algorithm>

#include "base/check.h"
#include "expr/walk.h"

namespace hydae {

ReducedInputs::ReducedInputs(const AnalyzedSystem& prepared, const Reduced& reduced,
                             std::span<const NodeId> guards)
    : prepared_(prepared), reduced_(reduced) {
  find_held(guards);
}

void ReducedInputs::find_held(std::span<const NodeId> guards) {
  const Graph& graph = prepared_.system.graph();
  std::vector<NodeId> roots(guards.begin(), guards.end());
  for (const ReducedEquation& equation : reduced_.equations) roots.push_back(equation.residual);
  for (const Assignment& assignment : reduced_.assignments) roots.push_back(assignment.value);
  Walk walk;
  for (NodeId id : walk.order(graph, roots, Walk::Scope::kGiven)) {
    const Op op = graph.op(id);
    if (op != Op::kVariable && op != Op::kPre) continue;
    const Leaf leaf = graph.leaf_of(id);
    if (op != Op::kPre && prepared_.system.find_column(leaf.variable)) continue;
    held_places_[{op == Op::kPre, leaf}] = held_.size();
    held_.push_back({op == Op::kPre, leaf});
  }
}

std::size_t ReducedInputs::place(const Node& node) const {
  const std::size_t n = reduced_.unknowns.size();
  const Leaf leaf = node.leaf();
  const auto column = prepared_.system.find_column(leaf.variable);
  if (node.op == Op::kPre || !column) return 2 * n + held_places_.at({node.op == Op::kPre, leaf});
  const LeafPlace place = reduced_.place(*column, leaf.order);
  HYDAE_CHECK(place.kind != LeafPlace::Kind::kAssigned);
  return place.index + (place.kind == LeafPlace::Kind::kDerivative ? n : 0);
}

ValueProgram ReducedInputs::program(std::span<const NodeId> roots) const {
  const ValueProgram::Inputs inputs{2 * reduced_.unknowns.size(), held_.size(),
                                    [this](const Node& node) { return place(node); }};
  return ValueProgram(prepared_.system.graph(), roots, inputs,
                      &prepared_.system.model->functions());
}

void evaluate(ValueProgram& program, double t, const double* y, const double* yp, double* out) {
  const std::span<double> inputs = program.inputs();
  const auto n = static_cast<std::ptrdiff_t>(inputs.size() / 2);
  std::copy(y, y + n, inputs.begin());
  std::copy(yp, yp + n, inputs.begin() + n);
  program.evaluate(t, {out, program.num_roots()});
}

std::uint32_t row_of_equation(const Reduced& reduced, std::size_t i) {
  const bool is_iterated = i < reduced.num_iterated_equations;
  return static_cast<std::uint32_t>(is_iterated ? i : i + reduced.chains.size());
}

}  // namespace hydae
