#include "compile/higher_derivatives.h"

#include <algorithm>

#include "expr/incidence.h"

namespace hydae {
namespace {

using Counts = IdVector<BlockId, int>;

// How often each block is differentiated in addition.
Counts wanted_by(const Prepared& prepared, std::span<const NodeId> roots) {
  const structure::Analysis& structure = prepared.structure;
  Counts more(structure.fine.size(), 0);
  for (const Leaf& leaf : leaves(prepared.system.graph(), roots))
    if (const auto column = prepared.system.find_column(leaf.variable)) {
      int& count = more[structure.fine.block_of(*column)];
      count = std::max(count, leaf.order - structure.offsets.d[*column]);
    }
  return more;
}

// An equation that is differentiated once more contains one more derivative of its highest ones.
bool spread(const Prepared& prepared, Counts& more) {
  const structure::Analysis& structure = prepared.structure;
  bool has_changed = false;
  for (EqId eq : ids<EqId>(prepared.system.residuals.size())) {
    const int count = more[structure.fine.block_of(eq)];
    if (count == 0) continue;
    for (const auto& [column, order] : prepared.sigma.row(eq)) {
      const int slack = structure.offsets.d[column] - structure.offsets.c[eq] - order;
      int& of_column = more[structure.fine.block_of(column)];
      if (of_column >= count - slack) continue;
      of_column = count - slack;
      has_changed = true;
    }
  }
  return has_changed;
}

}  // namespace

std::optional<Prepared> with_higher_derivatives(const Prepared& prepared,
                                                std::span<const NodeId> roots) {
  if (prepared.system.unknowns.empty()) return std::nullopt;
  Counts more = wanted_by(prepared, roots);
  if (std::all_of(more.begin(), more.end(), [](int count) { return count == 0; }))
    return std::nullopt;
  while (spread(prepared, more)) {
  }
  Prepared result = prepared;
  structure::Offsets& offsets = result.structure.offsets;
  for (EqId eq : ids<EqId>(offsets.c.size()))
    offsets.c[eq] += more[prepared.structure.fine.block_of(eq)];
  for (VarId column : ids<VarId>(offsets.d.size()))
    offsets.d[column] += more[prepared.structure.fine.block_of(column)];
  return result;
}

}  // namespace hydae
