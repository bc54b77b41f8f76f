// The syntax tree of one file (Modelica 3.6, appendix A.2): classes, elements, modifications,
// equations, statements. Expressions are in expression.h.
//
// Where a thing has several forms, a base struct carries the kind and `as<T>(node)` or
// `find<T>(&node)` gives the form. Nodes are plain structs in the arena of their SyntaxFile, made
// once by the parser and never changed; pointers to them are valid as long as the file. A pointer
// is null, an Ident invalid and a List empty where the text has nothing.
//
// A class, equation or statement can be nested to any depth: do not recurse over them.
#pragma once

#include <cstdint>
#include <string>

#include <hydae/diagnostic.h>
#include <hydae/source.h>

#include "syntax/expression.h"

namespace hydae::syntax {

struct Modification;

// What may stand behind a declaration, equation or statement: "text" + "text" annotation(...).
struct Comment {
  List<const StringExpr*> description;
  const Modification* annotation = nullptr;
};

// The strings of a description joined, escapes undone.
std::string description_text(const Comment& comment);

// ---- Modifications (A.2.5) ----

struct Argument;

// `(arguments) = value`, `= value`, `= break`; also the arguments of an annotation.
struct Modification {
  SourceRange range;
  bool has_arguments = false;  // parentheses are there, if only `()`
  bool is_break = false;       // `= break`: removes the value (7.2.7)
  List<const Argument*> arguments;
  const Expr* value = nullptr;
};

enum class ArgumentKind : std::uint8_t {
  kModify,        // name(modification) = value "description"
  kRedeclare,     // redeclare or replaceable, with a class or component
  kBreakElement,  // break name
  kBreakConnect,  // break connect(a, b)
};

struct Argument {
  SourceRange range;
  ArgumentKind kind;
  bool is_each = false;
  bool is_final = false;

 protected:
  explicit Argument(ArgumentKind argument_kind) : kind(argument_kind) {}
};

template <ArgumentKind K>
struct ArgumentOf : Argument {
  static constexpr ArgumentKind kKind = K;
  ArgumentOf() : Argument(K) {}
};

struct ModifyArgument : ArgumentOf<ArgumentKind::kModify> {
  Name name;                                   // `x.y.start = 1` is not nested here
  const Modification* modification = nullptr;  // may be null: `annotation(Dialog)`
  List<const StringExpr*> description;
};

struct Element;

struct RedeclareArgument : ArgumentOf<ArgumentKind::kRedeclare> {
  const Element* element = nullptr;  // a ClassElement with a short class, or a ComponentElement
                                     // with one declaration
};

struct BreakElementArgument : ArgumentOf<ArgumentKind::kBreakElement> {
  Ident name;
};

struct BreakConnectArgument : ArgumentOf<ArgumentKind::kBreakConnect> {
  const ReferenceExpr* left = nullptr;
  const ReferenceExpr* right = nullptr;
};

// ---- Elements (A.2.2 - A.2.4) ----

enum class Visibility : std::uint8_t { kPublic, kProtected };
enum class Variability : std::uint8_t { kNone, kDiscrete, kParameter, kConstant };
enum class Causality : std::uint8_t { kNone, kInput, kOutput };
enum class Connection : std::uint8_t { kNone, kFlow, kStream };

// `constrainedby type(modification) comment`
struct Constraint {
  SourceRange range;
  Name type;
  const Modification* modification = nullptr;
  Comment comment;
};

enum class ElementKind : std::uint8_t { kImport, kExtends, kClass, kComponent };

// The flags are those written. `each`, possible in a modification only, is on the argument.
struct Element {
  SourceRange range;
  ElementKind kind;
  Visibility visibility = Visibility::kPublic;
  bool is_redeclare = false;
  bool is_final = false;
  bool is_inner = false;
  bool is_outer = false;
  bool is_replaceable = false;
  const Constraint* constraint = nullptr;

