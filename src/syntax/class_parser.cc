#include "syntax/class_parser.h"

#include <algorithm>
#include <fmt/format.h>

namespace hydae::syntax {

// ---- The file ----

Name ClassParser::within() {
  cursor_.next();
  Name name;
  if (!cursor_.at(TokenKind::kSemicolon))
    name = cursor_.expect_name("the name of a package", NameForm::kLocal);
  cursor_.expect_semicolon("`within`");
  return name;
}

Task<List<const ClassDefinition*>> ClassParser::classes() {
  std::vector<const ClassDefinition*> definitions;
  while (!cursor_.at_end()) {
    const bool is_final = cursor_.accept(TokenKind::kFinal);
    if (declarations_.at_class_prefix()) {
      ClassDefinition* definition = co_await class_definition();
      definition->is_final = is_final;
      definitions.push_back(definition);
      if (definition->name.is_valid() || !cursor_.at_end()) cursor_.expect_semicolon("the class");
      continue;
    }
    if (cursor_.at(TokenKind::kEnd))
      cursor_.error(cursor_.found() + " closes nothing");
    else if (cursor_.at(TokenKind::kWithin))
      cursor_.error("`within` must be the first in the file");
    else
      cursor_.expected("a class");
    do cursor_.next();
    while (!cursor_.at_end() && !(declarations_.at_class_prefix() && cursor_.is_on_new_line()));
  }
  co_return cursor_.list<const ClassDefinition*>(definitions);
}

// ---- Classes ----

Task<ClassDefinition*> ClassParser::class_definition() {
  const ClassPrefix prefix = declarations_.class_prefix();
  if (cursor_.at(TokenKind::kExtends) || cursor_.kind(1) != TokenKind::kEquals)
    co_return co_await long_class(prefix);
  const Ident name = cursor_.expect_ident("the name of a class");
  co_return co_await declarations_.short_class(prefix, name);
}

// The parts of a long class, as they are read.
struct ClassParser::Body {
  std::vector<const Element*> elements;
  std::vector<Section> sections = {Section()};  // the last one is open
  std::size_t first_element = 0;                // of the open section
  Visibility visibility = Visibility::kPublic;

  bool takes_elements() const {
    const SectionKind kind = sections.back().kind;
    return kind == SectionKind::kElements || kind == SectionKind::kPublic ||
           kind == SectionKind::kProtected;
  }

  void close_section(Arena& arena) {
    if (elements.size() > first_element)
      sections.back().elements =
          arena.list(std::span<const Element* const>(elements).subspan(first_element));
    else if (sections.back().kind == SectionKind::kElements)
      sections.pop_back();
    first_element = elements.size();
  }

  void add(const Section& section, Arena& arena) {
    close_section(arena);
    sections.push_back(section);
    if (section.kind == SectionKind::kPublic) visibility = Visibility::kPublic;
    if (section.kind == SectionKind::kProtected) visibility = Visibility::kProtected;
  }

