// System matrices of the blocks at one point: partial derivatives of the operations at order 0,
// gradients of the rows by the chain rule, factors or the inverse.
#pragma once

#include <vector>

#include "codegen/linked_tape.h"

namespace hydae::codegen {

class BlockMatrices {
 public:
  // Keeps the tape: its matrices and multipliers of corrections are those of the last point.
  explicit BlockMatrices(LinkedTape& tape);

  // The numbers of the tape have changed: matrices that are made of nothing else.
  void compute_constant_ones(const double* data);
  // From coefficients of order 0. False if the matrix is singular.
  bool compute(int block, const double* data);

  bool is_regular(int block) const { return condition_[block] < kMostCondition; }
  double condition(int block) const { return condition_[block]; }

  void solve(int block, double* rhs, double* solution) {
    const LinkedBlock& of = tape_.blocks[block];
    if (of.matrix < 0)
      solution[0] = rhs[0] * inverse_[block];
    else if (of.inverse != nullptr)
      of.multiply(of.size, of.inverse, rhs, solution);
    else
      tape_.matrices[of.matrix].solve(rhs, solution);
  }
  void solve(const LinkedBundle& bundle, double* rhs, double* solution) {
    const int count = bundle.blocks.last - bundle.blocks.first;
    if (count == 1) return solve(bundle.blocks.first, rhs, solution);
    const double* inverse = inverse_.data() + bundle.blocks.first;
    for (int i = 0; i < count; ++i) solution[i] = rhs[i] * inverse[i];
  }

 private:
  static constexpr double kMostCondition = 1e14;

  void compute_partials(const LinkedBlock& block, const double* data);
  double compute_scalar(int block);

  LinkedTape& tape_;
  std::vector<double> partials_, gradients_;
  std::vector<double> inverse_, condition_;  // per block
};

}  // namespace hydae::codegen
