// Step one of the algorithm: dF/dx', dF/dx and their time derivatives along the motion, exact
// through the expressions.
#pragma once

#include "partition/first_order.h"
#include "partition/motion.h"
#include "partition/partition_system.h"

namespace hydae::partition {

Linearisation linearise(const FirstOrderSystem& system, const Motion& motion);

}  // namespace hydae::partition
