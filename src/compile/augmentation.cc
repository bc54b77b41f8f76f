#include "compile/augmentation.h"

#include <Eigen/Core>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/derivative_name.h"
#include "compile/null_vector.h"
#include "compile/singular_equations.h"
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
      : in_(system, structure, block), point_(point), matrix_(in_.matrices.front()) {}

  std::optional<Repair> run() {
    const std::optional<Elimination> elimination = find_elimination();
    if (!elimination) return std::nullopt;
    const Substitution copies = copy_unknowns(*elimination);
    std::vector<std::string> names;
    for (EqId eq : elimination->used) names.push_back(add_copy(eq, *elimination, copies));
    NodeId& residual = in_.system.residuals[elimination->replaced];
    residual = substitute(in_.graph, residual, copies);
    return Repair{Repair::Method::kAugmentation,
                  fmt::format("equation `{}` on the solutions of {}: {}",
                              in_.system.equation_names[elimination->replaced],
                              fmt::join(names, ", "), text_of(copies))};
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
      const VarId column = in_.vars[static_cast<std::size_t>(columns[static_cast<std::size_t>(k)])];
      const int order = in_.d[column] - in_.c[elimination.replaced];
      if (order >= 0)
        (k < factors.rank() ? elimination.solved : elimination.free)
            .push_back({in_.system.unknowns[column], order});
    }
    return elimination;
  }

  EqId eq_at(int row) const { return in_.eqs[static_cast<std::size_t>(row)]; }

  // One with the smallest offset; of several the one with the most leaves, because the others have
  // to stay solvable, and an equation without velocities is so at rest, too.
  int row_to_replace(const std::vector<int>& rows) const {
    const auto rank = [&](int row) {
      return std::pair(-in_.c[eq_at(row)],
                       incidence(in_.graph, in_.system.residuals[eq_at(row)]).size());
    };
    return *std::max_element(rows.begin(), rows.end(),
                             [&](int a, int b) { return rank(a) < rank(b); });
  }

  Substitution copy_unknowns(const Elimination& elimination) {
    Substitution copies;
    for (const Leaf& leaf : elimination.solved) {
      const VarId column = *in_.system.find_column(leaf.variable);
      const std::string name =
          derivative_name(in_.system.unknown_names[column], leaf.order) + "_new";
      const VarId copy =
          in_.system.add_unknown(name, in_.graph.variable(leaf.variable, leaf.order));
      copies.leaves[leaf] = in_.graph.variable(in_.system.unknowns[copy], 0);
    }
    for (const Leaf& leaf : elimination.free)
      copies.leaves[leaf] = in_.graph.constant(point_.start_or_value(leaf));
    return copies;
  }

  std::string add_copy(EqId eq, const Elimination& elimination, const Substitution& copies) {
    const int times = in_.c[eq] - in_.c[elimination.replaced];
    const std::string name = derivative_name(in_.system.equation_names[eq], times);
    const NodeId solved = total_derivative(in_.graph, in_.system.residuals[eq], times);
    in_.system.add_equation(substitute(in_.graph, solved, copies), "copy_" + name);
    return name;
  }

  std::string text_of(const Substitution& substitution) const {
    std::vector<std::string> texts;
    for (const auto& [leaf, node] : substitution.leaves)
      texts.push_back(
          fmt::format("{} for {}", in_.system.to_string(node),
                      in_.system.to_string(in_.graph.variable(leaf.variable, leaf.order))));
    return fmt::format("{}", fmt::join(texts, ", "));
  }

  SingularEquations in_;
  const SamplePoint& point_;
  const Eigen::MatrixXd& matrix_;
};

}  // namespace

std::optional<Repair> augment(System& system, const structure::Analysis& structure,
                              const SingularBlock& block, const std::vector<SamplePoint>& points) {
  return Augmentation(system, structure, block, points.front()).run();
}

}  // namespace hydae
