#include "compile/jacobian_repair.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/derivative_name.h"
#include "compile/augmentation.h"
#include "compile/null_vector.h"
#include "compile/singular_equations.h"
#include "expr/derivative.h"
#include "expr/incidence.h"
#include "expr/jacobian.h"
#include "expr/substitute.h"
#include "linalg/rank.h"

namespace hydae {
namespace {

// f is free of a leaf whose partial derivative vanishes identically although the leaf is written in
// it: putting any number for the leaf leaves f as it is and makes the cancellation visible.
NodeId without_cancelling_leaves(Graph& graph, NodeId root, std::span<const Leaf> leaves,
                                 const System& system, const std::vector<SamplePoint>& points) {
  for (Leaf leaf : leaves) {
    Evaluator evaluator(graph, std::span(&root, 1), &system.model->functions());
    Jacobian jacobian(evaluator, evaluator.leaves());
    const auto at = std::find(evaluator.leaves().begin(), evaluator.leaves().end(), leaf);
    if (at == evaluator.leaves().end()) continue;
    const auto column = static_cast<std::size_t>(at - evaluator.leaves().begin());
    bool vanishes = true;
    for (const SamplePoint& point : points) {
      const std::vector<double> values = point.values(evaluator.leaves());
      const std::vector<double> pre_values = point.values(evaluator.pre_leaves());
      const std::vector<double> given(evaluator.given().size(), 0.5);
      jacobian.evaluate({.time = point.time(),
                         .parameters = point.parameters(),
                         .values = values,
                         .pre_values = pre_values,
                         .given = given});
      double largest = 0, own = 0;
      for (const JacobianEntry& entry : jacobian.row(0)) {
        largest = std::max(largest, std::abs(entry.value));
        if (entry.column == column) own = std::abs(entry.value);
      }
      vanishes = vanishes && own <= linalg::kRankTolerance * std::max(largest, 1e-30);
    }
    if (vanishes) root = substitute(graph, root, Substitution{{{leaf, graph.constant(0)}}, {}});
  }
  return root;
}

class BlockRepair {
 public:
  BlockRepair(System& system, const structure::Analysis& structure, const SingularBlock& block,
              const std::vector<SamplePoint>& points)
      : in_(system, structure, block), points_(points) {}

  std::optional<Repair> combine_linearly() {
    const std::optional<Combination> combination = find_combination();
    if (!combination) return std::nullopt;
    const int c_min = in_.c[combination->replaced];
    NodeId sum = in_.system.residuals[combination->replaced];
    std::string text = in_.system.equation_names[combination->replaced];
    for (const auto& [eq, factor] : combination->others) {
      const int times = in_.c[eq] - c_min;
      const NodeId other = total_derivative(in_.graph, in_.system.residuals[eq], times);
      sum = in_.graph.binary(Op::kAdd, sum, in_.graph.binary(Op::kMul, factor, other));
      text += term_text(factor, eq, times);
    }
    std::vector<Leaf> leaves;
    for (VarId var : in_.vars)
      if (in_.d[var] >= c_min) leaves.push_back({in_.system.unknowns[var], in_.d[var] - c_min});
    in_.system.residuals[combination->replaced] =
        without_cancelling_leaves(in_.graph, sum, leaves, in_.system, points_);
    return Repair{Repair::Method::kLinearCombination,
                  fmt::format("equation `{}` replaced by {}",
                              in_.system.equation_names[combination->replaced], text)};
  }

  std::optional<Repair> substitute_expressions() {
    const std::optional<Direction> direction = find_direction();
    if (!direction) return std::nullopt;
    const int c_max = largest_offset(direction->support);
    if (!are_orders_admissible(*direction, c_max)) return std::nullopt;
    std::vector<std::string> texts;
    for (std::size_t k = 0; k < direction->support.size(); ++k)
      if (k != direction->kept) texts.push_back(substitute_unknown(*direction, k, c_max));
    remove_cancellations(*direction);
    return Repair{
        Repair::Method::kExpressionSubstitution,
        fmt::format("new unknown{} {}", texts.size() == 1 ? "" : "s", fmt::join(texts, ", "))};
  }

