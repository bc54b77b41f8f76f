// Hyperbolic functions.
#pragma once

#include "ops/entry.h"

namespace hydae::ops {

struct Sinh {
  static constexpr Entry entry = {.op = Op::kSinh,
                                  .name = "sinh",
                                  .num_operands = 1,
                                  .kind = Kind::kFunction,
                                  .is_builtin = true,
                                  .takes_numbers = true,
                                  .series = SeriesOp::kSinhCosh};
  template <class N>
  static N value(const N& a) {
    using std::sinh;
    return sinh(a);
  }
  template <class N>
  static N slope(const N&, const N& a) {
    using std::cosh;
    return cosh(a);
  }
};

struct Cosh {
  static constexpr Entry entry = {.op = Op::kCosh,
                                  .name = "cosh",
                                  .num_operands = 1,
                                  .kind = Kind::kFunction,
                                  .is_builtin = true,
                                  .takes_numbers = true,
                                  .series = SeriesOp::kSinhCosh,
                                  .result = 1};
  template <class N>
  static N value(const N& a) {
    using std::cosh;
    return cosh(a);
  }
  template <class N>
  static N slope(const N&, const N& a) {
    using std::sinh;
    return sinh(a);
  }
};

struct Tanh {
  static constexpr Entry entry = {.op = Op::kTanh,
                                  .name = "tanh",
                                  .num_operands = 1,
                                  .kind = Kind::kFunction,
                                  .is_builtin = true,
                                  .takes_numbers = true,
                                  .series = SeriesOp::kTanh};
  template <class N>
  static N value(const N& a) {
    using std::tanh;
    return tanh(a);
  }
  template <class N>
  static N slope(const N& v, const N&) {
    return 1 - sqr(v);
  }
};

}  // namespace hydae::ops
