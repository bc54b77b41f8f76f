#include "codegen/series_pool.h"

#include <algorithm>

#include "base/check.h"

namespace hydae::codegen {

SeriesId SeriesPool::series_of(Form form) {
  simplify(form);
  const bool is_series = form.constant == ScalarTape::kZero && form.products.empty() &&
                         form.linear.size() == 1 && form.linear[0].factor == ScalarTape::kOne;
  return is_series ? form.linear[0].series : make_sum(std::move(form));
}

SeriesId SeriesPool::make(Series series) {
  // Sine and cosine terms of one argument are one operation; the first of them is reported.
  const bool is_pair = ops::is_pair(series.op);
  const Op function = series.op == SeriesOp::kIntegral ? series.function : Op::kAdd;
  const int detail = series.op == SeriesOp::kVariable ? series.variable : -1;
  const Key key{
      series.op, series.a,      series.op == SeriesOp::kVariable ? series.order : series.b,
      series.c,  series.scalar, detail,
      function};
  const SeriesId id = static_cast<SeriesId>(tape_.series.size());
  const auto [entry, is_new] = known_.try_emplace(key, id);
  if (!is_new) return entry->second;
  Series second{.op = SeriesOp::kSecond,
                .a = id,
                .function = series.function,
                .argument = series.argument,
                .tag = series.tag};
  tape_.series.push_back(std::move(series));
  if (is_pair) tape_.series.push_back(std::move(second));
  return id;
}

SeriesId SeriesPool::make_sum(Form form) {
  simplify(form);
  factor_out(form);
  const SeriesId id = static_cast<SeriesId>(tape_.series.size());
  const auto [known, is_new] =
      known_sums_[{form.linear, form.products}].try_emplace(form.constant, id);
  if (!is_new) return known->second;
  tape_.series.push_back({.op = SeriesOp::kSum, .form = std::move(form)});
  return id;
}

// base^exponent by squaring: shares the squares with other powers of the same series.
SeriesId SeriesPool::multiply_out(SeriesId base, int exponent) {
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

Form SeriesPool::scaled(Form form, ScalarId factor) {
  if (factor == ScalarTape::kOne) return form;
  if (factor == ScalarTape::kZero) return {};
  form.constant = scalars().mul(form.constant, factor);
  for (LinearTerm& term : form.linear) term.factor = scalars().mul(term.factor, factor);
  for (ProductTerm& term : form.products) term.factor = scalars().mul(term.factor, factor);
  return form;
}

Form SeriesPool::times(const Form& a, const Form& b) {
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

void SeriesPool::add(Form& sum, const Form& part) {
  sum.constant = scalars().add(sum.constant, part.constant);
  sum.linear.insert(sum.linear.end(), part.linear.begin(), part.linear.end());
  sum.products.insert(sum.products.end(), part.products.begin(), part.products.end());
}

// Terms sorted by their series, equal ones merged, zeros dropped.
void SeriesPool::simplify(Form& form) {
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
void SeriesPool::factor_out(Form& form) {
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

}  // namespace hydae::codegen
