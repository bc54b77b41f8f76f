#include "init/search_space.h"

#include <algorithm>

namespace hydae::init {

SearchSpace::SearchSpace(const Unknowns& u)
    : unknowns_{u.guess, u.nominal, u.lower, u.upper, {}, {}, {}} {
  for (int j = 0; j < u.guess.size(); ++j)
    if (!u.is_fixed[static_cast<std::size_t>(j)]) free_.push_back(j);
  for (Vector* vector : {&guess_, &wish_, &lower_, &upper_}) vector->resize(size());
  for (int k = 0; k < size(); ++k) {
    const int j = unknown(k);
    lower_[k] = u.lower[j] / u.nominal[j];
    upper_[k] = u.upper[j] / u.nominal[j];
    wish_[k] = u.guess[j] / u.nominal[j];
    guess_[k] = std::min(std::max(wish_[k], lower_[k]), upper_[k]);
  }
  if (u.is_wanted.empty()) return;
  for (const int j : free_) weightless_.push_back(!u.is_wanted[static_cast<std::size_t>(j)]);
  if (std::find(weightless_.begin(), weightless_.end(), true) == weightless_.end())
    weightless_.clear();
}

// Scaling back must not lose the last bit of a guess that stays, nor leave a bound by one.
double SearchSpace::value(int free_index, double y) const {
  const int j = unknown(free_index);
  if (y == lower_[free_index]) return unknowns_.lower[j];
  if (y == upper_[free_index]) return unknowns_.upper[j];
  if (y == guess_[free_index]) return unknowns_.guess[j];
  const double x = y * unknowns_.nominal[j];
  const bool is_inside = y > lower_[free_index] && y < upper_[free_index];
  return is_inside ? std::min(std::max(x, unknowns_.lower[j]), unknowns_.upper[j]) : x;
}

Vector SearchSpace::away_from_wish(const Vector& y) const {
  Vector away = y - wish_;
  for (std::size_t k = 0; k < weightless_.size(); ++k)
    if (weightless_[k]) away[static_cast<Eigen::Index>(k)] = 0;
  return away;
}

bool SearchSpace::contains(const Vector& y) const {
  return (y.array() >= lower_.array()).all() && (y.array() <= upper_.array()).all();
}

void SearchSpace::write(const Vector& y, Vector& x) const {
  for (int k = 0; k < size(); ++k) x[unknown(k)] = value(k, y[k]);
}

Vector SearchSpace::to_unknowns(const Vector& y) const {
  Vector x = unknowns_.guess;
  write(y, x);
  return x;
}

double relative_size(const Vector& step, const Vector& y) {
  if (step.size() == 0) return 0;
  return (step.array().abs() / y.array().abs().max(1.0)).maxCoeff();
}

}  // namespace hydae::init
