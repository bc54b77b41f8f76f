// Terms whose factor is a parameter that is zero: R*i with R = 0, C*der(v) with C = 0. The
// parameters of a run do not change, so such a term is not there: the structure must not count on
// its variables.
#pragma once

#include <vector>

#include <hydae/model.h>

namespace hydae {

// `graph`: of the residuals; that of the model or an extension of it.
std::vector<NodeId> without_zero_terms(const Model& model, Graph& graph,
                                       std::vector<NodeId> residuals);

// A variable that its equation says is zero in every mode (C = C0*f(v) with C0 = 0) is such a
// factor too. Not for the residuals of one mode: there a variable may jump to zero, and x*der(x)
// counts at the jump.
std::vector<NodeId> without_zero_factors(const Model& model, std::vector<NodeId> residuals);

}  // namespace hydae
