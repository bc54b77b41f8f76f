// Which terms of an equation a tape has.
#pragma once

namespace hydae::codegen {

// Terms in the derivatives that a block of linear equations is solved for are in its matrix, and
// needed beside it only by those who ask how large they are.
enum class RowTerms { kNeeded, kAll };

}  // namespace hydae::codegen
