#include "sim/surface_index.h"

#include "expr/evaluate.h"
#include "expr/walk.h"

namespace hydae {
namespace {

constexpr std::size_t kMostKnown = 64;  // guards with the same terms: pairs are compared

}  // namespace

// Expressions of parameters of the model, without functions.
bool SurfaceIndex::is_fixed(NodeId id) const {
  Walk walk;
  for (NodeId part : walk.order(graph_, id)) {
    const Op op = graph_.op(part);
    if (op == Op::kParameter ? graph_.node(part).parameter.index() >= parameters_.size()
                             : op != Op::kConstant && op != Op::kNeg && op != Op::kAdd &&
                                   op != Op::kSub && op != Op::kMul && op != Op::kDiv)
      return false;
  }
  return true;
}

bool SurfaceIndex::is_zero(NodeId fixed) const {
  if (graph_.is_constant(fixed)) return graph_.node(fixed).value == 0;
  return Evaluator(graph_, std::vector<NodeId>{fixed}, nullptr)
             .evaluate({.parameters = parameters_})[0] == 0;
}

void SurfaceIndex::collect(NodeId id, int sign, std::map<NodeId, int>& terms, NodeId& offset) {
  const Op op = graph_.op(id);
  if (is_fixed(id)) {
    offset = graph_.binary(sign > 0 ? Op::kAdd : Op::kSub, offset, id);
  } else if (op == Op::kNeg) {
    collect(graph_.operands(id)[0], -sign, terms, offset);
  } else if (op == Op::kAdd || op == Op::kSub) {
    const NodeId a = graph_.operands(id)[0], b = graph_.operands(id)[1];
    collect(a, sign, terms, offset);
    collect(b, op == Op::kAdd ? sign : -sign, terms, offset);
  } else {
    terms[id] += sign;
  }
}

SurfaceIndex::Split SurfaceIndex::split(NodeId guard) {
  std::map<NodeId, int> terms;
  Split result;
  result.offset = graph_.constant(0);
  collect(guard, 1, terms, result.offset);
  std::erase_if(terms, [](const auto& term) { return term.second == 0; });
  if (!terms.empty() && terms.begin()->second < 0) {
    result.sign = -1;
    result.offset = graph_.unary(Op::kNeg, result.offset);
  }
  for (const auto& [term, factor] : terms) result.terms.emplace_back(term, result.sign * factor);
  return result;
}

std::optional<SurfaceIndex::Place> SurfaceIndex::find(NodeId guard) {
  if (const auto at = exact_.find(guard); at != exact_.end()) return Place{at->second, 1};
  const auto opposite = exact_.find(graph_.unary(Op::kNeg, guard));
  if (opposite != exact_.end()) return Place{opposite->second, -1};
  const Split parts = split(guard);
  const auto family = families_.find(parts.terms);
  if (family == families_.end()) return std::nullopt;
  for (const Known& known : family->second)
    if (is_zero(graph_.binary(Op::kSub, parts.offset, known.offset)))
      return Place{known.place.surface, parts.sign * known.place.sign};
  return std::nullopt;
}

void SurfaceIndex::add(NodeId guard, std::size_t surface) {
  exact_.emplace(guard, surface);
  Split parts = split(guard);
  std::vector<Known>& family = families_[parts.terms];
  if (!parts.terms.empty() && family.size() < kMostKnown)
    family.push_back({parts.offset, {surface, parts.sign}});
}

}  // namespace hydae
