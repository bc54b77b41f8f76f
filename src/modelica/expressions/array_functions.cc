#include "modelica/expressions/array_functions.h"

#include <fmt/format.h>

#include "modelica/expressions/constant_folding.h"
#include "modelica/expressions/operators.h"
#include "modelica/expressions/reference.h"

namespace hydae::modelica {

namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace

void ArrayFunctions::check_size(const Sizes& sizes, SourceRange range) {
  double product = 1;
  for (const int size : sizes) product *= size;
  session_.evaluator->check_elements(product, range);
}

Value ArrayFunctions::promote(Value value, int rank, SourceRange range) {
  if (!value.has_cells() && value.type != BaseType::kString)
    session_.fail("type-mismatch", fmt::format("{} has no dimensions to add", type_text(value)),
                  range);
  if (value.rank() > rank)
    session_.fail("size-mismatch",
                  fmt::format("{} has more than {} dimensions", type_text(value), rank), range);
  while (value.rank() < rank) value.sizes.push_back(1);
  return value;
}

Value ArrayFunctions::concatenate(int dimension, const std::vector<Value>& parts,
                                  SourceRange range) {
  if (parts.empty()) session_.fail("size-mismatch", "nothing to concatenate", range);
  const std::size_t d = at(dimension - 1);
  Value out = parts.front();
  out.cells.clear();
  out.strings.clear();
  out.fields.clear();
  if (dimension < 1 || d >= out.sizes.size())
    session_.fail("size-mismatch", fmt::format("there is no dimension {}", dimension), range);
  out.sizes[d] = 0;
  for (const Value& part : parts) {
    Sizes expected = part.sizes;
    if (expected.size() == out.sizes.size()) expected[d] = out.sizes[d];
    if (expected != out.sizes || !has_same_type(part, parts.front()) ||
        !(part.has_cells() || part.type == BaseType::kString))
      session_.fail(
          "size-mismatch",
          fmt::format("cannot concatenate {} and {}", type_text(parts.front()), type_text(part)),
          range);
    if (part.type == BaseType::kReal) out.type = BaseType::kReal;
    out.sizes[d] += part.sizes[d];
    check_size(out.sizes, range);
  }
  // Blocks of the dimensions before `d`, each made of one piece from every part.
  const std::int64_t num_blocks =
      num_elements(Sizes(out.sizes.begin(), out.sizes.begin() + dimension - 1));
  for (std::int64_t block = 0; block < num_blocks; ++block)
    for (const Value& part : parts) {
      const std::int64_t piece = num_blocks == 0 ? 0 : num_elements(part.sizes) / num_blocks;
      const auto take = [&](const auto& from, auto& to) {
        if (!from.empty())
          to.insert(to.end(), from.begin() + block * piece, from.begin() + (block + 1) * piece);
      };
      take(part.cells, out.cells);
      take(part.strings, out.strings);
    }
  return out;
}

Value ArrayFunctions::identity(int size) {
  Graph& graph = *session_.graph;
  check_size({size, size}, SourceRange());
  Value out = Value::array_of(BaseType::kInteger, {size, size}, {});
  out.cells.assign(at(size) * at(size), graph.constant(0));
  for (int i = 0; i < size; ++i) out.cells[at(i) * at(size + 1)] = graph.constant(1);
  return out;
}

Value ArrayFunctions::diagonal(const Value& vector, SourceRange range) {
  if (vector.rank() != 1 || !vector.is_numeric())
    session_.fail("type-mismatch", fmt::format("needs a vector, not {}", type_text(vector)), range);
  const int size = vector.sizes[0];
  Value out = identity(size);
  out.type = vector.type;
  for (int i = 0; i < size; ++i) out.cells[at(i) * at(size + 1)] = vector.cells[at(i)];
  return out;
}

Value ArrayFunctions::fill(const Value& value, const Sizes& sizes, SourceRange range) {
  Sizes all = sizes;
  all.insert(all.end(), value.sizes.begin(), value.sizes.end());
  check_size(all, range);
  if (value.type == BaseType::kTuple || value.type == BaseType::kFunction ||
      value.type == BaseType::kExternalObject)
    session_.fail("type-mismatch", fmt::format("no arrays of {}", type_text(value)), range);
  const std::int64_t count = num_elements(sizes);
  for (const std::string& text : value.strings)
    if (text.size() * static_cast<std::size_t>(count) > session_.limits.string_length)
      session_.fail("string-too-long", "these Strings become too long", range);
  const std::vector<Value> items(static_cast<std::size_t>(count), value);
  Value out = stack(items, value);
  reshape_front(out, sizes);
  return out;
}

Value ArrayFunctions::linspace(const Value& first, const Value& last, int count,
                               SourceRange range) {
  if (count < 2) session_.fail("array-size", "linspace needs at least two points", range);
  if (!first.is_numeric() || !last.is_numeric() || !first.is_scalar() || !last.is_scalar())
    session_.fail("type-mismatch", "linspace needs two numbers", range);
  check_size({count}, range);
  Graph& graph = *session_.graph;
  Value out = Value::array_of(BaseType::kReal, {count}, {});
  const NodeId width = graph.binary(Op::kSub, last.scalar(), first.scalar());
  for (int i = 0; i < count; ++i) {
    const NodeId part = graph.binary(Op::kDiv, graph.binary(Op::kMul, width, graph.constant(i)),
                                     graph.constant(count - 1));
    out.cells.push_back(graph.binary(Op::kAdd, first.scalar(), part));
  }
  return out;
}

Value ArrayFunctions::transpose(const Value& matrix, SourceRange range) {
  if (matrix.rank() < 2)
    session_.fail("type-mismatch", fmt::format("needs a matrix, not {}", type_text(matrix)), range);
  const int rows = matrix.sizes[0], columns = matrix.sizes[1];
  std::vector<Value> out_rows;
  for (int j = 0; j < columns; ++j) {
    Choice all, one;
    for (int i = 0; i < rows; ++i) all.indices.push_back(i);
    one.indices = {j};
    one.is_scalar = true;
    out_rows.push_back(choose(matrix, {all, one}));
  }
  Value empty = matrix;
  empty.sizes.erase(empty.sizes.begin() + 1);
  empty.cells.clear();
  return stack(out_rows, empty);
}

Value ArrayFunctions::outer_product(const Value& a, const Value& b, SourceRange range) {
  if (a.rank() != 1 || b.rank() != 1 || !a.is_numeric() || !b.is_numeric())
    session_.fail("type-mismatch",
                  fmt::format("outerProduct needs two vectors of numbers, not {} and {}",
                              type_text(a), type_text(b)),
                  range);
  Value column = promote(a, 2, range), row = b;
  row.sizes.insert(row.sizes.begin(), 1);
  return Operators(session_).binary(syntax::BinaryOp::kMultiply, column, row, false, range);
}

Value ArrayFunctions::symmetric(const Value& matrix, SourceRange range) {
  if (matrix.rank() != 2 || matrix.sizes[0] != matrix.sizes[1] || !matrix.has_cells())
    session_.fail("type-mismatch",
                  fmt::format("symmetric needs a square matrix, not {}", type_text(matrix)), range);
  Value out = matrix;
  const int n = matrix.sizes[0];
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) out.cells[at(i * n + j)] = matrix.cells[at(j * n + i)];
  return out;
}