 protected:
  explicit Element(ElementKind element_kind) : kind(element_kind) {}
};

template <ElementKind K>
struct ElementOf : Element {
  static constexpr ElementKind kKind = K;
  ElementOf() : Element(K) {}
};

// import A.B.C;   import D = A.B.C;   import A.B.*;   import A.B.{C, D};
struct ImportElement : ElementOf<ElementKind::kImport> {
  Ident alias;  // D
  Name name;
  bool is_all = false;  // .*
  List<Ident> members;  // {C, D}
  Comment comment;
};

struct ExtendsElement : ElementOf<ElementKind::kExtends> {
  Name base;
  const Modification* modification = nullptr;  // may hold `break` arguments
  const Modification* annotation = nullptr;
};

struct ClassDefinition;

struct ClassElement : ElementOf<ElementKind::kClass> {
  const ClassDefinition* definition = nullptr;
};

struct ComponentDeclaration {
  SourceRange range;
  Ident name;
  List<const Expr*> subscripts;
  const Modification* modification = nullptr;  // with the binding `= value`
  const Expr* condition = nullptr;             // if condition
  Comment comment;
};

// `flow parameter input Real[3] a, b[2] = x;`: the dimensions of `b` are [2, 3] (10.1).
struct ComponentElement : ElementOf<ElementKind::kComponent> {
  Connection connection = Connection::kNone;
  Variability variability = Variability::kNone;
  Causality causality = Causality::kNone;
  Name type;
  List<const Expr*> type_subscripts;
  List<ComponentDeclaration> declarations;
};

// ---- Equations and statements (A.2.6) ----

// One arm of an if or when. The last arm of an if has no condition if it is the `else`.
template <class Node>
struct Branch {
  SourceRange range;  // of its keyword
  const Expr* condition = nullptr;
  List<const Node*> body;
};

enum class EquationKind : std::uint8_t { kEqual, kIf, kFor, kWhen, kConnect, kCall };

struct Equation {
  SourceRange range;  // without the comment
  EquationKind kind;
  Comment comment;

 protected:
  explicit Equation(EquationKind equation_kind) : kind(equation_kind) {}
};

template <EquationKind K>
struct EquationOf : Equation {
  static constexpr EquationKind kKind = K;
  EquationOf() : Equation(K) {}
};

struct EqualEquation : EquationOf<EquationKind::kEqual> {
  const Expr* left = nullptr;
  const Expr* right = nullptr;
};

struct IfEquation : EquationOf<EquationKind::kIf> {
  List<Branch<Equation>> branches;
};

struct WhenEquation : EquationOf<EquationKind::kWhen> {
  List<Branch<Equation>> branches;
};

struct ForEquation : EquationOf<EquationKind::kFor> {
  List<Iterator> iterators;
  List<const Equation*> body;
};

struct ConnectEquation : EquationOf<EquationKind::kConnect> {
  const ReferenceExpr* left = nullptr;
  const ReferenceExpr* right = nullptr;
};

// assert, terminate, reinit, Connections.branch, ...
struct CallEquation : EquationOf<EquationKind::kCall> {
  const CallExpr* call = nullptr;
};

enum class StatementKind : std::uint8_t {
  kAssign,
  kAssignCall,
  kCall,
  kIf,
  kFor,
  kWhile,
  kWhen,
  kBreak,
  kReturn,
};

struct Statement {
  SourceRange range;  // without the comment
  StatementKind kind;
  Comment comment;

