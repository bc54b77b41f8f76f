// Module: compile
// What the solvers run, as text for people. Both in the mode that the start values suggest.
#pragma once

#include <string>

#include <hydae/model.h>

namespace hydae {

// The operations of the Taylor solver, block by block. Throws ModelError for an ill-posed model,
// and where a function exists as code only.
std::string taylor_program_text(const Model& model);

// The system of index one that BDF integrates: states, unknowns, assignments, equations.
std::string reduced_system_text(const Model& model);

}  // namespace hydae
