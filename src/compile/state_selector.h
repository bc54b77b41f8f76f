// The choice of states by numbers: of the derivatives that constraints tie together, those become
// dummies whose columns in the Jacobian of the constraints form the best conditioned matrix at the
// point at hand, after StateSelect. A pendulum in Cartesian coordinates has x as state where the
// rod is upright and y where it is level: the choice is checked as the solution moves.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "compile/analyzed_system.h"
#include "compile/value_program.h"
#include "linalg/maximal_volume.h"
#include "structure/dummy_derivatives.h"

namespace hydae {

class StateSelector {
 public:
  struct At {
    double time = 0;
    std::span<const double> parameters;
    std::function<double(Leaf)> value;  // of any variable or derivative, discrete ones included
    std::function<double(Leaf)> pre;
  };

  // `prepared` must outlive the selector.
  explicit StateSelector(const AnalyzedSystem& prepared);

  // No constraints to choose from: one selection serves for all times.
  bool has_choice() const { return !rows_.empty(); }
  std::size_t num_columns() const { return num_columns_; }
  // The best choice at a point; by structure where the numbers say nothing.
  structure::StateSelection select(const At& at);
  // How much better than the last selection another one is here: 1 and less is not at all.
  double gain(const At& at);

 private:
  struct Entry {
    VarId column;
    double scale;
  };
  struct Choice {
    std::vector<EqId> eqs;
    std::vector<VarId> candidates, chosen;
  };

  void find_rows();
  void make_program();
  void evaluate(const At& at);
  linalg::WideMatrix matrix_of(std::span<const EqId> eqs, std::span<const VarId> candidates) const;
  int preference(VarId column) const;

  const AnalyzedSystem& prepared_;
  std::vector<EqId> rows_;              // differentiated equations of blocks with a choice
  IdVector<EqId, std::size_t> row_of_;  // its first entry
  std::vector<std::vector<Entry>> entries_;
  std::vector<std::size_t> first_value_;
  std::vector<Node> inputs_;
  std::optional<ValueProgram> program_;
  std::vector<double> values_;
  std::vector<Choice> choices_;
  std::size_t num_columns_ = 0;
};

}  // namespace hydae
