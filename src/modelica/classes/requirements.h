// What must hold while the model runs for its values to mean anything: an index inside of its
// array, a divisor that is not zero, an output that has been assigned. Known now it is an error or
// nothing; otherwise it becomes an assertion of the model, or of the when-clause that is being
// read.
#pragma once

#include "modelica/flat/flat.h"
#include "modelica/session.h"

namespace hydae::modelica {

struct Requirement {
  const char* code;  // of the error if it is known to be violated
  NodeId condition;
  std::string message;
  SourceRange range;
};

// Counts where the current guard holds. In a function program the results are undefined where it
// fails.
void require(Session& session, const Requirement& requirement);

// The same for an assertion that is written in the text; its guard is added here.
void add_assertion(Session& session, FlatAssertion assertion);

// A number that does not exist, for what a program computes where it must not.
NodeId undefined_number(Graph& graph);

}  // namespace hydae::modelica
