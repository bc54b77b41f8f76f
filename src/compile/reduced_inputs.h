// Where the programs of a reduced system find their leaves: y, then y', then what events change.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "compile/index_reduction.h"
#include "compile/value_program.h"

namespace hydae {

// Values that events change: pre() and discrete variables, in the order the programs ask for them.
struct HeldLeaf {
  bool is_pre = false;
  Leaf leaf;
  auto operator<=>(const HeldLeaf&) const = default;
};

class ReducedInputs {
 public:
  // `guards`: further roots whose leaves count. All must outlive the inputs.
  ReducedInputs(const AnalyzedSystem& prepared, const Reduced& reduced,
                std::span<const NodeId> guards);

  const std::vector<HeldLeaf>& held() const { return held_; }
  ValueProgram program(std::span<const NodeId> roots) const;

 private:
  void find_held(std::span<const NodeId> guards);
  std::size_t place(const Node& node) const;

  const AnalyzedSystem& prepared_;
  const Reduced& reduced_;
  std::vector<HeldLeaf> held_;
  std::map<HeldLeaf, std::size_t> held_places_;
};

// Evaluates a program of these inputs at a point.
void evaluate(ValueProgram& program, double t, const double* y, const double* yp, double* out);

// Iterated equations, chains, solved equations.
std::uint32_t row_of_equation(const Reduced& reduced, std::size_t i);

}  // namespace hydae
