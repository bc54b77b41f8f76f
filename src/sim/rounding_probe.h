// How well the guards of a mode are known where its series are made: what rounding in its equations
// makes of them. The point is expanded again with errors in the last digits of all terms, in a few
// patterns; what moves by them is known no better. The voltage of a node that nothing but a
// resistor joins to the others is theirs, and the size of what is left of the difference follows
// from them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "codegen/expansion.h"

namespace hydae {

class RoundingProbe {
 public:
  explicit RoundingProbe(std::shared_ptr<const codegen::Program> program);

  // The series to be asked about, made with these numbers.
  void aim(const codegen::Expansion& of, const std::vector<double>& table);
  // Of the first coefficients of an output. Empty where this cannot be told: next to a singularity
  // no error is small. Measured when first asked for.
  std::span<const double> roundings(std::size_t output);

 private:
  bool is_measured() const;
  void measure();
  bool compare(const codegen::ExpandRequest& request, const std::vector<double>& plain);
  bool expand(const codegen::ExpandRequest& request, std::vector<double>& series);

  std::shared_ptr<const codegen::Program> program_;
  std::optional<codegen::Expansion> expansion_;  // made when first needed
  const codegen::Expansion* of_ = nullptr;
  std::vector<double> table_;
  // Where it was measured last.
  struct Point {
    double time = 0, scale = 0;
    std::vector<double> state, table;
  };
  Point measured_;
  bool is_known_ = false;
  std::vector<double> roundings_;  // by output and coefficient
};

// What was measured last for each guard, in whatever mode and unit of time: where the entry of a
// jet that decides is far larger, nothing has to be measured again.
class KnownRoundings {
 public:
  // `scale`: of the series.
  void note(std::size_t guard, std::span<const double> roundings, double scale);
  bool are_far_below(double entry, std::size_t guard, double scale) const;

 private:
  std::map<std::size_t, std::vector<double>> by_guard_;  // of derivatives over factorials
};

}  // namespace hydae
