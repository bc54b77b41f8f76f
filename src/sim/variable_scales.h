// How large variables are of which nobody has said it: what their absolute tolerances are relative
// to. A nominal value counts where there is one. Else the scale is taken from what is met, at most
// one: the terms of the series at the start, for a variable that nothing moves yet the scales of
// those that share an equation with it, and from then on the largest value so far.
// docs/guide/solvers.md, "Scales".
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/hybrid_model.h"
#include "sim/settings.h"
#include "sim/taylor_solution.h"

namespace hydae {

class VariableScales {
 public:
  // `is_fixed`: the user has given an absolute tolerance, which then is one, whatever is met.
  VariableScales(const HybridModel& model, const RunSettings& settings, bool is_fixed);

  // Absolute tolerance of each unknown of the model's own equations.
  const std::vector<double>& tolerances() const { return tolerances_; }

  // With scales of one, where nobody has said another.
  std::vector<double> highest_tolerances() const;

  // At the start, from series, or from values and derivatives and the length of the run.
  void begin(const integrate::TaylorStepper& series);
  void begin(const std::function<double(Leaf)>& value, double length);
  // The solution at the end of a step. Whether a tolerance has changed.
  bool meet(const ModeSolution& solution, double t);
  bool meet(VarId column, double value);

  // Of a variable of the model; one if nothing is known of it.
  double scale_of(VarId variable) const;
  // The largest that it has been, as far as is known; 0 if nothing is.
  double size_of(VarId variable) const;
  // By unknown; part of the state of a run.
  const std::vector<double>& scales() const { return scales_; }
  void set_scales(const std::vector<double>& scales);
  // Those that were derived and are smaller than one.
  std::map<std::string, double> derived() const;
  // Names of variables that were never zero for long and never larger than their tolerances.
  std::vector<std::string> never_seen() const;

 private:
  std::optional<std::size_t> find(VarId variable) const;  // among the unknowns
  double tolerance_of(std::size_t unknown) const;
  void accept(std::vector<double> sizes, double time);
  void spread(std::vector<double>& sizes, double time) const;

  const HybridModel& model_;
  double atol_;
  std::vector<VarId> variables_;  // by unknown
  std::vector<bool> is_derived_;  // no nominal value
  bool is_fixed_;                 // tolerances do not follow scales that are derived
  std::vector<double> scales_;    // by unknown; nominal values included
  std::vector<double> tolerances_;
  std::vector<double> largest_;  // met
  std::vector<double> first_;    // sizes at the start
  double rtol_;
};

}  // namespace hydae
