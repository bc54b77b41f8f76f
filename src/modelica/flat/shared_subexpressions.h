// Parts of expressions that get a name in a text. Expressions form a graph: what is one node there
// may have to be written many times over, and the length of a text can grow exponentially with the
// number of nodes (the properties of water are such formulas). A part that is long and used more
// than once is written once, under a name; then the length of the whole is linear.
#pragma once

#include <optional>
#include <vector>

#include <hydae/expr.h>

namespace hydae::modelica {

constexpr bool is_boolean_operation(Op op) {
  return is_relation(op) || op == Op::kNot || op == Op::kAnd || op == Op::kOr;
}

class SharedSubexpressions {
 public:
  struct Part {
    NodeId definition;      // in graph(); refers to parts before it only
    bool is_fixed = false;  // made of parameters and numbers only
  };

  // `roots`: all that is to be written.
  SharedSubexpressions(Graph& graph, const std::vector<NodeId>& roots);

  const std::vector<Part>& parts() const { return parts_; }
  // A root or anything below it as it is to be written: in graph(), parts are variables there.
  NodeId written(NodeId id) const;
  const Graph& graph() const { return parts_.empty() ? original_ : written_graph_; }
  // Which part a variable stands for; nothing for a variable of the model.
  static std::optional<std::size_t> find_part(VarId variable);

 private:
  Graph& original_;
  Graph written_graph_;
  std::vector<Part> parts_;
  std::vector<NodeId> written_;  // by node of the original
};

}  // namespace hydae::modelica
