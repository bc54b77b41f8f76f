// Symbolic derivatives. Forward for one direction: `partial` by one leaf, `total_derivative` by
// time; reverse for all leaves of a root at once: `gradient`. Each costs a small multiple of the
// nodes of the root, whatever is shared stays shared: derivatives of derivatives do not blow up
// (Griewank and Walther 2008, chapters 3 and 4).
//
// Switching: select and min, max differentiate branch by branch, abs by the sign of its argument,
// with silent relations. Booleans, sign, floor, ceil, trunc are piecewise constant: derivative 0.
// An inactive branch never spoils a derivative: its value is selected away, not multiplied by 0.
// delay(e, d): e is known, the derivative by d is -delay(der(e), d). pre(x) is a constant.
// A function that exists as code can be differentiated twice, not more: UsageError.
#pragma once

#include <vector>

#include <hydae/expr.h>

namespace hydae {

NodeId partial(Graph& graph, NodeId root, Leaf leaf);
inline NodeId partial(Graph& graph, NodeId root, VarId variable, int order) {
  return partial(graph, root, Leaf{variable, order});
}

struct Partial {
  Leaf leaf;
  NodeId derivative;
};

// Partial derivatives by all variable leaves of the root, sorted by leaf; those that are
// identically zero are left out.
std::vector<Partial> gradient(Graph& graph, NodeId root);

// d/dt, `times` times, along a solution: der(x) for x, 1 for time, 0 for parameters and for
// variables that are held between events. Remembered in the graph: asking again costs nothing.
NodeId total_derivative(Graph& graph, NodeId root, int times = 1);

}  // namespace hydae
