// Numbers that do not change in time: constants and what follows from parameters alone. They are
// the coefficients of the Taylor tape; evaluated once per change of parameters.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "codegen/tape.h"

namespace hydae::codegen {

using ScalarId = int;

class ScalarTape {
 public:
  static constexpr ScalarId kZero = 0;
  static constexpr ScalarId kOne = 1;

  struct Scalar {
    Op op = Op::kConstant;  // kConstant, kParameter or an operation on earlier scalars
    ScalarId a = -1, b = -1;
    double value = 0;  // kConstant
    int index = 0;     // kParameter
    int tag = -1;
  };

  ScalarTape();

  ScalarId constant(double value);
  ScalarId parameter(int index);
  // Folds constants, and 0 and 1 in sums and products.
  ScalarId apply(Op op, ScalarId a, ScalarId b = -1, int tag = -1);
  ScalarId add(ScalarId a, ScalarId b) { return apply(Op::kAdd, a, b); }
  ScalarId mul(ScalarId a, ScalarId b) { return apply(Op::kMul, a, b); }

  int size() const { return static_cast<int>(scalars_.size()); }
  const Scalar& scalar(ScalarId id) const { return scalars_[id]; }
  bool is_constant(ScalarId id) const { return scalars_[id].op == Op::kConstant; }
  double value(ScalarId id) const { return scalars_[id].value; }  // of a constant

  // Writes size() values. They may be NaN or infinite where an operation is undefined.
  void evaluate_all(std::span<const double> parameters, std::span<double> values) const;

 private:
  ScalarId make(const Scalar& scalar);

  std::vector<Scalar> scalars_;
  std::unordered_multimap<std::size_t, ScalarId> known_;
};

}  // namespace hydae::codegen