Value ArrayFunctions::cross(const Value& a, const Value& b, SourceRange range) {
  if (a.sizes != Sizes{3} || b.sizes != Sizes{3} || !a.is_numeric() || !b.is_numeric())
    session_.fail("size-mismatch", "cross needs two vectors of three elements", range);
  Graph& graph = *session_.graph;
  Value out = Value::array_of(BaseType::kReal, {3}, {});
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    out.cells.push_back(graph.binary(Op::kSub,
                                     graph.binary(Op::kMul, a.cells[at(j)], b.cells[at(k)]),
                                     graph.binary(Op::kMul, a.cells[at(k)], b.cells[at(j)])));
  }
  return out;
}

Value ArrayFunctions::skew(const Value& v, SourceRange range) {
  if (v.sizes != Sizes{3} || !v.is_numeric())
    session_.fail("size-mismatch", "skew needs three elements", range);
  Graph& graph = *session_.graph;
  const NodeId zero = graph.constant(0);
  const auto minus = [&](int i) { return graph.unary(Op::kNeg, v.cells[at(i)]); };
  return Value::array_of(
      BaseType::kReal, {3, 3},
      {zero, minus(2), v.cells[1], v.cells[2], zero, minus(0), minus(1), v.cells[0], zero});
}

Value ArrayFunctions::scalar(const Value& value, SourceRange range) {
  if (num_elements(value.sizes) != 1)
    session_.fail("size-mismatch", fmt::format("{} has not one element", type_text(value)), range);
  return element_at(value, value.sizes.size(), 0);
}

