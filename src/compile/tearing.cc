#include "compile/tearing.h"

#include <algorithm>
#include <cmath>
#include <queue>

#include "expr/derivative.h"
#include "expr/incidence.h"
#include "expr/linearity.h"
#include "expr/substitute.h"
#include "ops/operation.h"

namespace hydae {
namespace {

constexpr std::size_t kMostNodes = 24;        // of an expression that is looked at as a coefficient
constexpr std::size_t kMostDependences = 16;  // of an assigned unknown on unknowns of the solver
constexpr std::size_t kFreeFill = 8;          // entries that an assignment may add
constexpr double kSmallestPivot = 1e-3;       // of the largest constant coefficient in the row

// The value of an expression of constants and lasting parameters.
class Coefficient {
 public:
  explicit Coefficient(const TearingInput& input) : input_(input), graph_(*input.graph) {}

  std::optional<double> value(NodeId id) {
    num_nodes_ = 0;
    return evaluate(id);
  }

 private:
  // The depth is bounded by the number of nodes allowed.
  std::optional<double> evaluate(NodeId id) {
    if (++num_nodes_ > kMostNodes) return std::nullopt;
    const Node node = graph_.node(id);
    switch (node.op) {
      case Op::kConstant: return node.value;
      case Op::kParameter:
        if (node.parameter.index() >= std::min(input_.num_parameters, input_.parameters.size()))
          return std::nullopt;
        return input_.parameters[node.parameter.index()];
      case Op::kNeg:
      case Op::kSqrt:
      case Op::kAdd:
      case Op::kSub:
      case Op::kMul:
      case Op::kDiv:
      case Op::kPow: break;
      default: return std::nullopt;
    }
    const auto a = evaluate(node.a);
    const auto b = num_operands(node.op) == 2 ? evaluate(node.b) : 0.0;
    if (!a || !b) return std::nullopt;
    return ops::apply(node.op, *a, *b);
  }

  const TearingInput& input_;
  const Graph& graph_;
  std::size_t num_nodes_ = 0;
};

class Tearing {
 public:
  explicit Tearing(const TearingInput& input)
      : input_(input), graph_(*input.graph), is_known_(input.is_known) {}

  std::vector<ExplicitRow> run() {
    read_rows();
    keep_unsolvable();
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (rows_[i].num_unknown == 1) ready_.push(i);
    while (true) {
      if (!ready_.empty()) {
        const std::size_t i = ready_.top();
        ready_.pop();
        if (rows_[i].num_unknown == 1 && !rows_[i].is_used) solve(i);
      } else if (const auto leaf = most_used_unknown()) {
        keep(*leaf);
      } else {
        return std::move(solved_);
      }
    }
  }

 private:
  struct Entry {
    std::uint32_t leaf;
    Leaf name;
    NodeId coefficient;  // none if the row cannot be solved for the leaf
  };
  struct Row {
    std::vector<Entry> entries;  // all leaves of the system in the row
    std::size_t num_unknown = 0;
    bool is_used = false;
  };

  void read_rows() {
    users_.resize(is_known_.size());
    dependences_.resize(is_known_.size());
    is_assigned_.assign(is_known_.size(), false);
    for (NodeId root : input_.rows) read_row(root);
  }

  // All leaves count, also those on which the row depends through a condition only.
  void read_row(NodeId root) {
    Row row;
    for (const Leaf& leaf : incidence_.leaves(graph_, root)) {
      const auto number = input_.leaf_number(leaf);
      if (!number) continue;
      row.entries.push_back({*number, leaf, NodeId()});
      if (is_known_[*number]) continue;
      ++row.num_unknown;
      users_[*number].push_back(rows_.size());
    }
    if (row.num_unknown > 0) find_coefficients(root, row);
    rows_.push_back(std::move(row));
  }

