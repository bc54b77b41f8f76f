// Turns polynomials of a step into rows of a trajectory: variables of the model, the derivatives
// that its equations contain, and aliases.
#pragma once

#include <vector>

#include <hydae/simulate.h>

#include "compile/prepare.h"
#include "integrate/taylor_stepper.h"

namespace hydae {

class Recorder {
 public:
  Recorder(const Prepared& prepared, const SimulateOptions& options);

  void record(const integrate::TaylorStepper& stepper, double t);
  Trajectory take() { return std::move(trajectory_); }

 private:
  struct Source {
    int variable;  // of the program
    int derivative;
    double factor;
  };
  std::vector<Source> sources_;
  std::vector<double> row_;
  Trajectory trajectory_;
};

}  // namespace hydae
