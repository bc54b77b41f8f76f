#include "compile/higher_derivatives.h"

#include <algorithm>
#include <fmt/format.h>

#include <hydae/error.h>

#include "expr/incidence.h"

namespace hydae {
namespace {

using Counts = IdVector<BlockId, int>;

// How often each block is differentiated in addition.
Counts wanted_by(const AnalyzedSystem& prepared, std::span<const NodeId> roots) {
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
bool spread(const AnalyzedSystem& prepared, Counts& more) {
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

// Differences through code go twice, not further.
void refuse_deep_code(const AnalyzedSystem& prepared) {
  constexpr int kMostOfCode = 2;
  const System& system = prepared.system;
  for (EqId eq : ids<EqId>(system.residuals.size())) {
    const int count = prepared.structure.offsets.c[eq];
    if (count <= kMostOfCode || !contents(system.graph(), system.residuals[eq]).has_calls) continue;
    Diagnostics diagnostics;
    diagnostics
        .error("not-for-ida",
               fmt::format("a relation asks for derivative {} of equation `{}`, which contains a "
                           "function that exists as code only",
                           count, system.equation_names[eq]),
               system.equation_sources[eq])
        .help = "two times is the limit; write the function as equations";
    throw ModelError(std::move(diagnostics));
  }
}

}  // namespace

std::optional<AnalyzedSystem> with_higher_derivatives(const AnalyzedSystem& prepared,
                                                      std::span<const NodeId> roots) {
  if (prepared.system.unknowns.empty()) return std::nullopt;
  Counts more = wanted_by(prepared, roots);
  if (std::all_of(more.begin(), more.end(), [](int count) { return count == 0; }))
    return std::nullopt;
  while (spread(prepared, more)) {
  }
  AnalyzedSystem result = prepared;
  structure::Offsets& offsets = result.structure.offsets;
  for (EqId eq : ids<EqId>(offsets.c.size()))
    offsets.c[eq] += more[prepared.structure.fine.block_of(eq)];
  for (VarId column : ids<VarId>(offsets.d.size()))
    offsets.d[column] += more[prepared.structure.fine.block_of(column)];
  refuse_deep_code(result);
  return result;
}

}  // namespace hydae
