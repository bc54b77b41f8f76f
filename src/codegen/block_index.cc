#include "codegen/block_index.h"

#include <algorithm>
#include <fmt/format.h>

#include <hydae/error.h>

namespace hydae::codegen {

BlockIndex index_blocks(const FusedTape& tape, const Structure& s) {
  const std::size_t n = s.c.size();
  BlockIndex index;
  index.of_variable.assign(s.d.size(), -1);
  if (s.has_given_variables()) return index;
  if (s.d.size() != n || tape.residuals.size() != n) {
    throw UsageError(fmt::format("{} equations, {} variables and {} residuals do not fit together",
                                 n, s.d.size(), tape.residuals.size()));
  }
  index.column_of_variable.assign(n, -1);
  index.of_equation.assign(n, -1);
  const auto enter = [n](std::vector<int>& block_of, int place, int block, const char* what) {
    if (place < 0 || static_cast<std::size_t>(place) >= n || block_of[place] >= 0) {
      throw UsageError(
          fmt::format("{} {} of block {} is no index or in two blocks", what, place, block));
    }
    block_of[place] = block;
  };
  for (int b = 0; b < static_cast<int>(s.blocks.size()); ++b) {
    const BlockShape& shape = s.blocks[b];
    if (shape.equations.size() != shape.variables.size() || shape.equations.empty()) {
      throw UsageError(fmt::format("block {} has {} equations and {} variables", b,
                                   shape.equations.size(), shape.variables.size()));
    }
    for (std::size_t k = 0; k < shape.equations.size(); ++k) {
      enter(index.of_equation, shape.equations[k], b, "equation");
      enter(index.of_variable, shape.variables[k], b, "variable");
      index.column_of_variable[shape.variables[k]] = static_cast<int>(k);
      if (shape.lead < 0 || s.c[shape.equations[k]] < shape.lead ||
          s.d[shape.variables[k]] < shape.lead) {
        throw UsageError(
            fmt::format("block {} leads by {}, more than one of its offsets", b, shape.lead));
      }
    }
  }
  const auto is_missing = [](int block) { return block < 0; };
  if (std::any_of(index.of_variable.begin(), index.of_variable.end(), is_missing)) {
    throw UsageError("the blocks do not contain all variables");
  }
  for (const Series& v : tape.series) {
    if (v.op == SeriesOp::kVariable && static_cast<std::size_t>(v.variable) >= n) {
      throw UsageError(fmt::format("variable {} of {}", v.variable, n));
    }
  }
  return index;
}

void sort_unique(std::vector<int>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace hydae::codegen
