// The tape as the engine wants it: few fat operations on power series. All sums and products of a
// model become n-ary sums of (number x series) and (number x series x series); sine and cosine of
// one argument are one operation; functions that need an auxiliary series (asin, tan, ...) carry
// it.
//
// A product used in one sum stays inside the sum, a product used twice is a series of its own; a
// factor "number + number x series" is multiplied out, so that m0 + m1 cos(phi) never is a series.
#pragma once

#include <cstdint>
#include <vector>

#include "codegen/scalar_tape.h"
#include "codegen/tape.h"
#include "ops/series_op.h"

namespace hydae::codegen {

using SeriesId = int;

struct LinearTerm {
  ScalarId factor = ScalarTape::kOne;
  SeriesId series = -1;
  auto operator<=>(const LinearTerm&) const = default;
};

struct ProductTerm {
  ScalarId factor = ScalarTape::kOne;
  SeriesId left = -1, right = -1;
  auto operator<=>(const ProductTerm&) const = default;
};

// constant + sum factor * series + sum factor * left * right
struct Form {
  ScalarId constant = ScalarTape::kZero;
  std::vector<LinearTerm> linear = {};
  std::vector<ProductTerm> products = {};

  bool is_scalar() const { return linear.empty() && products.empty(); }
  bool operator==(const Form&) const = default;
};

using ops::SeriesOp;

struct Series {
  SeriesOp op = SeriesOp::kSum;
  SeriesId a = -1, b = -1, c = -1;
  ScalarId scalar = ScalarTape::kOne;
  int variable = -1, order = 0;
  Form form = {};
  Op function = Op::kAdd;  // the term it stands for, and its argument: for reports of failure
  SeriesId argument = -1;
  int tag = -1;
  int code = -1;  // kCall
  std::vector<SeriesId> arguments = {};
};

struct FusedTape {
  std::vector<BlackBox> codes;
  ScalarTape scalars;
  std::vector<Series> series;  // operands before users
  std::vector<Form> residuals, outputs;
};

// By series: everything that uses it tends to zero with its reciprocal, as 1/(1 + exp(u)) does. An
// overflow of it does no harm.
std::vector<bool> find_denominators(const FusedTape& tape);

FusedTape fuse(const TapeBuilder& tape, const std::vector<TermId>& residuals,
               const std::vector<TermId>& outputs);

}  // namespace hydae::codegen