 protected:
  explicit Statement(StatementKind statement_kind) : kind(statement_kind) {}
};

template <StatementKind K>
struct StatementOf : Statement {
  static constexpr StatementKind kKind = K;
  StatementOf() : Statement(K) {}
};

// x := value
struct AssignStatement : StatementOf<StatementKind::kAssign> {
  const ReferenceExpr* target = nullptr;
  const Expr* value = nullptr;
};

// (a, , c) := f(x)
struct AssignCallStatement : StatementOf<StatementKind::kAssignCall> {
  List<const Expr*> targets;  // references; null where left out
  const CallExpr* call = nullptr;
};

struct CallStatement : StatementOf<StatementKind::kCall> {
  const CallExpr* call = nullptr;
};

struct IfStatement : StatementOf<StatementKind::kIf> {
  List<Branch<Statement>> branches;
};

struct WhenStatement : StatementOf<StatementKind::kWhen> {
  List<Branch<Statement>> branches;
};

struct ForStatement : StatementOf<StatementKind::kFor> {
  List<Iterator> iterators;
  List<const Statement*> body;
};

struct WhileStatement : StatementOf<StatementKind::kWhile> {
  const Expr* condition = nullptr;
  List<const Statement*> body;
};

struct BreakStatement : StatementOf<StatementKind::kBreak> {};
struct ReturnStatement : StatementOf<StatementKind::kReturn> {};

// ---- Classes (A.2.2) ----

enum class ClassKind : std::uint8_t {
  kClass,
  kModel,
  kRecord,
  kOperatorRecord,
  kBlock,
  kConnector,
  kExpandableConnector,
  kType,
  kPackage,
  kFunction,
  kOperatorFunction,
  kOperator,
};

enum class Purity : std::uint8_t { kNone, kPure, kImpure };

enum class ClassForm : std::uint8_t {
  kLong,         // model A ... end A; model extends A(...) ... end A
  kShort,        // model A = B(...)
  kEnumeration,  // type A = enumeration(...)
  kDerivative,   // function A = der(f, x, y)
};

struct ClassDefinition {
  SourceRange range;
  ClassForm kind;
  ClassKind class_kind = ClassKind::kClass;
  Purity purity = Purity::kNone;
  bool is_final = false;  // only of a class at the top of a file; else its element's flag
  bool is_encapsulated = false;
  bool is_partial = false;
  Ident name;
  Comment comment;

 protected:
  explicit ClassDefinition(ClassForm form) : kind(form) {}
};

template <ClassForm K>
struct ClassDefinitionOf : ClassDefinition {
  static constexpr ClassForm kKind = K;
  ClassDefinitionOf() : ClassDefinition(K) {}
};

enum class SectionKind : std::uint8_t {
  kElements,  // before any `public` or `protected`
  kPublic,
  kProtected,
  kEquation,
  kInitialEquation,
  kAlgorithm,
  kInitialAlgorithm,
};

struct Section {
  SourceRange range;  // of its keyword
  SectionKind kind = SectionKind::kElements;
  List<const Element*> elements;
  List<const Equation*> equations;
  List<const Statement*> statements;
};

// external "C" y = f(x, size(x, 1)) annotation(...);
struct External {
  SourceRange range;
  const StringExpr* language = nullptr;
  const ReferenceExpr* output = nullptr;
  Ident function;  // not valid without a call
  List<const Expr*> arguments;
  const Modification* annotation = nullptr;
};

struct LongClass : ClassDefinitionOf<ClassForm::kLong> {
  bool is_extends = false;                     // model extends name(modification)
  const Modification* modification = nullptr;  // only if is_extends
  List<const Element*> elements;               // of all sections, in order
  List<Section> sections;                      // in order; the first only if it has elements
  const External* external = nullptr;
};

struct ShortClass : ClassDefinitionOf<ClassForm::kShort> {
  Causality base_prefix = Causality::kNone;
  Name base;
  List<const Expr*> subscripts;
  const Modification* modification = nullptr;
};

struct EnumerationLiteral {
  Ident name;
  Comment comment;
};

struct EnumerationClass : ClassDefinitionOf<ClassForm::kEnumeration> {
  bool is_open = false;  // enumeration(:)
  List<EnumerationLiteral> literals;
};

struct DerivativeClass : ClassDefinitionOf<ClassForm::kDerivative> {
  Name function;
  List<Ident> variables;
};

// ---- The file (A.2.1) ----

struct SyntaxFile {
  SourceId source;
  bool has_within = false;
  Name within;  // without parts for `within;`
  List<const ClassDefinition*> classes;
  Diagnostics diagnostics;  // after errors, the tree holds what could be read
  Arena arena;              // owns all nodes
};

}  // namespace hydae::syntax
