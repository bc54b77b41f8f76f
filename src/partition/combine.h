// The partitions of several times as one (section 5.3 of Raha & Petzold 2000): constraints that are
// singular at one time may be decided at another, so that the union of the lists is the answer
// where the lists do not contradict each other.
#pragma once

#include <functional>
#include <vector>

#include <hydae/partition.h>

#include "partition/first_order.h"

namespace hydae::partition {

// The partition of point `k` with these as the only constraints and algebraic variables.
using Confirm =
    std::function<Partition(std::size_t k, const std::vector<EqId>&, const std::vector<VarId>&)>;

struct Combined {
  Partition partition;
  Combination report;
};

// `points` is not empty. `confirm` is asked where the union is more than the list of a point.
Combined combine_points(const FirstOrderSystem& system, const std::vector<Partition>& points,
                        const Confirm& confirm);

}  // namespace hydae::partition
