#include "syntax/equation_parser.h"

#include <algorithm>
#include <fmt/format.h>
#include <type_traits>

namespace hydae::syntax {

namespace {

// The forms of a block among equations and among statements, and the words of their messages.
template <class Node>
struct Forms;

template <>
struct Forms<Equation> {
  using If = IfEquation;
  using When = WhenEquation;
  using For = ForEquation;
  using Call = CallEquation;
  static constexpr const char* kUnit = "this equation";
};

template <>
struct Forms<Statement> {
  using If = IfStatement;
  using When = WhenStatement;
  using For = ForStatement;
  using Call = CallStatement;
  static constexpr const char* kUnit = "this statement";
};

}  // namespace

// ---- Lists ----

bool EquationParser::at_section() const {
  switch (cursor_.kind()) {
    case TokenKind::kEquation:
    case TokenKind::kAlgorithm:
    case TokenKind::kPublic:
    case TokenKind::kProtected:
    case TokenKind::kExternal:
    case TokenKind::kAnnotation: return true;
    case TokenKind::kInitial:
      return cursor_.kind(1) == TokenKind::kEquation || cursor_.kind(1) == TokenKind::kAlgorithm;
    default: return false;
  }
}

bool EquationParser::at_block() const {
  switch (cursor_.kind()) {
    case TokenKind::kIf:
    case TokenKind::kFor:
    case TokenKind::kWhen:
    case TokenKind::kWhile: return true;
    default: return false;
  }
}

// At `else`, `elseif`, `elsewhen`, or what others write for `elseif`.
bool EquationParser::at_branch() const {
  switch (cursor_.kind()) {
    case TokenKind::kElse:
    case TokenKind::kElseif:
    case TokenKind::kElsewhen: return !open_.empty();
    case TokenKind::kIdent: {
      const std::string_view word = cursor_.text(cursor_.peek());
      const bool is_slip = word == "elif" || word == "elsif" || word == "elseIf";
      return is_slip && !open_.empty() && cursor_.kind(1) == TokenKind::kIdent;
    }
    default: return false;
  }
}

bool EquationParser::at_end_of_units() const {
  if (cursor_.at(TokenKind::kEnd) || cursor_.at_end() || at_section() || at_branch()) return true;
  return open_.empty() && declarations_.at_element_keyword();
}

template <class Node>
Node* EquationParser::simple() {
  if constexpr (std::is_same_v<Node, Equation>)
    return simple_equation();
  else
    return simple_statement();
}

template <class Node>
Task<List<const Node*>> EquationParser::units() {
  std::vector<const Node*> nodes;
  while (!at_end_of_units()) {
    const std::size_t start = cursor_.index();
    Node* node = at_block() ? co_await block<Node>() : simple<Node>();
    if (node != nullptr) {
      node->comment.description = declarations_.description();
      if (cursor_.at(TokenKind::kAnnotation))
        node->comment.annotation = co_await declarations_.annotation();
      cursor_.expect_semicolon(Forms<Node>::kUnit);
      nodes.push_back(node);
    }
    if (cursor_.index() == start) cursor_.next();
  }
  co_return cursor_.list<const Node*>(nodes);
}

template Task<List<const Equation*>> EquationParser::units();
template Task<List<const Statement*>> EquationParser::units();

// ---- Blocks ----

template <class Node>
Task<Node*> EquationParser::block() {
  const Token keyword = cursor_.peek();
  if (keyword.kind == TokenKind::kWhile) co_return co_await while_block<Node>();
  if (keyword.kind == TokenKind::kFor) co_return co_await for_block<Node>();
  const List<Branch<Node>> arms = co_await branches<Node>(keyword.kind);
  if (keyword.kind == TokenKind::kIf) {
    auto* node = cursor_.make<typename Forms<Node>::If>(keyword.begin);
    node->branches = arms;
    co_return node;
  }
  auto* node = cursor_.make<typename Forms<Node>::When>(keyword.begin);
  node->branches = arms;
  co_return node;
}

// if c then ... elseif c then ... else ... end if, when c then ... elsewhen c then ... end when
template <class Node>
Task<List<Branch<Node>>> EquationParser::branches(TokenKind opening) {
  open_.push_back({opening, cursor_.range()});
  std::vector<Branch<Node>> arms;
  do {
    Branch<Node> arm;
    arm.range = cursor_.range();
    if (!arms.empty() && arms.back().condition == nullptr)
      cursor_.error("`else` must be the last branch");
    arm.condition = branch_condition(opening, arms.empty());
    arm.body = co_await units<Node>();
    arms.push_back(arm);
  } while (at_branch());
  close_block();
  co_return cursor_.list<Branch<Node>>(arms);
}

// The condition behind `if`, `when` or one of their branch keywords, with its `then`; null behind
// `else`.
const Expr* EquationParser::branch_condition(TokenKind opening, bool is_first) {
  const TokenKind wanted = opening == TokenKind::kIf ? TokenKind::kElseif : TokenKind::kElsewhen;
  const TokenKind found = cursor_.kind();
  const bool is_else = found == TokenKind::kElse;
  if (is_else && opening == TokenKind::kWhen)
    cursor_.error("a `when` has no `else`", cursor_.range(), {},
                  "write `elsewhen` with a condition");
  else if (!is_first && !is_else && found != wanted)
    cursor_.error(fmt::format("expected `{}`, found {}", spelling(wanted), cursor_.found()));
  cursor_.next();
  if (is_else) return nullptr;
  const Expr* condition = expressions_.condition();
  cursor_.expect(TokenKind::kThen, "after the condition");
  return condition;
}

template <class Node>
Task<Node*> EquationParser::for_block() {
  open_.push_back({TokenKind::kFor, cursor_.range()});
  const std::uint32_t begin = cursor_.next().begin;
  const List<Iterator> iterators = expressions_.iterators();
  cursor_.expect(TokenKind::kLoop, "after the range");
  const List<const Node*> body = co_await units<Node>();
  close_block();
  auto* node = cursor_.make<typename Forms<Node>::For>(begin);
  node->iterators = iterators;
  node->body = body;
  co_return node;
}

template <class Node>
Task<Node*> EquationParser::while_block() {
  if (std::is_same_v<Node, Equation>)
    cursor_.error("`while` cannot stand among equations", cursor_.range(), {},
                  "loops that run until a condition fails belong in an `algorithm`");
  open_.push_back({TokenKind::kWhile, cursor_.range()});
  const std::uint32_t begin = cursor_.next().begin;
  const Expr* condition = expressions_.condition();
  cursor_.expect(TokenKind::kLoop, "after the condition");
  const List<const Node*> body = co_await units<Node>();
  close_block();
  if constexpr (std::is_same_v<Node, Statement>) {
    auto* node = cursor_.make<WhileStatement>(begin);
    node->condition = condition;
    node->body = body;
    co_return node;
  } else {
    cursor_.expect_semicolon("the loop");
    co_return nullptr;
  }
}

// Takes `end if` of the innermost block. Another `end` is taken as a slip, unless it closes a block
// or class further out: then this one is taken as closed.
void EquationParser::close_block() {
  const OpenBlock block = open_.back();
  open_.pop_back();
  if (cursor_.at(TokenKind::kEnd, block.keyword)) {
    cursor_.next();
    cursor_.next();
    return;
  }
  const std::string_view word = spelling(block.keyword);
  Diagnostic* d = cursor_.error(fmt::format("expected `end {}`, found {}", word, cursor_.found()));
  if (d != nullptr) d->notes.push_back({fmt::format("this `{}` is open", word), block.range});
  const TokenKind found = cursor_.kind(1);
  const bool is_block_end =
      cursor_.at(TokenKind::kEnd) && (found == TokenKind::kIf || found == TokenKind::kFor ||
                                      found == TokenKind::kWhen || found == TokenKind::kWhile);
  const auto closes = [&](const OpenBlock& outer) { return outer.keyword == found; };
  if (!is_block_end || std::any_of(open_.begin(), open_.end(), closes)) return;
  cursor_.next();
  cursor_.next();
}

// ---- Simple equations ----

Equation* EquationParser::simple_equation() {
  if (cursor_.at(TokenKind::kConnect)) return connect();
  const std::uint32_t begin = cursor_.begin();
  const Expr* left = expressions_.expression();
  if (cursor_.at(TokenKind::kEquals) || cursor_.at(TokenKind::kAssign))
    return relation(left, begin);
  return equation_without_equals(left, begin);
}

Equation* EquationParser::relation(const Expr* left, std::uint32_t begin) {
  if (cursor_.at(TokenKind::kAssign))
    cursor_.error("`:=` cannot stand in an equation", cursor_.range(), {},
                  "an equation is written with `=`; assignments belong in an `algorithm`");
  cursor_.next();
  const Expr* right = expressions_.expression();
  if (cursor_.at(TokenKind::kEquals)) {
    cursor_.error("an equation has one `=`", cursor_.range(), {}, "write two equations");
    cursor_.skip_unit();
    return nullptr;
  }
  auto* e = cursor_.make<EqualEquation>(begin);
  e->left = left;
  e->right = right;
  return e;
}

// The call that `e` is, if it can stand alone: not `der(x)`, not `(f(x))`.
const CallExpr* EquationParser::find_call(const Expr* e) const {
  const auto* call = find<CallExpr>(e);
  if (call == nullptr || call->is_parenthesized) return nullptr;
  const std::string_view function = cursor_.symbols().text(call->function->parts[0].name.symbol);
  return keyword_or_ident(function) == TokenKind::kIdent ? call : nullptr;
}

Equation* EquationParser::equation_without_equals(const Expr* left, std::uint32_t begin) {
  if (const CallExpr* call = find_call(left); call != nullptr) {
    auto* e = cursor_.make<CallEquation>(begin);
    e->call = call;
    return e;
  }
  const auto* relation = find<BinaryExpr>(left);
  if (relation == nullptr || relation->op != BinaryOp::kEqual || relation->is_parenthesized)
    return broken<Equation>(left, "`=`");
  cursor_.error("`==` compares; an equation is written with `=`", relation->range);
  auto* e = cursor_.make<EqualEquation>(begin);
  e->left = relation->left;
  e->right = relation->right;
  return e;
}

Equation* EquationParser::connect() {
  const std::uint32_t begin = cursor_.next().begin;
  const bool is_open = cursor_.expect(TokenKind::kLeftParen, "after `connect`");
  const ReferenceExpr* left = expressions_.reference("a connector");
  cursor_.expect(TokenKind::kComma, "between the connectors");
  const ReferenceExpr* right = expressions_.reference("a connector");
  if (is_open) cursor_.expect(TokenKind::kRightParen, "after the connectors");
  if (left == nullptr || right == nullptr) {
    cursor_.skip_unit();
    return nullptr;
  }
  auto* e = cursor_.make<ConnectEquation>(begin);
  e->left = left;
  e->right = right;
  return e;
}

// ---- Simple statements ----

Statement* EquationParser::simple_statement() {
  const std::uint32_t begin = cursor_.begin();
  if (cursor_.accept(TokenKind::kBreak)) return cursor_.make<BreakStatement>(begin);
  if (cursor_.accept(TokenKind::kReturn)) return cursor_.make<ReturnStatement>(begin);
  if (cursor_.at(TokenKind::kConnect)) {
    cursor_.error("`connect` cannot stand in an algorithm", cursor_.range(), {},
                  "connections belong in an `equation` section");
    cursor_.next();
    cursor_.skip_unit();
    return nullptr;
  }
  const Expr* target = expressions_.expression();
  if (cursor_.at(TokenKind::kAssign) || cursor_.at(TokenKind::kEquals))
    return assignment(target, begin);
  const CallExpr* call = find_call(target);
  if (call == nullptr) return broken<Statement>(target, "`:=`");
  auto* s = cursor_.make<CallStatement>(begin);
  s->call = call;
  return s;
}

Statement* EquationParser::assignment(const Expr* target, std::uint32_t begin) {
  if (cursor_.at(TokenKind::kEquals))
    cursor_.error("`=` does not assign", cursor_.range(), {},
                  "a statement is written with `:=`; equations belong in an `equation` section");
  cursor_.next();
  const Expr* value = expressions_.expression();
  if (const auto* tuple = find<TupleExpr>(target); tuple != nullptr)
    return assign_call(tuple->elements, value, begin);
  const auto* reference = find<ReferenceExpr>(target);
  if (reference == nullptr) {
    if (target->kind != ExprKind::kError)
      cursor_.error("only a variable can be assigned to", target->range);
    cursor_.skip_unit();
    return nullptr;
  }
  if (reference->is_parenthesized)
    return assign_call(cursor_.list<const Expr*>(std::span(&target, 1)), value, begin);
  auto* s = cursor_.make<AssignStatement>(begin);
  s->target = reference;
  s->value = value;
  return s;
}

Statement* EquationParser::assign_call(List<const Expr*> targets, const Expr* value,
                                       std::uint32_t begin) {
  const auto is_target = [](const Expr* e) { return !e || e->kind == ExprKind::kReference; };
  const auto* call = find<CallExpr>(value);
  const auto wrong = std::find_if_not(targets.begin(), targets.end(), is_target);
  if (wrong != targets.end())
    cursor_.error("only a variable can be assigned to", (*wrong)->range);
  else if (call == nullptr && value->kind != ExprKind::kError)
    cursor_.error("only a function call can be assigned to a list in parentheses", value->range);
  if (call == nullptr || wrong != targets.end()) {
    cursor_.skip_unit();
    return nullptr;
  }
  auto* s = cursor_.make<AssignCallStatement>(begin);
  s->targets = targets;
  s->call = call;
  return s;
}

// An expression without the `=` or `:=` that would make it a `Node`.
template <class Node>
Node* EquationParser::broken(const Expr* e, std::string_view wanted) {
  const bool is_declaration = e->kind == ExprKind::kReference && cursor_.at(TokenKind::kIdent);
  if (is_declaration && !cursor_.is_on_new_line())
    cursor_.error("a declaration cannot stand here", cursor_.range_from(e->range.begin), {},
                  "move it up to the declarations, or begin a `public` or `protected` section");
  else if (e->kind != ExprKind::kError)
    cursor_.expected(wanted);
  cursor_.skip_unit();
  return nullptr;
}

}  // namespace hydae::syntax
