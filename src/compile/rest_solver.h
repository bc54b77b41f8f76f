// Solves F = 0 of a reduced system for everything but the states.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "compile/reduced_matrix.h"
#include "linalg/sparse_lu.h"

namespace hydae {

class ReducedProgram;

class RestSolver {
 public:
  // The reduction must outlive the solver.
  RestSolver(const Reduced& reduced, const ReducedMatrix& matrix);

  // y' of the states and the other unknowns, from the values given. False if Newton's iteration
  // does not converge. `program`: the one that this is the solver of.
  bool solve(ReducedProgram& program, double t, std::span<double> y, std::span<double> yp);

 private:
  bool factorize(ReducedProgram& program, double t, std::span<const double> y,
                 std::span<const double> yp);
  void measure(const ReducedMatrix& matrix, std::span<const double> y, std::span<const double> yp);
  double size_of(std::span<const double> correction) const;
  void move(std::span<double> y, std::span<double> yp, std::span<const double> correction,
            double share) const;
  bool take_step(ReducedProgram& program, double t, std::span<double> y, std::span<double> yp,
                 double size);

  const Reduced& reduced_;
  std::size_t n_;
  // The matrix: derivatives by y' of the states and by the other unknowns.
  std::optional<linalg::SparseLU> lu_;
  std::vector<std::uint32_t> slot_;  // of the entries; kNone if they are not in it
  std::vector<double> values_, correction_, step_, next_;
  std::vector<double> size_, row_size_;  // of unknowns and of terms of equations
};

}  // namespace hydae
