#include "compile/restart_limits.h"

#include <algorithm>
#include <cmath>

namespace hydae {

RestartSlots::RestartSlots(const AnalyzedSystem& prepared)
    : system_(prepared.system), d_(prepared.structure.offsets.d) {
  for (VarId column : ids<VarId>(system_.unknowns.size())) {
    first_.push_back(num_known_);
    num_known_ += static_cast<std::size_t>(d_[column]) + 1;
  }
  ++num_known_;
}

bool RestartSlots::contains(Leaf leaf) const {
  const auto column = system_.find_column(leaf.variable);
  return column && leaf.order <= d_[*column];
}

std::size_t RestartSlots::find_or_add(Leaf leaf) {
  if (const auto column = system_.find_column(leaf.variable))
    return contains(leaf) ? at(*column, leaf.order) : num_known_ - 1;
  const auto found = std::find(held_.begin(), held_.end(), leaf);
  const auto place = static_cast<std::size_t>(found - held_.begin());
  if (found == held_.end()) held_.push_back(leaf);
  return num_known_ + place;
}

double& RestartLimits::unknown(VarId column, int l) {
  const int order = d[column] + l;
  if (order >= 0) return right[slots.at(column, order)];
  auto& coefficients = impulses[column.index()];
  const auto index = static_cast<std::size_t>(-order - 1);
  if (coefficients.size() <= index) coefficients.resize(index + 1, 0.0);
  return coefficients[index];
}

double RestartLimits::impulse(VarId column, int order) const {
  const auto& coefficients = impulses[column.index()];
  const auto index = static_cast<std::size_t>(order);
  return index < coefficients.size() ? coefficients[index] : 0.0;
}

double RestartLimits::content(Leaf leaf, int s) const {
  const VarId column = *system.find_column(leaf.variable);
  if (leaf.order <= s) return impulse(column, s - leaf.order);
  const std::size_t k = slots.at(column, leaf.order - 1 - s);
  return right[k] - left[k];
}

double RestartLimits::size_of_content(Leaf leaf, int s) const {
  const VarId column = *system.find_column(leaf.variable);
  if (leaf.order <= s) return std::abs(impulse(column, s - leaf.order));
  const std::size_t k = slots.at(column, leaf.order - 1 - s);
  return std::abs(right[k]) + std::abs(left[k]);
}

}  // namespace hydae
