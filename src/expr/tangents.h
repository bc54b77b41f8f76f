// The derivatives of roots along several directions, with their values, in one sweep forward
// (ops/lanes.h): cheaper than rows of a Jacobian where roots are many and directions few.
#pragma once

#include <span>
#include <vector>

#include <hydae/expr.h>

#include "expr/evaluate.h"
#include "ops/lanes.h"

namespace hydae {

class Tangents {
 public:
  // By the leaves that directions may move. The evaluator must outlive this object and stay where
  // it is.
  Tangents(Evaluator& evaluator, std::span<const Leaf> leaves);

  // Values of the roots. `directions` has a row of `width` numbers per leaf: how it moves along
  // each direction; `products` becomes the same of the roots.
  std::span<const double> evaluate(const Point& point, std::span<const double> directions,
                                   std::size_t width, std::vector<double>& products);

 private:
  Evaluator& evaluator_;
  ops::Lanes lanes_;
};

}  // namespace hydae
