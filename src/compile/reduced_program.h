// A reduced system in numbers: residual, sparse Jacobian, values of all variables, and the solution
// of F = 0 for everything but the states. One object serves one run at a time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compile/index_reduction.h"
#include "compile/linear_equations.h"
#include "compile/value_program.h"
#include "linalg/sparse_lu.h"

namespace hydae {

// Values that events change: pre() and discrete variables, in the order the programs ask for them.
struct HeldLeaf {
  bool is_pre = false;
  Leaf leaf;
  auto operator<=>(const HeldLeaf&) const = default;
};

class ReducedProgram {
 public:
  // `guards`: further expressions, evaluated by guards(). `prepared` must outlive the program.
  ReducedProgram(const AnalyzedSystem& prepared, Reduced reduced, std::span<const NodeId> guards);

  const Reduced& reduced() const { return reduced_; }
  int size() const { return static_cast<int>(reduced_.unknowns.size()); }
  int num_iterated() const { return static_cast<int>(reduced_.num_iterated); }
  const std::vector<HeldLeaf>& held() const { return held_; }
  void set_fixed(std::span<const double> parameters, std::span<const double> held);

  // Rows: iterated equations, chains, solved equations. False where something is not finite.
  std::uint32_t row_of_equation(std::size_t i) const;
  bool residual(double t, const double* y, const double* yp, double* r);
  // Writes what linear equations give: the unknowns from num_iterated() on and, of an ODE, y'.
  // False, and NaN for all of them, where they are undefined or singular.
  bool complete(double t, std::span<double> y, std::span<double> yp);
  // As the stepper sees it, with num_iterated() unknowns and rows.
  bool iterated_residual(double t, const double* y, const double* yp, double* r);
  bool derivatives(double t, const double* y, double* yp);  // of an ODE

  // dF/dy + cj dF/dy' in compressed columns, all unknowns and rows: at the point of linearize().
  const std::vector<int>& column_start() const { return pattern_.start; }
  const std::vector<int>& row() const { return pattern_.row; }
  bool linearize(double t, const double* y, const double* yp);  // of the iterated unknowns
  void matrix(double cj, double* values) const;
  void mass_times(const double* b, double* product) const;  // dF/dy' b
  bool guards(double t, const double* y, const double* yp, double* g);
  int num_guards() const { return num_guards_; }
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
  // Linear equations whose condition at the last point exceeds `least`; empty if none are.
  std::string singular_block(double least = 1e10) const;
  // Where linear equations have coefficients that change all the time: signs of determinants and
  // the largest unknown, at the last complete(). Empty if there are none.
  struct LinearState {
    std::vector<int> signs;
    double size = 0;
  };
  void read_linear_state(LinearState& state) const;
  // Component i as the user calls it: "der(x)".
  std::string unknown_name(std::size_t i) const;

 private:
  struct Entry {
    std::uint32_t row, column;
    bool is_derivative;  // by y' of the column
    NodeId value;
  };
  static constexpr std::uint32_t kNone = 0xffffffff;

  std::vector<NodeId> with_assignments(std::span<const NodeId> guards) const;
  void find_held(std::span<const NodeId> guards);
  std::size_t place(const Node& node) const;
  ValueProgram make_program(std::span<const NodeId> roots) const;
  void make_entries();
  void make_linear();
  void make_rest();
  void run(ValueProgram& program, double t, const double* y, const double* yp, double* out);
  bool solve_linear(double t, const double* y, const double* yp, std::size_t given);
  void explain(LinearEquations::Outcome outcome);
  std::string derivative_name(std::size_t i, int more) const;
  void write_chains(const double* y, const double* yp, double* r) const;
  bool extend(double t, const double* y, const double* yp);
  bool is_defined(const ValueProgram& program, std::span<const double> values);
  bool factorize_rest(double t, std::span<const double> y, std::span<const double> yp);
  void measure_rest(std::span<const double> y, std::span<const double> yp);
  double correction_size(std::span<const double> correction) const;
  void move_rest(std::span<double> y, std::span<double> yp, std::span<const double> correction,
                 double share) const;
  bool take_step(double t, std::span<double> y, std::span<double> yp, double size);

  const AnalyzedSystem& prepared_;
  Reduced reduced_;
  std::size_t n_;
  std::vector<HeldLeaf> held_;
  std::map<HeldLeaf, std::size_t> held_places_;
  int num_guards_;
  std::vector<NodeId> guard_nodes_;
  std::optional<ValueProgram> residuals_, assignments_, guards_, jacobian_;
  std::vector<Entry> entries_;
  CompressedColumns pattern_;
  std::vector<double> entry_values_;
  std::optional<LinearEquations> linear_;
  std::vector<double> full_y_, full_yp_;  // completed
  // The matrix of solve_rest(): derivatives by y' of the states and by the other unknowns.
  std::optional<linalg::SparseLU> rest_;
  std::vector<std::uint32_t> rest_slot_;  // of the entries; kNone if they are not in it
  std::vector<double> rest_values_, correction_, step_, next_;
  std::vector<double> rest_size_, row_size_;  // of unknowns and of terms of equations
  std::vector<double> y_, yp_, assigned_;     // of load()
  std::string undefined_;
};

}  // namespace hydae
