#include "compile/singular_equations.h"

namespace hydae {

SingularEquations::SingularEquations(System& of, const structure::Analysis& structure,
                                     const SingularBlock& block)
    : system(of),
      graph(of.graph()),
      c(structure.offsets.c),
      d(structure.offsets.d),
      eqs(structure.fine.eqs(block.block).begin(), structure.fine.eqs(block.block).end()),
      vars(structure.fine.vars(block.block).begin(), structure.fine.vars(block.block).end()) {
  const auto n = static_cast<Eigen::Index>(eqs.size());
  for (const std::vector<double>& columns : block.matrices)
    matrices.emplace_back(Eigen::Map<const Eigen::MatrixXd>(columns.data(), n, n));
}

}  // namespace hydae
