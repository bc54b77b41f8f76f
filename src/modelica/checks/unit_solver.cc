#include "modelica/checks/unit_solver.h"

#include <algorithm>
#include <cmath>

namespace hydae::modelica {

namespace {

constexpr double kRounding = 1e-9;
// An equation between more unknowns than this is not used: it could only be contradicted after
// nearly all of them are known, and eliminating it fills the others.
constexpr std::size_t kMaxTerms = 8;

}  // namespace

void UnitForm::add(const UnitForm& other, double power) {
  constant.add(other.constant, power);
  is_declared |= other.is_declared;
  is_needed |= other.is_needed;
  for (const auto& added : other.terms) {
    const auto found = std::find_if(terms.begin(), terms.end(),
                                    [&](const auto& term) { return term.first == added.first; });
    if (found == terms.end())
      terms.emplace_back(added.first, power * added.second);
    else
      found->second += power * added.second;
  }
  std::erase_if(terms, [](const auto& term) { return std::abs(term.second) < kRounding; });
}

int UnitSolver::make_unknown() {
  solution_.emplace_back();
  return static_cast<int>(solution_.size()) - 1;
}

// Puts in the solution of one unknown; false if there is none to put in.
bool UnitSolver::substitute(UnitForm& form) const {
  if (form.terms.size() > kMaxTerms) return false;
  const auto solved = std::find_if(form.terms.begin(), form.terms.end(), [&](const auto& term) {
    return solution_[static_cast<std::size_t>(term.first)].has_value();
  });
  if (solved == form.terms.end()) return false;
  const auto [unknown, power] = *solved;
  form.terms.erase(solved);
  form.add(*solution_[static_cast<std::size_t>(unknown)], power);
  return true;
}

UnitForm UnitSolver::reduce(UnitForm form) const {
  for (const auto& [unknown, power] : form.terms)
    if (auto& solution = solution_[static_cast<std::size_t>(unknown)])
      while (substitute(*solution)) {
      }
  while (substitute(form)) {
  }
  return form;
}

bool UnitSolver::equate(const UnitForm& a, const UnitForm& b) {
  UnitForm difference = a;
  difference.add(b, -1);
  difference = reduce(std::move(difference));
  if (difference.is_known()) {
    const UnitForm left = reduce(a), right = reduce(b);
    const auto is_said = [](const UnitForm& form) { return form.is_declared || form.is_needed; };
    const bool is_evident =
        is_said(left) && is_said(right) && (left.is_declared || right.is_declared);
    return difference.constant.is_number() || !is_evident;
  }
  if (difference.terms.size() > kMaxTerms) return true;
  const auto [unknown, power] = difference.terms.back();
  difference.terms.pop_back();
  UnitForm solution;
  solution.add(difference, -1 / power);
  solution_[static_cast<std::size_t>(unknown)] = std::move(solution);
  return true;
}

}  // namespace hydae::modelica
