// The truth of relations at a point.
#pragma once

#include <vector>

#include <hydae/model.h>

namespace hydae {

// Truth of system_relations(model) at the start values; variables without one count as zero.
std::vector<bool> relations_at_start(const Model& model, const std::vector<NodeId>& relations);

}  // namespace hydae
