// For tests: random expressions as recipes, which can be built in a graph or computed directly in
// any number type; and a plain evaluation of graph nodes in any number type. With std::complex
// numbers both give derivatives by complex steps, exact to rounding: f'(x) = Im f(x + ih) / h for
// tiny h (Squire and Trapp 1998). Relations and the like look at the real part.
#pragma once

#include <cmath>
#include <complex>
#include <functional>
#include <random>
#include <stdexcept>
#include <vector>

#include <hydae/expr.h>

namespace hydae::random_expression {

template <class T>
struct Real {
  static T of(const T& x) { return x; }
};
template <class T>
struct Real<std::complex<T>> {
  static T of(const std::complex<T>& x) { return x.real(); }
};
template <class T>
auto real(const T& x) {
  return Real<T>::of(x);
}

// atan2(y, x) for x > 0, where it is atan(y / x); for x < 0 a constant is added.
template <class T>
T atan2(const T& y, const T& x) {
  using std::atan;
  using R = decltype(real(y));
  const R shift = std::atan2(real(y), real(x)) - std::atan(real(y) / real(x));
  return atan(y / x) + shift;
}

template <class T>
T power(const T& a, const T& b) {
  using std::pow;
  if (b == T(2)) return a * a;
  if (b == T(3)) return a * a * a;
  if (b == T(-1)) return T(1) / a;
  return pow(a, b);
}

// The operation on numbers, written apart from the code under test.
template <class T>
T compute(Op op, const T& a, const T& b, const T& c) {
  using std::sqrt, std::exp, std::log, std::sin, std::cos, std::tan, std::asin, std::acos,
      std::atan, std::sinh, std::cosh, std::tanh;
  using R = decltype(real(a));
  const R ra = real(a), rb = real(b);
  switch (op) {
    case Op::kNeg: return -a;
    case Op::kAdd: return a + b;
    case Op::kSub: return a - b;
    case Op::kMul: return a * b;
    case Op::kDiv: return a / b;
    case Op::kPow: return power(a, b);
    case Op::kSqrt: return sqrt(a);
    case Op::kExp: return exp(a);
    case Op::kLog: return log(a);
    case Op::kLog10: return log(a) / std::log(R(10));
    case Op::kSin: return sin(a);
    case Op::kCos: return cos(a);
    case Op::kTan: return sin(a) / cos(a);
    case Op::kAsin: return asin(a);
    case Op::kAcos: return acos(a);
    case Op::kAtan: return atan(a);
    case Op::kAtan2: return atan2(a, b);
    case Op::kSinh: return (exp(a) - exp(-a)) / R(2);
    case Op::kCosh: return (exp(a) + exp(-a)) / R(2);
    case Op::kTanh: return T(1) - T(2) / (exp(R(2) * a) + T(1));
    case Op::kAbs: return ra >= 0 ? a : -a;
    case Op::kSign: return T(ra > 0 ? 1 : ra < 0 ? -1 : 0);
    case Op::kMin: return ra <= rb ? a : b;
    case Op::kMax: return ra >= rb ? a : b;
    case Op::kFloor: return T(std::floor(ra));
    case Op::kCeil: return T(std::ceil(ra));
    case Op::kTrunc: return T(std::trunc(ra));
    case Op::kLess: return T(ra < rb);
    case Op::kLessEqual: return T(ra <= rb);
    case Op::kGreater: return T(ra > rb);
    case Op::kGreaterEqual: return T(ra >= rb);
    case Op::kEqual: return T(ra == rb);
    case Op::kNotEqual: return T(ra != rb);
    case Op::kNot: return T(ra == 0);
    case Op::kAnd: return T(ra != 0 && rb != 0);
    case Op::kOr: return T(ra != 0 || rb != 0);
    case Op::kSelect: return ra != 0 ? b : c;
    default: throw std::logic_error("no operation on numbers");
  }
}

// One step of a recipe: a leaf, or an operation on earlier steps.
struct Step {
  Op op = Op::kConstant;
  std::size_t a = 0, b = 0, c = 0;
  double value = 0;  // of a constant
  Leaf leaf = {};    // of a variable
};
using Recipe = std::vector<Step>;  // the last step is the expression

inline NodeId build(Graph& graph, const Recipe& recipe) {
  std::vector<NodeId> ids;
  for (const Step& step : recipe) {
    if (step.op == Op::kConstant)
      ids.push_back(graph.constant(step.value));
    else if (step.op == Op::kVariable)
      ids.push_back(graph.variable(step.leaf));
    else if (num_operands(step.op) == 1)
      ids.push_back(graph.unary(step.op, ids[step.a]));
    else if (num_operands(step.op) == 2)
      ids.push_back(graph.binary(step.op, ids[step.a], ids[step.b]));
    else
      ids.push_back(graph.ternary(step.op, ids[step.a], ids[step.b], ids[step.c]));
  }
  return ids.back();
}

// The operation jumps so near to these operands that rounding may decide, or has no derivative.
template <class T>
bool is_singular(Op op, const T& a, const T& b) {
  const auto is_near = [](auto gap) { return gap != 0 && std::abs(gap) < 1e-9; };
  if (op == Op::kSqrt || op == Op::kPow) return real(a) < 1e-9;
  if (op == Op::kAsin || op == Op::kAcos) return std::abs(real(a)) > 1 - 1e-9;
  if (is_relation(op)) return is_near(real(a) - real(b));
  if (op == Op::kSign) return is_near(real(a));
  if (op == Op::kAtan2) return real(b) < 0 && is_near(real(a));
  const bool is_counter = Op::kFloor <= op && op <= Op::kTrunc;
  return is_counter && is_near(real(a) - std::round(real(a)));
}

// Values of all steps; none if any step is undefined or hangs on rounding, whether it matters for
// the result or not.
template <class T>
std::vector<T> compute_steps(const Recipe& recipe, const std::function<T(Leaf)>& leaf_value) {
  std::vector<T> values;
  for (const Step& step : recipe) {
    if (step.op == Op::kConstant)
      values.push_back(T(step.value));
    else if (step.op == Op::kVariable)
      values.push_back(leaf_value(step.leaf));
    else
      values.push_back(compute<T>(step.op, values[step.a], values[step.b], values[step.c]));
    values.back() += T(0);  // no -0, which atan2 would tell from 0
    const bool is_leaf = num_operands(step.op) == 0;
    if (!std::isfinite(real(values.back())) ||
        (!is_leaf && is_singular(step.op, values[step.a], values[step.b])))
      return {};
  }
  return values;
}

// Value of a recipe; NaN if it says nothing: a step is undefined, hangs on rounding, or loses
// digits.
inline long double well_conditioned_value(const Recipe& recipe,
                                          const std::function<double(Leaf)>& leaf_value) {
  const std::function<long double(Leaf)> exact_leaf = leaf_value;
  const auto exact = compute_steps<long double>(recipe, exact_leaf);
  const auto rough = compute_steps<double>(recipe, leaf_value);
  if (exact.empty() || rough.empty()) return std::nan("");
  for (std::size_t i = 0; i < exact.size(); ++i)
    if (std::abs(rough[i] - exact[i]) > 1e-13L * (1 + std::abs(exact[i]))) return std::nan("");
  return exact.back();
}

// Value of a node: of what the graph made of a recipe, or of a derivative.
template <class T>
T compute(const Graph& graph, NodeId root, const std::function<T(Leaf)>& leaf_value) {
  std::vector<T> values(root.index() + 1);
  std::vector<bool> needed(root.index() + 1);
  needed[root.index()] = true;
  for (std::size_t i = root.index() + 1; i-- > 0;)
    if (needed[i])
      for (NodeId operand : graph.operands(NodeId(i))) needed[operand.index()] = true;
  for (std::size_t i = 0; i <= root.index(); ++i) {
    if (!needed[i]) continue;
    const Node node = graph.node(NodeId(i));
    const auto at = [&](NodeId id) { return id.is_valid() ? values[id.index()] : T(0); };
    if (node.op == Op::kConstant)
      values[i] = T(node.value);
    else if (node.op == Op::kVariable)
      values[i] = leaf_value(node.leaf());
    else
      values[i] = compute<T>(node.op, at(node.a), at(node.b), at(node.c));
    values[i] += T(0);
  }
  return values[root.index()];
}

// What may occur in a random expression.
struct Ingredients {
  std::vector<Op> unary, binary;
  std::vector<Leaf> leaves;
  std::vector<double> constants;
  bool has_selects = false;
};

inline Ingredients smooth_ingredients(int num_variables) {
  Ingredients all;
  all.unary = {Op::kNeg, Op::kSqrt, Op::kExp,  Op::kLog,  Op::kLog10, Op::kSin,  Op::kCos,
               Op::kTan, Op::kAsin, Op::kAcos, Op::kAtan, Op::kSinh,  Op::kCosh, Op::kTanh};
  all.binary = {Op::kAdd, Op::kAdd, Op::kSub, Op::kSub,  Op::kMul,
                Op::kMul, Op::kDiv, Op::kPow, Op::kAtan2};
  for (int i = 0; i < num_variables; ++i) all.leaves.push_back({VarId(i), 0});
  all.constants = {0, 1, -1, 2, -2, 3, 0.5, -0.25, 1.5};
  return all;
}

inline Ingredients switching_ingredients(int num_variables) {
  Ingredients all = smooth_ingredients(num_variables);
  for (Op op : {Op::kAbs, Op::kSign, Op::kFloor, Op::kCeil, Op::kTrunc}) all.unary.push_back(op);
  for (Op op : {Op::kMin, Op::kMax}) all.binary.push_back(op);
  all.has_selects = true;
  return all;
}

class Generator {
 public:
  Generator(Ingredients ingredients, unsigned seed)
      : ingredients_(std::move(ingredients)), random_(seed) {}

