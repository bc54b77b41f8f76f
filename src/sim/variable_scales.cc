#include "sim/variable_scales.h"

#include <algorithm>
#include <cmath>
#include <deque>

#include "expr/incidence.h"

namespace hydae {
namespace {

constexpr int kMostShortenings = 200;
// Coefficients that show that something moves a variable at the start: a force moves a position by
// the third.
constexpr std::size_t kFirst = 3;
// What is smaller than this, relative to the largest, may be rounding of what should be zero.
constexpr double kNothing = 1e-10;
// No quantity of SI units is as small (the action of a photon is 1e-34). It is the tail of a
// function that sleeps, tanh(-100) + 1 say, or the reciprocal of what has overflowed: not a size
// that a solution could be measured by.
constexpr double kOfTails = 1e-40;

// Largest term over a step, and the largest of the last two.
struct Terms {
  double largest = 0, last = 0;
};

Terms terms_of(std::span<const double> series, double ratio) {
  Terms terms;
  double power = 1;
  for (std::size_t n = 0; n < series.size(); ++n, power *= ratio) {
    const double term = std::abs(series[n]) * power;
    terms.largest = std::max(terms.largest, term);
    if (n + 2 >= series.size()) terms.last = std::max(terms.last, term);
  }
  return terms;
}

bool is_moved(std::span<const double> series) {
  const auto first = series.first(std::min(kFirst, series.size()));
  return std::any_of(first.begin(), first.end(), [](double c) { return c != 0; });
}

}  // namespace

VariableScales::VariableScales(const HybridModel& model, const RunSettings& settings, bool is_fixed)
    : model_(model), atol_(settings.atol), is_fixed_(is_fixed), rtol_(settings.rtol) {
  const std::vector<double> parameters = model.model().parameter_values();
  for (VarId id : ids<VarId>(model.model().num_variables())) {
    const Variable& variable = model.model().all_variables()[id];
    if (variable.kind != VariableKind::kReal || model.observed().contains(id)) continue;
    variables_.push_back(id);
    is_derived_.push_back(!variable.nominal);
    scales_.push_back(nominal_of(model.model(), variable, parameters));
  }
  largest_.assign(variables_.size(), 0.0);
  first_.assign(variables_.size(), 0.0);
  for (double scale : scales_) tolerances_.push_back(atol_ * scale);
}

double VariableScales::tolerance_of(std::size_t unknown) const {
  return is_fixed_ && is_derived_[unknown] ? atol_ : atol_ * scales_[unknown];
}

std::optional<std::size_t> VariableScales::find(VarId variable) const {
  const auto at = std::lower_bound(variables_.begin(), variables_.end(), variable);
  if (at == variables_.end() || *at != variable) return std::nullopt;
  return static_cast<std::size_t>(at - variables_.begin());
}

double VariableScales::scale_of(VarId variable) const {
  const auto unknown = find(variable);
  return unknown ? scales_[*unknown] : 1;
}

double VariableScales::size_of(VarId variable) const {
  const auto unknown = find(variable);
  return unknown ? std::max(largest_[*unknown], first_[*unknown]) : 0;
}

std::vector<double> VariableScales::highest_tolerances() const {
  std::vector<double> list = tolerances_;
  for (std::size_t j = 0; j < list.size(); ++j)
    if (is_derived_[j]) list[j] = atol_;
  return list;
}

// Sizes over a step in which the series converge relative to themselves: how far an absolute
// tolerance would go is not asked.
void VariableScales::begin(const integrate::TaylorStepper& stepper) {
  const codegen::Expansion& series = stepper.expansion();
  double ratio = std::abs((stepper.reach() - stepper.time()) / series.scale());
  std::vector<double> sizes(variables_.size(), 0.0);
  for (int halvings = 0; halvings < kMostShortenings; ++halvings) {
    bool converges = std::isfinite(ratio);
    for (std::size_t j = 0; j < sizes.size() && converges; ++j) {
      const auto terms = series.series(static_cast<int>(j));
      if (!is_moved(terms)) continue;
      const Terms found = terms_of(terms, ratio);
      converges = found.last <= rtol_ * found.largest && std::isfinite(found.largest);
      sizes[j] = found.largest;
    }
    if (converges) break;
    ratio *= 0.5;
  }
  accept(std::move(sizes), ratio * std::abs(series.scale()));
}

void VariableScales::begin(const std::function<double(Leaf)>& value, double length) {
  std::vector<double> sizes;
  for (VarId variable : variables_) {
    const double here = std::abs(value({variable, 0})), slope = std::abs(value({variable, 1}));
    const double change = std::isfinite(slope) ? slope * std::abs(length) : 0;
    sizes.push_back(std::max(std::isfinite(here) ? here : 0.0, change));
  }
  accept(std::move(sizes), std::abs(length));
}

void VariableScales::accept(std::vector<double> sizes, double time) {
  first_ = sizes;
  double largest = 0;
  for (double size : sizes) largest = std::max(largest, std::min(1.0, size));
  for (double& size : sizes)
    if (!(size > kNothing * largest) || size < kOfTails) size = 0;
  spread(sizes, time);
  for (std::size_t j = 0; j < sizes.size(); ++j) {
    largest_[j] = 0;
    if (!is_derived_[j] || sizes[j] == 0) continue;
    scales_[j] = std::min(1.0, sizes[j]);
    tolerances_[j] = tolerance_of(j);
  }
}

// Variables that nothing moves yet have the size of those that share an equation with them, times
// the time for each derivative that they are apart. From one to the next: the nearest count.
void VariableScales::spread(std::vector<double>& sizes, double time) const {
  std::map<VarId, std::size_t> columns;
  for (std::size_t j = 0; j < variables_.size(); ++j) columns[variables_[j]] = j;
  std::vector<std::vector<Leaf>> equations;
  std::vector<std::vector<std::size_t>> equations_of(variables_.size());
  Incidence incidence;
  for (NodeId residual : model_.residuals()) {
    std::vector<Leaf>& leaves = equations.emplace_back();
    for (const Leaf& leaf : incidence.of(model_.graph(), residual))
      if (const auto at = columns.find(leaf.variable); at != columns.end()) {
        leaves.push_back(leaf);
        equations_of[at->second].push_back(equations.size() - 1);
      }
  }
  std::deque<std::size_t> waiting;
  for (std::size_t j = 0; j < sizes.size(); ++j)
    if (sizes[j] > 0) waiting.push_back(j);
  while (!waiting.empty()) {
    const std::size_t known = waiting.front();
    waiting.pop_front();
    for (std::size_t e : equations_of[known]) {
      int order = 0;
      for (const Leaf& leaf : equations[e])
        if (columns.at(leaf.variable) == known) order = leaf.order;
      for (const Leaf& leaf : equations[e]) {
        double& size = sizes[columns.at(leaf.variable)];
        if (size > 0) continue;
        size = sizes[known] * std::pow(std::min(1.0, time), leaf.order - order);
        if (size > 0) waiting.push_back(columns.at(leaf.variable));
      }
    }
  }
}

bool VariableScales::meet(const ModeSolution& solution, double t) {
  bool has_changed = false;
  for (std::size_t j = 0; j < variables_.size(); ++j)
    has_changed = meet(VarId(j), solution.value(VarId(j), 0, t)) || has_changed;
  return has_changed;
}

bool VariableScales::meet(VarId column, double value) {
  const std::size_t j = column.index();
  const double size = std::abs(value);
  if (j >= variables_.size() || !(size > largest_[j]) || !std::isfinite(size)) return false;
  largest_[j] = size;
  if (!is_derived_[j] || scales_[j] >= 1 || size <= scales_[j]) return false;
  scales_[j] = std::min(1.0, size);
  tolerances_[j] = tolerance_of(j);
  return true;
}

void VariableScales::set_scales(const std::vector<double>& scales) {
  if (scales.size() != scales_.size()) return;
  scales_ = scales;
  for (std::size_t j = 0; j < scales.size(); ++j) tolerances_[j] = tolerance_of(j);
}

std::map<std::string, double> VariableScales::derived() const {
  std::map<std::string, double> list;
  for (std::size_t j = 0; j < variables_.size(); ++j)
    if (is_derived_[j] && !is_fixed_ && scales_[j] < 1)
      list[model_.model().all_variables()[variables_[j]].name] = scales_[j];
  return list;
}

std::vector<std::string> VariableScales::never_seen() const {
  std::vector<std::string> names;
  double largest = 0;
  for (double size : largest_) largest = std::max(largest, std::min(1.0, size));
  for (std::size_t j = 0; j < variables_.size(); ++j)
    if (largest_[j] > kNothing * largest && largest_[j] < tolerances_[j])
      names.push_back(model_.model().all_variables()[variables_[j]].name);
  return names;
}

}  // namespace hydae
