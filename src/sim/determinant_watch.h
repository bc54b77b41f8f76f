// Unknowns of linear equations take no part in the error test of BDF: where the equations become
// singular and the states do not feel it, a step may pass. Then a determinant has changed its sign.
// The place is looked for; if the unknowns have a pole there, it is the end. Coefficients that have
// jumped, or a right-hand side that vanishes at the same place, are none.
#pragma once

#include <optional>
#include <string>

#include "sim/reduced_solution.h"

namespace hydae {

class DeterminantWatch {
 public:
  // Where the solution starts.
  void begin(ReducedSolution& solution);

  struct Pole {
    double before = 0, at = 0;  // a time that is good still, and one that is not
    std::string block;          // of the equations, as text
  };
  // In the step since `from`, whose values at its end have been taken over, as they are afterwards.
  std::optional<Pole> find_pole(double from, ReducedSolution& solution);

 private:
  LinearSubsystem::State last_, now_;
  double size_at_start_ = 1;  // of unknowns of linear equations
};

}  // namespace hydae
