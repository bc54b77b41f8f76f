// What the blocks of a tape need from others and from guesses, and what of them is read again:
// which matrices are constant, known late or nonlinear in the unknowns; where Newton's method
// starts; which series are corrected after a solve; what must be evaluated before the first stage.
#pragma once

#include "codegen/block_index.h"
#include "codegen/stage_tape.h"

namespace hydae::codegen {

// The tape has its blocks, with rows and active series.
void foresee_needs(StageTape& tape, const Structure& structure, const BlockIndex& index);

}  // namespace hydae::codegen
