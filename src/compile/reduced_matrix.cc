#include "compile/reduced_matrix.h"

#include <algorithm>

#include "expr/derivative.h"
#include "expr/rewrite.h"

namespace hydae {
namespace {

// Where an exponential overflows its reciprocal is zero, and so are the derivatives of that; they
// would be infinite over infinite. As far as derivatives know, it stays at 1e150.
class BoundedExponentials {
 public:
  explicit BoundedExponentials(Graph& graph) : graph_(graph) {}
  NodeId operator()(NodeId id, const std::vector<NodeId>& operands) const {
    constexpr double kLargest = 345;
    const Op op = graph_.op(id);
    if ((op != Op::kExp && op != Op::kCosh && op != Op::kSinh) || graph_.is_constant(operands[0]))
      return {};
    NodeId argument = graph_.binary(Op::kMin, operands[0], graph_.constant(kLargest));
    if (op != Op::kExp) argument = graph_.binary(Op::kMax, argument, graph_.constant(-kLargest));
    return graph_.unary(op, argument);
  }

 private:
  Graph& graph_;
};

}  // namespace

ReducedMatrix::ReducedMatrix(const AnalyzedSystem& prepared, const Reduced& reduced,
                             const ReducedInputs& inputs) {
  Graph& graph = prepared.system.graph();
  std::vector<NodeId> roots;
  Rewriter<BoundedExponentials> bounded(graph, BoundedExponentials(graph));
  for (std::size_t i = 0; i < reduced.equations.size(); ++i)
    for (const Partial& partial : gradient(graph, reduced.equations[i].residual)) {
      const auto column = prepared.system.find_column(partial.leaf.variable);
      if (!column) continue;
      const LeafPlace at = reduced.place(*column, partial.leaf.order);
      entries_.push_back({row_of_equation(reduced, i), at.index,
                          at.kind == LeafPlace::Kind::kDerivative,
                          bounded.rewrite(partial.derivative)});
    }
  const NodeId one = graph.constant(1), minus_one = graph.constant(-1);
  auto row = static_cast<std::uint32_t>(reduced.num_iterated_equations);
  for (const ChainRow& chain : reduced.chains) {
    entries_.push_back({row, chain.state, true, one});
    entries_.push_back({row, chain.next, false, minus_one});
    ++row;
  }
  std::vector<Position> positions;
  for (const Entry& entry : entries_) {
    roots.push_back(entry.value);
    positions.push_back({entry.column, entry.row});
  }
  program_ = inputs.program(roots);
  values_.resize(entries_.size());
  pattern_ = compress(reduced.unknowns.size(), positions);
}

void ReducedMatrix::set_fixed(std::span<const double> parameters, std::span<const double> held) {
  program_->set_fixed(parameters, held);
}

void ReducedMatrix::evaluate(double t, const double* y, const double* yp) {
  hydae::evaluate(*program_, t, y, yp, values_.data());
}

void ReducedMatrix::write(double cj, double* matrix) const {
  std::fill(matrix, matrix + pattern_.row.size(), 0.0);
  for (std::size_t k = 0; k < entries_.size(); ++k)
    matrix[pattern_.slot[k]] += entries_[k].is_derivative ? cj * values_[k] : values_[k];
}

void ReducedMatrix::mass_times(const double* b, double* product) const {
  std::fill(product, product + pattern_.start.size() - 1, 0.0);
  for (std::size_t k = 0; k < entries_.size(); ++k)
    if (entries_[k].is_derivative) product[entries_[k].row] += values_[k] * b[entries_[k].column];
}

}  // namespace hydae
