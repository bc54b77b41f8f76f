// Operators on records: those that an operator record defines (Modelica 3.6, chapter 14).
#include <fmt/format.h>

#include "modelica/evaluate.h"

namespace hydae::modelica {

Value Evaluator::record_unary(syntax::UnaryOp, const Value&, SourceRange range) {
  session_.unsupported("operators on records are", range);
}

Value Evaluator::record_binary(syntax::BinaryOp, const Value&, const Value&, SourceRange range) {
  session_.unsupported("operators on records are", range);
}

}  // namespace hydae::modelica
