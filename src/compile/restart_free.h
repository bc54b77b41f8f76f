// Variables that the user declares free at events (Variable::is_free_at_events). Deltas of unknown
// weights act from outside in the equations of their derivatives, such that everything else that
// should persist jumps as little as possible. docs/math/restart.md.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "compile/restart_stages.h"

namespace hydae {

// The equation that a derivative of the leaf stands in, the one that determines it first.
std::optional<EqId> find_equation_of(const RestartStages& stages, Leaf leaf);

class FreeVariables {
 public:
  using Sources = std::vector<std::pair<EqId, double>>;
  // `stages` are solved with `sources`, to which those of the free variables are added.
  FreeVariables(RestartStages& stages, Sources& sources)
      : stages_(stages), sources_(sources), first_(sources.size()) {}

  // False if a restart fails. Nothing is done where nothing jumps.
  bool give_way();

 private:
  bool is_free(VarId column) const;
  void add_sources();
  Eigen::VectorXd jumps_of_others() const;
  Eigen::VectorXd weights() const;
  bool reduce(const Eigen::VectorXd& jumps);

  RestartStages& stages_;
  Sources& sources_;
  std::size_t first_;  // of the sources of free variables
};

}  // namespace hydae
