// The partitioning algorithm on numbers: one linearized system in, one Partition out.
#pragma once

#include <optional>
#include <vector>

#include <hydae/partition.h>

#include "partition/matrices.h"

namespace hydae::partition {

// Exact derivatives of F at one time along one motion; rows are equations, columns variables. The
// number of equations may differ from the number of variables: surplus variables stay inputs.
struct Linearization {
  double t = 0;
  SparseMatrix mass;           // dF/dx'
  SparseMatrix jacobian;       // dF/dx
  SparseMatrix jacobian_rate;  // d/dt of dF/dx along the motion
  SparseMatrix mass_rate;      // d/dt of dF/dx'; 0 x 0 if it is constant
};

// SearchOptions with equations and variables as positions.
struct SystemOptions : SearchOptions {
  double duration = 1;                          // |t_final - t_0|
  std::vector<EqId> must_include;               // taken whatever they do to stability
  std::optional<std::vector<EqId>> candidates;  // the only constraints that may be taken
  std::vector<VarId> must_determine;            // variables that a constraint is to determine
  std::vector<VarId> inputs;                    // variables that stay inputs
  std::vector<Pair> preferred;                  // index-1 pairs tried before all others
};

// A block of the system in combinations of its equations and variables, as Transformation.
struct BlockTransformation {
  std::vector<EqId> equations;
  std::vector<VarId> variables;
  Matrix left, right;
  Vector singular_values;
};

// Throws UsageError if the matrices do not fit together or hold numbers that are not finite.
Partition partition_system(const Linearization& system, const SystemOptions& options = {});

}  // namespace hydae::partition
