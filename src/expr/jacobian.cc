#include "expr/jacobian.h"

#include <algorithm>

#include <hydae/error.h>

namespace hydae {
namespace {

void check_columns(std::span<const Leaf> columns) {
  std::vector<Leaf> sorted(columns.begin(), columns.end());
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    throw UsageError("a leaf is asked for in two columns of a Jacobian");
}

}  // namespace

Jacobian::Jacobian(Evaluator& evaluator, std::span<const Leaf> columns)
    : evaluator_(evaluator),
      adjoints_(*evaluator.machine_, (check_columns(columns), evaluator.registers_of(columns)),
                evaluator.roots_) {}

std::span<const double> Jacobian::evaluate(const Point& point) {
  const auto values = evaluator_.evaluate(point);
  adjoints_.update();
  return values;
}

}  // namespace hydae
