// The outputs of modes over steps of their series: one room for each mode, made when first asked
// for. Who looks at guards at an instant and who watches them over a step share it.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "sim/rounding_probe.h"
#include "sim/step_outputs.h"
#include "sim/taylor_solution.h"

namespace hydae {

class OutputRooms {
 public:
  explicit OutputRooms(std::size_t table_size) : table_size_(table_size) {}

  // Over the step at hand of the series. Valid until the next call for the same mode.
  StepOutputs& over_step(const TaylorSolution& solution, const std::vector<double>& table);
  // The same with the numbers that the series were made with.
  StepOutputs& over_step(const TaylorSolution& solution);
  // Of the series that over_step() was called for last.
  RoundingProbe& probe(const TaylorSolution& solution) { return *rooms_[&solution.mode()].probe; }

 private:
  struct Room {
    std::unique_ptr<StepOutputs> outputs;
    std::unique_ptr<RoundingProbe> probe;
    std::unique_ptr<LeafSource> leaves;
    const TaylorSolution* solution = nullptr;
  };

  std::size_t table_size_;
  std::map<const CompiledMode*, Room> rooms_;
};

}  // namespace hydae
