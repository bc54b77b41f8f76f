// A function that is known only by what it returns, as the engine calls it.
#pragma once

#include <functional>
#include <span>
#include <string>

namespace hydae::codegen {

struct BlackBox {
  // Writes the outputs and, unless it is empty, the matrix d output / d input, row by row. Returns
  // why this failed; an empty text if it did not. A copy may be called while the original is.
  using Call = std::function<std::string(std::span<const double> in, std::span<double> out,
                                         std::span<double> jacobian)>;
  Call call;
  int num_inputs = 0, num_outputs = 1;
  bool has_jacobian = false;  // the matrix is better than differences of the outputs
};

}  // namespace hydae::codegen