 private:
  // A right null vector as expressions: the entry of support[kept] is 1.
  struct Direction {
    std::vector<int> support;  // positions in in_.vars
    std::vector<NodeId> ratios;
    std::size_t kept = 0;
  };

  // A left null vector as expressions: the entry of `replaced` is 1.
  struct Combination {
    EqId replaced;
    std::vector<std::pair<EqId, NodeId>> others;
  };

  std::vector<Eigen::MatrixXd> transposed() const {
    std::vector<Eigen::MatrixXd> result;
    for (const Eigen::MatrixXd& matrix : in_.matrices) result.push_back(matrix.transpose());
    return result;
  }

  std::optional<Combination> find_combination() const {
    const std::optional<Eigen::VectorXd> u = find_constant_null_vector(transposed());
    if (!u) return find_symbolic_combination();
    const std::size_t l = row_to_replace(*u);
    Combination combination{.replaced = in_.eqs[l], .others = {}};
    for (std::size_t i = 0; i < in_.eqs.size(); ++i) {
      const double factor = (*u)[static_cast<Eigen::Index>(i)] / (*u)[static_cast<Eigen::Index>(l)];
      if (i != l && factor != 0)
        combination.others.emplace_back(in_.eqs[i], in_.graph.constant(factor));
    }
    return combination;
  }

  std::size_t row_to_replace(const Eigen::VectorXd& u) const {
    std::size_t best = in_.eqs.size();
    for (std::size_t i = 0; i < in_.eqs.size(); ++i) {
      if (u[static_cast<Eigen::Index>(i)] == 0) continue;
      if (best == in_.eqs.size() || in_.c[in_.eqs[i]] <= in_.c[in_.eqs[best]]) best = i;
    }
    return best;
  }

  // Two entries of u: u_i J_ij + u_l J_lj = 0 in any column j that both rows have; the one with the
  // simplest entries gives the simplest factor.
  std::optional<Combination> find_symbolic_combination() const {
    const std::vector<Eigen::MatrixXd> rows = transposed();
    const std::vector<int> support = null_vector_support(rows);
    if (support.size() != 2 || !is_null_direction(rows, support)) return std::nullopt;
    EqId replaced = in_.eqs[static_cast<std::size_t>(support[0])];
    EqId other = in_.eqs[static_cast<std::size_t>(support[1])];
    if (in_.c[other] < in_.c[replaced]) std::swap(replaced, other);
    std::optional<std::pair<std::size_t, NodeId>> best;
    for (VarId var : in_.vars) {
      if (in_.d[var] < in_.c[other]) continue;
      const std::optional<NodeId> factor =
          opposite_ratio(jacobian_entry(replaced, var), jacobian_entry(other, var));
      if (!factor || !are_orders_below_leading(*factor, in_.c[replaced])) continue;
      const std::size_t cost = leaves(in_.graph, std::span(&*factor, 1)).size();
      if (!best || cost < best->first) best = {cost, *factor};
    }
    if (!best) return std::nullopt;
    return Combination{.replaced = replaced, .others = {{other, best->second}}};
  }

  // -a / b; nothing where one of them is zero.
  std::optional<NodeId> opposite_ratio(NodeId a, NodeId b) const {
    if (in_.graph.is_constant(a, 0) || in_.graph.is_constant(b, 0)) return std::nullopt;
    return in_.graph.unary(Op::kNeg, in_.graph.binary(Op::kDiv, a, b));
  }

  // A factor must not bring back the derivatives x_j^(d_j - c) that are to vanish, nor higher ones
  // of other unknowns.
  bool are_orders_below_leading(NodeId factor, int c) const {
    for (const Leaf& leaf : incidence(in_.graph, factor)) {
      const auto column = in_.system.find_column(leaf.variable);
      if (column && leaf.order >= in_.d[*column] - c) return false;
    }
    return true;
  }

