#include "codegen/fused_tape.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "base/check.h"
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
  using Key = std::tuple<SeriesOp, SeriesId, SeriesId, SeriesId, ScalarId, int, Op>;

  ScalarTape& scalars() { return fused_.scalars; }

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
  SeriesId take_series(TermId id) { return series_of(take(id)); }

  SeriesId series_of(Form form);
  SeriesId make(Series series);
  SeriesId make_sum(Form form);
  SeriesId make_integral(const Term& term, SeriesId a, SeriesId b, double scale);
  SeriesId multiply_out(SeriesId base, int exponent);

  static Form single(SeriesId series) { return {.linear = {{ScalarTape::kOne, series}}}; }
  Form scaled(Form form, ScalarId factor);
  Form times(const Form& a, const Form& b);  // both are factors
  void add(Form& sum, const Form& part);
  void simplify(Form& form);
  void factor_out(Form& form);

  const TapeBuilder& tape_;
  FusedTape fused_;
  std::vector<int> uses_, quotients_;  // of each term: users; quotients that it divides
  std::vector<Form> forms_;
  std::map<Key, SeriesId> known_;
  std::map<int, SeriesId> call_series_;  // by number of the call
  std::map<std::pair<std::vector<LinearTerm>, std::vector<ProductTerm>>,
           std::vector<std::pair<ScalarId, SeriesId>>>
      known_sums_;
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
      simplify(form);
      factor_out(form);
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
      add(sum, part);
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
  if (term.op == Op::kConstant) return {.constant = scalars().constant(term.value)};
  if (term.op == Op::kParameter) return {.constant = scalars().parameter(term.index)};
  if (term.op == Op::kTime) return single(make({.op = SeriesOp::kTime}));
  return single(make({.op = SeriesOp::kVariable, .variable = term.index, .order = term.order}));
}

Form Fuser::take(TermId id) {
  Form& form = forms_[id.index()];
  if (uses_[id.index()] == 1) return std::move(form);
  const bool is_cheap = form.products.empty() && form.linear.size() <= kMaxRepeatedTerms;
  if (!is_cheap) form = single(series_of(std::move(form)));
  return form;
}

Form Fuser::take_factor(TermId id) {
  Form form = take(id);
  simplify(form);
  if (form.products.empty() && form.linear.size() <= 1) return form;
  return single(series_of(std::move(form)));
}

Form Fuser::product_form(TermId a, TermId b) {
  if (forms_[a.index()].is_scalar()) return scaled(take(b), forms_[a.index()].constant);
  if (forms_[b.index()].is_scalar()) return scaled(take(a), forms_[b.index()].constant);
  Form left = take_factor(a), right = a == b ? left : take_factor(b);
  // (t - c)^2 multiplied out would be what cancellation leaves of t^2, c t and c^2.
  if (is_affine(left) && is_affine(right)) {
    right = single(series_of(std::move(right)));
    left = a == b ? right : single(series_of(std::move(left)));
  }
  return times(left, right);
}

Form Fuser::quotient_form(const Term& term) {
  Form denominator = take(term.b);
  simplify(denominator);
  if (denominator.is_scalar()) {
    const ScalarId inverse =
        scalars().apply(Op::kDiv, ScalarTape::kOne, denominator.constant, term.tag);
    return scaled(take(term.a), inverse);
  }
  const SeriesId b = series_of(std::move(denominator));
  Form numerator = take(term.a);
  simplify(numerator);
  Form quotient = split_multiples(numerator, b);
  if (numerator.is_scalar()) {
    if (numerator.constant != ScalarTape::kZero)
      add(quotient, scaled(single(reciprocal(b, term)), numerator.constant));
    return quotient;
  }
  // A single number times a series: the number stays outside, the quotient can be shared.
  ScalarId factor = ScalarTape::kOne;
  if (numerator.constant == ScalarTape::kZero && numerator.products.empty() &&
      numerator.linear.size() == 1) {
    factor = std::exchange(numerator.linear[0].factor, ScalarTape::kOne);
  }
  const SeriesId a = series_of(std::move(numerator));
  // Two quotients cost as much as one reciprocal and two products inside of sums, without results.
  if (quotients_[term.b.index()] > 1) {
    add(quotient, {.products = {{factor, a, reciprocal(b, term)}}});
    return quotient;
  }
  const SeriesId rest = make({.op = SeriesOp::kQuotient,
                              .a = a,
                              .b = b,
                              .function = term.op,
                              .argument = b,
                              .tag = term.tag});
  add(quotient, scaled(single(rest), factor));
  return quotient;
}

