// The loops of a Taylor step over coefficients; built once for each kind of processor
// (linalg/simd.h).
#pragma once

#include <cstddef>

namespace hydae::integrate {

// Of the last eight coefficients of some series, each in its unit: the largest of each order, and
// by how much the squares of the later four exceed those of the earlier four at most.
struct LastEight {
  double sizes[8] = {};
  double growth = 0;
};

struct StepKernels {
  // sum a_i b_i, the last terms (of a series: the smallest) first.
  double (*dot)(const double* a, const double* b, std::size_t count);
  // Takes another series into account: unit * factors[i] * values[i], i = 0 .. 7.
  void (*measure)(double unit, const double* factors, const double* values, LastEight& last);
  // 1, tau, tau^2, ...; `count` is a multiple of four.
  void (*fill_powers)(double tau, double* powers, std::size_t count);
  // out_i = a_i b_i unit
  void (*multiply)(const double* a, const double* b, double unit, double* out, std::size_t count);
};

// Those for this processor.
const StepKernels& step_kernels();

}  // namespace hydae::integrate
