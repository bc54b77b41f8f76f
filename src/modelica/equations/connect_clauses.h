// The connect clauses of an instance, and what it says about the graph of connections (9.4), in
// loops and conditions.
#pragma once

#include "modelica/session.h"

namespace hydae::modelica {

// Connections.root(...) and the like.
bool is_graph_call(const Session& session, const syntax::CallExpr& call);
void stamp_connections(Session& session, Instance& part);

}  // namespace hydae::modelica
