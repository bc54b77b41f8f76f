#include "codegen/output_cone.h"

#include <algorithm>
#include <utility>

#include "codegen/sleeping.h"

namespace hydae::codegen {

OutputCones::OutputCones(const Program& program, const LinkedTape& tape)
    : program_(program),
      tape_(tape),
      instr_of_series_(program.stages().fused.series.size(), -1),
      cones_(static_cast<std::size_t>(program.num_outputs())) {
  for (std::size_t i = 0; i < tape.output_instrs.size(); ++i) {
    const SeriesId v = tape.output_instrs[i].series;
    if (v >= 0) instr_of_series_[static_cast<std::size_t>(v)] = static_cast<int>(i);
  }
}

const OutputCone& OutputCones::of(int output) {
  OutputCone& cone = cones_[static_cast<std::size_t>(output)];
  if (!cone.is_made) make(output, cone);
  return cone;
}

void OutputCones::make(int output, OutputCone& cone) const {
  const FusedTape& fused = program_.stages().fused;
  std::vector<char> is_read(fused.series.size(), 0);
  std::vector<SeriesId> waiting;
  const auto read = [&](SeriesId v, bool) {
    if (std::exchange(is_read[static_cast<std::size_t>(v)], 1) == 0) waiting.push_back(v);
  };
  visit_operands(fused.outputs[static_cast<std::size_t>(output)], read);
  while (!waiting.empty()) {
    const auto v = static_cast<std::size_t>(waiting.back());
    waiting.pop_back();
    const Series& series = fused.series[v];
    visit_operands(series, read);
    if (series.op == SeriesOp::kVariable) cone.inputs.push_back(series.variable);
    if (series.op == SeriesOp::kCall) cone.has_code = true;
    if (instr_of_series_[v] >= 0) cone.instrs.push_back(instr_of_series_[v]);
  }
  std::sort(cone.inputs.begin(), cone.inputs.end());
  std::sort(cone.instrs.begin(), cone.instrs.end());
  const std::size_t first_output = tape_.output_instrs.size() - tape_.outputs.size();
  cone.instrs.push_back(static_cast<int>(first_output) + output);
  for (int i : cone.instrs)
    if (can_sleep(tape_.output_instrs[static_cast<std::size_t>(i)])) cone.sleepers.push_back(i);
  cone.is_made = true;
}

}  // namespace hydae::codegen
