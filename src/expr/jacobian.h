// Exact sparse Jacobians in numbers: one sweep forward for values and local derivatives, then one
// sweep back per root over the operations below it (Griewank and Walther 2008, section 3.2). The
// cost is that of the roots' own operations, each counted once per root that uses it. External
// functions come in through their own derivatives. A delay is given: it counts as constant even if
// its delay time varies.
#pragma once

#include <span>
#include <vector>

#include <hydae/expr.h>

#include "expr/evaluate.h"

namespace hydae {

struct JacobianEntry {
  std::size_t column;  // position in the list of leaves asked for
  double value;
};

class Jacobian {
 public:
  // Derivatives of the evaluator's roots by `columns`, each leaf at most once; a leaf that does not
  // occur is an empty column. The evaluator must outlive the Jacobian.
  Jacobian(Evaluator& evaluator, std::span<const Leaf> columns);

  // Evaluates values and derivatives; returns the values of the roots.
  std::span<const double> evaluate(const Point& point);

  // Row at the last point: ascending columns, each column that the root may depend on once, zeros
  // included: the pattern is the same at every point. Valid until the next call.
  std::span<const JacobianEntry> row(std::size_t root);

  // The Jacobian at the last point times a matrix with one row of `width` numbers per column, row
  // by row, in one sweep forward: cheaper than the rows where roots are many and `width` is small.
  void multiply(std::span<const double> matrix, std::size_t width, std::vector<double>& product);

 private:
  static constexpr std::uint32_t kNoColumn = 0xffffffff;

  void find_columns(std::span<const Leaf> columns);
  void find_active();
  void make_row(std::uint32_t root, std::vector<bool>& seen);
  void require_derivatives(std::size_t i);
  void compute_partials(std::size_t i, double homotopy);
  void hand_down(std::uint32_t i, double adjoint);

  Evaluator& evaluator_;
  std::vector<std::uint32_t> column_;   // of an instruction
  std::vector<bool> active_;            // instruction depends on a column
  std::vector<double> partials_;        // by operand, parallel to the evaluator's operands
  std::vector<std::uint32_t> steps_;    // row by row: active instructions below a root, last first
  std::vector<std::size_t> row_begin_;  // in steps_
  std::vector<double> adjoints_;        // by instruction; zero between calls
  std::vector<JacobianEntry> row_;
  std::vector<double> tangents_;  // of multiply, by instruction
};

}  // namespace hydae