  std::string term_text(NodeId factor, EqId eq, int times) const {
    const std::string term = derivative_name(in_.system.equation_names[eq], times);
    if (!in_.graph.is_constant(factor))
      return fmt::format(" + ({})*{}", in_.system.to_string(factor), term);
    const double value = in_.graph.constant_value(factor);
    const std::string size =
        std::abs(value) == 1 ? term : fmt::format("{:.6g}*{}", std::abs(value), term);
    return (value < 0 ? " - " : " + ") + size;
  }

  std::optional<Direction> find_direction() const {
    if (const auto v = find_constant_null_vector(in_.matrices)) {
      Direction direction;
      for (Eigen::Index j = 0; j < v->size(); ++j)
        if ((*v)[j] != 0) direction.support.push_back(static_cast<int>(j));
      choose_kept(direction);
      const double unit = (*v)[direction.support[direction.kept]];
      for (int j : direction.support)
        direction.ratios.push_back(in_.graph.constant((*v)[j] / unit));
      return direction;
    }
    return find_symbolic_direction();
  }

  // Keep the unknown with the highest derivative: its lower derivatives are then at hand.
  void choose_kept(Direction& direction) const {
    for (std::size_t k = 1; k < direction.support.size(); ++k)
      if (offset_of(direction, k) > offset_of(direction, direction.kept)) direction.kept = k;
  }

  int offset_of(const Direction& direction, std::size_t k) const {
    return in_.d[in_.vars[static_cast<std::size_t>(direction.support[k])]];
  }

  NodeId jacobian_entry(EqId eq, VarId var) const {
    return partial(in_.graph, in_.system.residuals[eq], in_.system.unknowns[var],
                   in_.d[var] - in_.c[eq]);
  }

  // Two entries a, b of v: J_ia v_a + J_ib v_b = 0 in any row i that has both. The row with the
  // simplest entries gives the simplest ratio.
  std::optional<Direction> find_symbolic_direction() const {
    Direction direction;
    direction.support = null_vector_support(in_.matrices);
    if (direction.support.size() != 2) return std::nullopt;
    choose_kept(direction);
    const VarId kept = in_.vars[static_cast<std::size_t>(direction.support[direction.kept])];
    const VarId other = in_.vars[static_cast<std::size_t>(direction.support[1 - direction.kept])];
    std::optional<std::pair<std::size_t, NodeId>> best;
    for (EqId eq : in_.eqs) {
      if (in_.d[kept] < in_.c[eq] || in_.d[other] < in_.c[eq]) continue;
      const std::optional<NodeId> ratio =
          opposite_ratio(jacobian_entry(eq, kept), jacobian_entry(eq, other));
      if (!ratio) continue;
      const std::size_t cost = leaves(in_.graph, std::span(&*ratio, 1)).size();
      if (!best || cost < best->first) best = {cost, *ratio};
    }
    if (!best || !is_null_direction(in_.matrices, direction.support)) return std::nullopt;
    direction.ratios.assign(2, best->second);
    direction.ratios[direction.kept] = in_.graph.constant(1);
    return direction;
  }

  // The ratio of the two entries that span `support` is the same in all rows, at every point.
  static bool is_null_direction(const std::vector<Eigen::MatrixXd>& matrices,
                                const std::vector<int>& support) {
    const int a = support[0], b = support[1];
    for (const Eigen::MatrixXd& J : matrices) {
      Eigen::Index row = 0;
      (J.col(a).cwiseAbs() + J.col(b).cwiseAbs()).maxCoeff(&row);
      const double v_a = -J(row, b), v_b = J(row, a);
      for (Eigen::Index i = 0; i < J.rows(); ++i) {
        const double first = J(i, a) * v_a, second = J(i, b) * v_b;
        if (std::abs(first + second) > 1e-8 * (std::abs(first) + std::abs(second))) return false;
      }
    }
    return true;
  }

  bool occurs(EqId eq, VarId var) const {
    const int order = in_.d[var] - in_.c[eq];
    if (order < 0) return false;
    for (const Leaf& leaf : incidence(in_.graph, in_.system.residuals[eq]))
      if (leaf.variable == in_.system.unknowns[var]) return leaf.order == order;
    return false;
  }

