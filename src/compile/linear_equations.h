// The linear equations of a reduced system in numbers: for what is given they are evaluated with
// zeros for their unknowns, factorised, and solved. Factors of coefficients that do not change
// between events are kept.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compile/compressed_columns.h"
#include "compile/value_program.h"
#include "linalg/sparse_lu.h"

namespace hydae {

class LinearEquations {
 public:
  // Inputs of `rows` and `coefficients`: given values and unknowns. `coefficients[k]` is the
  // derivative of row positions[k].row by unknown positions[k].column.
  struct Parts {
    ValueProgram rows, coefficients;
    std::vector<Position> positions;
    std::vector<std::uint32_t> inputs;  // by unknown: its place among the inputs
  };
  explicit LinearEquations(Parts parts);

  void set_fixed(std::span<const double> parameters, std::span<const double> held);
  // The inputs, to be filled before solve(); what stands for the unknowns does not matter.
  std::span<double> inputs() { return parts_.rows.inputs(); }
  enum class Outcome { kSolved, kUndefinedRows, kUndefinedCoefficients, kSingular };
  Outcome solve(double t);
  // Of the last solve().
  std::span<const double> solution() const { return solution_; }
  std::span<const std::uint32_t> places() const { return parts_.inputs; }  // of it in the inputs

  std::size_t size() const { return parts_.inputs.size(); }
  ValueProgram& rows() { return parts_.rows; }
  const ValueProgram& coefficients() const { return parts_.coefficients; }
  bool has_fixed_coefficients() const { return is_fixed_; }

  // Signs of the determinants of the blocks, at the last solve() that succeeded: where one changes,
  // the coefficients have been singular in between, or have jumped.
  void read_signs(std::vector<int>& signs) const { lu_.read_determinant_signs(signs); }

  // The block that is closest to a singular one at the last solve(). Its condition is the inverse
  // of the smallest singular value, coefficients in units of the largest they have been so far.
  struct WorstBlock {
    std::vector<std::uint32_t> unknowns;
    double condition = 0;
  };
  std::optional<WorstBlock> find_worst_block() const;

 private:
  Outcome factorize(double t);

  Parts parts_;
  CompressedColumns pattern_;
  linalg::SparseLU lu_;
  bool is_fixed_ = true;      // no coefficient changes between events
  bool has_factors_ = false;  // that are still good
  std::vector<double> coefficients_, matrix_, solution_;
  std::vector<double> largest_;  // coefficients so far
};

}  // namespace hydae
