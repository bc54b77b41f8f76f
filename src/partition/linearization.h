// Step one of the algorithm: the linearized system as the later steps want it. Shapes are checked,
// entries that are rounding noise become zero, the Jacobian's rate is present.
#pragma once

#include "partition/matrices.h"
#include "partition/partition_system.h"

namespace hydae::partition {

struct LinearSystem {
  RowMatrix mass, jacobian, jacobian_rate;
  RowMatrix mass_rate;  // 0 x 0 if constant

  int num_equations() const { return static_cast<int>(mass.rows()); }
  int num_variables() const { return static_cast<int>(mass.cols()); }
};

// Throws UsageError for matrices of different shapes and for entries that are not finite.
LinearSystem prepare_system(const Linearization& linearization);

// Replaces rows by left * rows and x by right * y, in the equations and variables listed.
void transform_system(LinearSystem& system, const BlockTransformation& transformation);

}  // namespace hydae::partition
