#include "expr/tangents.h"

namespace hydae {

Tangents::Tangents(Evaluator& evaluator, std::span<const Leaf> leaves)
    : evaluator_(evaluator), lanes_(*evaluator.machine_, evaluator.registers_of(leaves)) {}

std::span<const double> Tangents::evaluate(const Point& point, std::span<const double> directions,
                                           std::size_t width, std::vector<double>& products) {
  evaluator_.set_inputs(point);
  products.clear();
  lanes_.run(directions, width, evaluator_.roots_, products);
  return evaluator_.read_roots();
}

}  // namespace hydae