  void add(Element* element) {
    if (element == nullptr) return;
    element->visibility = visibility;
    elements.push_back(element);
  }
};

Task<LongClass*> ClassParser::long_class(ClassPrefix prefix) {
  auto* c = cursor_.make<LongClass>(prefix.begin);
  c->class_kind = prefix.kind;
  c->purity = prefix.purity;
  c->is_encapsulated = prefix.is_encapsulated;
  c->is_partial = prefix.is_partial;
  c->is_extends = cursor_.accept(TokenKind::kExtends);
  c->name = cursor_.expect_ident("the name of a class");
  if (c->is_extends && cursor_.at(TokenKind::kLeftParen))
    c->modification = co_await declarations_.modification(ModificationPlace::kClass);
  c->comment.description = declarations_.description();

  open_.push_back(c->name.symbol);
  Body body;
  while (!at_class_end()) {
    const std::size_t start = cursor_.index();
    if (c->external != nullptr && !cursor_.at(TokenKind::kAnnotation))
      cursor_.error("only the annotation of the class can follow `external`");
    if (cursor_.at(TokenKind::kExternal)) {
      c->external = co_await external();
    } else if (cursor_.at(TokenKind::kAnnotation)) {
      c->comment.annotation = co_await class_annotation();
    } else if (equations_.at_section()) {
      body.add(co_await section(), cursor_.arena());
    } else if (at_equation()) {
      body.add(co_await implied_section(c->class_kind), cursor_.arena());
    } else {
      if (!body.takes_elements())
        cursor_.error("a declaration cannot stand here", cursor_.range(), {},
                      "move it up to the declarations, or begin a `public` or `protected` section");
      body.add(co_await element());
    }
    if (cursor_.index() == start) cursor_.next();
  }
  body.close_section(cursor_.arena());
  c->elements = cursor_.list<const Element*>(body.elements);
  c->sections = cursor_.list<Section>(body.sections);
  open_.pop_back();
  close_class(*c);
  c->range = cursor_.range_from(prefix.begin);
  co_return c;
}

// At `end` of a class, or at the end of the file. An `end if` without its `if` is passed over.
bool ClassParser::at_class_end() {
  while (cursor_.at(TokenKind::kEnd)) {
    const TokenKind following = cursor_.kind(1);
    if (following != TokenKind::kIf && following != TokenKind::kFor &&
        following != TokenKind::kWhen && following != TokenKind::kWhile)
      return true;
    cursor_.error(cursor_.found() + " closes nothing");
    cursor_.next();
    cursor_.next();
    cursor_.accept(TokenKind::kSemicolon);
  }
  return cursor_.at_end();
}

// Takes `end Name`. The end of a class further out is left for that class.
void ClassParser::close_class(const LongClass& c) {
  if (!c.name.is_valid()) return close_nameless_class();
  const std::string_view name = cursor_.symbols().text(c.name.symbol);
  if (cursor_.at_end())
    return cursor_.error(fmt::format("class `{}` has no `end {}`", name, name), c.name.range, {});
  const Token found = cursor_.peek(1);
  const bool is_name = found.kind == TokenKind::kIdent || cursor_.text(found) == name;
  if (is_name && cursor_.text(found) != name && found.symbol != c.name.symbol) {
    const bool is_outer = std::find(open_.begin(), open_.end(), found.symbol) != open_.end();
    Diagnostic* d = cursor_.error(
        is_outer ? fmt::format("`end {}` is missing", name)
                 : fmt::format("`end {}` does not match `{}`", cursor_.text(found), name),
        {c.range.source, cursor_.begin(), found.end});
    if (d != nullptr) d->notes.push_back({fmt::format("`{}` begins here", name), c.name.range});
    if (is_outer) return;
  }
  cursor_.next();
  if (is_name)
    cursor_.next();
  else
    cursor_.error(fmt::format("expected `{}` after `end`", name), cursor_.gap(), {});
}

// That the name is missing has been said; no name is missed behind `end`.
void ClassParser::close_nameless_class() {
  if (cursor_.at_end()) return;
  const Token found = cursor_.peek(1);
  if (std::find(open_.begin(), open_.end(), found.symbol) != open_.end()) return;
  cursor_.next();
  cursor_.accept(TokenKind::kIdent);
}

// ---- Sections ----

Task<Section> ClassParser::section() {
  Section s;
  s.range = cursor_.range();
  const bool is_initial = cursor_.accept(TokenKind::kInitial);
  switch (cursor_.next().kind) {
    case TokenKind::kPublic: s.kind = SectionKind::kPublic; break;
    case TokenKind::kProtected: s.kind = SectionKind::kProtected; break;
    case TokenKind::kEquation:
      s.kind = is_initial ? SectionKind::kInitialEquation : SectionKind::kEquation;
      s.equations = co_await equations_.equations();
      break;
    default:
      s.kind = is_initial ? SectionKind::kInitialAlgorithm : SectionKind::kAlgorithm;
      s.statements = co_await equations_.statements();
  }
  co_return s;
}

// Equations without `equation`: one message, and they are read as such.
Task<Section> ClassParser::implied_section(ClassKind kind) {
  const bool is_function = kind == ClassKind::kFunction || kind == ClassKind::kOperatorFunction;
  const char* keyword = is_function ? "algorithm" : "equation";
  cursor_.error(is_function ? "a statement cannot stand among declarations"
                            : "an equation cannot stand among declarations",
                cursor_.range(), {}, fmt::format("begin a section with `{}`", keyword));
  Section s;
  s.range = cursor_.range();
  s.kind = is_function ? SectionKind::kAlgorithm : SectionKind::kEquation;
  if (is_function)
    s.statements = co_await equations_.statements();
  else
    s.equations = co_await equations_.equations();
  co_return s;
}

// The token behind the `]` that closes the `[` at `i`, or the `;` or end of the file before it.
std::size_t ClassParser::behind_brackets(std::size_t i) const {
  std::size_t depth = 0;
  do {
    const TokenKind kind = cursor_.kind(i);
    if (kind == TokenKind::kSemicolon || kind == TokenKind::kEndOfFile) return i;
    if (kind == TokenKind::kLeftBracket) ++depth;
    if (kind == TokenKind::kRightBracket) --depth;
    ++i;
  } while (depth > 0);
  return i;
}

// Whether an equation begins here, where a declaration would: `x = 1`, `f(x)`, `der(x) = 2`.
bool ClassParser::at_equation() const {
  switch (cursor_.kind()) {
    case TokenKind::kDer:
    case TokenKind::kConnect:
    case TokenKind::kIf:
    case TokenKind::kFor:
    case TokenKind::kWhen:
    case TokenKind::kWhile:
    case TokenKind::kLeftParen:
    case TokenKind::kInteger:
    case TokenKind::kReal:
    case TokenKind::kMinus: return true;
    case TokenKind::kIdent: break;
    default: return false;
  }
  std::size_t i = 1;
  while (cursor_.kind(i) == TokenKind::kDot && cursor_.kind(i + 1) == TokenKind::kIdent) i += 2;
  if (cursor_.kind(i) == TokenKind::kLeftBracket) i = behind_brackets(i);
  switch (cursor_.kind(i)) {
    case TokenKind::kEquals:
    case TokenKind::kAssign:
    case TokenKind::kLeftParen:
    case TokenKind::kPlus:
    case TokenKind::kMinus:
    case TokenKind::kStar:
    case TokenKind::kSlash:
    case TokenKind::kCaret:
    case TokenKind::kEqualEqual: return true;
    default: return false;
  }
}

Task<const Modification*> ClassParser::class_annotation() {
  const SourceRange place = cursor_.range();
  const Modification* annotation = co_await declarations_.annotation();
  cursor_.expect_semicolon("the annotation");
  if (!at_class_end())
    cursor_.warning("annotation-order", "the annotation of a class belongs to its end", place,
                    "move it in front of the `end` of the class");
  co_return annotation;
}

// external "C" y = f(x) annotation(...);
Task<const External*> ClassParser::external() {
  auto* e = cursor_.make<External>(cursor_.next().begin);
  if (cursor_.at(TokenKind::kString)) e->language = expressions_.string();
  if (!cursor_.at(TokenKind::kSemicolon) && !cursor_.at(TokenKind::kAnnotation)) {
    const Expr* call = expressions_.expression();
    if (cursor_.accept(TokenKind::kEquals)) {
      e->output = find<ReferenceExpr>(call);
      if (e->output == nullptr) cursor_.error("only a variable can take the result", call->range);
      call = expressions_.expression();
    }
    const auto* found = find<CallExpr>(call);
    if (found != nullptr && found->named.empty() && found->function->parts.size() == 1) {
      e->function = found->function->parts[0].name;
      e->arguments = found->arguments;
    } else if (call->kind != ExprKind::kError) {
      cursor_.error("expected the call of an external function, such as `f(x, y)`", call->range);
    }
  }
  e->range = cursor_.range_from(e->range.begin);
  if (cursor_.at(TokenKind::kAnnotation)) e->annotation = co_await declarations_.annotation();
  cursor_.expect_semicolon("`external`");
  co_return e;
}

// ---- Elements ----

Task<Element*> ClassParser::element() {
  const std::uint32_t begin = cursor_.begin();
  Element* e = co_await unfinished_element(begin);
  if (e == nullptr) {
    cursor_.skip_unit();
    co_return nullptr;
  }
  e->range = cursor_.range_from(begin);
  cursor_.expect_semicolon("this declaration");
  co_return e;
}

// An element without its `;`; null if its beginning cannot be read.
Task<Element*> ClassParser::unfinished_element(std::uint32_t begin) {
  if (cursor_.at(TokenKind::kImport)) co_return co_await import_clause();
  if (cursor_.at(TokenKind::kExtends)) co_return co_await extends_clause();
  const ElementPrefix prefix = declarations_.element_prefix();
  if (prefix.is_each) cursor_.error("`each` belongs in a modification", cursor_.range_from(begin));
  Element* e = nullptr;
  if (declarations_.at_class_prefix()) {
    declarations_.check_before_class(prefix, begin);
    const ClassDefinition* definition = co_await class_definition();
    auto* class_element = cursor_.make<ClassElement>(begin);
    class_element->definition = definition;
    e = class_element;
  } else {
    e = co_await declarations_.components(prefix, begin, /*is_argument=*/false);
  }
  if (e == nullptr) co_return nullptr;
  set_prefix(*e, prefix);
  if (!cursor_.at(TokenKind::kConstrainedby)) co_return e;
  if (!prefix.is_replaceable) cursor_.error("`constrainedby` needs `replaceable` in front");
  e->constraint = co_await declarations_.constraint(/*has_comment=*/true);
  co_return e;
}

Task<Element*> ClassParser::extends_clause() {
  auto* e = cursor_.make<ExtendsElement>(cursor_.next().begin);
  e->base = cursor_.expect_name("the name of a class");
  if (e->base.parts.empty()) co_return nullptr;
  if (cursor_.at(TokenKind::kLeftParen))
    e->modification = co_await declarations_.modification(ModificationPlace::kExtends);
  if (cursor_.at(TokenKind::kAnnotation)) e->annotation = co_await declarations_.annotation();
  co_return e;
}

Task<Element*> ClassParser::import_clause() {
  auto* e = cursor_.make<ImportElement>(cursor_.next().begin);
  if (cursor_.kind(1) == TokenKind::kEquals) {
    e->alias = cursor_.expect_ident("a short name");
    cursor_.next();
  }
  e->name = cursor_.expect_name("the name of a package", NameForm::kLocal);
  if (e->name.parts.empty()) co_return nullptr;
  import_members(*e);
  e->comment.description = declarations_.description();
  if (cursor_.at(TokenKind::kAnnotation))
    e->comment.annotation = co_await declarations_.annotation();
  co_return e;
}

// `.*` or `.{a, b}` behind the package.
void ClassParser::import_members(ImportElement& e) {
  if (cursor_.accept(TokenKind::kDotStar)) {
    e.is_all = true;
  } else if (cursor_.accept(TokenKind::kDot)) {
    if (cursor_.accept(TokenKind::kStar)) {
      e.is_all = true;
      return;
    }
    cursor_.expect(TokenKind::kLeftBrace);
    std::vector<Ident> members;
    do members.push_back(cursor_.expect_ident("the name of a member"));
    while (members.back().is_valid() && cursor_.accept(TokenKind::kComma));
    if (!members.back().is_valid()) members.pop_back();
    cursor_.expect(TokenKind::kRightBrace);
    e.members = cursor_.list<Ident>(members);
  }
}

}  // namespace hydae::syntax
