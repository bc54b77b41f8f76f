#include "sim/output_rooms.h"

#include "sim/taylor_leaves.h"

namespace hydae {

StepOutputs& OutputRooms::over_step(const TaylorSolution& solution,
                                    const std::vector<double>& table) {
  const CompiledMode& mode = solution.mode();
  Room& room = rooms_[&mode];
  if (!room.outputs) {
    room.outputs = std::make_unique<StepOutputs>(
        compile_outputs(mode.prepared.system, mode.outputs, table_size_));
    room.probe = std::make_unique<RoundingProbe>(mode.compiled.program);
  }
  if (room.solution != &solution)
    room.leaves = std::make_unique<TaylorLeaves>(solution.stepper(), room.outputs->leaves());
  room.solution = &solution;
  room.probe->aim(solution.stepper().expansion(), table);
  room.outputs->set_parameters(table);
  room.outputs->begin(solution.time(), solution.stepper().reach(), *room.leaves);
  return *room.outputs;
}

StepOutputs& OutputRooms::over_step(const TaylorSolution& solution) {
  return over_step(solution, solution.put_into(std::vector<double>(table_size_, 0.0)));
}

}  // namespace hydae
