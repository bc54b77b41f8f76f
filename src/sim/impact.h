// Impact laws at an instant. While an impact acts, the equation that determines the carrier F of
// its impulse gives way to the law: the equations of the mode with these rows replaced are a system
// of their own, of higher index, and its restart from the left limits gives the velocities after
// the impact and the impulse of F (Uhlig et al., example 3). Any number of impacts act at once.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compile/restart.h"
#include "sim/mode_library.h"

namespace hydae {

struct ImpactResult {
  std::string status = "success";
  std::string message;
  std::vector<std::pair<Leaf, double>> right;  // what the impact determines
  std::vector<std::pair<VarId, ImpulseWeight>> impulses;
  std::vector<std::string> warnings;

  bool succeeded() const { return status == "success"; }
};

class ImpactSolver {
 public:
  explicit ImpactSolver(const HybridModel& model) : model_(model) {}

  // The clauses (of HybridModel::impacts()) act together in `mode`. `input.parameters` has the left
  // limits that they read.
  ImpactResult solve(const CompiledMode& mode, const std::vector<std::size_t>& clauses,
                     const RestartInput& input);

 private:
  struct Instant {
    AnalyzedSystem prepared;
    std::string defect;  // why the laws cannot hold together
    std::optional<Restart> restart;
  };
  Instant& find_or_make(const CompiledMode& mode, const std::vector<std::size_t>& clauses);
  std::string replace_rows(const CompiledMode& mode, const std::vector<std::size_t>& clauses,
                           std::vector<NodeId>& residuals, std::vector<std::string>& names) const;

  const HybridModel& model_;
  std::map<std::pair<int, std::vector<std::size_t>>, std::unique_ptr<Instant>> instants_;
};

}  // namespace hydae
