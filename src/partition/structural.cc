#include "partition/structural.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "compile/analyzed_system.h"

namespace hydae::partition {

namespace {

// The equations and unknowns that count, as a system of their own.
System take_part(const System& system, const std::vector<bool>& is_used,
                 const std::vector<bool>& is_input) {
  System part;
  part.model = system.model;
  part.nodes = system.nodes;
  part.columns.resize(system.columns.size());
  for (VarId j : ids<VarId>(system.unknowns.size())) {
    const VarId variable = system.unknowns[j];
    if (is_input[variable.index()]) continue;
    part.columns[variable.index()] = part.unknowns.push_back(variable);
    part.unknown_names.push_back(system.unknown_names[j]);
  }
  for (EqId i : ids<EqId>(system.residuals.size())) {
    if (!is_used[i.index()]) continue;
    part.residuals.push_back(system.residuals[i]);
    part.equation_names.push_back(system.equation_names[i]);
    part.equation_sources.push_back(system.equation_sources[i]);
  }
  return part;
}

template <class IdType, class Items>
std::vector<std::string> names_of(const std::vector<IdType>& ids, const Items& items) {
  std::vector<std::string> names;
  for (IdType id : ids) names.push_back(items[id].name);
  return names;
}

// Why the structure sees a higher index than there is.
std::string explain_higher(const FirstOrderSystem& system, const Partition& local) {
  for (const RankDecision& rank : local.ranks) {
    if (rank.matrix != "mass matrix" || rank.rank >= std::min(rank.rows, rank.columns)) continue;
    for (const Transformation& block : local.transformations) {
      if (static_cast<int>(block.equations.size()) != rank.rows) continue;
      return fmt::format(
          "the derivatives of {} enter {} with a matrix of rank {}, and the structure counts {} "
          "independent ones: a combination of these equations is an algebraic constraint that it "
          "does not see",
          quoted_list(names_of(block.variables, system.columns)),
          quoted_list(names_of(block.equations, system.rows)), rank.rank,
          std::min(rank.rows, rank.columns));
    }
  }
  for (const RankDecision& rank : local.ranks)
    if (rank.matrix == "mass matrix" && rank.rank < rank.columns)
      return fmt::format(
          "the derivatives of {} variables occur in {} combination{} only, and the structure "
          "counts "
          "each of them: what a constraint says of one of these variables need not be "
          "differentiated",
          rank.columns, rank.rank, rank.rank == 1 ? "" : "s");
  return "coefficients vanish at this point that do not vanish everywhere, so that fewer "
         "differentiations do locally";
}

std::string explain_lower(const StructuralAnswer& answer) {
  if (answer.is_jacobian_singular) {
    return "terms cancel that the structure takes for independent: its system Jacobian is singular "
           "and its index is too low";
  }
  return "a coefficient that the structure relies on vanishes at this point; elsewhere its answer "
         "may hold";
}

}  // namespace

StructuralAnswer find_structural_answer(const System& system, const std::vector<bool>& is_used,
                                        const std::vector<bool>& is_input) {
  StructuralAnswer answer;
  System part = take_part(system, is_used, is_input);
  if (part.residuals.size() != part.unknowns.size() || part.residuals.empty()) {
    answer.explanation = fmt::format(
        "the structural method needs as many equations as unknowns: there are {} and {}",
        part.residuals.size(), part.unknowns.size());
    return answer;
  }
  PrepareOptions options;
  options.repair = false;
  const AnalyzedSystem prepared = analyze_system(std::move(part), options);
  if (!prepared.structure.is_well_posed) {
    answer.explanation = "the structure is singular: no assignment of equations to unknowns";
    return answer;
  }
  answer.is_applicable = true;
  answer.index = prepared.structure.index;
  answer.c = prepared.structure.offsets.c.raw();
  answer.is_jacobian_singular = !prepared.jacobian.singular_blocks.empty();
  return answer;
}

void compare_answers(const FirstOrderSystem& system, const Partition& local,
                     StructuralAnswer& answer) {
  if (!answer.is_applicable) return;
  std::optional<int> index = local.pencil.index;
  if (!index && local.index <= Index::kTwo) index = static_cast<int>(local.index);
  if (!index) {
    answer.agrees = local.index != Index::kHigher || answer.index > 2;
    answer.explanation = local.index == Index::kHigher
                             ? "the local index is at least 3"
                             : "the linearized system at this point decides nothing";
    if (local.index != Index::kHigher) answer.agrees = false;
    return;
  }
  answer.agrees = *index == answer.index;
  if (answer.agrees)
    answer.explanation = "structure and linearized system agree";
  else
    answer.explanation =
        answer.index > *index ? explain_higher(system, local) : explain_lower(answer);
}

}  // namespace hydae::partition
