#include "codegen/program.h"

#include <algorithm>

#include "codegen/recurrences.h"
#include "codegen/stage_tape.h"

namespace hydae::codegen {
Program::Program(const TapeBuilder& tape, const ProgramInput& input)
    : structure_(input.structure),
      num_outputs_(static_cast<int>(input.outputs.size())),
      num_parameters_(input.num_parameters),
      stages_(std::make_unique<StageTape>(
          arrange(fuse(tape, input.residuals, input.outputs), input.structure))) {
  std::vector<int> local_d(structure_.d.size());
  for (const BlockShape& block : structure_.blocks) {
    for (int j : block.variables) local_d[j] = structure_.d[j] - block.lead;
  }
  for (int j = 0; j < num_variables(); ++j) {
    for (int order = 0; order < local_d[j]; ++order) entries_.push_back({j, order});
  }
  num_state_ = static_cast<int>(entries_.size());
  entries_.insert(entries_.end(), stages_->guesses.begin(), stages_->guesses.end());
  can_be_flat_ = std::ranges::any_of(stages_->fused.series, [](const Series& series) {
    return recurrence(series.op).can_be_flat;
  });
  has_roots_ = std::ranges::any_of(
      stages_->fused.series, [](const Series& series) { return series.op == SeriesOp::kSqrt; });
}

Program::~Program() = default;

bool Program::has_code() const { return !stages_->fused.codes.empty(); }

bool Program::is_quasilinear(int block) const { return stages_->blocks[block].is_quasilinear; }

int Program::output_shift(int output) const { return -stages_->output_offset[output]; }

}  // namespace hydae::codegen