  // C: the largest c_i of a row in which a chosen unknown is leading.
  int largest_offset(const std::vector<int>& chosen) const {
    int largest = 0;
    for (EqId eq : in_.eqs)
      for (int j : chosen)
        if (occurs(eq, in_.vars[static_cast<std::size_t>(j)]))
          largest = std::max(largest, in_.c[eq]);
    return largest;
  }

  // Orders in the ratios must stay below d_j - C for chosen unknowns and must not exceed it for
  // others.
  bool are_orders_admissible(const Direction& direction, int c_max) const {
    const auto is_chosen = [&](VarId column) {
      return std::any_of(direction.support.begin(), direction.support.end(),
                         [&](int j) { return in_.vars[static_cast<std::size_t>(j)] == column; });
    };
    for (int j : direction.support)
      if (in_.d[in_.vars[static_cast<std::size_t>(j)]] < c_max) return false;
    for (NodeId ratio : direction.ratios) {
      for (const Leaf& leaf : incidence(in_.graph, ratio)) {
        const auto column = in_.system.find_column(leaf.variable);
        if (!column) continue;
        const int limit = in_.d[*column] - c_max;
        if (is_chosen(*column) ? leaf.order >= limit : leaf.order > limit) return false;
      }
    }
    return true;
  }

  // y = x_j^(d_j - C) - r x_l^(d_l - C), put into the rows where x_j is leading.
  std::string substitute_unknown(const Direction& direction, std::size_t k, int c_max) {
    const VarId column = in_.vars[static_cast<std::size_t>(direction.support[k])];
    const VarId kept = in_.vars[static_cast<std::size_t>(direction.support[direction.kept])];
    const VarId x = in_.system.unknowns[column], x_l = in_.system.unknowns[kept];
    const NodeId follower = in_.graph.binary(Op::kMul, direction.ratios[k],
                                             in_.graph.variable(x_l, in_.d[kept] - c_max));
    const NodeId right =
        in_.graph.binary(Op::kSub, in_.graph.variable(x, in_.d[column] - c_max), follower);
    const VarId added = in_.system.add_unknown(in_.system.unknown_names[column] + "_new", right);
    const std::string name = in_.system.unknown_names[added];
    const VarId y = in_.system.unknowns[added];
    const NodeId leader = in_.graph.binary(Op::kAdd, in_.graph.variable(y, 0), follower);
    for (EqId eq : in_.eqs) {
      if (!occurs(eq, column)) continue;
      const Leaf leading{x, in_.d[column] - in_.c[eq]};
      const NodeId value = total_derivative(in_.graph, leader, c_max - in_.c[eq]);
      in_.system.residuals[eq] =
          substitute(in_.graph, in_.system.residuals[eq], Substitution{{{leading, value}}, {}});
    }
    in_.system.add_equation(in_.graph.binary(Op::kSub, in_.graph.variable(y, 0), right),
                            "def_" + name);
    return fmt::format("{} = {}", name, in_.system.to_string(right));
  }

  void remove_cancellations(const Direction& direction) {
    const VarId kept = in_.vars[static_cast<std::size_t>(direction.support[direction.kept])];
    for (EqId eq : in_.eqs) {
      if (in_.d[kept] < in_.c[eq]) continue;
      const Leaf leaf{in_.system.unknowns[kept], in_.d[kept] - in_.c[eq]};
      in_.system.residuals[eq] = without_cancelling_leaves(
          in_.graph, in_.system.residuals[eq], std::span(&leaf, 1), in_.system, points_);
    }
  }

  SingularEquations in_;
  const std::vector<SamplePoint>& points_;
};

}  // namespace

std::optional<Repair> repair(System& system, const structure::Analysis& structure,
                             const SingularBlock& block, const std::vector<SamplePoint>& points) {
  if (block.matrices.empty()) return std::nullopt;
  BlockRepair attempt(system, structure, block, points);
  if (auto done = attempt.combine_linearly()) return done;
  if (auto done = attempt.substitute_expressions()) return done;
  return augment(system, structure, block, points);
}

}  // namespace hydae
