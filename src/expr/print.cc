// Printing with an explicit stack: an item is either ready text or a node that still has to be
// written, with the weakest operator that may stand there without parentheses.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <set>

#include <hydae/error.h>
#include <hydae/expr.h>

#include "expr/silent_rounding.h"
#include "expr/walk.h"
#include "ops/operation.h"

namespace hydae {
namespace {

// Strength of the outermost operator, after the grammar of Modelica. A leading minus belongs to a
// sum: `a*(-b)` needs its parentheses, `-a + b` does not. `^` takes atoms only, on both sides.
enum Strength {
  kIf,
  kDisjunction,
  kConjunction,
  kNegation,
  kComparison,
  kSum,
  kProduct,
  kPower,
  kAtom
};

constexpr std::size_t kLongestText = std::size_t{1} << 26;

// Sums, products, `and` and `or` group from the left: their left operand may be of their own kind.
Strength weakest_left(Strength own) {
  if (own == kComparison) return kSum;
  return own == kPower ? kAtom : own;
}

Strength weakest_right(Strength own) { return own == kPower ? kAtom : Strength(own + 1); }

class Printer {
 public:
  Printer(const Graph& graph, const Names& names, std::size_t max_length)
      : graph_(graph), names_(names), max_length_(max_length) {}

  std::string print(NodeId root) {
    push(root, kIf);
    while (!items_.empty()) {
      const Item item = items_.back();
      items_.pop_back();
      if (item.text)
        text_ += item.text;
      else if (item.is_magnitude)
        text_ += number_to_string(-graph_.constant_value(item.id));
      else
        write(item.id, item.weakest);
      if (max_length_ > 0 && text_.size() > max_length_) return shortened();
      if (text_.size() > kLongestText)
        throw UsageError("the expression is too long to be written as text");
    }
    return std::move(text_);
  }

 private:
  struct Item {
    const char* text;  // null for a node
    NodeId id;
    Strength weakest;
    bool is_magnitude = false;  // a constant without its sign
  };

  // The last one pushed is written next.
  void push(const char* text) { items_.push_back({text, {}, kIf}); }
  void push(NodeId id, Strength weakest) { items_.push_back({nullptr, id, weakest}); }
  void push_magnitude(NodeId constant) { items_.push_back({nullptr, constant, kIf, true}); }

  std::string shortened() {
    std::size_t end = max_length_ > 3 ? max_length_ - 3 : 0;
    while (end > 0 && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) --end;
    return text_.substr(0, end) + "...";
  }

  bool is_negative_constant(NodeId id) const {
    return graph_.is_constant(id) && graph_.constant_value(id) < 0;
  }

  Strength strength(const Node& node) const {
    switch (node.op) {
      case Op::kConstant: return node.value < 0 ? kSum : kAtom;
      case Op::kNeg:
      case Op::kAdd:
      case Op::kSub: return kSum;
      case Op::kMul: return is_negative_constant(node.a) ? kSum : kProduct;  // -2*x
      case Op::kDiv: return kProduct;
      case Op::kPow: return kPower;
      case Op::kNot: return kNegation;
      case Op::kAnd: return kConjunction;
      case Op::kOr: return kDisjunction;
      case Op::kSelect: return kIf;
      default: return is_relation(node.op) && !node.silent ? kComparison : kAtom;
    }
  }

  // noEvent() around a rounding that makes events would silence it: the relation is written
  // without, which reads as the same values.
  bool holds_loud_rounding(NodeId relation) {
    std::set<NodeId> roundings, silent;
    for (NodeId id : walk_.order(graph_, relation)) {
      if (is_rounding(graph_.op(id))) roundings.insert(id);
      if (is_silent_rounding(graph_, id)) silent.insert(graph_.operands(id)[1]);
    }
    return !std::includes(silent.begin(), silent.end(), roundings.begin(), roundings.end());
  }

  void write(NodeId id, Strength weakest) {
    Node node = graph_.node(id);
    if (node.silent && holds_loud_rounding(id)) node.silent = false;
    if (strength(node) < weakest) {
      text_ += '(';
      push(")");
    }
    if (node.op == Op::kSelect)
      write_select(node);
    else if (node.op == Op::kNeg)
      write_prefix("-", node.a, kProduct);
    else if (node.op == Op::kNot)
      write_prefix("not ", node.a, kComparison);
    else if (ops::entry(node.op).infix)
      write_infix(node);
    else if (num_operands(node.op) == 0)
      write_leaf(node);
    else
      write_application(id, node);
  }

