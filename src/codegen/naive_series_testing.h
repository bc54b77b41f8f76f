// Power series by definition, for tests: nothing incremental, nothing fused, in any number type.
// Functions are composed from their Taylor coefficients at the argument or integrated from their
// derivative; none of the recurrences of the engine is used.
#pragma once

#include <cmath>
#include <vector>

#include "base/check.h"
#include "codegen/tape.h"

namespace hydae::codegen::naive {

template <class T>
using Coefficients = std::vector<T>;

template <class T>
Coefficients<T> multiply(const Coefficients<T>& a, const Coefficients<T>& b) {
  Coefficients<T> c(a.size(), T(0));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; i + j < b.size(); ++j) c[i + j] += a[i] * b[j];
  }
  return c;
}

template <class T>
Coefficients<T> add(Coefficients<T> a, const Coefficients<T>& b, T factor = T(1)) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += factor * b[i];
  return a;
}

// sum_k f_k (u - u_0)^k, f_k given by taylor(k)
template <class T, class F>
Coefficients<T> compose(Coefficients<T> u, F taylor) {
  u[0] = 0;
  Coefficients<T> sum(u.size(), T(0));
  for (int k = static_cast<int>(u.size()) - 1; k >= 0; --k) {
    sum = multiply(sum, u);
    sum[0] += taylor(k);
  }
  return sum;
}

template <class T>
Coefficients<T> power(const Coefficients<T>& u, T e) {
  if (u[0] == 0) {  // whole exponents only
    Coefficients<T> result(u.size(), T(0));
    result[0] = 1;
    for (T i = 0; i < e; ++i) result = multiply(result, u);
    return result;
  }
  return compose(u, [&](int k) {
    T binomial = 1;
    for (int i = 0; i < k; ++i) binomial *= (e - i) / (i + 1);
    return binomial * std::pow(u[0], e - k);
  });
}

template <class T>
Coefficients<T> derivative(const Coefficients<T>& u) {
  Coefficients<T> v(u.size(), T(0));
  for (std::size_t i = 1; i < u.size(); ++i) v[i - 1] = T(i) * u[i];
  return v;
}

// The series with the given value and derivative.
template <class T>
Coefficients<T> integrate(T value, const Coefficients<T>& slope) {
  Coefficients<T> v(slope.size(), T(0));
  v[0] = value;
  for (std::size_t i = 1; i < v.size(); ++i) v[i] = slope[i - 1] / T(i);
  return v;
}

// Derivatives of sine (and cosine: shifted by one) over k!, cyclic.
template <class T>
Coefficients<T> sine(const Coefficients<T>& u, int shift) {
  const T s = std::sin(u[0]), c = std::cos(u[0]);
  return compose(u, [&](int k) {
    const T cycle[] = {s, c, -s, -c};
    return cycle[(k + shift) % 4] / std::tgamma(T(k + 1));
  });
}

template <class T>
Coefficients<T> hyperbolic_sine(const Coefficients<T>& u, int shift) {
  const T s = std::sinh(u[0]), c = std::cosh(u[0]);
  return compose(u, [&](int k) { return ((k + shift) % 2 == 0 ? s : c) / std::tgamma(T(k + 1)); });
}

template <class T>
Coefficients<T> exponential(const Coefficients<T>& u) {
  return compose(u, [&](int k) { return std::exp(u[0]) / std::tgamma(T(k + 1)); });
}

// 1 + sign u^2
template <class T>
Coefficients<T> one_plus_square(const Coefficients<T>& u, T sign) {
  Coefficients<T> v = multiply(u, u);
  for (T& x : v) x *= sign;
  v[0] += 1;
  return v;
}

template <class T>
Coefficients<T> logarithm(const Coefficients<T>& u) {
  return integrate(T(std::log(u[0])), multiply(derivative(u), power(u, T(-1))));
}

