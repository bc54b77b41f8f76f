// Terms whose factor is a parameter that is zero: R*i with R = 0, C*der(v) with C = 0. The
// parameters of a run do not change, so such a term is not there: the structure must not count on
// its variables.
#pragma once

#include <vector>

#include <hydae/model.h>

namespace hydae {

std::vector<NodeId> without_zero_terms(const Model& model, std::vector<NodeId> residuals);

}  // namespace hydae
