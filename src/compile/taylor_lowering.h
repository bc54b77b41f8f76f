// Expressions to tape: the residuals of a system, and further expressions wanted as series, become
// the elementary operations that the Taylor engine runs. What does not change between events
// (discrete variables, values under pre(), event counters) is read from slots behind the
// parameters.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "codegen/program.h"
#include "compile/analyzed_system.h"
#include "compile/system.h"
#include "structure/analysis.h"

namespace hydae {

struct TaylorProgram {
  std::shared_ptr<const codegen::Program> program;
  std::size_t num_parameters = 0;  // the first slots of the table
  // Leaves of discrete variables, pre() nodes and event counters, one slot each after the
  // parameters.
  std::vector<NodeId> held;
};

// `num_parameters`: slots of the table before the held values; at least those of the model.
// Functions that exist as code only get series by differences, which are good for low orders:
// Program::has_code(). Throws ModelError [not-for-taylor] for an operation that has no series, and
// [external-too-deep] for second derivatives of code.
TaylorProgram compile_taylor(const System& system, const structure::Analysis& structure,
                             std::span<const NodeId> outputs, std::size_t num_parameters);

// Expressions alone, as a program of given variables (codegen/output_expansion.h): variable i of it
// is leaves[i]. Leaves are variables and derivatives of the system.
struct OutputProgram {
  std::shared_ptr<const codegen::Program> program;
  std::vector<codegen::JetEntry> leaves;  // column and order
};
// All values that events change must be parameters: the roots read no discrete variables.
OutputProgram compile_outputs(const System& system, std::span<const NodeId> outputs,
                              std::size_t num_parameters);

// Its operations, and what the names in them mean, for people.
std::string program_text(const AnalyzedSystem& prepared, const TaylorProgram& taylor);

}  // namespace hydae
