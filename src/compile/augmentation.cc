#include "compile/augmentation.h"

#include <Eigen/Core>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/derivative_name.h"
#include "compile/null_vector.h"
#include "expr/derivative.h"
#include "expr/incidence.h"
#include "expr/substitute.h"
#include "linalg/dense_factors.h"

namespace hydae {
namespace {

class Augmentation {
 public:
  Augmentation(System& system, const structure::Analysis& structure, const SingularBlock& block,
               const SamplePoint& point)
      : system_(system),
        graph_(system.graph()),
        c_(structure.offsets.c),
        d_(structure.offsets.d),
        eqs_(structure.fine.eqs(block.block).begin(), structure.fine.eqs(block.block).end()),
        vars_(structure.fine.vars(block.block).begin(), structure.fine.vars(block.block).end()),
        point_(point) {
    const auto n = static_cast<Eigen::Index>(eqs_.size());
    matrix_ = Eigen::Map<const Eigen::MatrixXd>(block.matrices.front().data(), n, n);
  }

  std::optional<Repair> run() {
    const std::optional<Elimination> elimination = find_elimination();
    if (!elimination) return std::nullopt;
    const Substitution copies = copy_unknowns(*elimination);
    std::vector<std::string> names;
    for (EqId eq : elimination->used) names.push_back(add_copy(eq, *elimination, copies));
    NodeId& residual = system_.residuals[elimination->replaced];
    residual = substitute(graph_, residual, copies);
    return Repair{Repair::Method::kAugmentation,
                  fmt::format("equation `{}` on the solutions of {}: {}",
                              system_.equation_names[elimination->replaced], fmt::join(names, ", "),
                              text_of(copies))};
  }

 private:
  // Where `used` is solved for the leading derivatives of `solved`, `replaced` does not depend on
  // those of `free`. Orders are those that `replaced` has.
  struct Elimination {
    EqId replaced;
    std::vector<EqId> used;
    std::vector<Leaf> solved, free;
  };

  std::optional<Elimination> find_elimination() const {
    const std::vector<int> dependent = null_vector_support({matrix_.transpose()});
    if (dependent.size() < 2) return std::nullopt;
    const int replaced = row_to_replace(dependent);
    Elimination elimination{.replaced = eq_at(replaced), .used = {}, .solved = {}, .free = {}};
    std::vector<int> rows;
    for (int i : dependent)
      if (i != replaced) rows.push_back(i), elimination.used.push_back(eq_at(i));
    const linalg::OrthogonalFactors factors(matrix_(rows, Eigen::all));
    if (factors.rank() < static_cast<int>(rows.size())) return std::nullopt;
    const std::vector<int> columns = factors.column_order();
    for (int k = 0; k < static_cast<int>(columns.size()); ++k) {
      const VarId column = vars_[static_cast<std::size_t>(columns[static_cast<std::size_t>(k)])];
      const int order = d_[column] - c_[elimination.replaced];
      if (order >= 0)
        (k < factors.rank() ? elimination.solved : elimination.free)
            .push_back({system_.unknowns[column], order});
    }
    return elimination;
  }

  EqId eq_at(int row) const { return eqs_[static_cast<std::size_t>(row)]; }

  // One with the smallest offset; of several the one with the most leaves, because the others have
  // to stay solvable, and an equation without velocities is so at rest, too.
  int row_to_replace(const std::vector<int>& rows) const {
    const auto rank = [&](int row) {
      return std::pair(-c_[eq_at(row)], incidence(graph_, system_.residuals[eq_at(row)]).size());
    };
    return *std::max_element(rows.begin(), rows.end(),
                             [&](int a, int b) { return rank(a) < rank(b); });
  }

  Substitution copy_unknowns(const Elimination& elimination) {
    Substitution copies;
    for (const Leaf& leaf : elimination.solved) {
      const VarId column = *system_.find_column(leaf.variable);
      const std::string name = derivative_name(system_.unknown_names[column], leaf.order) + "_new";
      const VarId copy = system_.add_unknown(name, graph_.variable(leaf.variable, leaf.order));
      copies.leaves[leaf] = graph_.variable(system_.unknowns[copy], 0);
    }
    for (const Leaf& leaf : elimination.free)
      copies.leaves[leaf] = graph_.constant(point_.start_or_value(leaf));
    return copies;
  }

  std::string add_copy(EqId eq, const Elimination& elimination, const Substitution& copies) {
    const int times = c_[eq] - c_[elimination.replaced];
    const std::string name = derivative_name(system_.equation_names[eq], times);
    const NodeId solved = total_derivative(graph_, system_.residuals[eq], times);
    system_.add_equation(substitute(graph_, solved, copies), "copy_" + name);
    return name;
  }

  std::string text_of(const Substitution& substitution) const {
    std::vector<std::string> texts;
    for (const auto& [leaf, node] : substitution.leaves)
      texts.push_back(fmt::format("{} for {}", system_.to_string(node),
                                  system_.to_string(graph_.variable(leaf.variable, leaf.order))));
    return fmt::format("{}", fmt::join(texts, ", "));
  }

  System& system_;
  Graph& graph_;
  IdVector<EqId, int> c_;
  IdVector<VarId, int> d_;
  std::vector<EqId> eqs_;
  std::vector<VarId> vars_;
  const SamplePoint& point_;
  Eigen::MatrixXd matrix_;  // of the block, at the point
};

}  // namespace

std::optional<Repair> augment(System& system, const structure::Analysis& structure,
                              const SingularBlock& block, const std::vector<SamplePoint>& points) {
  return Augmentation(system, structure, block, points.front()).run();
}

}  // namespace hydae
