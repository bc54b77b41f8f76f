// The series of a tape while it is made: each one once, however often it is asked for; and sums of
// them in normal form, so that equal ones are found to be equal.
#pragma once

#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "codegen/fused_tape.h"

namespace hydae::codegen {

// The sum that is one series.
inline Form single(SeriesId series) { return {.linear = {{ScalarTape::kOne, series}}}; }

class SeriesPool {
 public:
  // Series and numbers go into `tape`.
  explicit SeriesPool(FusedTape& tape) : tape_(tape) {}

  ScalarTape& scalars() { return tape_.scalars; }

  SeriesId series_of(Form form);
  SeriesId make(Series series);
  SeriesId make_sum(Form form);
  SeriesId multiply_out(SeriesId base, int exponent);

  Form scaled(Form form, ScalarId factor);
  Form times(const Form& a, const Form& b);  // both are factors: at most one series, no product
  void add(Form& sum, const Form& part);
  void simplify(Form& form);
  void factor_out(Form& form);

 private:
  using Key = std::tuple<SeriesOp, SeriesId, SeriesId, SeriesId, ScalarId, int, Op>;
  using Terms = std::pair<std::vector<LinearTerm>, std::vector<ProductTerm>>;

  FusedTape& tape_;
  std::map<Key, SeriesId> known_;
  std::map<Terms, std::unordered_map<ScalarId, SeriesId>> known_sums_;  // then by their constant
};

}  // namespace hydae::codegen
