#include "codegen/tape.h"

#include <bit>
#include <utility>

#include "base/check.h"
#include "ops/operation.h"

namespace hydae::codegen {
namespace {

std::size_t mix(std::size_t seed, std::uint64_t value) {
  return (seed ^ (value + 0x9e3779b97f4a7c15ULL + (seed << 6) + (seed >> 2))) *
         0xff51afd7ed558ccdULL;
}

}  // namespace

std::size_t TapeBuilder::TermHash::operator()(const Term& term) const {
  std::size_t hash = mix(0, static_cast<std::uint64_t>(term.op));
  hash = mix(hash, std::uint64_t{term.a.index()} << 32 | term.b.index());
  hash = mix(hash, std::bit_cast<std::uint64_t>(term.value));
  hash =
      mix(hash, static_cast<std::uint64_t>(term.index) << 32 | static_cast<unsigned>(term.order));
  return hash ^ hash >> 29;
}

bool TapeBuilder::SameTerm::operator()(const Term& x, const Term& y) const {
  return x.op == y.op && x.a == y.a && x.b == y.b && x.index == y.index && x.order == y.order &&
         std::bit_cast<std::uint64_t>(x.value) == std::bit_cast<std::uint64_t>(y.value);
}

TermId TapeBuilder::make(Term term) {
  term.tag = tag_;
  const auto [entry, is_new] = known_.try_emplace(term, TermId(terms_.size()));
  if (is_new) terms_.push_back(term);
  return entry->second;
}

TermId TapeBuilder::constant(double value) {
  return make({.op = Op::kConstant, .value = value == 0 ? 0.0 : value});  // -0 is 0
}

TermId TapeBuilder::parameter(int index) {
  HYDAE_CHECK(index >= 0);
  return make({.op = Op::kParameter, .index = index});
}

TermId TapeBuilder::time() { return make({.op = Op::kTime}); }

TermId TapeBuilder::variable(int index, int order) {
  HYDAE_CHECK(index >= 0 && order >= 0);
  return make({.op = Op::kVariable, .index = index, .order = order});
}

TermId TapeBuilder::add(TermId a, TermId b) {
  if (is_constant(a) && is_constant(b)) return constant(value(a) + value(b));
  if (is_constant(a) && value(a) == 0) return b;
  if (is_constant(b) && value(b) == 0) return a;
  if (b < a) std::swap(a, b);
  return make({.op = Op::kAdd, .a = a, .b = b});
}

TermId TapeBuilder::sub(TermId a, TermId b) { return add(a, neg(b)); }

TermId TapeBuilder::neg(TermId a) { return mul(constant(-1), a); }

TermId TapeBuilder::mul(TermId a, TermId b) {
  if (is_constant(a) && is_constant(b)) return constant(value(a) * value(b));
  if (is_constant(b)) std::swap(a, b);
  if (is_constant(a) && value(a) == 0) return a;
  if (is_constant(a) && value(a) == 1) return b;
  if (b < a) std::swap(a, b);
  return make({.op = Op::kMul, .a = a, .b = b});
}

TermId TapeBuilder::div(TermId a, TermId b) {
  if (is_constant(b) && value(b) == 1) return a;
  return make({.op = Op::kDiv, .a = a, .b = b});
}

TermId TapeBuilder::pow(TermId base, TermId exponent) {
  if (is_constant(exponent) && value(exponent) == 0) return constant(1);
  if (is_constant(exponent) && value(exponent) == 1) return base;
  if (is_constant(exponent) && value(exponent) == 0.5) return unary(Op::kSqrt, base);
  return make({.op = Op::kPow, .a = base, .b = exponent});
}

TermId TapeBuilder::pow(TermId base, double exponent) { return pow(base, constant(exponent)); }

TermId TapeBuilder::atan2(TermId y, TermId x) { return make({.op = Op::kAtan2, .a = y, .b = x}); }

TermId TapeBuilder::unary(Op function, TermId a) {
  HYDAE_CHECK(ops::is_function(function) && num_operands(function) == 1);
  return make({.op = function, .a = a});
}

int TapeBuilder::add_code(BlackBox code) {
  codes_.push_back(std::move(code));
  return static_cast<int>(codes_.size()) - 1;
}

TermId TapeBuilder::call(int code, std::vector<TermId> arguments, int output) {
  const BlackBox& callee = codes_.at(static_cast<std::size_t>(code));
  HYDAE_CHECK(static_cast<int>(arguments.size()) == callee.num_inputs);
  HYDAE_CHECK(output >= 0 && output < callee.num_outputs);
  const auto [entry, is_new] =
      known_calls_.try_emplace({code, arguments}, static_cast<int>(calls_.size()));
  if (is_new) calls_.push_back({code, std::move(arguments)});
  return make({.op = Op::kCall, .index = entry->second, .order = output});
}

TermId TapeBuilder::abs(TermId a, bool is_negative) { return is_negative ? neg(a) : a; }

}  // namespace hydae::codegen
