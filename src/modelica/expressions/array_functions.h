// Functions on arrays (Modelica 3.6, chapter 10): construction, concatenation, reductions,
// products.
#pragma once

#include <vector>

#include "modelica/expressions/evaluate.h"

namespace hydae::modelica {

class ArrayFunctions {
 public:
  explicit ArrayFunctions(Session& session) : session_(session) {}

  Value promote(Value value, int rank, SourceRange range);
  // cat(dimension, ...), dimension from 1.
  Value concatenate(int dimension, const std::vector<Value>& parts, SourceRange range);
  Value identity(int size);
  Value diagonal(const Value& vector, SourceRange range);
  Value fill(const Value& value, const Sizes& sizes, SourceRange range);
  Value linspace(const Value& first, const Value& last, int count, SourceRange range);
  Value transpose(const Value& matrix, SourceRange range);
  Value outer_product(const Value& a, const Value& b, SourceRange range);
  Value symmetric(const Value& matrix, SourceRange range);
  Value cross(const Value& a, const Value& b, SourceRange range);
  Value skew(const Value& vector, SourceRange range);
  Value scalar(const Value& value, SourceRange range);
  Value vector(Value value, SourceRange range);
  Value matrix(Value value, SourceRange range);

  enum class Reduction { kSum, kProduct, kMin, kMax };
  Value reduce(Reduction reduction, const Value& array, SourceRange range);

  // Size of the dimensions that an iterator without a range subscripts in `body` (11.2.2.1).
  int implicit_range(const syntax::Iterator& iterator, const Env& env,
                     const std::vector<const syntax::Expr*>& body);

 private:
  void check_size(const Sizes& sizes, SourceRange range);

  Session& session_;
};

}  // namespace hydae::modelica
