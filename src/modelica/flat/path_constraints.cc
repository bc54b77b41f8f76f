#include "modelica/flat/path_constraints.h"

#include <utility>

#include "modelica/classes/classes.h"
#include "modelica/classes/modification.h"
#include "modelica/expressions/evaluate.h"
#include "modelica/flat/flat.h"
#include "syntax/expression.h"

namespace hydae::modelica {
namespace {

class PathConstraintReader {
 public:
  explicit PathConstraintReader(Session& session) : session_(session) {}

  void read(const syntax::Expr& expr) {
    if (const auto* list = syntax::find<syntax::ArrayExpr>(&expr)) {
      for (const syntax::Expr* element : list->elements) read(*element);
      return;
    }
    if (!is_at_an_instant(expr)) session_.attempt(expr.range, [&] { read_relation(expr); });
  }

 private:
  bool is_at_an_instant(const syntax::Expr& expr) const {
    const std::string_view text = session_.workspace.sources()->text(expr.range);
    return text.find("finalTime") != text.npos || text.find("startTime") != text.npos;
  }

  void read_relation(const syntax::Expr& expr) {
    using Op = syntax::BinaryOp;
    const auto* relation = syntax::find<syntax::BinaryExpr>(&expr);
    const bool is_relation =
        relation != nullptr && (relation->op == Op::kLess || relation->op == Op::kLessEqual ||
                                relation->op == Op::kGreater || relation->op == Op::kGreaterEqual ||
                                relation->op == Op::kEqual);
    if (!is_relation)
      session_.fail("path-constraint", "a path constraint is a relation: `v <= 0.5` or `x == y`",
                    expr.range);
    NodeId lhs = side(*relation->left), rhs = side(*relation->right);
    if (relation->op == Op::kGreater || relation->op == Op::kGreaterEqual) std::swap(lhs, rhs);
    session_.flat->path_constraints.push_back({lhs, rhs, relation->op == Op::kEqual, expr.range});
  }

  NodeId side(const syntax::Expr& expr) {
    return session_.evaluator->scalar(expr, Env{session_.model}, BaseType::kReal,
                                      "the side of a path constraint");
  }

  Session& session_;
};

}  // namespace

void read_path_constraints(Session& session) {
  const auto name = [&](const char* text) { return session.workspace.intern(text); };
  const syntax::Modification* found = find_annotation(
      session.model->def->definition->comment.annotation, session.names.annotations.hydae);
  for (const char* part : {"optimization", "constraint"})
    if (found != nullptr) found = find_annotation(found, name(part));
  if (found != nullptr && found->value != nullptr)
    PathConstraintReader(session).read(*found->value);
}

}  // namespace hydae::modelica
