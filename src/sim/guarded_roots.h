// Roots that stay at zero. The root of something that reaches zero in finite time and stays there
// (a tank that runs empty by the law of Torricelli, two that level out) has no series there, and
// behind it the equations mean zero in its place. In the guarded form of a model each root, and
// each power below which nothing is defined, is a silent choice: the root where its argument is
// positive, else zero. As long as the zero is read, the argument must stay at zero: a negative one
// ends the run. A run is made with this form only where the plain one has failed.
// docs/math/taylor.md, section 9.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "sim/evaluation_context.h"
#include "sim/outcome.h"
#include "sim/run_report.h"
#include "sim/state_view.h"

namespace hydae {

// The same expressions with a choice in the place of each root whose argument may vanish: added to
// `choices`, with their nodes as arguments, in their order. A sum of squares is no such argument:
// it turns back at zero.
std::vector<NodeId> guard_roots(Graph& graph, const std::vector<NodeId>& expressions,
                                std::vector<GuardedRoot>& choices);
// Cannot become negative, in whatever way its parts move.
bool is_sum_of_squares(const Graph& graph, NodeId id);

// Whether arguments have become negative while their zeros are read; that they have come to rest is
// said.
class RootChecks {
 public:
  RootChecks(const HybridModel& model, double rtol, RunReport& report);

  Outcome<Done> check(const StateView& view, double t);

 private:
  void say_rest(std::size_t root, double t);
  std::string name_and_place(std::size_t root) const;

  const HybridModel& model_;
  double rtol_;
  RunReport& report_;
  CompiledExpressions arguments_;
  std::set<std::size_t> said_;  // roots that have come to rest
};

}  // namespace hydae
