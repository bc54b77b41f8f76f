// The equations of a reduced system that are solved apart, because they are linear together: in the
// unknowns behind the iterated ones and, of an ODE, in y' of the highest states.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compile/linear_equations.h"
#include "compile/reduced_matrix.h"

namespace hydae {

// "der(x)": component i of y as the user calls it, or its derivative.
std::string name_of(const AnalyzedSystem& prepared, const Unknown& unknown, int more = 0);

class LinearSubsystem {
 public:
  // The system and its reduction must outlive the part.
  LinearSubsystem(const AnalyzedSystem& prepared, const Reduced& reduced,
                  const ReducedMatrix& matrix, const ReducedInputs& inputs);

  bool is_empty() const { return !linear_; }
  LinearEquations& equations() { return *linear_; }
  void set_fixed(std::span<const double> parameters, std::span<const double> held);

  // For the first `given` unknowns; the solution stays with the equations.
  LinearEquations::Outcome solve(double t, const double* y, const double* yp, std::size_t given);
  // Writes the solution; NaN if there is none.
  void write(bool is_solved, std::span<double> y, std::span<double> yp) const;
  void write_derivatives(const double* y, double* yp) const;  // of an ODE

  // Linear equations whose condition at the last point exceeds `least`; empty if none are.
  std::string singular_block(double least = 1e10) const;
  // Where linear equations have coefficients that change all the time: signs of determinants and
  // the largest unknown, at the last solution. Empty if there are none.
  struct State {
    std::vector<int> signs;
    double size = 0;
  };
  void read_state(State& state) const;

 private:
  const AnalyzedSystem& prepared_;
  const Reduced& reduced_;
  std::optional<LinearEquations> linear_;
};

}  // namespace hydae
