// Time derivatives of constraints, free of derivatives again: x' of a differential variable is
// replaced by what its equation says, v' of an index-1 variable by the derivative of the formula
// that gives it. Where no such formula can be written down, the derivative becomes an auxiliary
// variable with the equation that determines it, so that a differentiated constraint is always
// exact.
#pragma once

#include <map>
#include <set>
#include <vector>

#include <hydae/partition.h>

#include "partition/first_order.h"
#include "partition/matrices.h"

namespace hydae::partition {

class ConstraintDifferentiation {
 public:
  // `known` is the partition of the system as it stands, `mass` its mass matrix at a point.
  ConstraintDifferentiation(FirstOrderSystem& system, const Partition& known,
                            const RowMatrix& mass);

  // Replaces the constraints by their derivatives, and adds rows for derivatives that were pending
  // and are determined now. Throws UsageError if one, row_at_work(), has
  // none: a function that exists as code only cannot be differentiated any more, or a transformed
  // block leaves a derivative open.
  void differentiate(const std::vector<EqId>& rows);
  EqId row_at_work() const { return row_at_work_; }

 private:
  void find_mass_blocks(const RowMatrix& mass);
  // The root with derivatives of columns replaced.
  NodeId expand(NodeId root);
  NodeId rate_of(VarId column);
  NodeId find_explicit_rate(VarId column);              // none if there is no formula
  NodeId solved_for(NodeId residual, Leaf leaf) const;  // none if it is not linear in the leaf
  NodeId make_auxiliary(VarId column);
  void settle_pending();
  void add_auxiliary_rows();
  void add_rows_of_mass_block(VarId column);

  FirstOrderSystem& system_;
  Graph& graph_;
  IdVector<VarId, EqId> pair_of_;                // index-1 equation of a column
  IdVector<VarId, std::vector<EqId>> block_of_;  // equations of the mass block of a column
  std::vector<VarId> waiting_;                   // columns whose auxiliary rows are to be added
  std::map<VarId, NodeId> rates_;                // by column
  std::set<VarId> transformed_;                  // columns that name combinations in `known`
  EqId row_at_work_;
  std::set<EqId> blocks_done_;  // first equations of mass blocks written again
};

}  // namespace hydae::partition