template <class T>
Coefficients<T> apply(Op op, const Coefficients<T>& a, const Coefficients<T>& b) {
  switch (op) {
    case Op::kAdd: return add(a, b);
    case Op::kMul: return multiply(a, b);
    case Op::kDiv: return multiply(a, power(b, T(-1)));
    case Op::kPow: {
      bool is_number = true;
      for (std::size_t i = 1; i < b.size(); ++i) is_number &= b[i] == 0;
      return is_number ? power(a, b[0]) : exponential(multiply(b, logarithm(a)));
    }
    case Op::kSqrt: return power(a, T(0.5));
    case Op::kExp: return exponential(a);
    case Op::kLog: return logarithm(a);
    case Op::kLog10: {
      Coefficients<T> v = logarithm(a);
      for (T& x : v) x /= std::log(T(10));
      return v;
    }
    case Op::kSin: return sine(a, 0);
    case Op::kCos: return sine(a, 1);
    case Op::kTan: return multiply(sine(a, 0), power(sine(a, 1), T(-1)));
    case Op::kAsin:
    case Op::kAcos: {
      const T sign = op == Op::kAsin ? 1 : -1;
      Coefficients<T> slope = multiply(derivative(a), power(one_plus_square(a, T(-1)), T(-0.5)));
      for (T& x : slope) x *= sign;
      return integrate(op == Op::kAsin ? T(std::asin(a[0])) : T(std::acos(a[0])), slope);
    }
    case Op::kAtan:
      return integrate(T(std::atan(a[0])),
                       multiply(derivative(a), power(one_plus_square(a, T(1)), T(-1))));
    case Op::kAtan2: {
      const Coefficients<T> turn =
          add(multiply(b, derivative(a)), multiply(a, derivative(b)), T(-1));
      const Coefficients<T> square = add(multiply(a, a), multiply(b, b));
      return integrate(T(std::atan2(a[0], b[0])), multiply(turn, power(square, T(-1))));
    }
    case Op::kSinh: return hyperbolic_sine(a, 0);
    case Op::kCosh: return hyperbolic_sine(a, 1);
    case Op::kTanh: return multiply(hyperbolic_sine(a, 0), power(hyperbolic_sine(a, 1), T(-1)));
    default: break;
  }
  fail_check("an operation", __FILE__, __LINE__);
}

// `count` coefficients in tau = (t - time)/scale.
template <class T>
struct SeriesFrame {
  int count = 1;
  T time = 0, scale = 1;
};

// Series of all terms from those of the variables (which may be longer). A term beyond what its
// variables allow has wrong last coefficients.
template <class T>
struct Evaluation {
  std::vector<Coefficients<T>> terms;

  Evaluation(const TapeBuilder& tape, const SeriesFrame<T>& frame,
             const std::vector<double>& parameters, const std::vector<Coefficients<T>>& variables) {
    const auto [count, time, scale] = frame;
    for (std::size_t i = 0; i < tape.size(); ++i) {
      const Term& term = tape.term(TermId(i));
      Coefficients<T> v(count, T(0));
      if (term.op == Op::kConstant) {
        v[0] = term.value;
      } else if (term.op == Op::kParameter) {
        v[0] = parameters[term.index];
      } else if (term.op == Op::kTime) {
        v[0] = time;
        if (count > 1) v[1] = scale;
      } else if (term.op == Op::kVariable) {
        v = derivative_of(variables[term.index], term.order, scale, count);
      } else {
        static const Coefficients<T> kNone;
        v = apply(term.op, terms[term.a.index()],
                  term.b.is_valid() ? terms[term.b.index()] : kNone);
      }
      terms.push_back(std::move(v));
    }
  }

  static Coefficients<T> derivative_of(const Coefficients<T>& x, int order, T scale, int count) {
    Coefficients<T> v(count, T(0));
    for (int m = 0; m < count && m + order < static_cast<int>(x.size()); ++m) {
      T factor = 1;
      for (int i = 1; i <= order; ++i) factor *= T(m + i) / scale;
      v[m] = factor * x[m + order];
    }
    return v;
  }
};

}  // namespace hydae::codegen::naive
