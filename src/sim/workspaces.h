// What computations in the modes of a run need room for: Taylor series, a restart, BDF. Made when
// first asked for, kept and used again, so that steps and repeated events allocate nothing large.
// Modes are shared by runs; their workspaces are not.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include <hydae/simulate.h>

#include "compile/restart.h"
#include "sim/settings.h"
#include "sim/taylor_solution.h"
#include "sim/variable_scales.h"

namespace hydae {

class BdfSolver;

class Workspaces {
 public:
  Workspaces(const HybridModel& model, const RunSettings& settings, const SimulateOptions& options);
  ~Workspaces();

  // Series that nobody else has, until the last owner lets go of them. They must not outlive the
  // workspaces.
  SolutionPtr take_series(const CompiledMode& mode);
  Restart& restart(const CompiledMode& mode);
  BdfSolver& bdf(const CompiledMode& mode);

  // Absolute tolerance of each unknown of the model's own equations.
  const std::vector<double>& atol() const { return scales_.tolerances(); }
  VariableScales& scales() { return scales_; }
  // To series that are at work.
  void update_tolerances(TaylorSolution& solution) const;
  void add_counters(Summary& summary) const;
  // BDF starts with nothing that it has learned.
  void forget_bdf();

 private:
  struct Room {
    std::vector<std::unique_ptr<TaylorSolution>> series;
    std::vector<TaylorSolution*> free_series;
    std::optional<Restart> restart;
    std::unique_ptr<BdfSolver> bdf;
  };
  std::unique_ptr<TaylorSolution> make_series(const CompiledMode& mode);
  std::vector<double> column_tolerances(const CompiledMode& mode) const;

  const RunSettings& settings_;
  const SimulateOptions& options_;
  VariableScales scales_;
  std::map<const CompiledMode*, Room> rooms_;
  int order_ = 0;      // of the series made last
  Summary forgotten_;  // counters of solvers that are no more
};

}  // namespace hydae
