// Which block an equation and a variable of a structure belong to.
#pragma once

#include <vector>

#include "codegen/stage_tape.h"

namespace hydae::codegen {

struct BlockIndex {
  std::vector<int> of_variable, of_equation;  // -1: none, where variables are given
  std::vector<int> column_of_variable;        // within its block
};

// UsageError where the structure is none, or does not fit the tape.
BlockIndex index_blocks(const FusedTape& tape, const Structure& s);

// Ascending, each once.
void sort_unique(std::vector<int>& values);

}  // namespace hydae::codegen
