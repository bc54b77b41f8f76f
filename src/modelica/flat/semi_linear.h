// Chains of semiLinear (3.7.4.5). Between two components without flow, x = 0, the equations
//     y = semiLinear(x, a, s),  y = semiLinear(x, s, b)
// say nothing about the value s that the stream would have. The language asks for the solution
//     s = if x >= 0 then a else b,  y = semiLinear(x, a, b)
// which is the same one wherever x is not zero, and has no division by x. A component that stores
// and adds nothing is a part of the chain: it has the same x and y at both ends.
#pragma once

#include <vector>

#include <hydae/model.h>

namespace hydae::modelica {

// Rewrites the chains among the equations, of any length, each in the place of the equations that
// it consists of.
void rewrite_semi_linear_chains(Graph& graph, std::vector<Equation>& equations);

// Three and more streams that meet, y1 + y2 + ... = 0 with y_i = semiLinear(x_i, s, a_i): s is the
// mixture of what flows in. In the place of the sum stands an equation for s that goes over to the
// mean of all a_i where the flows are about 1e-6.
void rewrite_semi_linear_junctions(Graph& graph, std::vector<Equation>& equations);

}  // namespace hydae::modelica
