#include "codegen/fused_tape.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "base/check.h"
#include "codegen/series_pool.h"
#include "ops/list.h"
#include "ops/operation.h"

namespace hydae::codegen {
namespace {

// A shared sum of at most this many linear terms is repeated in its users: reading three numbers is
// cheaper than one more operation.
constexpr std::size_t kMaxRepeatedTerms = 3;

// Largest constant exponent that is multiplied out: ten products at most.
constexpr double kMaxMultipliedPower = 1024;

// number + number * series, neither of them missing.
bool is_affine(const Form& factor) {
  return factor.constant != ScalarTape::kZero && !factor.linear.empty();
}

class Fuser {
 public:
  explicit Fuser(const TapeBuilder& tape) : tape_(tape) { fused_.codes = tape.codes(); }

  FusedTape run(const std::vector<TermId>& residuals, const std::vector<TermId>& outputs);

  // A series with the operations that denominators of ops/entry.h are written in.
  struct Number {
    Fuser* fuser;
    const Term* term;   // the function that it is for
    SeriesId argument;  // of that
    Form form;

    Number plus(double constant) const;
    Number times(double factor) const;
    Number squared() const;
    Number under(SeriesOp op) const;
    friend Number operator+(double c, const Number& a) { return a.plus(c); }
    friend Number operator-(double c, const Number& a) { return a.times(-1).plus(c); }
    friend Number operator*(double c, const Number& a) { return a.times(c); }
    friend Number sqr(const Number& a) { return a.squared(); }
    friend Number sqrt(const Number& a) { return a.under(SeriesOp::kSqrt); }
    friend Number exp(const Number& a) { return a.under(SeriesOp::kExp); }
  };

 private:
  void count_uses(const std::vector<TermId>& roots);
  void build_forms();
  Form form_of(const Term& term);
  Form leaf_form(const Term& term);
  Form product_form(TermId a, TermId b);
  Form quotient_form(const Term& term);
  Form split_multiples(Form& numerator, SeriesId b);
  SeriesId reciprocal(SeriesId b, const Term& term);
  Form power_form(const Term& term);
  Form function_form(const Term& term);
  SeriesId apply(SeriesOp op, SeriesId a, const Term& term, SeriesId argument);
  SeriesId denominator_of(const Number& a);
  Form atan2_form(const Term& term);
  Form call_form(const Term& term);

  // The form of a term as part of a sum: shared work becomes a series first.
  Form take(TermId id);
  // The form of a term as a factor: a number, or number + number * series.
  Form take_factor(TermId id);
  SeriesId take_series(TermId id) { return pool_.series_of(take(id)); }

  SeriesId make_integral(const Term& term, SeriesId a, SeriesId b, double scale);

