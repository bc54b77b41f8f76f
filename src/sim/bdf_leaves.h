// The solution over a step of BDF, as the outputs read it: unknowns that are integrated are the
// interpolating polynomial of the formula; what linear equations give beside it has values.
#pragma once

#include <vector>

#include "compile/reduced_program.h"
#include "integrate/bdf_stepper.h"
#include "sim/step_outputs.h"

namespace hydae {

class BdfLeaves : public LeafSource {
 public:
  // `stepper` is null if everything is given explicitly. All must outlive this.
  BdfLeaves(ReducedProgram& program, const integrate::BdfStepper* stepper,
            const std::vector<codegen::JetEntry>& leaves);

  void begin(double from, double to);
  void read(std::size_t leaf, LeafOverStep& over_step) override;
  void measure(std::size_t leaf, LeafOverStep& over_step) override;
  double value(std::size_t leaf, double place) override;

 private:
  LeafPlace place_of(std::size_t leaf) const;
  bool is_polynomial(LeafPlace place) const;
  void read_derivatives();
  void measure_errors();
  void load(double t);

  ReducedProgram& program_;
  const integrate::BdfStepper* stepper_;
  const std::vector<codegen::JetEntry>& leaves_;
  double from_ = 0, to_ = 0;
  bool has_derivatives_ = false, has_measured_ = false;
  std::vector<std::vector<double>> derivatives_;  // of the polynomials at the end of the step
  std::vector<double> errors_, y_, yp_;
  // At the end of the step, and as errors of what is integrated, and rounding, move it.
  struct Point {
    std::vector<double> y, yp;
  };
  Point moved_by_errors_, moved_by_rounding_;
  double loaded_ = 0;
  bool is_loaded_ = false;
};

}  // namespace hydae
