// The coarse Dulmage-Mendelsohn decomposition of any sparse pattern: which part has too few
// equations, which too many, and which is just right. It does not depend on the maximum matching it
// is computed from: the over-determined part is what alternating paths reach from free equations,
// the under-determined part what they reach from free variables. (Dulmage & Mendelsohn 1958; Pothen
// & Fan 1990.)
#pragma once

#include <vector>

#include <hydae/ids.h>

#include "structure/matching.h"
#include "structure/signature.h"

namespace hydae::structure {

// Ascending numbers.
struct SystemPart {
  std::vector<EqId> eqs;
  std::vector<VarId> vars;
  bool empty() const { return eqs.empty() && vars.empty(); }
  bool operator==(const SystemPart&) const = default;
};

struct DulmageMendelsohn {
  SystemPart under;   // fewer equations than variables, all equations matched; or empty
  SystemPart well;    // as many equations as variables, perfectly matched
  SystemPart over;    // more equations than variables, all variables matched; or empty
  Matching matching;  // the maximum matching used; one of several possible

  // The system can be solved structurally.
  bool is_well_determined() const { return under.empty() && over.empty(); }
};

DulmageMendelsohn compute_dulmage_mendelsohn(const SignatureMatrix& pattern);

}  // namespace hydae::structure