  void write_prefix(const char* prefix, NodeId operand, Strength weakest) {
    text_ += prefix;
    push(operand, weakest);
  }

  void write_select(const Node& node) {
    text_ += "if ";
    push(node.c, kIf);
    push(" else ");
    push(node.b, kIf);
    push(" then ");
    push(node.a, kIf);
  }

  void write_infix(const Node& node) {
    if (node.silent) {
      text_ += "noEvent(";
      push(")");
    }
    if (node.op == Op::kAdd && is_negative_constant(node.b)) {  // x + (-3) is x - 3
      push_magnitude(node.b);
      push(" - ");
      return push(node.a, kSum);
    }
    const Strength own = node.silent           ? kComparison
                         : node.op == Op::kMul ? kProduct
                                               : strength(node);
    push(node.b, weakest_right(own));
    push(ops::entry(node.op).infix);
    // A negative factor leads: its minus is that of the whole product.
    push(node.a, node.op == Op::kMul && is_negative_constant(node.a) ? kSum : weakest_left(own));
  }

  void write_leaf(const Node& node) {
    switch (node.op) {
      case Op::kConstant: return write_constant(node);
      case Op::kParameter: text_ += name(names_.parameter, node.parameter, 'p'); return;
      case Op::kVariable: return write_variable(node);
      case Op::kPre:
        text_ += "pre(";
        write_variable(node);
        text_ += ')';
        return;
      case Op::kInitial: text_ += "initial()"; return;
      case Op::kTerminal: text_ += "terminal()"; return;
      default: text_ += op_name(node.op); return;
    }
  }

  void write_constant(const Node& node) {
    if (node.is_boolean)
      text_ += node.value != 0 ? "true" : "false";
    else
      text_ += number_to_string(node.value);
  }

  void write_variable(const Node& node) {
    const std::string variable = name(names_.variable, node.variable, 'x');
    if (node.order == 0)
      text_ += variable;
    else if (node.order == 1)
      text_ += fmt::format("der({})", variable);
    else
      text_ += fmt::format("der({}, {})", variable, node.order);
  }

  void write_application(NodeId id, const Node& node) {
    if (is_silent_rounding(graph_, id)) {
      text_ += "noEvent(";
      push(")");
      return push(node.b, kIf);
    }
    text_ += application_name(node);
    text_ += '(';
    push(node.op == Op::kTrunc ? ", 1)" : ")");  // div(x, 1) is x without its fraction
    const auto operands = graph_.operands(id);
    for (std::size_t i = operands.size(); i-- > 0;) {
      push(operands[i], kIf);
      if (i > 0) push(", ");
    }
  }

  std::string application_name(const Node& node) const {
    if (node.op == Op::kTrunc) return "div";
    if (!is_call(node.op)) return op_name(node.op);
    std::string text = name(names_.function, node.function, 'f');
    if (node.op == Op::kCall && node.output == 0) return text;
    text += fmt::format("[{}", node.output + 1);
    for (int input : {node.input, node.second_input})
      if (input >= 0) text += fmt::format(", {}", input + 1);
    return text + "]";
  }

  template <class I>
  static std::string name(const std::function<std::string(I)>& names, I id, char letter) {
    return names ? names(id) : fmt::format("{}{}", letter, id.index());
  }

  Walk walk_;
  const Graph& graph_;
  const Names& names_;
  std::size_t max_length_;
  std::string text_;
  std::vector<Item> items_;
};

}  // namespace

std::string number_to_string(double value) {
  constexpr double kLargestInteger = 2147483647;  // that every Modelica tool reads as a literal
  std::string text = fmt::format("{}", value);
  const bool looks_like_integer = text.find_first_not_of("-0123456789") == std::string::npos;
  if (looks_like_integer && std::abs(value) > kLargestInteger) text += ".0";
  return text;
}

std::string to_string(const Graph& graph, NodeId id, const Names& names, std::size_t max_length) {
  return Printer(graph, names, max_length).print(id);
}

}  // namespace hydae
