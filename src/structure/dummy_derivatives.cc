#include "structure/dummy_derivatives.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "structure/augmentation.h"

namespace hydae::structure {
namespace {

void check_choice(const DummyChoice& choice, std::vector<VarId> chosen) {
  std::vector<VarId> candidates(choice.candidates.begin(), choice.candidates.end());
  std::sort(candidates.begin(), candidates.end());
  std::sort(chosen.begin(), chosen.end());
  HYDAE_CHECK(chosen.size() == choice.eqs.size());
  HYDAE_CHECK(std::adjacent_find(chosen.begin(), chosen.end()) == chosen.end());
  HYDAE_CHECK(std::includes(candidates.begin(), candidates.end(), chosen.begin(), chosen.end()));
}

void select_in_block(const Analysis& analysis, BlockId block, const ChooseDummies& choose,
                     StateSelection& selection) {
  const IdVector<EqId, int>& c = analysis.offsets.c;
  std::vector<EqId> eqs(analysis.fine.eqs(block).begin(), analysis.fine.eqs(block).end());
  std::vector<VarId> candidates(analysis.fine.vars(block).begin(), analysis.fine.vars(block).end());
  // Below the smallest c of the block all equations and all columns are in; no choice.
  const int lead = c[eqs.front()] - analysis.local.c[eqs.front()];
  for (VarId var : candidates) selection.num_states[var] -= lead;
  for (int level = lead; !eqs.empty(); ++level) {
    std::erase_if(eqs, [&](EqId eq) { return c[eq] <= level; });
    if (eqs.size() < candidates.size()) {
      const DummyChoice choice{block, level, eqs, candidates};
      std::vector<VarId> chosen = eqs.empty() ? std::vector<VarId>() : choose(choice);
      check_choice(choice, chosen);
      candidates = std::move(chosen);
    }
    for (VarId var : candidates) --selection.num_states[var];
  }
}

// Candidates in the order in which they should become dummies.
std::vector<VarId> sorted_candidates(const DummyChoice& choice, const Offsets& offsets,
                                     const StatePreference& preference) {
  const auto wanted = [&](VarId var) {
    return preference ? preference(var, offsets.d[var] - choice.level - 1) : 0;
  };
  std::vector<std::pair<int, VarId>> ranked;
  for (VarId var : choice.candidates) ranked.emplace_back(wanted(var), var);
  std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second > b.second;
  });
  std::vector<VarId> sorted;
  for (const auto& [rank, var] : ranked) sorted.push_back(var);
  return sorted;
}

// The rows `eqs` and columns `vars` of `tight`, at a cost that does not depend on its size.
SignatureMatrix cut_out(const SignatureMatrix& tight, std::span<const EqId> eqs,
                        std::span<const VarId> vars) {
  std::vector<std::pair<VarId, std::size_t>> place;
  for (std::size_t k = 0; k < vars.size(); ++k) place.emplace_back(vars[k], k);
  std::sort(place.begin(), place.end());
  std::vector<SignatureEntry> entries;
  for (std::size_t k = 0; k < eqs.size(); ++k) {
    for (const auto& entry : tight.row(eqs[k])) {
      const auto found =
          std::lower_bound(place.begin(), place.end(), std::pair(entry.var, std::size_t{0}));
      if (found == place.end() || found->first != entry.var) continue;
      entries.push_back({EqId(k), VarId(found->second), entry.order});
    }
  }
  return SignatureMatrix(eqs.size(), vars.size(), entries);
}

}  // namespace

std::vector<VarOrder> StateSelection::states() const {
  std::vector<VarOrder> states;
  for (VarId var : ids<VarId>(num_states.size())) {
    for (int order = 0; order < num_states[var]; ++order) states.push_back({var, order});
  }
  return states;
}

std::vector<VarOrder> StateSelection::dummies(const Offsets& offsets) const {
  std::vector<VarOrder> dummies;
  for (VarId var : ids<VarId>(num_states.size())) {
    for (int order = num_states[var] + 1; order <= offsets.d[var]; ++order) {
      dummies.push_back({var, order});
    }
  }
  return dummies;
}

StateSelection select_states(const Analysis& analysis, const ChooseDummies& choose) {
  HYDAE_CHECK(analysis.is_well_posed);
  StateSelection selection{analysis.offsets.d};
  for (BlockId block : ids<BlockId>(analysis.fine.size())) {
    select_in_block(analysis, block, choose, selection);
  }
  return selection;
}

// Sets of columns that can be matched with equations are the independent sets of a matroid, so
// taking candidates greedily in their order, each if the matching can be extended, gives the best
// set.
ChooseDummies choose_by_structure(const SignatureMatrix& sigma, const Analysis& analysis,
                                  StatePreference preference) {
  return [tight = compute_tight_entries(sigma, analysis.offsets), &analysis,
          preference = std::move(preference)](const DummyChoice& choice) {
    const std::vector<VarId> sorted = sorted_candidates(choice, analysis.offsets, preference);
    const SignatureMatrix block = cut_out(tight, choice.eqs, sorted);
    Matching matching(block.num_eqs(), block.num_vars());
    Augmentation augmentation(VariableSide{block, matching},
                              [](VarId, const SignatureMatrix::InColumn&) { return true; });
    std::vector<VarId> chosen;
    for (VarId var : ids<VarId>(sorted.size())) {
      if (chosen.size() == choice.eqs.size()) break;
      augmentation.match({var});
      if (matching.var_to_eq[var].is_valid()) chosen.push_back(sorted[var.index()]);
    }
    return chosen;
  };
}

}  // namespace hydae::structure