  const TapeBuilder& tape_;
  FusedTape fused_;
  SeriesPool pool_{fused_};
  std::vector<int> uses_, quotients_;  // of each term: users; quotients that it divides
  std::vector<Form> forms_;
  std::map<int, SeriesId> call_series_;  // by number of the call
};

FusedTape Fuser::run(const std::vector<TermId>& residuals, const std::vector<TermId>& outputs) {
  std::vector<TermId> roots = residuals;
  roots.insert(roots.end(), outputs.begin(), outputs.end());
  count_uses(roots);
  build_forms();
  for (TermId root : residuals) fused_.residuals.push_back(take(root));
  for (TermId root : outputs) fused_.outputs.push_back(take(root));
  for (auto* forms : {&fused_.residuals, &fused_.outputs}) {
    for (Form& form : *forms) {
      pool_.simplify(form);
      pool_.factor_out(form);
    }
  }
  return std::move(fused_);
}

// Terms are in topological order: operands have smaller numbers.
void Fuser::count_uses(const std::vector<TermId>& roots) {
  uses_.assign(tape_.size(), 0);
  quotients_.assign(tape_.size(), 0);
  for (TermId root : roots) {
    HYDAE_CHECK(root.index() < tape_.size());
    ++uses_[root.index()];
  }
  for (std::size_t i = tape_.size(); i-- > 0;) {
    if (uses_[i] == 0) continue;
    const Term& term = tape_.term(TermId(i));
    if (term.a.is_valid()) ++uses_[term.a.index()];
    if (term.b.is_valid()) ++uses_[term.b.index()];
    if (term.op == Op::kDiv) ++quotients_[term.b.index()];
    if (term.op == Op::kCall)
      for (TermId argument : tape_.calls()[term.index].arguments) ++uses_[argument.index()];
  }
}

void Fuser::build_forms() {
  forms_.resize(tape_.size());
  for (std::size_t i = 0; i < tape_.size(); ++i) {
    if (uses_[i] > 0) forms_[i] = form_of(tape_.term(TermId(i)));
  }
}

Form Fuser::form_of(const Term& term) {
  switch (term.op) {
    case Op::kConstant:
    case Op::kParameter:
    case Op::kTime:
    case Op::kVariable: return leaf_form(term);
    case Op::kAdd: {
      Form sum = take(term.a), part = take(term.b);
      if (sum.linear.size() + sum.products.size() < part.linear.size() + part.products.size()) {
        std::swap(sum, part);  // the longer one grows: a long sum costs linear time
      }
      pool_.add(sum, part);
      return sum;
    }
    case Op::kMul: return product_form(term.a, term.b);
    case Op::kDiv: return quotient_form(term);
    case Op::kPow: return power_form(term);
    case Op::kAtan2: return atan2_form(term);
    case Op::kCall: return call_form(term);
    default: return function_form(term);
  }
}

Form Fuser::leaf_form(const Term& term) {
  if (term.op == Op::kConstant) return {.constant = pool_.scalars().constant(term.value)};
  if (term.op == Op::kParameter) return {.constant = pool_.scalars().parameter(term.index)};
  if (term.op == Op::kTime) return single(pool_.make({.op = SeriesOp::kTime}));
  return single(
      pool_.make({.op = SeriesOp::kVariable, .variable = term.index, .order = term.order}));
}

Form Fuser::take(TermId id) {
  Form& form = forms_[id.index()];
  if (uses_[id.index()] == 1) return std::move(form);
  const bool is_cheap = form.products.empty() && form.linear.size() <= kMaxRepeatedTerms;
  if (!is_cheap) form = single(pool_.series_of(std::move(form)));
  return form;
}

Form Fuser::take_factor(TermId id) {
  Form form = take(id);
  pool_.simplify(form);
  if (form.products.empty() && form.linear.size() <= 1) return form;
  return single(pool_.series_of(std::move(form)));
}

Form Fuser::product_form(TermId a, TermId b) {
  if (forms_[a.index()].is_scalar()) return pool_.scaled(take(b), forms_[a.index()].constant);
  if (forms_[b.index()].is_scalar()) return pool_.scaled(take(a), forms_[b.index()].constant);
  Form left = take_factor(a), right = a == b ? left : take_factor(b);
  // (t - c)^2 multiplied out would be what cancellation leaves of t^2, c t and c^2.
  if (is_affine(left) && is_affine(right)) {
    right = single(pool_.series_of(std::move(right)));
    left = a == b ? right : single(pool_.series_of(std::move(left)));
  }
  return pool_.times(left, right);
}

Form Fuser::quotient_form(const Term& term) {
  Form denominator = take(term.b);
  pool_.simplify(denominator);
  if (denominator.is_scalar()) {
    const ScalarId inverse =
        pool_.scalars().apply(Op::kDiv, ScalarTape::kOne, denominator.constant, term.tag);
    return pool_.scaled(take(term.a), inverse);
  }
  const SeriesId b = pool_.series_of(std::move(denominator));
  Form numerator = take(term.a);
  pool_.simplify(numerator);
  Form quotient = split_multiples(numerator, b);
  if (numerator.is_scalar()) {
    if (numerator.constant != ScalarTape::kZero)
      pool_.add(quotient, pool_.scaled(single(reciprocal(b, term)), numerator.constant));
    return quotient;
  }
  // A single number times a series: the number stays outside, the quotient can be shared.
  ScalarId factor = ScalarTape::kOne;
  if (numerator.constant == ScalarTape::kZero && numerator.products.empty() &&
      numerator.linear.size() == 1) {
    factor = std::exchange(numerator.linear[0].factor, ScalarTape::kOne);
  }
  const SeriesId a = pool_.series_of(std::move(numerator));
  // Two quotients cost as much as one reciprocal and two products inside of sums, without results.
  if (quotients_[term.b.index()] > 1) {
    pool_.add(quotient, {.products = {{factor, a, reciprocal(b, term)}}});
    return quotient;
  }
  const SeriesId rest = pool_.make({.op = SeriesOp::kQuotient,
                                    .a = a,
                                    .b = b,
                                    .function = term.op,
                                    .argument = b,
                                    .tag = term.tag});
  pool_.add(quotient, pool_.scaled(single(rest), factor));
  return quotient;
}

// Takes the terms f b t out of a numerator: divided by b they are f t.
Form Fuser::split_multiples(Form& numerator, SeriesId b) {
  Form quotient;
  std::erase_if(numerator.linear, [&](const LinearTerm& term) {
    if (term.series == b) quotient.constant = pool_.scalars().add(quotient.constant, term.factor);
    return term.series == b;
  });
  std::erase_if(numerator.products, [&](const ProductTerm& term) {
    if (term.left != b && term.right != b) return false;
    quotient.linear.push_back({term.factor, term.left == b ? term.right : term.left});
    return true;
  });
  return quotient;
}

// 1/b; of a square root as one power of its argument.
SeriesId Fuser::reciprocal(SeriesId b, const Term& term) {
  const Series& root = fused_.series[b];
  if (root.op == SeriesOp::kSqrt && root.argument == root.a) {
    return pool_.make({.op = SeriesOp::kPower,
                       .a = root.a,
                       .scalar = pool_.scalars().constant(-0.5),
                       .function = root.function,
                       .argument = root.a,
                       .tag = root.tag});
  }
  return pool_.make(
      {.op = SeriesOp::kReciprocal, .a = b, .function = term.op, .argument = b, .tag = term.tag});
}

Form Fuser::power_form(const Term& term) {
  const Form& base = forms_[term.a.index()];
  const Form& exponent = forms_[term.b.index()];
  if (base.is_scalar() && exponent.is_scalar()) {
    return {.constant = pool_.scalars().apply(term.op, base.constant, exponent.constant, term.tag)};
  }
  if (exponent.is_scalar()) {
    const ScalarId e = exponent.constant;
    const double value = pool_.scalars().is_constant(e) ? pool_.scalars().value(e) : 0.5;
    if (value == 2) return product_form(term.a, term.a);
    if (value == 0) return {.constant = ScalarTape::kOne};
    const SeriesId a = take_series(term.a);
    if (value == 1) return single(a);
    if (value == std::floor(value) && value > 0 && value <= kMaxMultipliedPower) {
      return single(pool_.multiply_out(a, static_cast<int>(value)));
    }
    if (value == -1) {
      return single(pool_.make({.op = SeriesOp::kReciprocal,
                                .a = a,
                                .function = term.op,
                                .argument = a,
                                .tag = term.tag}));
    }
    return single(pool_.make({.op = SeriesOp::kPower,
                              .a = a,
                              .scalar = e,
                              .function = term.op,
                              .argument = a,
                              .tag = term.tag}));
  }
  // a^b = exp(b log a)
  Form logarithm;
  if (base.is_scalar()) {
    logarithm.constant = pool_.scalars().apply(Op::kLog, base.constant, -1, term.tag);
  } else {
    const SeriesId a = take_series(term.a);
    logarithm = single(make_integral(term, a, a, 1));
  }
  const Form factor = take_factor(term.b);
  const SeriesId argument = pool_.series_of(pool_.times(logarithm, factor));
  return single(pool_.make({.op = SeriesOp::kExp,
                            .a = argument,
                            .function = term.op,
                            .argument = argument,
                            .tag = term.tag}));
}

Form Fuser::function_form(const Term& term) {
  Form form = take(term.a);
  pool_.simplify(form);
  if (form.is_scalar()) {
    return {.constant = pool_.scalars().apply(term.op, form.constant, -1, term.tag)};
  }
  const SeriesId a = pool_.series_of(std::move(form));
  const ops::Entry& entry = ops::entry(term.op);
  if (entry.series != SeriesOp::kIntegral)
    return single(apply(entry.series, a, term, a) + entry.result);
  const SeriesId b = denominator_of(Number{this, &term, a, single(a)});
  return single(make_integral(term, a, b, entry.scale));
}

// One of several recurrences with one operand; `argument` is that of the term.
SeriesId Fuser::apply(SeriesOp op, SeriesId a, const Term& term, SeriesId argument) {
  return pool_.make({.op = op, .a = a, .function = term.op, .argument = argument, .tag = term.tag});
}

Fuser::Number Fuser::Number::plus(double constant) const {
  Number sum = *this;
  sum.form.constant =
      fuser->pool_.scalars().add(form.constant, fuser->pool_.scalars().constant(constant));
  return sum;
}

Fuser::Number Fuser::Number::times(double factor) const {
  Number product = *this;
  product.form = fuser->pool_.scaled(form, fuser->pool_.scalars().constant(factor));
  return product;
}

Fuser::Number Fuser::Number::squared() const {
  const SeriesId s = fuser->pool_.series_of(form);
  return {fuser, term, argument, {.products = {{ScalarTape::kOne, s, s}}}};
}

Fuser::Number Fuser::Number::under(SeriesOp op) const {
  return {fuser, term, argument,
          single(fuser->apply(op, fuser->pool_.series_of(form), *term, argument))};
}

Fuser::Number no_denominator(const Fuser::Number&) {
  fail_check("a function given by an integral", __FILE__, __LINE__);
}

using DenominatorOf = Fuser::Number (*)(const Fuser::Number& a);
template <class O>
struct Denominator {
  static Fuser::Number value(const Fuser::Number& a) {
    if constexpr (O::entry.series == SeriesOp::kIntegral)
      return O::denominator(a);
    else
      return no_denominator(a);
  }
};

SeriesId Fuser::denominator_of(const Number& a) {
  static constexpr auto kDenominators =
      ops::table_of<DenominatorOf, Denominator>(ops::Operations(), &no_denominator);
  return pool_.series_of(kDenominators[static_cast<std::size_t>(a.term->op)](a).form);
}

Form Fuser::atan2_form(const Term& term) {
  Form y = take(term.a), x = take(term.b);
  pool_.simplify(y);
  pool_.simplify(x);
  if (y.is_scalar() && x.is_scalar()) {
    return {.constant = pool_.scalars().apply(term.op, y.constant, x.constant, term.tag)};
  }
  const SeriesId a = pool_.series_of(std::move(y)), b = pool_.series_of(std::move(x));
  const SeriesId square =
      pool_.make_sum({.products = {{ScalarTape::kOne, a, a}, {ScalarTape::kOne, b, b}}});
  return single(pool_.make({.op = SeriesOp::kAtan2,
                            .a = a,
                            .b = b,
                            .c = square,
                            .function = term.op,
                            .argument = b,
                            .tag = term.tag}));
}

// All outputs and the matrix of derivatives come from one call.
Form Fuser::call_form(const Term& term) {
  const auto known = call_series_.find(term.index);
  if (known != call_series_.end()) return single(known->second + term.order);
  const TapeCall& call = tape_.calls()[term.index];
  const BlackBox& code = tape_.codes()[call.code];
  Series series{.op = SeriesOp::kCall, .function = term.op, .tag = term.tag, .code = call.code};
  for (TermId argument : call.arguments) series.arguments.push_back(take_series(argument));
  const SeriesId id = static_cast<SeriesId>(fused_.series.size());
  fused_.series.push_back(std::move(series));
  const int num_results = code.num_outputs * (1 + code.num_inputs);
  for (int k = 1; k < num_results; ++k)
    fused_.series.push_back(
        {.op = SeriesOp::kSecond, .a = id, .function = term.op, .tag = term.tag});
  call_series_[term.index] = id;
  return single(id + term.order);
}

SeriesId Fuser::make_integral(const Term& term, SeriesId a, SeriesId b, double scale) {
  // The logarithm inside a general power is still a logarithm.
  const Op function = term.op == Op::kPow ? Op::kLog : term.op;
  return pool_.make({.op = SeriesOp::kIntegral,
                     .a = a,
                     .b = b,
                     .scalar = pool_.scalars().constant(scale),
                     .function = function,
                     .argument = a,
                     .tag = term.tag});
}

}  // namespace

FusedTape fuse(const TapeBuilder& tape, const std::vector<TermId>& residuals,
               const std::vector<TermId>& outputs) {
  return Fuser(tape).run(residuals, outputs);
}

// Users have larger numbers than operands: one pass from the end knows all uses of a series.
std::vector<bool> find_denominators(const FusedTape& tape) {
  const std::size_t count = tape.series.size();
  std::vector<bool> is_used(count, false), does_harm(count, false);
  const auto use = [&](SeriesId operand, bool is_harmless) {
    if (operand < 0) return;
    is_used[static_cast<std::size_t>(operand)] = true;
    if (!is_harmless) does_harm[static_cast<std::size_t>(operand)] = true;
  };
  const auto use_form = [&](const Form& form, bool is_harmless) {
    for (const LinearTerm& term : form.linear) use(term.series, is_harmless);
    for (const ProductTerm& term : form.products) {
      use(term.left, is_harmless && term.left == term.right);
      use(term.right, is_harmless && term.left == term.right);
    }
  };
  for (const auto* forms : {&tape.residuals, &tape.outputs})
    for (const Form& form : *forms) use_form(form, false);
  for (std::size_t v = count; v-- > 0;) {
    const Series& series = tape.series[v];
    if (series.op == SeriesOp::kSecond) {
      use(series.a, is_used[v] && !does_harm[v]);  // the pair as a whole
      continue;
    }
    use_form(series.form, is_used[v] && !does_harm[v]);
    use(series.a, series.op == SeriesOp::kReciprocal);
    use(series.b, series.op == SeriesOp::kQuotient);
    use(series.c, false);
    for (SeriesId operand : series.arguments) use(operand, false);
  }
  for (std::size_t v = 0; v < count; ++v) is_used[v] = is_used[v] && !does_harm[v];
  return is_used;
}

}  // namespace hydae::codegen
