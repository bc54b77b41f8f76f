// Outputs of a mode over parts of a step as sets that contain them: interval arithmetic on the
// polynomials of the solution. What is proved with it is true of these polynomials as they are
// stored; how far they are from the solution is another matter (docs/math/events.md, "Grades").
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "codegen/interval_expansion.h"

namespace hydae {

// A part of a step: places centre + unit * s, s from `from` to 1.
struct EnclosedPart {
  double centre = 0.5, unit = 0.5;
  double from = -1;
  // Of the places from `begin` on: about the middle, or about the begin.
  static EnclosedPart about_middle(double begin, double width) {
    return {begin + 0.5 * width, 0.5 * width, -1};
  }
  static EnclosedPart about_begin(double begin, double width) { return {begin, width, 0}; }
};

// An output over a part, by Taylor's formula: coefficients at the centre, of all but the last, and
// the last one over the whole part, which is the remainder. And its value as the operations give
// it.
struct OutputEnclosure {
  poly::Interval variable;  // s
  std::vector<poly::Interval> coefficients;
  poly::Interval value;

  // Of g(s) / s^m, where g has m known zeros at s = 0.
  poly::Interval range(int num_zeros = 0) const;
  poly::Interval slope() const;  // of dg/ds
};

class StepEnclosure {
 public:
  // Coefficients of a leaf over the step in ascending powers of the place; null: it has none.
  using Polynomials = std::function<const std::vector<double>*(int leaf)>;

  explicit StepEnclosure(std::shared_ptr<const codegen::Program> program);

  void set_parameters(std::span<const double> values) { expansion_.set_parameters(values); }
  void begin(double from, double to) { from_ = from, length_ = to - from; }

  // False where nothing can be proved: a leaf without a polynomial, code.
  bool enclose(int output, const Polynomials& polynomials, const EnclosedPart& part,
               OutputEnclosure& enclosure);

 private:
  void fill(int leaf, const std::vector<double>& polynomial, poly::Interval centre,
            const EnclosedPart& part, poly::Interval s);
  std::span<const poly::Interval> expand(int output, const Polynomials& polynomials,
                                         const EnclosedPart& part, poly::Interval s);

  codegen::IntervalExpansion expansion_;
  double from_ = 0, length_ = 0;
  std::vector<poly::Interval> local_;
};

}  // namespace hydae
