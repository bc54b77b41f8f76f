// The ordinary differential equation that a subsystem with chosen constraints amounts to, and its
// logarithmic norm.
//
//     index 1:  xi' = Hbar xi,   Hbar = H - Q C_v^-1 C_1                                      (6)
//     index 2:  xi' = (R Hbar - T (C_2 T)^-1 C_2') xi  on  C_2 xi = 0,   R = I - T (C_2 T)^-1 C_2
//
// where C_1, C_v, Q are rows and columns of G, E, B that were chosen, and C_2, T of the same with
// the index-1 variables eliminated. The norm of the second is taken over the xi with C_2 xi = 0
// only.
#pragma once

#include <vector>

#include "partition/eliminated.h"
#include "partition/log_norm.h"
#include "partition/pivot_set.h"
#include "partition/semi_explicit.h"

namespace hydae::partition {

// Whose directions a logarithmic norm is taken over. A state that acts on nothing only integrates
// what the others do; measured in a larger unit it changes nothing but its own part of the norm,
// which has no lower limit but 0. So the acting states decide about growth.
enum class States { kAll, kActing };

class UnderlyingOde {
 public:
  // `index2` chooses rows and columns of `eliminated.CT`; null without index-2 constraints.
  UnderlyingOde(const SemiExplicit& s, const PivotSet& index1,
                const Eliminated* eliminated = nullptr, const PivotSet* index2 = nullptr);

  int size() const { return s_.num_states(); }
  Vector times(const Vector& x) const;
  Vector transpose_times(const Vector& x) const;
  Matrix to_dense() const;
  bool has_idle_states() const;  // that act on nothing; for large systems
  // Norms from here on are over all directions, also those that leave the index-2 constraints.
  void take_all_directions() { is_on_constraints_ = false; }
  // Of no state at all: minus infinity.
  double compute_log_norm(States states = States::kAll) const;
  // Of this matrix plus u v^T; without index-2 constraints only.
  double compute_log_norm_with(const Vector& u, const Vector& v,
                               States states = States::kAll) const;

 private:
  Vector index1_times(const Vector& x) const;
  Vector index1_transpose_times(const Vector& x) const;
  bool is_restricted() const { return has_index2() && is_on_constraints_; }
  bool has_index2() const { return index2_ != nullptr && index2_->size() > 0; }
  double dense_log_norm(const Matrix& matrix, States states) const;
  double sparse_log_norm(const Vector* u, const Vector* v, States states) const;
  std::vector<int> find_acting_states(const Matrix& matrix) const;
  Vector mark_acting_states(const Vector* v) const;

  const SemiExplicit& s_;
  const PivotSet& index1_;
  const Eliminated* eliminated_;
  const PivotSet* index2_;
  bool is_on_constraints_ = true;
  RowMatrix C1_;    // chosen rows of G
  SparseMatrix Q_;  // chosen columns of B
  RowMatrix C2_, C2_rate_;
  SparseMatrix T_;
};

}  // namespace hydae::partition
