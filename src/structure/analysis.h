// The structural analysis of one system, all at once: what a caller normally wants. The single
// steps are in the headers included here.
#pragma once

#include <cstdint>
#include <span>

#include "structure/assignment.h"
#include "structure/blocks.h"
#include "structure/dulmage_mendelsohn.h"
#include "structure/offsets.h"
#include "structure/signature.h"

namespace hydae::structure {

struct Analysis {
  // Who is under- and over-determined. If not `is_well_posed`, the rest is empty.
  DulmageMendelsohn diagnosis;
  bool is_well_posed = false;

  Transversal transversal;
  Offsets offsets;  // canonical, global
  int index = 0;
  std::int64_t dof = 0;
  Blocks coarse;
  Blocks fine;
  Offsets local;  // canonical offsets of each fine block alone
};

Analysis analyze(const SignatureMatrix& sigma);

// The analysis of a system that differs from the one of `old` (well posed) at most in the rows of
// `changed_eqs`: repairs its transversal instead of looking for a new one. Equal to analyze(sigma)
// up to the choice of the transversal.
Analysis analyze_after_change(const SignatureMatrix& sigma, const Analysis& old,
                              std::span<const EqId> changed_eqs);

}  // namespace hydae::structure
