// Constraints and variables with the index-1 part eliminated (section 4.1.4 of Raha & Petzold
// 2000):
//
//     C  = C_i - E(i,V) C_v^-1 C_1,     its rate by the product rule,     T = B_j - Q C_v^-1
//     E(E,j).
#pragma once

#include <vector>

#include "partition/pivot_set.h"
#include "partition/semi_explicit.h"

namespace hydae::partition {

Vector eliminated_row(const SemiExplicit& s, const PivotSet& index1, int constraint);
Vector eliminated_row_rate(const SemiExplicit& s, const PivotSet& index1, int constraint);
Vector eliminated_column(const SemiExplicit& s, const PivotSet& index1, int variable);

// Rows are `constraints`, columns `variables`: places in SemiExplicit.
struct Eliminated {
  std::vector<int> constraints, variables;
  RowMatrix C, C_rate;
  SparseMatrix T;
  RowMatrix CT;
};
Eliminated eliminate_index1(const SemiExplicit& s, const PivotSet& index1,
                            std::vector<int> constraints, std::vector<int> variables);

}  // namespace hydae::partition
