// Repair of systems on which structural analysis fails: the system Jacobian is singular
// identically, because terms cancel that the structure cannot see. Two equivalent transformations
// (Tan, Nedialkov, Pryce 2017, "Conversion methods for improving structural analysis of DAE
// systems"):
//
// - linear combination: u^T J = 0. One equation f_l with the smallest offset c_l among u_i != 0
// becomes
//   sum_i (u_i / u_l) (d/dt)^(c_i - c_l) f_i;
// - expression substitution: J v = 0. For v_j != 0, j != l, new unknowns
//   y_j = x_j^(d_j - C) - (v_j / v_l) x_l^(d_l - C) take the place of the leading derivatives of
//   x_j.
//
// Each lowers the number of degrees of freedom that the structure shows, so that repairing ends.
// u is used when it is constant; the ratios of v are constants, or expressions when two or three
// entries of v are not zero. docs/math/repair.md has the conditions.
#pragma once

#include <optional>

#include <hydae/analyze.h>

#include "compile/jacobian.h"
#include "compile/system.h"
#include "structure/analysis.h"

namespace hydae {

// Changes `system` and says what it did; nothing if no repair is known.
std::optional<Repair> repair(System& system, const structure::Analysis& structure,
                             const SingularBlock& block, const std::vector<SamplePoint>& points);

}  // namespace hydae
