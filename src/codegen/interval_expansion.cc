#include "codegen/interval_expansion.h"

#include "base/check.h"
#include "ops/list.h"

namespace hydae::codegen {
namespace {

using poly::Interval;

// Functions that are given by an integral, of intervals.
using IntervalFunction = Interval (*)(const Interval& a);
template <class O>
struct IntervalValue {
  static constexpr IntervalFunction function() {
    if constexpr (O::entry.series == SeriesOp::kIntegral)
      return [](const Interval& a) { return O::value(a); };
    else
      return nullptr;
  }
  static constexpr IntervalFunction value = function();
};

// The recurrences of kernels.cc, one coefficient at a time.
class IntervalKernel {
 public:
  IntervalKernel(const Instr& instr, Interval* data) : in_(instr), d_(data) {}

  void run(int m) { m == 0 ? run_first() : run_next(m); }

 private:
  void put(int m, Interval value) { d_[in_.out + m] = d_[in_.rev - m] = value; }
  void put_second(int m, Interval value) { d_[in_.out2 + m] = d_[in_.rev2 - m] = value; }

  // sum_{i=from}^{to} a_i b_{m-i}
  Interval convolve(int a, int b, int m, int from, int to) const {
    Interval sum = 0;
    for (int i = from; i <= to; ++i) sum += d_[a + i] * d_[b + m - i];
    return sum;
  }
  // sum_{i=1}^{to} i a_i b_{m-i}
  Interval weighted(int a, int b, int m, int to) const {
    Interval sum = 0;
    for (int i = 1; i <= to; ++i) sum += Interval(i) * d_[a + i] * d_[b + m - i];
    return sum;
  }
  // Coefficient m of a square: each product once, so that what is positive stays so.
  Interval square(int a, int m, int from) const {
    Interval sum = 0;
    for (int i = from; 2 * i < m; ++i) sum += d_[a + i] * d_[a + m - i];
    sum = Interval(2) * sum;
    return m % 2 == 0 && m / 2 >= from ? sum + sqr(d_[a + m / 2]) : sum;
  }

  Interval form(int m) const {
    Interval sum = m == 0 ? Interval(in_.number) : Interval(0);
    for (const LinearPart* p = in_.linear; p != in_.leading; ++p)
      sum += Interval(p->factor) * d_[p->place + m];
    for (const ProductPart* p = in_.products; p != in_.squares; ++p) {
      Interval products = 0;
      for (int i = 0; i <= m; ++i) products += d_[p->left + i] * d_[p->right_rev - (m - i)];
      sum += Interval(p->factor) * products;
    }
    for (const ProductPart* p = in_.squares; p != in_.squares_end; ++p)
      sum += Interval(p->factor) * square(p->left, m, 0);
    return sum;
  }

  void run_first() {
    const Interval a = d_[in_.a];
    switch (in_.op) {
      case SeriesOp::kSum: return put(0, form(0));
      case SeriesOp::kSinCos: return put(0, sin(a)), put_second(0, cos(a));
      case SeriesOp::kSinhCosh: return put(0, sinh(a)), put_second(0, cosh(a));
      case SeriesOp::kTan: return put(0, tan(a)), put_second(0, Interval(1) + sqr(tan(a)));
      case SeriesOp::kTanh: return put(0, tanh(a)), put_second(0, Interval(1) / sqr(cosh(a)));
      case SeriesOp::kExp: return put(0, exp(a));
      case SeriesOp::kQuotient: return put(0, a / d_[in_.b]);
      case SeriesOp::kReciprocal: return put(0, Interval(1) / a);
      case SeriesOp::kSqrt: return put(0, sqrt(a));
      case SeriesOp::kPower: return put(0, pow(a, in_.number));
      case SeriesOp::kIntegral: return put(0, integral(a));
      case SeriesOp::kAtan2: return put(0, atan2(a, d_[in_.b]));
      case SeriesOp::kCall:
      case SeriesOp::kTime:
      case SeriesOp::kVariable:
      case SeriesOp::kSecond: break;
    }
    fail_check("an operation of intervals", __FILE__, __LINE__);
  }

  Interval integral(Interval a) const {
    static constexpr auto kFunctions =
        ops::table_of<IntervalFunction, IntervalValue>(ops::Operations(), nullptr);
    const IntervalFunction function = kFunctions[static_cast<std::size_t>(in_.function)];
    HYDAE_CHECK(function != nullptr);
    return function(a);
  }