  // An expression of `num_operations` operations, the last using the latest steps.
  Recipe next(int num_operations) {
    recipe_.clear();
    for (Leaf leaf : ingredients_.leaves) recipe_.push_back({Op::kVariable, 0, 0, 0, 0, leaf});
    for (double value : ingredients_.constants) recipe_.push_back({Op::kConstant, 0, 0, 0, value});
    for (int i = 0; i < num_operations; ++i) add_operation();
    return recipe_;
  }

  std::size_t below(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
  }
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }

 private:
  template <class T>
  T one_of(const std::vector<T>& list) {
    return list[below(list.size())];
  }

  // Half the time one of the last steps, so that the expression hangs together.
  std::size_t operand() {
    const std::size_t size = recipe_.size();
    return below(2) == 0 ? size - 1 - below(std::min<std::size_t>(size, 3)) : below(size);
  }

  void add_operation() {
    const std::size_t kind = below(ingredients_.has_selects ? 5 : 4);
    if (kind == 4) return add_select();
    if (kind == 0)
      recipe_.push_back({one_of(ingredients_.unary), operand()});
    else
      recipe_.push_back({one_of(ingredients_.binary), operand(), operand()});
  }

  void add_select() {
    const std::size_t then_value = operand(), else_value = operand();
    const Op op = static_cast<Op>(static_cast<int>(Op::kLess) + below(6));
    recipe_.push_back({op, operand(), operand()});
    std::size_t condition = recipe_.size() - 1;
    if (below(3) == 0) {
      recipe_.push_back({Op::kGreater, operand(), operand()});
      recipe_.push_back({below(2) == 0 ? Op::kAnd : Op::kOr, condition, recipe_.size() - 1});
      condition = recipe_.size() - 1;
    }
    if (below(4) == 0) {
      recipe_.push_back({Op::kNot, condition});
      condition = recipe_.size() - 1;
    }
    recipe_.push_back({Op::kSelect, condition, then_value, else_value});
  }

  Ingredients ingredients_;
  std::mt19937 random_;
  Recipe recipe_;
};

}  // namespace hydae::random_expression
