// Printing of all that is not an expression.
#include "syntax/writer.h"

namespace hydae::syntax {
namespace {

const char* keyword(Connection connection) {
  switch (connection) {
    case Connection::kNone: return "";
    case Connection::kFlow: return "flow ";
    case Connection::kStream: return "stream ";
  }
  return "";
}

const char* keyword(Variability variability) {
  switch (variability) {
    case Variability::kNone: return "";
    case Variability::kDiscrete: return "discrete ";
    case Variability::kParameter: return "parameter ";
    case Variability::kConstant: return "constant ";
  }
  return "";
}

const char* keyword(Causality causality) {
  switch (causality) {
    case Causality::kNone: return "";
    case Causality::kInput: return "input ";
    case Causality::kOutput: return "output ";
  }
  return "";
}

const char* keyword(Purity purity) {
  switch (purity) {
    case Purity::kNone: return "";
    case Purity::kPure: return "pure ";
    case Purity::kImpure: return "impure ";
  }
  return "";
}

const char* keyword(ClassKind kind) {
  switch (kind) {
    case ClassKind::kClass: return "class ";
    case ClassKind::kModel: return "model ";
    case ClassKind::kRecord: return "record ";
    case ClassKind::kOperatorRecord: return "operator record ";
    case ClassKind::kBlock: return "block ";
    case ClassKind::kConnector: return "connector ";
    case ClassKind::kExpandableConnector: return "expandable connector ";
    case ClassKind::kType: return "type ";
    case ClassKind::kPackage: return "package ";
    case ClassKind::kFunction: return "function ";
    case ClassKind::kOperatorFunction: return "operator function ";
    case ClassKind::kOperator: return "operator ";
  }
  return "";
}

const char* keyword(SectionKind kind) {
  switch (kind) {
    case SectionKind::kElements: return "";
    case SectionKind::kPublic: return "public";
    case SectionKind::kProtected: return "protected";
    case SectionKind::kEquation: return "equation";
    case SectionKind::kInitialEquation: return "initial equation";
    case SectionKind::kAlgorithm: return "algorithm";
    case SectionKind::kInitialAlgorithm: return "initial algorithm";
  }
  return "";
}

void expand(Pieces& to, const ImportElement& e);
void expand(Pieces& to, const ExtendsElement& e);
void expand(Pieces& to, const ComponentElement& e);
void expand(Pieces& to, const Section& section);
void expand(Pieces& to, const External& external);

template <class Node>
void put_units(Pieces& to, List<const Node*> units) {
  to.put(kIndent);
  for (const Node* unit : units) to.put(kLine, unit, ";");
  to.put(kDedent);
}

template <class Node>
void put_branches(Pieces& to, const char* first, const char* further, List<Branch<Node>> branches) {
  for (const Branch<Node>& branch : branches) {
    const bool is_first = &branch == branches.begin();
    if (!is_first) to.put(kLine);
    if (branch.condition != nullptr)
      to.put(is_first ? first : further, " ", branch.condition, " then");
    else
      to.put("else");
    put_units(to, branch.body);
  }
  to.put(kLine, "end ", first);
}

template <class Node>
void put_loop(Pieces& to, List<Iterator> iterators, List<const Node*> body) {
  to.put("for ");
  put_iterators(to, iterators);
  to.put(" loop");
  put_units(to, body);
  to.put(kLine, "end for");
}

void put_description(Pieces& to, List<const StringExpr*> strings) {
  for (const StringExpr* const& string : strings)
    to.put(&string == strings.begin() ? " " : " + ", string);
}

void put_comment(Pieces& to, const Comment& comment) {
  put_description(to, comment.description);
  if (comment.annotation != nullptr) to.put(" annotation", comment.annotation);
}

void put_modification(Pieces& to, const Modification* modification) {
  if (modification != nullptr) to.put(modification);
}

void expand(Pieces& to, const ModifyArgument& a) {
  to.put_if(a.is_each, "each ");
  to.put_if(a.is_final, "final ");
  to.put_name(a.name);
  put_modification(to, a.modification);
  put_description(to, a.description);
}

void expand_declaration(Pieces& to, const Element& e) {
  switch (e.kind) {
    case ElementKind::kImport: return expand(to, as<ImportElement>(e));
    case ElementKind::kExtends: return expand(to, as<ExtendsElement>(e));
    case ElementKind::kClass: to.put(as<ClassElement>(e).definition); break;
    case ElementKind::kComponent: expand(to, as<ComponentElement>(e)); break;
  }
  if (e.constraint == nullptr) return;
  to.put(" constrainedby ");
  to.put_name(e.constraint->type);
  put_modification(to, e.constraint->modification);
  put_comment(to, e.constraint->comment);
}

void expand(Pieces& to, const ImportElement& e) {
  to.put("import ");
  if (e.alias.is_valid()) {
    to.put_ident(e.alias);
    to.put(" = ");
  }
  to.put_name(e.name);
  to.put_if(e.is_all, ".*");
  for (const Ident& member : e.members) {
    to.put(&member == e.members.begin() ? ".{" : ", ");
    to.put_ident(member);
  }
  to.put_if(!e.members.empty(), "}");
  put_comment(to, e.comment);
}

void expand(Pieces& to, const ExtendsElement& e) {
  to.put("extends ");
  to.put_name(e.base);
  put_modification(to, e.modification);
  if (e.annotation != nullptr) to.put(" annotation", e.annotation);
}

void expand(Pieces& to, const ComponentElement& e) {
  to.put(keyword(e.connection), keyword(e.variability), keyword(e.causality));
  to.put_name(e.type);
  put_subscripts(to, e.type_subscripts);
  for (const ComponentDeclaration& d : e.declarations) {
    to.put(&d == e.declarations.begin() ? " " : ", ");
    to.put_ident(d.name);
    put_subscripts(to, d.subscripts);
    put_modification(to, d.modification);
    if (d.condition != nullptr) to.put(" if ", d.condition);
    put_comment(to, d.comment);
  }
}

void expand(Pieces& to, const LongClass& c) {
  to.put_if(c.is_extends, "extends ");
  to.put_ident(c.name);
  put_modification(to, c.modification);
  put_description(to, c.comment.description);
  for (const Section& section : c.sections) expand(to, section);
  if (c.external != nullptr) expand(to, *c.external);
  if (c.comment.annotation != nullptr)
    to.put(kIndent, kLine, "annotation", c.comment.annotation, ";", kDedent);
  to.put(kLine, "end ");
  to.put_ident(c.name);
}

void expand(Pieces& to, const Section& section) {
  if (section.kind != SectionKind::kElements) to.put(kLine, keyword(section.kind));
  put_units(to, section.elements);
  put_units(to, section.equations);
  put_units(to, section.statements);
}

void expand(Pieces& to, const External& external) {
  to.put(kLine, "external");
  if (external.language != nullptr) to.put(" ", external.language);
  if (external.output != nullptr) to.put(" ", external.output, " =");
  if (external.function.is_valid()) {
    to.put(" ");
    to.put_ident(external.function);
    to.put("(");
    put_list(to, external.arguments);
    to.put(")");
  }
  if (external.annotation != nullptr) to.put(" annotation", external.annotation);
  to.put(";");
}

void expand(Pieces& to, const ShortClass& c) {
  to.put(keyword(c.base_prefix));
  to.put_name(c.base);
  put_subscripts(to, c.subscripts);
  put_modification(to, c.modification);
}

void expand(Pieces& to, const EnumerationClass& c) {
  to.put(c.is_open ? "enumeration(:" : "enumeration(");
  for (const EnumerationLiteral& literal : c.literals) {
    to.put_if(&literal != c.literals.begin(), ", ");
    to.put_ident(literal.name);
    put_comment(to, literal.comment);
  }
  to.put(")");
}

void expand(Pieces& to, const DerivativeClass& c) {
  to.put("der(");
  to.put_name(c.function);
  for (const Ident& variable : c.variables) {
    to.put(", ");
    to.put_ident(variable);
  }
  to.put(")");
}

}  // namespace

void expand(Pieces& to, const Modification& m) {
  if (m.has_arguments) {
    to.put("(");
    for (const Argument* const& argument : m.arguments)
      to.put(&argument == m.arguments.begin() ? "" : ", ", argument);
    to.put(")");
  }
  if (m.is_break) to.put(" = break");
  if (m.value != nullptr) to.put(" = ", m.value);
}

void expand(Pieces& to, const Argument& a) {
  switch (a.kind) {
    case ArgumentKind::kModify: return expand(to, as<ModifyArgument>(a));
    case ArgumentKind::kRedeclare: {
      const Element& element = *as<RedeclareArgument>(a).element;
      to.put_if(element.is_redeclare, "redeclare ");
      to.put_if(a.is_each, "each ");
      to.put_if(a.is_final, "final ");
      to.put_if(element.is_replaceable, "replaceable ");
      return expand_declaration(to, element);
    }
    case ArgumentKind::kBreakElement:
      to.put("break ");
      return to.put_ident(as<BreakElementArgument>(a).name);
    case ArgumentKind::kBreakConnect: {
      const auto& connect = as<BreakConnectArgument>(a);
      return to.put("break connect(", connect.left, ", ", connect.right, ")");
    }
  }
}

void expand(Pieces& to, const Element& e) {
  to.put_if(e.is_redeclare, "redeclare ");
  to.put_if(e.is_final, "final ");
  to.put_if(e.is_inner, "inner ");
  to.put_if(e.is_outer, "outer ");
  to.put_if(e.is_replaceable, "replaceable ");
  expand_declaration(to, e);
}

void expand(Pieces& to, const Equation& e) {
  switch (e.kind) {
    case EquationKind::kEqual: {
      const auto& equal = as<EqualEquation>(e);
      to.put(equal.left, " = ", equal.right);
      break;
    }
    case EquationKind::kIf: put_branches(to, "if", "elseif", as<IfEquation>(e).branches); break;
    case EquationKind::kWhen:
      put_branches(to, "when", "elsewhen", as<WhenEquation>(e).branches);
      break;
    case EquationKind::kFor:
      put_loop(to, as<ForEquation>(e).iterators, as<ForEquation>(e).body);
      break;
    case EquationKind::kConnect: {
      const auto& connect = as<ConnectEquation>(e);
      to.put("connect(", connect.left, ", ", connect.right, ")");
      break;
    }
    case EquationKind::kCall: to.put(as<CallEquation>(e).call); break;
  }
  put_comment(to, e.comment);
}

void expand(Pieces& to, const Statement& s) {
  switch (s.kind) {
    case StatementKind::kAssign: {
      const auto& assign = as<AssignStatement>(s);
      to.put(assign.target, " := ", assign.value);
      break;
    }
    case StatementKind::kAssignCall: {
      const auto& assign = as<AssignCallStatement>(s);
      to.put("(");
      for (const Expr* const& target : assign.targets) {
        to.put_if(&target != assign.targets.begin(), ", ");
        if (target != nullptr) expand_operands(to, *target);
      }
      to.put(") := ", assign.call);
      break;
    }
    case StatementKind::kCall: to.put(as<CallStatement>(s).call); break;
    case StatementKind::kIf: put_branches(to, "if", "elseif", as<IfStatement>(s).branches); break;
    case StatementKind::kWhen:
      put_branches(to, "when", "elsewhen", as<WhenStatement>(s).branches);
      break;
    case StatementKind::kFor:
      put_loop(to, as<ForStatement>(s).iterators, as<ForStatement>(s).body);
      break;
    case StatementKind::kWhile: {
      const auto& loop = as<WhileStatement>(s);
      to.put("while ", loop.condition, " loop");
      put_units(to, loop.body);
      to.put(kLine, "end while");
      break;
    }
    case StatementKind::kBreak: to.put("break"); break;
    case StatementKind::kReturn: to.put("return"); break;
  }
  put_comment(to, s.comment);
}

void expand(Pieces& to, const ClassDefinition& c) {
  to.put_if(c.is_encapsulated, "encapsulated ");
  to.put_if(c.is_partial, "partial ");
  to.put(keyword(c.purity), keyword(c.class_kind));
  if (c.kind == ClassForm::kLong) return expand(to, as<LongClass>(c));
  to.put_ident(c.name);
  to.put(" = ");
  switch (c.kind) {
    case ClassForm::kLong: break;
    case ClassForm::kShort: expand(to, as<ShortClass>(c)); break;
    case ClassForm::kEnumeration: expand(to, as<EnumerationClass>(c)); break;
    case ClassForm::kDerivative: expand(to, as<DerivativeClass>(c)); break;
  }
  put_comment(to, c.comment);
}

}  // namespace hydae::syntax