// Takes the terms f b t out of a numerator: divided by b they are f t.
Form Fuser::split_multiples(Form& numerator, SeriesId b) {
  Form quotient;
  std::erase_if(numerator.linear, [&](const LinearTerm& term) {
    if (term.series == b) quotient.constant = scalars().add(quotient.constant, term.factor);
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
    return make({.op = SeriesOp::kPower,
                 .a = root.a,
                 .scalar = scalars().constant(-0.5),
                 .function = root.function,
                 .argument = root.a,
                 .tag = root.tag});
  }
  return make(
      {.op = SeriesOp::kReciprocal, .a = b, .function = term.op, .argument = b, .tag = term.tag});
}

Form Fuser::power_form(const Term& term) {
  const Form& base = forms_[term.a.index()];
  const Form& exponent = forms_[term.b.index()];
  if (base.is_scalar() && exponent.is_scalar()) {
    return {.constant = scalars().apply(term.op, base.constant, exponent.constant, term.tag)};
  }
  if (exponent.is_scalar()) {
    const ScalarId e = exponent.constant;
    const double value = scalars().is_constant(e) ? scalars().value(e) : 0.5;
    if (value == 2) return product_form(term.a, term.a);
    if (value == 0) return {.constant = ScalarTape::kOne};
    const SeriesId a = take_series(term.a);
    if (value == 1) return single(a);
    if (value == std::floor(value) && value > 0 && value <= kMaxMultipliedPower) {
      return single(multiply_out(a, static_cast<int>(value)));
    }
    if (value == -1) {
      return single(make({.op = SeriesOp::kReciprocal,
                          .a = a,
                          .function = term.op,
                          .argument = a,
                          .tag = term.tag}));
    }
    return single(make({.op = SeriesOp::kPower,
                        .a = a,
                        .scalar = e,
                        .function = term.op,
                        .argument = a,
                        .tag = term.tag}));
  }
  // a^b = exp(b log a)
  Form logarithm;
  if (base.is_scalar()) {
    logarithm.constant = scalars().apply(Op::kLog, base.constant, -1, term.tag);
  } else {
    const SeriesId a = take_series(term.a);
    logarithm = single(make_integral(term, a, a, 1));
  }
  const Form factor = take_factor(term.b);
  const SeriesId argument = series_of(times(logarithm, factor));
  return single(make({.op = SeriesOp::kExp,
                      .a = argument,
                      .function = term.op,
                      .argument = argument,
                      .tag = term.tag}));
}

Form Fuser::function_form(const Term& term) {
  Form form = take(term.a);
  simplify(form);
  if (form.is_scalar()) {
    return {.constant = scalars().apply(term.op, form.constant, -1, term.tag)};
  }
  const SeriesId a = series_of(std::move(form));
  const ops::Entry& entry = ops::entry(term.op);
  if (entry.series != SeriesOp::kIntegral)
    return single(apply(entry.series, a, term, a) + entry.result);
  const SeriesId b = denominator_of(Number{this, &term, a, single(a)});
  return single(make_integral(term, a, b, entry.scale));
}

// One of several recurrences with one operand; `argument` is that of the term.
SeriesId Fuser::apply(SeriesOp op, SeriesId a, const Term& term, SeriesId argument) {
  return make({.op = op, .a = a, .function = term.op, .argument = argument, .tag = term.tag});
}

Fuser::Number Fuser::Number::plus(double constant) const {
  Number sum = *this;
  sum.form.constant = fuser->scalars().add(form.constant, fuser->scalars().constant(constant));
  return sum;
}

Fuser::Number Fuser::Number::times(double factor) const {
  Number product = *this;
  product.form = fuser->scaled(form, fuser->scalars().constant(factor));
  return product;
}

Fuser::Number Fuser::Number::squared() const {
  const SeriesId s = fuser->series_of(form);
  return {fuser, term, argument, {.products = {{ScalarTape::kOne, s, s}}}};
}

Fuser::Number Fuser::Number::under(SeriesOp op) const {
  return {fuser, term, argument, single(fuser->apply(op, fuser->series_of(form), *term, argument))};
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
  return series_of(kDenominators[static_cast<std::size_t>(a.term->op)](a).form);
}

Form Fuser::atan2_form(const Term& term) {
  Form y = take(term.a), x = take(term.b);
  simplify(y);
  simplify(x);
  if (y.is_scalar() && x.is_scalar()) {
    return {.constant = scalars().apply(term.op, y.constant, x.constant, term.tag)};
  }
  const SeriesId a = series_of(std::move(y)), b = series_of(std::move(x));
  const SeriesId square =
      make_sum({.products = {{ScalarTape::kOne, a, a}, {ScalarTape::kOne, b, b}}});
  return single(make({.op = SeriesOp::kAtan2,
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

SeriesId Fuser::series_of(Form form) {
  simplify(form);
  const bool is_series = form.constant == ScalarTape::kZero && form.products.empty() &&
                         form.linear.size() == 1 && form.linear[0].factor == ScalarTape::kOne;
  return is_series ? form.linear[0].series : make_sum(std::move(form));
}

SeriesId Fuser::make(Series series) {
  // Sine and cosine terms of one argument are one operation; the first of them is reported.
  const bool is_pair = ops::is_pair(series.op);
  const Op function = series.op == SeriesOp::kIntegral ? series.function : Op::kAdd;
  const int detail = series.op == SeriesOp::kVariable ? series.variable : -1;
  const Key key{
      series.op, series.a,      series.op == SeriesOp::kVariable ? series.order : series.b,
      series.c,  series.scalar, detail,
      function};
  const SeriesId id = static_cast<SeriesId>(fused_.series.size());
  const auto [entry, is_new] = known_.try_emplace(key, id);
  if (!is_new) return entry->second;
  Series second{.op = SeriesOp::kSecond,
                .a = id,
                .function = series.function,
                .argument = series.argument,
                .tag = series.tag};
  fused_.series.push_back(std::move(series));
  if (is_pair) fused_.series.push_back(std::move(second));
  return id;
}

SeriesId Fuser::make_sum(Form form) {
  simplify(form);
  factor_out(form);
  auto& same_terms = known_sums_[{form.linear, form.products}];
  for (const auto& [constant, id] : same_terms) {
    if (constant == form.constant) return id;
  }
  const SeriesId id = static_cast<SeriesId>(fused_.series.size());
  same_terms.emplace_back(form.constant, id);
  fused_.series.push_back({.op = SeriesOp::kSum, .form = std::move(form)});
  return id;
}

SeriesId Fuser::make_integral(const Term& term, SeriesId a, SeriesId b, double scale) {
  // The logarithm inside a general power is still a logarithm.
  const Op function = term.op == Op::kPow ? Op::kLog : term.op;
  return make({.op = SeriesOp::kIntegral,
               .a = a,
               .b = b,
               .scalar = scalars().constant(scale),
               .function = function,
               .argument = a,
               .tag = term.tag});
}

// base^exponent by squaring: shares the squares with other powers of the same series.
SeriesId Fuser::multiply_out(SeriesId base, int exponent) {
  const auto product = [this](SeriesId s, SeriesId t) {
    return make_sum({.products = {{ScalarTape::kOne, s, t}}});
  };
  SeriesId result = -1;
  for (SeriesId square = base;; square = product(square, square)) {
    if (exponent % 2 == 1) result = result < 0 ? square : product(result, square);
    exponent /= 2;
    if (exponent == 0) return result;
  }
}

Form Fuser::scaled(Form form, ScalarId factor) {
  if (factor == ScalarTape::kOne) return form;
  if (factor == ScalarTape::kZero) return {};
  form.constant = scalars().mul(form.constant, factor);
  for (LinearTerm& term : form.linear) term.factor = scalars().mul(term.factor, factor);
  for (ProductTerm& term : form.products) term.factor = scalars().mul(term.factor, factor);
  return form;
}

Form Fuser::times(const Form& a, const Form& b) {
  HYDAE_CHECK(a.products.empty() && b.products.empty());
  HYDAE_CHECK(a.linear.size() <= 1 && b.linear.size() <= 1);
  Form form{.constant = scalars().mul(a.constant, b.constant)};
  for (const LinearTerm& s : a.linear) {
    form.linear.push_back({scalars().mul(s.factor, b.constant), s.series});
  }
  for (const LinearTerm& t : b.linear) {
    form.linear.push_back({scalars().mul(t.factor, a.constant), t.series});
  }
  for (const LinearTerm& s : a.linear) {
    for (const LinearTerm& t : b.linear) {
      form.products.push_back({scalars().mul(s.factor, t.factor), s.series, t.series});
    }
  }
  simplify(form);
  return form;
}

void Fuser::add(Form& sum, const Form& part) {
  sum.constant = scalars().add(sum.constant, part.constant);
  sum.linear.insert(sum.linear.end(), part.linear.begin(), part.linear.end());
  sum.products.insert(sum.products.end(), part.products.begin(), part.products.end());
}

// Terms sorted by their series, equal ones merged, zeros dropped.
void Fuser::simplify(Form& form) {
  for (ProductTerm& p : form.products) {
    if (p.right < p.left) std::swap(p.left, p.right);
  }
  std::sort(form.linear.begin(), form.linear.end(),
            [](const auto& x, const auto& y) { return x.series < y.series; });
  std::sort(form.products.begin(), form.products.end(), [](const auto& x, const auto& y) {
    return std::pair(x.left, x.right) < std::pair(y.left, y.right);
  });
  const auto merge = [this](auto& terms, auto is_same) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (kept > 0 && is_same(terms[kept - 1], terms[i])) {
        terms[kept - 1].factor = scalars().add(terms[kept - 1].factor, terms[i].factor);
      } else {
        terms[kept++] = terms[i];
      }
    }
    terms.resize(kept);
    std::erase_if(terms, [](const auto& term) { return term.factor == ScalarTape::kZero; });
  };
  merge(form.linear, [](const auto& x, const auto& y) { return x.series == y.series; });
  merge(form.products,
        [](const auto& x, const auto& y) { return x.left == y.left && x.right == y.right; });
}

// s t + s u + s v + ... = s (t + u + v + ...): one product instead of three or more. Series that
// occur most often come first.
void Fuser::factor_out(Form& form) {
  constexpr std::size_t kMinProducts = 3;
  std::map<SeriesId, std::vector<std::size_t>> products_of;
  for (std::size_t i = 0; i < form.products.size(); ++i) {
    const auto [factor, left, right] = form.products[i];
    if (left == right) continue;
    products_of[left].push_back(i);
    products_of[right].push_back(i);
  }
  std::vector<std::pair<SeriesId, std::vector<std::size_t>>> common;
  for (const auto& entry : products_of) {
    if (entry.second.size() >= kMinProducts) common.push_back(entry);
  }
  if (common.empty()) return;
  std::stable_sort(common.begin(), common.end(),
                   [](const auto& x, const auto& y) { return x.second.size() > y.second.size(); });
  std::vector<char> is_taken(form.products.size(), false);
  std::vector<ProductTerm> products;
  for (auto& [s, indices] : common) {
    std::erase_if(indices, [&](std::size_t i) { return is_taken[i]; });
    if (indices.size() < kMinProducts) continue;
    Form others;
    for (std::size_t i : indices) {
      const ProductTerm& term = form.products[i];
      others.linear.push_back({term.factor, term.left == s ? term.right : term.left});
      is_taken[i] = true;
    }
    products.push_back({ScalarTape::kOne, s, series_of(std::move(others))});
  }
  for (std::size_t i = 0; i < form.products.size(); ++i) {
    if (!is_taken[i]) products.push_back(form.products[i]);
  }
  form.products = std::move(products);
  simplify(form);
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