Value ArrayFunctions::vector(Value value, SourceRange range) {
  if (!value.has_cells() && value.type != BaseType::kString)
    session_.fail("type-mismatch", fmt::format("{} is not a vector", type_text(value)), range);
  int size = 1, num_long = 0;
  for (const int s : value.sizes) {
    if (s != 1) {
      size = s;
      ++num_long;
    }
  }
  if (num_long > 1)
    session_.fail("size-mismatch", fmt::format("{} is not a vector", type_text(value)), range);
  value.sizes = {size};
  return value;
}

Value ArrayFunctions::matrix(Value value, SourceRange range) {
  if (value.rank() < 2) return promote(std::move(value), 2, range);
  for (std::size_t d = 2; d < value.sizes.size(); ++d)
    if (value.sizes[d] != 1)
      session_.fail("size-mismatch", fmt::format("{} is not a matrix", type_text(value)), range);
  value.sizes.resize(2);
  return value;
}

Value ArrayFunctions::reduce(Reduction reduction, const Value& array, SourceRange range) {
  Graph& graph = *session_.graph;
  const bool is_extreme = reduction == Reduction::kMin || reduction == Reduction::kMax;
  if (!array.is_numeric() && !(is_extreme && array.has_cells()))
    session_.fail("type-mismatch", fmt::format("cannot reduce {}", type_text(array)), range);
  Value out;
  out.type = array.type;
  out.enumeration = array.enumeration;
  if (array.cells.empty()) {
    // The neutral element, or the extreme value of the type (10.3.4.1).
    const bool is_integer = array.type == BaseType::kInteger;
    const double largest = is_integer ? 2147483647.0 : 1.7976931348623157e308;
    switch (reduction) {
      case Reduction::kSum: out.cells = {graph.constant(0)}; break;
      case Reduction::kProduct: out.cells = {graph.constant(1)}; break;
      case Reduction::kMin: out.cells = {graph.constant(largest)}; break;
      case Reduction::kMax: out.cells = {graph.constant(-largest)}; break;
    }
    return out;
  }
  static constexpr Op kOps[] = {Op::kAdd, Op::kMul, Op::kMin, Op::kMax};
  NodeId result = array.cells.front();
  for (std::size_t i = 1; i < array.cells.size(); ++i)
    result = graph.binary(kOps[static_cast<int>(reduction)], result, array.cells[i]);
  out.cells = {result};
  return out;
}

int ArrayFunctions::implicit_range(const syntax::Iterator& iterator, const Env& env,
                                   const std::vector<const syntax::Expr*>& body) {
  int size = -1;
  const auto look_at = [&](const syntax::Expr& expr) {
    const auto* reference = syntax::find<syntax::ReferenceExpr>(&expr);
    if (reference == nullptr) return;
    for (std::size_t p = 0; p < reference->parts.size(); ++p) {
      const auto& subscripts = reference->parts[p].subscripts;
      for (std::size_t d = 0; d < subscripts.size(); ++d) {
        const auto* index = syntax::find<syntax::ReferenceExpr>(subscripts[d]);
        const bool is_iterator = index != nullptr && index->parts.size() == 1 &&
                                 index->parts.front().name.symbol == iterator.name.symbol;
        if (!is_iterator) continue;
        const int found = References(session_).dimension_size(*reference, p, d, env);
        if (size >= 0 && found != size)
          session_.fail("implicit-range",
                        fmt::format("`{}` indexes dimensions of the sizes {} and {}",
                                    session_.text(iterator.name.symbol), size, found),
                        index->range);
        size = found;
      }
    }
  };
  for (const syntax::Expr* expr : body) syntax::walk(*expr, look_at);
  if (size < 0)
    session_.fail("implicit-range",
                  fmt::format("the range of `{}` cannot be found from its use",
                              session_.text(iterator.name.symbol)),
                  iterator.name.range);
  return size;
}

}  // namespace hydae::modelica
