#include "syntax/declaration_parser.h"

#include <fmt/format.h>

namespace hydae::syntax {

// ---- Comments ----

List<const StringExpr*> DeclarationParser::description() {
  if (!cursor_.at(TokenKind::kString)) return {};
  std::vector<const StringExpr*> strings = {expressions_.string()};
  while (cursor_.at(TokenKind::kPlus, TokenKind::kString)) {
    cursor_.next();
    strings.push_back(expressions_.string());
  }
  return cursor_.list<const StringExpr*>(strings);
}

Task<const Modification*> DeclarationParser::annotation() {
  cursor_.next();
  if (cursor_.at(TokenKind::kLeftParen)) co_return co_await modification(ModificationPlace::kClass);
  cursor_.expect(TokenKind::kLeftParen, "after `annotation`");
  co_return nullptr;
}

// ---- Modifications ----

bool DeclarationParser::at_value() const {
  return cursor_.at(TokenKind::kEquals) || cursor_.at(TokenKind::kAssign);
}

const Modification* DeclarationParser::value_modification() {
  const std::uint32_t begin = cursor_.next().begin;
  const bool is_break = cursor_.accept(TokenKind::kBreak);
  const Expr* value = is_break ? nullptr : expressions_.expression();
  auto* m = cursor_.make<Modification>(begin);
  m->is_break = is_break;
  m->value = value;
  return m;
}

Task<const Modification*> DeclarationParser::modification(ModificationPlace place) {
  const Token open = cursor_.next();
  std::vector<const Argument*> arguments;
  if (!cursor_.at(TokenKind::kRightParen)) {
    do {
      const Argument* argument = co_await this->argument(place);
      if (argument != nullptr) arguments.push_back(argument);
    } while (cursor_.accept(TokenKind::kComma));
  }
  if (!cursor_.accept(TokenKind::kRightParen)) {
    Diagnostic* d = cursor_.error(fmt::format("expected `,` or `)`, found {}", cursor_.found()));
    if (d != nullptr) d->notes.push_back({"the bracket was opened here", cursor_.range(open)});
  }
  const Modification* value =
      place == ModificationPlace::kElement && at_value() ? value_modification() : nullptr;
  auto* m = cursor_.make<Modification>(open.begin);
  m->has_arguments = true;
  m->arguments = cursor_.list<const Argument*>(arguments);
  if (value != nullptr) {
    m->is_break = value->is_break;
    m->value = value->value;
  }
  co_return m;
}

namespace {

bool has_type_prefix(const ElementPrefix& prefix) {
  return prefix.connection != Connection::kNone || prefix.variability != Variability::kNone ||
         prefix.causality != Causality::kNone;
}

}  // namespace

Task<const Argument*> DeclarationParser::argument(ModificationPlace place) {
  const std::uint32_t begin = cursor_.begin();
  if (cursor_.at(TokenKind::kBreak)) {
    if (place != ModificationPlace::kExtends)
      cursor_.error("`break` can only stand in an `extends` clause");
    co_return break_argument();
  }
  const ElementPrefix prefix = element_prefix();
  const bool is_redeclaration = prefix.is_redeclare || prefix.is_replaceable;
  if (prefix.is_inner || prefix.is_outer || (!is_redeclaration && has_type_prefix(prefix)))
    cursor_.error("only `each` and `final` can stand in front of a modification",
                  cursor_.range_from(begin));
  if (is_redeclaration) co_return co_await redeclaration(prefix, begin);
  co_return co_await modify(prefix, begin);
}

Task<const Argument*> DeclarationParser::modify(ElementPrefix prefix, std::uint32_t begin) {
  const Name name = cursor_.expect_name("the name of an element", NameForm::kLocal);
  if (name.parts.empty()) co_return nullptr;
  const Modification* modification = nullptr;
  if (cursor_.at(TokenKind::kLeftParen))
    modification = co_await this->modification(ModificationPlace::kElement);
  else if (at_value())
    modification = value_modification();
  const List<const StringExpr*> text = description();
  auto* a = cursor_.make<ModifyArgument>(begin);
  a->is_each = prefix.is_each;
  a->is_final = prefix.is_final;
  a->name = name;
  a->modification = modification;
  a->description = text;
  co_return a;
}

const Argument* DeclarationParser::break_argument() {
  const std::uint32_t begin = cursor_.next().begin;
  if (!cursor_.accept(TokenKind::kConnect)) {
    const Ident name = cursor_.expect_ident("the name of an element");
    if (!name.is_valid()) return nullptr;
    auto* a = cursor_.make<BreakElementArgument>(begin);
    a->name = name;
    return a;
  }
  cursor_.expect(TokenKind::kLeftParen);
  const ReferenceExpr* left = expressions_.reference("a connector");
  cursor_.expect(TokenKind::kComma);
  const ReferenceExpr* right = expressions_.reference("a connector");
  cursor_.expect(TokenKind::kRightParen);
  if (left == nullptr || right == nullptr) return nullptr;
  auto* a = cursor_.make<BreakConnectArgument>(begin);
  a->left = left;
  a->right = right;
  return a;
}

Task<const Argument*> DeclarationParser::redeclaration(ElementPrefix prefix, std::uint32_t begin) {
  Element* element = co_await redeclared_element(prefix, begin);
  if (element == nullptr) co_return nullptr;
  set_prefix(*element, prefix);
  if (cursor_.at(TokenKind::kConstrainedby)) {
    if (!prefix.is_replaceable) cursor_.error("`constrainedby` needs `replaceable` in front");
    element->constraint = co_await constraint(/*has_comment=*/false);
  }
  auto* a = cursor_.make<RedeclareArgument>(begin);
  a->is_each = prefix.is_each;
  a->is_final = prefix.is_final;
  a->element = element;
  co_return a;
}

Task<Element*> DeclarationParser::redeclared_element(ElementPrefix prefix, std::uint32_t begin) {
  if (!at_class_prefix()) co_return co_await components(prefix, begin, /*is_argument=*/true);
  check_before_class(prefix, begin);
  const ClassPrefix class_prefix = this->class_prefix();
  const Ident name = cursor_.expect_ident("the name of a class");
  if (!cursor_.at(TokenKind::kEquals)) {
    cursor_.error("a redeclared class needs `=`", cursor_.range(), {},
                  "define the class elsewhere, and write `redeclare model M = TheClass`");
    while (!cursor_.at_end() && !cursor_.at(TokenKind::kComma) &&
           !cursor_.at(TokenKind::kRightParen) && !cursor_.at(TokenKind::kSemicolon))
      cursor_.next();
    co_return nullptr;
  }
  const ClassDefinition* definition = co_await short_class(class_prefix, name);
  auto* element = cursor_.make<ClassElement>(begin);
  element->definition = definition;
  co_return element;
}

Task<const Constraint*> DeclarationParser::constraint(bool has_comment) {
  const std::uint32_t begin = cursor_.next().begin;
  const Name type = cursor_.expect_name("the name of a class");
  const Modification* modification = nullptr;
  if (cursor_.at(TokenKind::kLeftParen))
    modification = co_await this->modification(ModificationPlace::kClass);
  auto* c = cursor_.make<Constraint>(begin);
  c->type = type;
  c->modification = modification;
  if (!has_comment) co_return c;
  c->comment.description = description();
  if (cursor_.at(TokenKind::kAnnotation)) c->comment.annotation = co_await annotation();
  co_return c;
}

// ---- Prefixes ----

namespace {

// Position of a keyword in the order that the grammar asks for; 0 if it is no prefix.
int prefix_rank(TokenKind kind) {
  switch (kind) {
    case TokenKind::kRedeclare: return 1;
    case TokenKind::kEach: return 2;
    case TokenKind::kFinal: return 3;
    case TokenKind::kInner: return 4;
    case TokenKind::kOuter: return 5;
    case TokenKind::kReplaceable: return 6;
    case TokenKind::kFlow:
    case TokenKind::kStream: return 7;
    case TokenKind::kDiscrete:
    case TokenKind::kParameter:
    case TokenKind::kConstant: return 8;
    case TokenKind::kInput:
    case TokenKind::kOutput: return 9;
    default: return 0;
  }
}

void add_to_prefix(ElementPrefix& prefix, TokenKind kind) {
  switch (kind) {
    case TokenKind::kRedeclare: prefix.is_redeclare = true; break;
    case TokenKind::kEach: prefix.is_each = true; break;
    case TokenKind::kFinal: prefix.is_final = true; break;
    case TokenKind::kInner: prefix.is_inner = true; break;
    case TokenKind::kOuter: prefix.is_outer = true; break;
    case TokenKind::kReplaceable: prefix.is_replaceable = true; break;
    case TokenKind::kFlow: prefix.connection = Connection::kFlow; break;
    case TokenKind::kStream: prefix.connection = Connection::kStream; break;
    case TokenKind::kDiscrete: prefix.variability = Variability::kDiscrete; break;
    case TokenKind::kParameter: prefix.variability = Variability::kParameter; break;
    case TokenKind::kConstant: prefix.variability = Variability::kConstant; break;
    case TokenKind::kInput: prefix.causality = Causality::kInput; break;
    case TokenKind::kOutput: prefix.causality = Causality::kOutput; break;
    default: break;
  }
}

}  // namespace

ElementPrefix DeclarationParser::element_prefix() {
  ElementPrefix prefix;
  TokenKind last = TokenKind::kEndOfFile;
  for (; prefix_rank(cursor_.kind()) > 0; cursor_.next()) {
    const TokenKind kind = cursor_.kind();
    if (kind == last)
      cursor_.error(fmt::format("`{}` is written twice", spelling(kind)));
    else if (prefix_rank(kind) == prefix_rank(last))
      cursor_.error(
          fmt::format("`{}` and `{}` exclude each other", spelling(last), spelling(kind)));
    else if (prefix_rank(kind) < prefix_rank(last))
      cursor_.error(fmt::format("`{}` must come before `{}`", spelling(kind), spelling(last)));
    else
      last = kind;
    add_to_prefix(prefix, kind);
  }
  return prefix;
}

// `Real parameter x`: a prefix behind the type, unless it is meant as the name.
void DeclarationParser::late_prefix(ElementPrefix& prefix) {
  const auto is_prefix = [&](std::size_t i) { return prefix_rank(cursor_.kind(i)) > 0; };
  for (; is_prefix(0) && (is_prefix(1) || cursor_.kind(1) == TokenKind::kIdent); cursor_.next()) {
    cursor_.error(fmt::format("`{}` must come before the type", spelling(cursor_.kind())));
    add_to_prefix(prefix, cursor_.kind());
  }
}

void set_prefix(Element& element, const ElementPrefix& prefix) {
  element.is_redeclare = prefix.is_redeclare;
  element.is_final = prefix.is_final;
  element.is_inner = prefix.is_inner;
  element.is_outer = prefix.is_outer;
  element.is_replaceable = prefix.is_replaceable;
}

bool DeclarationParser::at_element_keyword() const {
  if (cursor_.at_keyword_as_name()) return false;
  return prefix_rank(cursor_.kind()) > 0 || at_class_prefix() || cursor_.at(TokenKind::kImport) ||
         cursor_.at(TokenKind::kExtends);
}

bool DeclarationParser::at_class_prefix() const {
  switch (cursor_.kind()) {
    case TokenKind::kEncapsulated:
    case TokenKind::kPartial:
    case TokenKind::kClass:
    case TokenKind::kModel:
    case TokenKind::kRecord:
    case TokenKind::kBlock:
    case TokenKind::kExpandable:
    case TokenKind::kConnector:
    case TokenKind::kType:
    case TokenKind::kPackage:
    case TokenKind::kImpure:
    case TokenKind::kFunction:
    case TokenKind::kOperator: return true;
    case TokenKind::kPure: return cursor_.kind(1) != TokenKind::kLeftParen;  // a call
    default: return false;
  }
}

void DeclarationParser::check_before_class(const ElementPrefix& prefix, std::uint32_t begin) {
  if (has_type_prefix(prefix))
    cursor_.error("this prefix belongs to components, not to classes", cursor_.range_from(begin));
}

ClassPrefix DeclarationParser::class_prefix() {
  ClassPrefix prefix;
  prefix.begin = cursor_.begin();
  prefix.is_encapsulated = cursor_.accept(TokenKind::kEncapsulated);
  prefix.is_partial = cursor_.accept(TokenKind::kPartial);
  if (cursor_.accept(TokenKind::kPure)) prefix.purity = Purity::kPure;
  if (cursor_.accept(TokenKind::kImpure)) prefix.purity = Purity::kImpure;
  const bool is_expandable = cursor_.accept(TokenKind::kExpandable);
  const bool is_operator = cursor_.accept(TokenKind::kOperator);
  const TokenKind kind = cursor_.kind();
  const bool needs_function = prefix.purity != Purity::kNone;
  if (needs_function && kind != TokenKind::kFunction) {
    cursor_.expect(TokenKind::kFunction, "after `pure` or `impure`");
  } else if (is_expandable && kind != TokenKind::kConnector) {
    cursor_.expect(TokenKind::kConnector, "after `expandable`");
  }
  switch (kind) {
    case TokenKind::kClass: prefix.kind = ClassKind::kClass; break;
    case TokenKind::kModel: prefix.kind = ClassKind::kModel; break;
    case TokenKind::kBlock: prefix.kind = ClassKind::kBlock; break;
    case TokenKind::kType: prefix.kind = ClassKind::kType; break;
    case TokenKind::kPackage: prefix.kind = ClassKind::kPackage; break;
    case TokenKind::kRecord:
      prefix.kind = is_operator ? ClassKind::kOperatorRecord : ClassKind::kRecord;
      break;
    case TokenKind::kFunction:
      prefix.kind = is_operator ? ClassKind::kOperatorFunction : ClassKind::kFunction;
      break;
    case TokenKind::kConnector:
      prefix.kind = is_expandable ? ClassKind::kExpandableConnector : ClassKind::kConnector;
      break;
    default:
      prefix.kind = ClassKind::kOperator;
      if (!is_operator)
        cursor_.expected(
            "`class`, `model`, `block`, `record`, `connector`, `type`, `package` or "
            "`function`");
      return prefix;
  }
  cursor_.next();
  return prefix;
}

// ---- Components ----

Task<ComponentElement*> DeclarationParser::components(ElementPrefix prefix, std::uint32_t begin,
                                                      bool is_argument) {
  const Name type = cursor_.expect_name("a declaration");
  if (type.parts.empty()) co_return nullptr;
  const List<const Expr*> type_subscripts = expressions_.subscripts();
  late_prefix(prefix);
  std::vector<ComponentDeclaration> declarations;
  do {
    const ComponentDeclaration declaration = co_await component(is_argument);
    if (declaration.name.is_valid()) declarations.push_back(declaration);
  } while (!is_argument && cursor_.accept(TokenKind::kComma));
  if (declarations.empty()) co_return nullptr;
  auto* e = cursor_.make<ComponentElement>(begin);
  e->connection = prefix.connection;
  e->variability = prefix.variability;
  e->causality = prefix.causality;
  e->type = type;
  e->type_subscripts = type_subscripts;
  e->declarations = cursor_.list<ComponentDeclaration>(declarations);
  co_return e;
}

Task<ComponentDeclaration> DeclarationParser::component(bool is_argument) {
  ComponentDeclaration d;
  const std::uint32_t begin = cursor_.begin();
  d.name = cursor_.expect_ident("the name of a component");
  if (!d.name.is_valid()) co_return d;
  d.subscripts = expressions_.subscripts();
  if (cursor_.at(TokenKind::kLeftParen))
    d.modification = co_await modification(ModificationPlace::kElement);
  else if (at_value())
    d.modification = value_modification();
  if (!is_argument && cursor_.accept(TokenKind::kIf)) d.condition = expressions_.expression();
  d.range = cursor_.range_from(begin);
  d.comment.description = description();
  if (cursor_.at(TokenKind::kAnnotation)) d.comment.annotation = co_await annotation();
  co_return d;
}

// ---- Short classes ----

Task<ClassDefinition*> DeclarationParser::short_class(ClassPrefix prefix, Ident name) {
  cursor_.next();
  ClassDefinition* definition = nullptr;
  if (cursor_.at(TokenKind::kEnumeration)) {
    definition = co_await enumeration(prefix.begin);
  } else if (cursor_.at(TokenKind::kDer)) {
    definition = derivative(prefix.begin);
  } else {
    Causality base_prefix = Causality::kNone;
    if (cursor_.accept(TokenKind::kInput)) base_prefix = Causality::kInput;
    if (cursor_.accept(TokenKind::kOutput)) base_prefix = Causality::kOutput;
    const Name base = cursor_.expect_name("the name of a class");
    const List<const Expr*> subscripts = expressions_.subscripts();
    const Modification* modification = nullptr;
    if (cursor_.at(TokenKind::kLeftParen))
      modification = co_await this->modification(ModificationPlace::kClass);
    auto* c = cursor_.make<ShortClass>(prefix.begin);
    c->base_prefix = base_prefix;
    c->base = base;
    c->subscripts = subscripts;
    c->modification = modification;
    definition = c;
  }
  definition->class_kind = prefix.kind;
  definition->purity = prefix.purity;
  definition->is_encapsulated = prefix.is_encapsulated;
  definition->is_partial = prefix.is_partial;
  definition->name = name;
  definition->comment.description = description();
  if (cursor_.at(TokenKind::kAnnotation)) definition->comment.annotation = co_await annotation();
  co_return definition;
}

Task<EnumerationClass*> DeclarationParser::enumeration(std::uint32_t begin) {
  cursor_.next();
  cursor_.expect(TokenKind::kLeftParen);
  const bool is_open = cursor_.accept(TokenKind::kColon);
  std::vector<EnumerationLiteral> literals;
  if (!is_open && !cursor_.at(TokenKind::kRightParen)) {
    do {
      EnumerationLiteral literal;
      literal.name = cursor_.expect_ident("an enumeration literal");
      if (!literal.name.is_valid()) break;
      literal.comment.description = description();
      if (cursor_.at(TokenKind::kAnnotation)) literal.comment.annotation = co_await annotation();
      literals.push_back(literal);
    } while (cursor_.accept(TokenKind::kComma));
  }
  cursor_.expect(TokenKind::kRightParen, "after the enumeration literals");
  auto* c = cursor_.make<EnumerationClass>(begin);
  c->is_open = is_open;
  c->literals = cursor_.list<EnumerationLiteral>(literals);
  co_return c;
}

DerivativeClass* DeclarationParser::derivative(std::uint32_t begin) {
  cursor_.next();
  cursor_.expect(TokenKind::kLeftParen);
  const Name function = cursor_.expect_name("the name of a function");
  std::vector<Ident> variables;
  while (cursor_.accept(TokenKind::kComma))
    variables.push_back(cursor_.expect_ident("the name of an input"));
  if (variables.empty())
    cursor_.error("a partial derivative needs a variable", cursor_.range(), {},
                  "write `der(f, x)`");
  cursor_.expect(TokenKind::kRightParen);
  auto* c = cursor_.make<DerivativeClass>(begin);
  c->function = function;
  c->variables = cursor_.list<Ident>(variables);
  return c;
}

}  // namespace hydae::syntax
