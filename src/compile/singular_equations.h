// A block whose matrix is singular, within its system: what every repair starts from.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "compile/jacobian_repair.h"

namespace hydae {

struct SingularEquations {
  SingularEquations(System& of, const structure::Analysis& structure, const SingularBlock& block);

  System& system;
  Graph& graph;
  IdVector<EqId, int> c;
  IdVector<VarId, int> d;
  std::vector<EqId> eqs;
  std::vector<VarId> vars;
  std::vector<Eigen::MatrixXd> matrices;  // by sample point
};

}  // namespace hydae
