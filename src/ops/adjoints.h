// Rows of a sparse Jacobian: after a run, one sweep forward for the derivatives of every
// instruction, then one sweep back per root over the instructions below it (Griewank and Walther
// 2008, section 3.2). The cost is that of the roots' own instructions, each counted once per root
// that uses it.
#pragma once

#include <vector>

#include "ops/activity.h"
#include "ops/machine.h"

namespace hydae::ops {

struct DerivativeEntry {
  std::size_t column;  // position among the inputs asked for
  double value;
};

class Adjoints {
 public:
  // Derivatives of `roots` by `columns`, each register at most once; kNoRegister is an empty
  // column. The tape writes each register once.
  Adjoints(Machine& machine, std::span<const Register> columns, std::span<const Register> roots);

  // After each run of the machine.
  void update();
  // Ascending columns, each one that the root may depend on once, zeros included: the pattern is
  // the same at every point. Valid until the next call.
  std::span<const DerivativeEntry> row(std::size_t root);

 private:
  // d out / d in, of an active instruction by an active operand.
  struct Edge {
    Register in;
    std::uint32_t slope;  // in slopes_
  };
  struct Step {  // an instruction in the sweep of a row
    Register out;
    std::uint32_t first_edge, last_edge;
  };
  struct ColumnPlace {
    std::uint32_t column;
    Register at;
  };

  struct Search {
    std::vector<bool> is_seen;  // by register; all false between rows
    std::vector<Register> found;
  };

  void find_edges();
  void make_row(Register root, Search& search);

  Machine& machine_;
  Activity activity_;
  std::vector<std::uint32_t> column_of_;    // by register; kNoRegister for the others
  std::vector<std::uint32_t> step_of_;      // by register: its instruction among the active ones
  std::vector<Edge> edges_;                 // by active instruction
  std::vector<std::uint32_t> first_edge_;   // of each active instruction, and the end
  std::vector<std::uint32_t> first_slope_;  // likewise
  std::vector<double> slopes_;
  std::vector<std::uint32_t> changing_;  // active instructions whose slopes depend on the point
  std::vector<Step> steps_;              // row by row, users before operands
  std::vector<ColumnPlace> places_;      // row by row, ascending columns
  std::vector<std::size_t> first_step_, first_place_;  // of each row, and the end
  std::vector<Register> roots_;
  std::vector<double> adjoints_;  // by register; zero between calls
  std::vector<DerivativeEntry> row_;
};

}  // namespace hydae::ops
