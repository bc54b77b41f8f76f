#include "modelica/flat/shared_subexpressions.h"

#include <algorithm>

#include "expr/copy_operation.h"
#include "expr/walk.h"

namespace hydae::modelica {

namespace {

constexpr double kLongPart = 300;                         // operations
constexpr std::size_t kFirstPart = std::size_t{1} << 30;  // far behind the variables of any model

// What is known of a node below the roots.
struct Shape {
  double length = 1;  // operations to be written
  int num_uses = 0;
  bool is_number = true;
  bool is_fixed = true;
  bool is_named = false;
};

bool is_boolean(Op op) {
  return is_boolean_operation(op) || op == Op::kInitial || op == Op::kTerminal || op == Op::kSample;
}

bool changes(Op op) {
  return op == Op::kTime || op == Op::kVariable || op == Op::kPre || op == Op::kInitial ||
         op == Op::kTerminal || op == Op::kSample || op == Op::kDelay;
}

class Shapes {
 public:
  Shapes(const Graph& graph, const std::vector<NodeId>& roots) : graph_(graph) {
    const auto order = walk_.order(graph, roots);
    shapes_.resize(order.size());
    for (const NodeId id : order)
      for (const NodeId operand : graph.operands(id)) ++(*this)[operand].num_uses;
    for (const NodeId root : roots) ++(*this)[root].num_uses;
    for (const NodeId id : order) measure(id);
  }

  Shape& operator[](NodeId id) { return shapes_[walk_.position(id)]; }
  bool has_names() const {
    return std::any_of(shapes_.begin(), shapes_.end(), [](const Shape& s) { return s.is_named; });
  }

 private:
  void measure(NodeId id) {
    Shape& shape = (*this)[id];
    const Node node = graph_.node(id);
    shape.is_fixed = !changes(node.op);
    shape.is_number = !is_boolean(node.op) && node.op != Op::kVariable;
    for (const NodeId operand : graph_.operands(id)) {
      const Shape& below = (*this)[operand];
      shape.length += below.is_named ? 1 : below.length;
      shape.is_fixed = shape.is_fixed && below.is_fixed;
    }
    if (node.op == Op::kSelect) shape.is_number = is_number(node.b) || is_number(node.c);
    shape.is_named = shape.is_number && shape.num_uses > 1 && shape.length > kLongPart;
  }

  // Not certain of a variable alone, which may be Boolean.
  bool is_number(NodeId id) { return !graph_.is_constant(id) && (*this)[id].is_number; }

  const Graph& graph_;
  Walk walk_;
  std::vector<Shape> shapes_;
};

}  // namespace

SharedSubexpressions::SharedSubexpressions(Graph& graph, const std::vector<NodeId>& roots)
    : original_(graph) {
  Shapes shapes(graph, roots);
  if (!shapes.has_names()) return;
  written_.resize(graph.size());
  Walk walk;
  std::vector<NodeId> operands;
  for (const NodeId id : walk.order(graph, roots)) {
    operands.clear();
    for (const NodeId operand : graph.operands(id)) operands.push_back(written_[operand.index()]);
    NodeId made = copy_operation(graph, id, operands, written_graph_);
    if (shapes[id].is_named) {
      parts_.push_back({made, shapes[id].is_fixed});
      made = written_graph_.variable(VarId(kFirstPart + parts_.size() - 1));
    }
    written_[id.index()] = made;
  }
}

NodeId SharedSubexpressions::written(NodeId id) const {
  return parts_.empty() ? id : written_[id.index()];
}

std::optional<std::size_t> SharedSubexpressions::find_part(VarId variable) {
  if (variable.index() < kFirstPart) return std::nullopt;
  return variable.index() - kFirstPart;
}

}  // namespace hydae::modelica
