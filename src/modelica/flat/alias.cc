#include "modelica/flat/alias.h"

namespace hydae::modelica {

Aliases::Root Aliases::find(VarId variable) {
  Root root{variable, false};
  while (parent_[root.variable].variable != root.variable) {
    root.is_negative ^= parent_[root.variable].is_negative;
    root.variable = parent_[root.variable].variable;
  }
  // Shorten the path: the sign to the root is known now.
  bool is_negative = root.is_negative;
  while (parent_[variable].variable != root.variable && variable != root.variable) {
    const AliasOf next = parent_[variable];
    parent_[variable] = {root.variable, is_negative};
    is_negative ^= next.is_negative;
    variable = next.variable;
  }
  return root;
}

std::optional<EqualVariables> find_equal_variables(Graph& graph, const FlatEquation& equation) {
  NodeId residual = graph.binary(Op::kSub, equation.lhs, equation.rhs);
  if (graph.op(residual) == Op::kNeg) residual = graph.operands(residual)[0];
  const Op op = graph.op(residual);
  if (op != Op::kAdd && op != Op::kSub) return std::nullopt;
  const NodeId a = graph.operands(residual)[0], b = graph.operands(residual)[1];
  if (graph.op(a) != Op::kVariable || graph.op(b) != Op::kVariable) return std::nullopt;
  const Leaf x = graph.leaf_of(a), y = graph.leaf_of(b);
  if (x.order != 0 || y.order != 0) return std::nullopt;
  return EqualVariables{x.variable, y.variable, op == Op::kAdd};
}

bool Aliases::join(const FlatEquation& equation, const IdVector<VarId, VariableKind>& kinds) {
  if (kinds.empty()) return false;
  const auto equal = find_equal_variables(*session_.graph, equation);
  if (!equal || kinds[equal->a] != kinds[equal->b]) return false;
  if (session_.request.is_as_written && kinds[equal->a] == VariableKind::kReal) return false;
  if (equal->is_negative && kinds[equal->a] == VariableKind::kBoolean) return false;
  const Root left = find(equal->a), right = find(equal->b);
  if (left.variable == right.variable) return false;
  parent_[right.variable] = {left.variable,
                             (left.is_negative ^ right.is_negative ^ equal->is_negative) != 0};
  return true;
}

Aliases::Aliases(Session& session, const IdVector<VarId, VariableKind>& kinds,
                 const IdVector<VarId, std::vector<int>>& rank)
    : session_(session) {
  const std::size_t count = session.flat->variables.size();
  for (std::size_t i = 0; i < count; ++i) parent_.push_back({VarId(i), false});
  for (const FlatEquation& equation : session.flat->equations)
    used_.push_back(join(equation, kinds));
  // The best member of each class, then everyone relative to it.
  IdVector<VarId, VarId> best(count);
  for (const VarId v : ids<VarId>(count)) {
    VarId& chosen = best[find(v).variable];
    if (!chosen.is_valid() || rank[v] < rank[chosen]) chosen = v;
  }
  members_.resize(count);
  for (const VarId v : ids<VarId>(count)) {
    const Root root = find(v);
    const VarId chosen = best[root.variable];
    classes_.push_back({chosen, root.is_negative != find(chosen).is_negative});
    if (v != chosen) members_[chosen].push_back(v);
  }
}

}  // namespace hydae::modelica
