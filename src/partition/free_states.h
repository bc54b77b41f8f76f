// Which differential variables of a subsystem may be given initial values: as many as there are
// degrees of freedom, so that the constraints and their lower derivatives determine the others.
#pragma once

#include <hydae/partition.h>

namespace hydae::partition {

// By column. Those that the model fixes come first. For large or transformed subsystems: those
// only.
IdVector<VarId, bool> find_free_states(const Model& model, const ModelPartition& partition);

}  // namespace hydae::partition
