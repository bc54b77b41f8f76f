#include "structure/dulmage_mendelsohn.h"

#include <utility>

namespace hydae::structure {
namespace {

enum class Part : char { kWell, kUnder, kOver };

// The part of each equation and variable.
struct Colours {
  IdVector<EqId, Part> eq;
  IdVector<VarId, Part> var;
};

// From free equations: all variables they contain, the equations matched with those, and so on.
// Every variable met is matched: else there would be an augmenting path.
void mark_over(const SignatureMatrix& pattern, const Matching& matching, Colours& colours) {
  std::vector<EqId> reached = matching.free_eqs();
  for (EqId eq : reached) colours.eq[eq] = Part::kOver;
  while (!reached.empty()) {
    const EqId eq = reached.back();
    reached.pop_back();
    for (const auto& entry : pattern.row(eq)) {
      if (colours.var[entry.var] == Part::kOver) continue;
      const EqId owner = matching.var_to_eq[entry.var];
      colours.var[entry.var] = Part::kOver;
      colours.eq[owner] = Part::kOver;
      reached.push_back(owner);
    }
  }
}

// From free variables: all equations that contain them, the variables matched with those, and so
// on.
void mark_under(const SignatureMatrix& pattern, const Matching& matching, Colours& colours) {
  std::vector<VarId> reached = matching.free_vars();
  for (VarId var : reached) colours.var[var] = Part::kUnder;
  while (!reached.empty()) {
    const VarId var = reached.back();
    reached.pop_back();
    for (const auto& entry : pattern.column(var)) {
      if (colours.eq[entry.eq] == Part::kUnder) continue;
      const VarId partner = matching.eq_to_var[entry.eq];
      colours.eq[entry.eq] = Part::kUnder;
      colours.var[partner] = Part::kUnder;
      reached.push_back(partner);
    }
  }
}

SystemPart collect(const Colours& colours, Part part) {
  SystemPart ids_of_part;
  for (EqId eq : ids<EqId>(colours.eq.size())) {
    if (colours.eq[eq] == part) ids_of_part.eqs.push_back(eq);
  }
  for (VarId var : ids<VarId>(colours.var.size())) {
    if (colours.var[var] == part) ids_of_part.vars.push_back(var);
  }
  return ids_of_part;
}

}  // namespace

DulmageMendelsohn compute_dulmage_mendelsohn(const SignatureMatrix& pattern) {
  Matching matching = compute_maximum_matching(pattern);
  Colours colours{IdVector<EqId, Part>(pattern.num_eqs(), Part::kWell),
                  IdVector<VarId, Part>(pattern.num_vars(), Part::kWell)};
  mark_over(pattern, matching, colours);
  mark_under(pattern, matching, colours);
  return {collect(colours, Part::kUnder), collect(colours, Part::kWell),
          collect(colours, Part::kOver), std::move(matching)};
}

}  // namespace hydae::structure
