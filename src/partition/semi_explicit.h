// The linearized system after step two, in the form all later steps work on:
//
//     xi' = H xi + B z          xi: differential variables (states)
//     0   = G xi + E z          z:  algebraic variables
//
// with the rates of G and E along the motion. Where a surplus variable v has a derivative too,
// M_x x' + M_v v' + ..., the state is xi = x + K v with K = M_x^-1 M_v, taken constant: the rows
// stay named after x, and z contains v.
#pragma once

#include <memory>
#include <vector>

#include "partition/differential_part.h"
#include "partition/matrices.h"
#include "partition/partition_system.h"

namespace hydae::partition {

// H = -M^-1 J without forming it.
class StateMatrix {
 public:
  StateMatrix() = default;
  StateMatrix(const SparseMatrix& mass, SparseMatrix jacobian);

  int size() const { return static_cast<int>(jacobian_.rows()); }
  Vector times(const Vector& x) const;
  Vector transpose_times(const Vector& x) const;
  Vector solve_mass(const Vector& x) const;  // M^-1 x
  Matrix to_dense() const;
  bool is_zero() const { return jacobian_.nonZeros() == 0; }
  Vector column_sizes() const;  // of J, sums of absolute values

 private:
  struct Factor;
  std::shared_ptr<Factor> factor_;
  SparseMatrix jacobian_;
};

struct SemiExplicit {
  std::vector<EqId> state_equations;
  std::vector<VarId> states;
  std::vector<EqId> constraints;  // rows of G and E
  std::vector<VarId> algebraic;   // columns of E and B
  StateMatrix H;
  SparseMatrix B;
  RowMatrix G, E, G_rate, E_rate;

  int num_states() const { return static_cast<int>(states.size()); }
  int num_constraints() const { return static_cast<int>(constraints.size()); }
  int num_algebraic() const { return static_cast<int>(algebraic.size()); }
};

SemiExplicit make_semi_explicit(const DifferentialPart& part);

}  // namespace hydae::partition
