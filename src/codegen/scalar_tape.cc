#include "codegen/scalar_tape.h"

#include <bit>
#include <cmath>
#include <utility>

#include "base/check.h"
#include "ops/operation.h"

namespace hydae::codegen {
namespace {

std::size_t hash_of(const ScalarTape::Scalar& s) {
  std::size_t hash = static_cast<std::size_t>(s.op);
  for (std::uint64_t part :
       {static_cast<std::uint64_t>(s.a), static_cast<std::uint64_t>(s.b),
        std::bit_cast<std::uint64_t>(s.value), static_cast<std::uint64_t>(s.index)}) {
    hash = (hash ^ part) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 31;
  }
  return hash;
}

bool is_same(const ScalarTape::Scalar& x, const ScalarTape::Scalar& y) {
  return x.op == y.op && x.a == y.a && x.b == y.b && x.index == y.index &&
         std::bit_cast<std::uint64_t>(x.value) == std::bit_cast<std::uint64_t>(y.value);
}

}  // namespace

ScalarTape::ScalarTape() {
  constant(0);
  constant(1);
}

ScalarId ScalarTape::make(const Scalar& scalar) {
  const std::size_t hash = hash_of(scalar);
  const auto [first, last] = known_.equal_range(hash);
  for (auto entry = first; entry != last; ++entry) {
    if (is_same(scalars_[entry->second], scalar)) return entry->second;
  }
  const ScalarId id = size();
  scalars_.push_back(scalar);
  known_.emplace(hash, id);
  return id;
}

ScalarId ScalarTape::constant(double value) {
  return make({.op = Op::kConstant, .value = value == 0 ? 0.0 : value});
}

ScalarId ScalarTape::parameter(int index) { return make({.op = Op::kParameter, .index = index}); }

ScalarId ScalarTape::apply(Op op, ScalarId a, ScalarId b, int tag) {
  const bool is_commutative = op == Op::kAdd || op == Op::kMul;
  if (is_commutative && b < a) std::swap(a, b);
  if (op == Op::kAdd && a == kZero) return b;
  if (op == Op::kMul && a == kZero) return kZero;
  if (op == Op::kMul && a == kOne) return b;
  if (is_constant(a) && (b < 0 || is_constant(b))) {
    const double result = ops::apply(op, value(a), b < 0 ? 0 : value(b));
    if (std::isfinite(result)) return constant(result);  // else it fails at run time, with its tag
  }
  return make({.op = op, .a = a, .b = b, .tag = tag});
}

void ScalarTape::evaluate_all(std::span<const double> parameters, std::span<double> values) const {
  HYDAE_CHECK(values.size() == scalars_.size());
  for (int id = 0; id < size(); ++id) {
    const Scalar& s = scalars_[id];
    if (s.op == Op::kConstant) {
      values[id] = s.value;
    } else if (s.op == Op::kParameter) {
      values[id] = parameters[s.index];
    } else {
      values[id] = ops::apply(s.op, values[s.a], s.b < 0 ? 0 : values[s.b]);
    }
  }
}

}  // namespace hydae::codegen
