// A reduced system in numbers: residual, sparse Jacobian, values of all variables, and the solution
// of F = 0 for everything but the states. One object serves one run at a time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compile/reduced.h"
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
  ReducedProgram(const Prepared& prepared, Reduced reduced, std::span<const NodeId> guards);

  const Reduced& reduced() const { return reduced_; }
  int size() const { return static_cast<int>(reduced_.unknowns.size()); }
  const std::vector<HeldLeaf>& held() const { return held_; }
  void set_fixed(std::span<const double> parameters, std::span<const double> held);

  // False where something is not finite.
  bool residual(double t, const double* y, const double* yp, double* r);
  // dF/dy + cj dF/dy' in compressed columns.
  const std::vector<std::int64_t>& column_start() const { return column_start_; }
  const std::vector<std::int64_t>& row() const { return row_; }
  bool jacobian(double t, double cj, const double* y, const double* yp, double* values);
  bool guards(double t, const double* y, const double* yp, double* g);
  int num_guards() const { return num_guards_; }

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
  // Component i as the user calls it: "der(x)".
  std::string unknown_name(std::size_t i) const;
  std::size_t num_operations() const { return residuals_->num_operations(); }

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
  void make_pattern();
  void make_rest();
  void run(ValueProgram& program, double t, const double* y, const double* yp, double* out);
  bool is_defined(const ValueProgram& program, std::span<const double> values);
  bool factorize_rest(double t, std::span<const double> y, std::span<const double> yp);
  double correction_size(std::span<const double> y, std::span<const double> yp,
                         std::span<const double> correction) const;
  void move_rest(std::span<double> y, std::span<double> yp, std::span<const double> correction,
                 double share) const;
  bool take_step(double t, std::span<double> y, std::span<double> yp, double size);

  const Prepared& prepared_;
  Reduced reduced_;
  std::size_t n_;
  std::vector<HeldLeaf> held_;
  std::map<HeldLeaf, std::size_t> held_places_;
  int num_guards_;
  std::optional<ValueProgram> residuals_, assignments_, guards_, jacobian_;
  std::vector<Entry> entries_;
  std::vector<std::int64_t> column_start_, row_;
  std::vector<std::uint32_t> slot_;  // of the entries, in row_
  std::vector<double> entry_values_;
  // The matrix of solve_rest(): derivatives by y' of the states and by the other unknowns.
  std::optional<linalg::SparseLU> rest_;
  std::vector<std::uint32_t> rest_slot_;  // of the entries; kNone if they are not in it
  std::vector<double> rest_values_, correction_, step_, next_;
  std::vector<double> y_, yp_, assigned_;  // of load()
  std::string undefined_;
};

}  // namespace hydae