  void run_next(int m) {
    const Interval order = m;
    const int a = in_.a, v = in_.out, second = in_.out2;
    switch (in_.op) {
      case SeriesOp::kSum: return put(m, form(m));
      case SeriesOp::kSinCos:
        put(m, weighted(a, second, m, m) / order);
        return put_second(m, -weighted(a, v, m, m) / order);
      case SeriesOp::kSinhCosh:
        put(m, weighted(a, second, m, m) / order);
        return put_second(m, weighted(a, v, m, m) / order);
      case SeriesOp::kTan:
        put(m, weighted(a, second, m, m) / order);
        return put_second(m, square(v, m, 0));
      case SeriesOp::kTanh:
        put(m, weighted(a, second, m, m) / order);
        return put_second(m, -square(v, m, 0));
      case SeriesOp::kExp: return put(m, weighted(a, v, m, m) / order);
      case SeriesOp::kQuotient:
        return put(m, (d_[a + m] - convolve(in_.b, v, m, 1, m)) / d_[in_.b]);
      case SeriesOp::kReciprocal: return put(m, -convolve(a, v, m, 1, m) / d_[a]);
      case SeriesOp::kSqrt: return put(m, (d_[a + m] - square(v, m, 1)) / (Interval(2) * d_[v]));
      case SeriesOp::kPower: return put(m, power(m));
      case SeriesOp::kIntegral:
        return put(m, (Interval(in_.number) * d_[a + m] - weighted(v, in_.b, m, m - 1) / order) /
                          d_[in_.b]);
      case SeriesOp::kAtan2: {
        const Interval turn = weighted(a, in_.b, m, m) - weighted(in_.b, a, m, m);
        return put(m, (turn - weighted(v, in_.c, m, m - 1)) / order / d_[in_.c]);
      }
      case SeriesOp::kCall:
      case SeriesOp::kTime:
      case SeriesOp::kVariable:
      case SeriesOp::kSecond: break;
    }
    fail_check("an operation of intervals", __FILE__, __LINE__);
  }

  // u v' = e v u'; of whole exponents by products, since u may contain zero.
  Interval power(int m) const {
    if (in_.variant == Variant::kIntegerPower) return whole_power(m);
    Interval sum = 0;
    for (int i = 1; i <= m; ++i)
      sum += (Interval(in_.number + 1) * Interval(i) / Interval(m) - Interval(1)) * d_[in_.a + i] *
             d_[in_.out + m - i];
    return sum / d_[in_.a];
  }

  Interval whole_power(int m) const {
    const auto n = static_cast<std::size_t>(m) + 1;
    std::vector<Interval> base(d_ + in_.a, d_ + in_.a + m + 1), result(n, Interval(0));
    const auto multiply = [n](std::vector<Interval>& x, const std::vector<Interval>& y) {
      for (std::size_t i = n; i-- > 0;) {
        Interval sum = 0;
        for (std::size_t j = 0; j <= i; ++j) sum += x[i - j] * y[j];
        x[i] = sum;
      }
    };
    result[0] = 1;
    for (double e = in_.number; e >= 1; e = std::floor(e / 2)) {
      if (std::fmod(e, 2) == 1) multiply(result, base);
      if (e >= 2) multiply(base, std::vector<Interval>(base));
    }
    return result.back();
  }

  const Instr& in_;
  Interval* d_;
};

}  // namespace

IntervalExpansion::IntervalExpansion(std::shared_ptr<const Program> program, int num_coefficients)
    : program_(std::move(program)),
      tape_(link(*program_, num_coefficients)),
      cones_(*program_, tape_),
      size_(num_coefficients),
      scalars_(program_->stages().fused.scalars.size()),
      data_(static_cast<std::size_t>(tape_.data_size)) {
  set_parameters(std::vector<double>(static_cast<std::size_t>(program_->num_parameters())));
}

void IntervalExpansion::set_parameters(std::span<const double> values) {
  program_->stages().fused.scalars.evaluate_all(values, scalars_);
  set_numbers(tape_, scalars_);
}

void IntervalExpansion::set_time(Interval centre, Interval width) {
  if (tape_.time.out < 0) return;
  for (int m = 0; m < size_; ++m)
    data_[tape_.time.out + m] = data_[tape_.time.rev - m] = m == 0   ? centre
                                                            : m == 1 ? width
                                                                     : Interval(0);
}

std::span<poly::Interval> IntervalExpansion::input(int variable) {
  return {data_.data() + tape_.base[static_cast<std::size_t>(variable)].out,
          static_cast<std::size_t>(size_)};
}

std::span<const poly::Interval> IntervalExpansion::expand(int output) {
  const OutputCone& cone = cones_.of(output);
  for (int j : cone.inputs) {
    const Place& place = tape_.base[static_cast<std::size_t>(j)];
    for (int m = 0; m < size_; ++m) data_[place.rev - m] = data_[place.out + m];
  }
  for (int m = 0; m < size_; ++m)
    for (int i : cone.instrs) IntervalKernel(tape_.output_instrs[i], data_.data()).run(m);
  return {data_.data() + tape_.outputs[static_cast<std::size_t>(output)].out,
          static_cast<std::size_t>(size_)};
}

}  // namespace hydae::codegen
