// What the Sigma-method says about the equations that are partitioned, compared with the local
// linear answer.
#pragma once

#include <hydae/partition.h>

#include "compile/system.h"
#include "partition/first_order.h"

namespace hydae::partition {

// `is_used`: by continuous equation; `is_input`: by variable of the model.
StructuralAnswer find_structural_answer(const System& system, const std::vector<bool>& is_used,
                                        const std::vector<bool>& is_input);

// Fills in `agrees` and `explanation`.
void compare_answers(const FirstOrderSystem& system, const Partition& local,
                     StructuralAnswer& answer);

}  // namespace hydae::partition
