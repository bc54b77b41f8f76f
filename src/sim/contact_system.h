// What is solved at the instant of an impact of contacts: the equations of the mode in which they
// are open, together with the speeds of their gaps and their slip velocities. Impulses act on the
// rows of the forces from outside; the restart gives the speeds after them. No mass matrix is
// needed.
#pragma once

#include <Eigen/Core>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compile/restart.h"
#include "sim/mode_library.h"

namespace hydae {

// Through how many derivatives the force of `row` acts on `gap`, in a mode in which the contact is
// open: the states that closing it takes away. Negative: it adds some. kNoDegree if the equations
// with the closed contact are ill-posed: the force has no effect on the gap.
inline constexpr int kNoDegree = std::numeric_limits<int>::max();
int relative_degree(const HybridModel& model, const CompiledMode& open, EqId row, NodeId gap);

class ContactSystem {
 public:
  // `speeds` as decided in the mode, each with the row of `rows` that determines its force.
  ContactSystem(const CompiledMode& mode, const std::vector<NodeId>& speeds,
                std::vector<EqId> rows);

  const std::string& defect() const { return defect_; }  // why no impact can be computed; or empty
  const System& system() const { return prepared_.system; }

  // Speeds after impulses of the forces; empty if the restart fails.
  Eigen::VectorXd speeds_after(RestartInput& input, const Eigen::VectorXd& impulses);
  const RestartResult& restarted() const { return restarted_; }

 private:
  AnalyzedSystem prepared_;
  std::string defect_;
  std::vector<EqId> rows_;
  std::vector<VarId> speed_columns_;
  std::optional<Restart> restart_;
  RestartResult restarted_;
};

}  // namespace hydae
