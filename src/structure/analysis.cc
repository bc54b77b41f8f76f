#include "structure/analysis.h"

#include <optional>
#include <utility>

#include "base/check.h"

namespace hydae::structure {
namespace {

// From the transversal on. `coarse` is a function of the pattern, whatever matching it came from.
void complete(const SignatureMatrix& sigma, Analysis& analysis) {
  const Matching& matching = analysis.transversal.matching;
  analysis.is_well_posed = true;
  analysis.offsets = compute_canonical_offsets(sigma, analysis.transversal);
  analysis.index = structural_index(analysis.offsets);
  analysis.dof = degrees_of_freedom(analysis.offsets);
  analysis.fine = compute_fine_blocks(sigma, matching, analysis.offsets, analysis.coarse);
  analysis.local = compute_local_offsets(analysis.offsets, analysis.fine);
}

}  // namespace

Analysis analyze(const SignatureMatrix& sigma) {
  Analysis analysis;
  analysis.diagnosis = compute_dulmage_mendelsohn(sigma);
  if (!analysis.diagnosis.is_well_determined()) return analysis;
  analysis.coarse = compute_coarse_blocks(sigma, analysis.diagnosis.matching);
  analysis.transversal = compute_highest_value_transversal(sigma, analysis.coarse);
  complete(sigma, analysis);
  return analysis;
}

Analysis analyze_after_change(const SignatureMatrix& sigma, const Analysis& old,
                              std::span<const EqId> changed_eqs) {
  HYDAE_CHECK(old.is_well_posed);
  std::optional<Transversal> transversal =
      find_transversal_after_change(sigma, old.transversal, changed_eqs);
  if (!transversal) return analyze(sigma);  // for the diagnosis
  Analysis analysis;
  analysis.diagnosis = old.diagnosis;
  analysis.diagnosis.matching = transversal->matching;
  analysis.transversal = std::move(*transversal);
  analysis.coarse = compute_coarse_blocks(sigma, analysis.transversal.matching);
  complete(sigma, analysis);
  return analysis;
}

}  // namespace hydae::structure
