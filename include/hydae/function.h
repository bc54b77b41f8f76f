// Module: ops
// Functions that exist as code, not as expressions.
#pragma once

#include <functional>
#include <span>
#include <string>

#include <hydae/export.h>
#include <hydae/source.h>

namespace HYDAE_EXPORT hydae {

// `evaluate` writes the outputs; `jacobian`, if given, writes d output / d input row by row.
// Throwing reports failure at these arguments.
struct Function {
  std::string name;
  int num_inputs = 0;
  int num_outputs = 1;
  std::function<void(std::span<const double> in, std::span<double> out)> evaluate;
  std::function<void(std::span<const double> in, std::span<double> jacobian)> jacobian;
  SourceRange source;
  std::string definition = {};  // as text of a flat model; empty: it cannot be written
};

}  // namespace hydae
