#include "structure/index_calculation.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/check.h"
#include "structure/assignment.h"
#include "structure/dulmage_mendelsohn.h"
#include "structure/offsets.h"

namespace hydae::structure {
namespace {

// Equations and variables that the best assignment pairs; as many of both.
SystemPart assigned_part(const SignatureMatrix& sigma) {
  const DulmageMendelsohn parts = compute_dulmage_mendelsohn(sigma);
  SystemPart assigned = parts.well;
  // Every maximum matching uses all equations of the under-determined part: choose variables.
  const SignatureMatrix under = sigma.submatrix(parts.under.eqs, parts.under.vars);
  const Matching rows = compute_highest_value_row_matching(under);
  for (EqId eq : ids<EqId>(under.num_eqs())) {
    assigned.eqs.push_back(parts.under.eqs[eq.index()]);
    assigned.vars.push_back(parts.under.vars[rows.eq_to_var[eq].index()]);
  }
  // And all variables of the over-determined part: choose equations.
  const SignatureMatrix over = sigma.submatrix(parts.over.eqs, parts.over.vars).transposed();
  const Matching columns = compute_highest_value_row_matching(over);
  for (EqId var : ids<EqId>(over.num_eqs())) {
    assigned.eqs.push_back(parts.over.eqs[columns.eq_to_var[var].index()]);
    assigned.vars.push_back(parts.over.vars[var.index()]);
  }
  return assigned;
}

// Row and column `extra` of the returned matrix stand for all equations without partner: entry
// (extra, j) is the highest order of variable j in them. Matched with each other they demand of the
// others what the equations without partner do, and are never differentiated themselves.
SignatureMatrix with_unassigned(const SignatureMatrix& sigma, const SystemPart& assigned) {
  const std::size_t extra = assigned.eqs.size();
  IdVector<EqId, EqId> new_eq(sigma.num_eqs(), EqId(extra));
  for (std::size_t k = 0; k < extra; ++k) new_eq[assigned.eqs[k]] = EqId(k);
  std::vector<SignatureEntry> entries = {{EqId(extra), VarId(extra), 0}};
  for (std::size_t k = 0; k < extra; ++k) {
    for (const auto& entry : sigma.column(assigned.vars[k])) {
      entries.push_back({new_eq[entry.eq], VarId(k), entry.order});
    }
  }
  return SignatureMatrix(extra + 1, extra + 1, entries);
}

}  // namespace

IndexCalculation compute_index(const SignatureMatrix& sigma) {
  const SystemPart assigned = assigned_part(sigma);
  const SignatureMatrix square = with_unassigned(sigma, assigned);
  const auto transversal = find_highest_value_transversal(square);
  HYDAE_CHECK(transversal);
  const Offsets offsets = compute_canonical_offsets(square, *transversal);

  IndexCalculation result{Matching(sigma.num_eqs(), sigma.num_vars()),
                          IdVector<EqId, int>(sigma.num_eqs(), 0),
                          IdVector<VarId, int>(sigma.num_vars(), -1)};
  for (std::size_t k = 0; k < assigned.eqs.size(); ++k) {
    const VarId var = transversal->matching.eq_to_var[EqId(k)];
    result.assignment.match(assigned.eqs[k], assigned.vars[var.index()]);
    result.num_differentiations[assigned.eqs[k]] = offsets.c[EqId(k)];
  }
  for (EqId eq : ids<EqId>(sigma.num_eqs())) {
    for (const auto& entry : sigma.row(eq)) {
      int& highest = result.highest_order[entry.var];
      highest = std::max(highest, entry.order + result.num_differentiations[eq]);
    }
  }
  return result;
}

}  // namespace hydae::structure
