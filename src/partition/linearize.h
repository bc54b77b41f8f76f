// Step one of the algorithm: dF/dx', dF/dx and their time derivatives along the motion, exact
// through the expressions.
#pragma once

#include "partition/first_order.h"
#include "partition/partition_system.h"
#include "partition/point_rates.h"

namespace hydae::partition {

Linearization linearize(const FirstOrderSystem& system, const PointRates& motion);

}  // namespace hydae::partition
