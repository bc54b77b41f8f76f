// Equations that follow from the others: an overconstrained mechanism, two ideal sources side by
// side, a constraint written twice. They make structure and Jacobians singular although there is a
// solution. Found from the rank of all equations with their derivatives, at consistent points (an
// equation may follow from the others only where they hold). What nothing determines without them,
// reactions and currents that may be shared in many ways, is closed by the least-norm condition.
// docs/math/redundancy.md.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <hydae/initial_point.h>
#include <hydae/model.h>

namespace hydae {

struct ImpliedEquation {
  EqId equation;           // of the model
  std::vector<EqId> from;  // some equations that it follows from
};

struct Redundancy {
  std::vector<ImpliedEquation> implied;
  std::vector<std::string> shared;  // what is left open without them, by name
  // Without the implied equations, which become implied_equations(), and closed. None if that does
  // not lead to as many equations as unknowns.
  std::optional<Model> model;
  // Equations that contradict each other, as few as possible, where there is no consistent point.
  std::optional<Diagnostic> contradiction;
};

// `stop`: times up to which the equations are looked at. In the mode of the start values.
Redundancy find_redundancy(const Model& model, const InitializeOptions& options, double stop);

// "equation `f6` follows from `f5`", with the places of both.
Diagnostic describe_redundancy(const Model& model, const Redundancy& redundancy);

}  // namespace hydae