  void find_coefficients(NodeId root, Row& row) {
    Coefficient coefficient(input_);
    double largest = 0;
    std::vector<double> sizes(row.entries.size(), 0.0);
    for (const Partial& partial : gradient(graph_, root)) {
      const auto at = std::find_if(row.entries.begin(), row.entries.end(),
                                   [&](const Entry& entry) { return entry.name == partial.leaf; });
      if (at == row.entries.end() || is_known_[at->leaf] ||
          input_.leaf_stage[at->leaf] != input_.row_stage[rows_.size()])
        continue;
      const auto value = coefficient.value(partial.derivative);
      if (!value || !std::isfinite(*value) || *value == 0) continue;
      at->coefficient = partial.derivative;
      sizes[static_cast<std::size_t>(at - row.entries.begin())] = std::abs(*value);
      largest = std::max(largest, std::abs(*value));
    }
    for (std::size_t k = 0; k < sizes.size(); ++k)
      if (sizes[k] < kSmallestPivot * largest) row.entries[k].coefficient = NodeId();
  }

  void keep_unsolvable() {
    std::vector<bool> is_solvable(is_known_.size(), false);
    for (const Row& row : rows_)
      for (const Entry& entry : row.entries)
        if (entry.coefficient.is_valid()) is_solvable[entry.leaf] = true;
    for (std::uint32_t leaf = 0; leaf < is_known_.size(); ++leaf) {
      if (is_known_[leaf]) continue;
      if (!is_solvable[leaf])
        keep(leaf);
      else
        by_use_.push({users_[leaf].size(), leaf});
    }
  }

  void mark_known(std::uint32_t leaf) {
    is_known_[leaf] = true;
    for (std::size_t i : users_[leaf])
      if (--rows_[i].num_unknown == 1 && !rows_[i].is_used) ready_.push(i);
  }

  void keep(std::uint32_t leaf) { mark_known(leaf); }

  void solve(std::size_t i) {
    Row& row = rows_[i];
    const auto at = std::find_if(row.entries.begin(), row.entries.end(),
                                 [&](const Entry& entry) { return !is_known_[entry.leaf]; });
    if (!at->coefficient.is_valid() ||
        linearity(graph_, input_.rows[i], std::span(&at->name, 1)) != Linearity::kLinear)
      return;
    const std::uint32_t leaf = at->leaf;
    std::vector<std::uint32_t> needs = dependences_of(row, leaf);
    const std::size_t uses = users_[leaf].size() - 1;
    if (needs.size() > kMostDependences || needs.size() * uses > needs.size() + uses + kFreeFill)
      return keep(leaf);
    row.is_used = true;
    solved_.push_back({i, leaf, solution(i, *at)});
    dependences_[leaf] = std::move(needs);
    is_assigned_[leaf] = true;
    mark_known(leaf);
  }

  // The unknowns of the solver that the row depends on but for one leaf; cut off past the limit.
  std::vector<std::uint32_t> dependences_of(const Row& row, std::uint32_t but) const {
    std::vector<std::uint32_t> needs;
    for (const Entry& entry : row.entries) {
      if (entry.leaf == but) continue;
      if (is_assigned_[entry.leaf])
        needs.insert(needs.end(), dependences_[entry.leaf].begin(), dependences_[entry.leaf].end());
      else
        needs.push_back(entry.leaf);
    }
    std::sort(needs.begin(), needs.end());
    needs.erase(std::unique(needs.begin(), needs.end()), needs.end());
    return needs;
  }

  // row = a leaf + rest = 0
  NodeId solution(std::size_t i, const Entry& entry) {
    Substitution nothing;
    nothing.leaves[entry.name] = graph_.constant(0);
    const NodeId rest = substitute(graph_, input_.rows[i], nothing);
    return graph_.unary(Op::kNeg, graph_.binary(Op::kDiv, rest, entry.coefficient));
  }

  std::optional<std::uint32_t> most_used_unknown() {
    while (!by_use_.empty()) {
      const std::uint32_t leaf = by_use_.top().second;
      by_use_.pop();
      if (!is_known_[leaf]) return leaf;
    }
    return std::nullopt;
  }

  const TearingInput& input_;
  Graph& graph_;
  Incidence incidence_;
  std::vector<bool> is_known_, is_assigned_;
  std::vector<Row> rows_;
  std::vector<std::vector<std::size_t>> users_;          // rows of an unknown
  std::vector<std::vector<std::uint32_t>> dependences_;  // of an assigned unknown
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready_;
  std::priority_queue<std::pair<std::size_t, std::uint32_t>> by_use_;
  std::vector<ExplicitRow> solved_;
};

}  // namespace

std::vector<ExplicitRow> find_explicit(const TearingInput& input) { return Tearing(input).run(); }

}  // namespace hydae
