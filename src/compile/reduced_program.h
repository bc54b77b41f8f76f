// A reduced system in numbers: residual, sparse Jacobian, values of all variables, and the solution
// of F = 0 for everything but the states. One object serves one run at a time.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compile/linear_subsystem.h"
#include "compile/rest_solver.h"

namespace hydae {

class ReducedProgram {
 public:
  // `guards`: further expressions, see guard_nodes(). `prepared` must outlive the program.
  ReducedProgram(const AnalyzedSystem& prepared, Reduced reduced, std::span<const NodeId> guards);

  const Reduced& reduced() const { return *reduced_; }
  int size() const { return static_cast<int>(reduced_->unknowns.size()); }
  int num_iterated() const { return static_cast<int>(reduced_->num_iterated); }
  const std::vector<HeldLeaf>& held() const { return inputs_.held(); }
  void set_fixed(std::span<const double> parameters, std::span<const double> held);

  // Rows: iterated equations, chains, solved equations. False where something is not finite.
  bool residual(double t, const double* y, const double* yp, double* r);
  // Writes what linear equations give: the unknowns from num_iterated() on and, of an ODE, y'.
  // False, and NaN for all of them, where they are undefined or singular.
  bool complete(double t, std::span<double> y, std::span<double> yp);
  // As the stepper sees it, with num_iterated() unknowns and rows.
  bool iterated_residual(double t, const double* y, const double* yp, double* r);
  bool derivatives(double t, const double* y, double* yp);  // of an ODE

  // At the point of linearize() or differentiate(): of the iterated unknowns, or of all.
  const ReducedMatrix& matrix() const { return matrix_; }
  bool linearize(double t, const double* y, const double* yp);
  bool differentiate(double t, const double* y, const double* yp);
  // The guards as expressions of unknowns and their derivatives.
  const std::vector<NodeId>& guard_nodes() const { return guard_nodes_; }

  // The states of y are kept; y' of the states and the other unknowns are solved for, from the
  // values given. False if Newton's iteration does not converge.
  bool solve_rest(double t, std::span<double> y, std::span<double> yp);
  // y' of the unknowns that are no states, at a point of solve_rest(): by a difference along the
  // solution, good to about five digits. They stay as they are where that fails.
  void estimate_rates(double t, std::span<const double> y, std::span<double> yp);
  // Value of a variable or derivative of the system up to its d_j; after load().
  void load(double t, std::span<const double> y, std::span<const double> yp);
  double value(VarId column, int order) const;
  bool has_finite_assignments() const;  // after load()

  // What was undefined in the last evaluation that failed, in the user's names.
  const std::string& undefined() const { return undefined_; }
  const LinearSubsystem& linear() const { return linear_; }
  // Component i as the user calls it: "der(x)".
  std::string unknown_name(std::size_t i) const;

 private:
  bool is_defined(const ValueProgram& program, std::span<const double> values);
  bool solve_linear(double t, const double* y, const double* yp, std::size_t given);
  bool extend(double t, const double* y, const double* yp);

  const AnalyzedSystem& prepared_;
  std::unique_ptr<const Reduced> reduced_;  // its parts refer to it
  std::vector<NodeId> guard_nodes_;
  ReducedInputs inputs_;
  ValueProgram residuals_, assignments_;
  ReducedMatrix matrix_;
  LinearSubsystem linear_;
  RestSolver rest_;
  std::vector<double> full_y_, full_yp_;   // completed
  std::vector<double> y_, yp_, assigned_;  // of load()
  std::string undefined_;
};

}  // namespace hydae
