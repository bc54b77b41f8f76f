// Module: compile
// What the solvers run, as text for people: in the mode and with the states that the point of the
// options asks for.
#pragma once

#include <string>

#include <hydae/analyze.h>
#include <hydae/export.h>
#include <hydae/model.h>

namespace HYDAE_EXPORT hydae {

// The operations of the Taylor solver in the mode from which simulate() starts, guards and all, as
// the run has them. Throws ModelError as the next one; where there is no start, it is that one.
std::string start_program_text(const Model& model);

// The operations of the Taylor solver, block by block. Throws ModelError for an ill-posed model,
// and where a function exists as code only.
std::string taylor_program_text(const Model& model, const AnalyzeOptions& options = {});

// The system of index one that BDF integrates: states, unknowns, assignments, equations.
std::string reduced_system_text(const Model& model, const AnalyzeOptions& options = {});

// Its matrix dF/dx + alpha dF/dx' at the point, in four blocks: equations that call functions known
// as code only and variables that such functions read come first (Najafi and Nikoukhah 2006, (5)).
std::string jacobian_blocks_text(const Model& model, double alpha,
                                 const AnalyzeOptions& options = {});

}  // namespace hydae
