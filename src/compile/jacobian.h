// The system Jacobian J_ij = df_i / dx_j^(d_j - c_i) evaluated at random points, block by block:
// does the structural analysis hold for this system? A block that is singular at every point is
// singular identically, with probability one. (Pryce 2001, section 4.)
#pragma once

#include <functional>
#include <vector>

#include "compile/random_point.h"
#include "compile/system.h"
#include "structure/analysis.h"

namespace hydae {

// A fine block that is singular at all points, with its matrix at each.
struct SingularBlock {
  BlockId block;
  // Column by column; none for a block too large to look into.
  std::vector<std::vector<double>> matrices;
};

struct SampledJacobian {
  std::vector<SamplePoint> points;  // none: undefined everywhere it was tried
  std::vector<SingularBlock> singular_blocks;
  double condition = 1;  // of the scaled blocks: the largest, each at its best point

  bool is_evaluated() const { return !points.empty(); }
};

struct JacobianPoint {
  double time = 0;
  std::vector<double> parameters;
  std::function<double(Leaf)> value;
};

// Fine blocks whose matrix is singular there; none where the equations are not defined.
std::vector<BlockId> singular_blocks_at(const JacobianPoint& point, const System& system,
                                        const structure::SignatureMatrix& sigma,
                                        const structure::Analysis& structure);

SampledJacobian sample_jacobian(const System& system, const structure::SignatureMatrix& sigma,
                                const structure::Analysis& structure, const SampleSpace& space);

}  // namespace hydae
