// Units as unknowns: linear forms over the unit vectors of variables whose unit is not given, and
// the equations between them, solved by elimination as they come.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "modelica/checks/units.h"

namespace hydae::modelica {

// constant + sum of power * unknown.
struct UnitForm {
  Unit constant;
  std::vector<std::pair<int, double>> terms;
  bool is_declared = false;  // a unit that somebody wrote is in it, not only that of `time`
  bool is_needed = false;    // a function has asked for a number

  void add(const UnitForm& other, double power);
  bool is_known() const { return terms.empty(); }
};

class UnitSolver {
 public:
  int make_unknown();
  // With everything found so far put in.
  UnitForm reduce(UnitForm form) const;
  // States a = b. False if units that were declared or needed contradict it, at least one of them
  // declared: then nothing is changed.
  bool equate(const UnitForm& a, const UnitForm& b);

 private:
  bool substitute(UnitForm& form) const;

  // By unknown, in terms of what was unknown then; shortened when it is used.
  mutable std::vector<std::optional<UnitForm>> solution_;
};

}  // namespace hydae::modelica
