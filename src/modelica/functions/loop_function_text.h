// Function programs as text of a flat model, and read from it. A program is written as a function
// whose variables are the registers and whose statements are the steps, one assignment each:
//
//   function 'P.root()'
//     input Real x1;
//     output Real y1;
//   protected
//     Real r1;
//   algorithm
//     r1 := 1;
//     while noEvent(abs(r1^2 - x1) > 1e-12) loop
//       r1 := (r1 + x1/r1)/2;
//     end while;
//     y1 := r1;
//     annotation(__hydae(program = true));
//   end 'P.root()';
#pragma once

#include <string>

#include "modelica/functions/functions.h"
#include "modelica/functions/loop_function.h"

namespace hydae::modelica {

// `functions`: those that formulas call. Empty if the text would be too long.
std::string program_text(const ProgramHead& head, const Graph& graph,
                         const ProgramRecorder& recorder, const std::vector<NodeId>& outputs,
                         const IdVector<FunctionId, Function>& functions);

// The program that such a function of a flat text describes. Reports what is not of this form.
Function read_program(Session& session, const FunctionInfo& written, FunctionId derivative,
                      SourceRange range);

}  // namespace hydae::modelica
