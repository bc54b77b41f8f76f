// A jacobian with derivatives of its own. As Function::jacobian it makes second derivatives exact;
// any other jacobian is differentiated by differences.
#pragma once

#include <functional>
#include <span>

namespace hydae {

struct ExactJacobian {
  using Code = std::function<void(std::span<const double> in, std::span<double> out)>;
  Code jacobian;    // d output / d input, row by row
  Code derivative;  // of each entry of it by each input: (output, input, input)

  void operator()(std::span<const double> in, std::span<double> out) const { jacobian(in, out); }
};

}  // namespace hydae
