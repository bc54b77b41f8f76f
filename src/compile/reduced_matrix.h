// dF/dy + cj dF/dy' of a reduced system, in compressed columns: all unknowns and rows.
#pragma once

#include <span>
#include <vector>

#include "compile/compressed_columns.h"
#include "compile/reduced_inputs.h"

namespace hydae {

class ReducedMatrix {
 public:
  struct Entry {
    std::uint32_t row, column;
    bool is_derivative;  // by y' of the column
    NodeId value;
  };

  ReducedMatrix(const AnalyzedSystem& prepared, const Reduced& reduced,
                const ReducedInputs& inputs);

  const std::vector<Entry>& entries() const { return entries_; }
  const std::vector<int>& column_start() const { return pattern_.start; }
  const std::vector<int>& row() const { return pattern_.row; }

  void set_fixed(std::span<const double> parameters, std::span<const double> held);
  void evaluate(double t, const double* y, const double* yp);
  // Where they were evaluated last, by entry.
  const std::vector<double>& values() const { return values_; }
  const ValueProgram& program() const { return *program_; }

  void write(double cj, double* matrix) const;
  void mass_times(const double* b, double* product) const;  // dF/dy' b

 private:
  std::vector<Entry> entries_;
  CompressedColumns pattern_;
  std::optional<ValueProgram> program_;
  std::vector<double> values_;
};

}  // namespace hydae
