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

}  // namespace

// ---- Comments and modifications ----

void Writer::put_description(List<const StringExpr*> strings) {
  for (const StringExpr* const& string : strings)
    put(&string == strings.begin() ? " " : " + ", string);
}

void Writer::put_comment(const Comment& comment) {
  put_description(comment.description);
  if (comment.annotation != nullptr) put(" annotation", comment.annotation);
}

void Writer::put_modification(const Modification* modification) {
  if (modification != nullptr) put(modification);
}

void Writer::expand(const Modification& m) {
  if (m.has_arguments) {
    put("(");
    for (const Argument* const& argument : m.arguments)
      put(&argument == m.arguments.begin() ? "" : ", ", argument);
    put(")");
  }
  if (m.is_break) put(" = break");
  if (m.value != nullptr) put(" = ", m.value);
}

void Writer::expand(const Argument& a) {
  switch (a.kind) {
    case ArgumentKind::kModify: return expand(as<ModifyArgument>(a));
    case ArgumentKind::kRedeclare: {
      const Element& element = *as<RedeclareArgument>(a).element;
      put_if(element.is_redeclare, "redeclare ");
      put_if(a.is_each, "each ");
      put_if(a.is_final, "final ");
      put_if(element.is_replaceable, "replaceable ");
      return expand_declaration(element);
    }
    case ArgumentKind::kBreakElement:
      put("break ");
      return put_ident(as<BreakElementArgument>(a).name);
    case ArgumentKind::kBreakConnect: {
      const auto& connect = as<BreakConnectArgument>(a);
      return put("break connect(", connect.left, ", ", connect.right, ")");
    }
  }
}

void Writer::expand(const ModifyArgument& a) {
  put_if(a.is_each, "each ");
  put_if(a.is_final, "final ");
  put_name(a.name);
  put_modification(a.modification);
  put_description(a.description);
}

// ---- Elements ----

void Writer::expand(const Element& e) {
  put_if(e.is_redeclare, "redeclare ");
  put_if(e.is_final, "final ");
  put_if(e.is_inner, "inner ");
  put_if(e.is_outer, "outer ");
  put_if(e.is_replaceable, "replaceable ");
  expand_declaration(e);
}

void Writer::expand_declaration(const Element& e) {
  switch (e.kind) {
    case ElementKind::kImport: return expand(as<ImportElement>(e));
    case ElementKind::kExtends: return expand(as<ExtendsElement>(e));
    case ElementKind::kClass: put(as<ClassElement>(e).definition); break;
    case ElementKind::kComponent: expand(as<ComponentElement>(e)); break;
  }
  if (e.constraint == nullptr) return;
  put(" constrainedby ");
  put_name(e.constraint->type);
  put_modification(e.constraint->modification);
  put_comment(e.constraint->comment);
}

void Writer::expand(const ImportElement& e) {
  put("import ");
  if (e.alias.is_valid()) {
    put_ident(e.alias);
    put(" = ");
  }
  put_name(e.name);
  put_if(e.is_all, ".*");
  for (const Ident& member : e.members) {
    put(&member == e.members.begin() ? ".{" : ", ");
    put_ident(member);
  }
  put_if(!e.members.empty(), "}");
  put_comment(e.comment);
}

void Writer::expand(const ExtendsElement& e) {
  put("extends ");
  put_name(e.base);
  put_modification(e.modification);
  if (e.annotation != nullptr) put(" annotation", e.annotation);
}

void Writer::expand(const ComponentElement& e) {
  put(keyword(e.connection), keyword(e.variability), keyword(e.causality));
  put_name(e.type);
  put_subscripts(e.type_subscripts);
  for (const ComponentDeclaration& d : e.declarations) {
    put(&d == e.declarations.begin() ? " " : ", ");
    put_ident(d.name);
    put_subscripts(d.subscripts);
    put_modification(d.modification);
    if (d.condition != nullptr) put(" if ", d.condition);
    put_comment(d.comment);
  }
}

// ---- Equations and statements ----

template <class Node>
void Writer::put_units(List<const Node*> units) {
  put(kIndent);
  for (const Node* unit : units) put(kLine, unit, ";");
  put(kDedent);
}

template <class Node>
void Writer::put_branches(const char* first, const char* further, List<Branch<Node>> branches) {
  for (const Branch<Node>& branch : branches) {
    const bool is_first = &branch == branches.begin();
    if (!is_first) put(kLine);
    if (branch.condition != nullptr)
      put(is_first ? first : further, " ", branch.condition, " then");
    else
      put("else");
    put_units(branch.body);
  }
  put(kLine, "end ", first);
}

template <class Node>
void Writer::put_loop(List<Iterator> iterators, List<const Node*> body) {
  put("for ");
  put_iterators(iterators);
  put(" loop");
  put_units(body);
  put(kLine, "end for");
}

void Writer::expand(const Equation& e) {
  switch (e.kind) {
    case EquationKind::kEqual: {
      const auto& equal = as<EqualEquation>(e);
      put(equal.left, " = ", equal.right);
      break;
    }
    case EquationKind::kIf: put_branches("if", "elseif", as<IfEquation>(e).branches); break;
    case EquationKind::kWhen: put_branches("when", "elsewhen", as<WhenEquation>(e).branches); break;
    case EquationKind::kFor: put_loop(as<ForEquation>(e).iterators, as<ForEquation>(e).body); break;
    case EquationKind::kConnect: {
      const auto& connect = as<ConnectEquation>(e);
      put("connect(", connect.left, ", ", connect.right, ")");
      break;
    }
    case EquationKind::kCall: put(as<CallEquation>(e).call); break;
  }
  put_comment(e.comment);
}

void Writer::expand(const Statement& s) {
  switch (s.kind) {
    case StatementKind::kAssign: {
      const auto& assign = as<AssignStatement>(s);
      put(assign.target, " := ", assign.value);
      break;
    }
    case StatementKind::kAssignCall: {
      const auto& assign = as<AssignCallStatement>(s);
      put("(");
      for (const Expr* const& target : assign.targets) {
        put_if(&target != assign.targets.begin(), ", ");
        if (target != nullptr) expand_operands(*target);
      }
      put(") := ", assign.call);
      break;
    }
    case StatementKind::kCall: put(as<CallStatement>(s).call); break;
    case StatementKind::kIf: put_branches("if", "elseif", as<IfStatement>(s).branches); break;
    case StatementKind::kWhen:
      put_branches("when", "elsewhen", as<WhenStatement>(s).branches);
      break;
    case StatementKind::kFor:
      put_loop(as<ForStatement>(s).iterators, as<ForStatement>(s).body);
      break;
    case StatementKind::kWhile: {
      const auto& loop = as<WhileStatement>(s);
      put("while ", loop.condition, " loop");
      put_units(loop.body);
      put(kLine, "end while");
      break;
    }
    case StatementKind::kBreak: put("break"); break;
    case StatementKind::kReturn: put("return"); break;
  }
  put_comment(s.comment);
}

// ---- Classes ----

void Writer::expand(const ClassDefinition& c) {
  put_if(c.is_encapsulated, "encapsulated ");
  put_if(c.is_partial, "partial ");
  put(keyword(c.purity), keyword(c.class_kind));
  if (c.kind == ClassForm::kLong) return expand(as<LongClass>(c));
  put_ident(c.name);
  put(" = ");
  switch (c.kind) {
    case ClassForm::kLong: break;
    case ClassForm::kShort: expand(as<ShortClass>(c)); break;
    case ClassForm::kEnumeration: expand(as<EnumerationClass>(c)); break;
    case ClassForm::kDerivative: expand(as<DerivativeClass>(c)); break;
  }
  put_comment(c.comment);
}

void Writer::expand(const LongClass& c) {
  put_if(c.is_extends, "extends ");
  put_ident(c.name);
  put_modification(c.modification);
  put_description(c.comment.description);
  for (const Section& section : c.sections) expand(section);
  if (c.external != nullptr) expand(*c.external);
  if (c.comment.annotation != nullptr)
    put(kIndent, kLine, "annotation", c.comment.annotation, ";", kDedent);
  put(kLine, "end ");
  put_ident(c.name);
}

void Writer::expand(const Section& section) {
  if (section.kind != SectionKind::kElements) put(kLine, keyword(section.kind));
  put_units(section.elements);
  put_units(section.equations);
  put_units(section.statements);
}

void Writer::expand(const External& external) {
  put(kLine, "external");
  if (external.language != nullptr) put(" ", external.language);
  if (external.output != nullptr) put(" ", external.output, " =");
  if (external.function.is_valid()) {
    put(" ");
    put_ident(external.function);
    put("(");
    put_list(external.arguments);
    put(")");
  }
  if (external.annotation != nullptr) put(" annotation", external.annotation);
  put(";");
}

void Writer::expand(const ShortClass& c) {
  put(keyword(c.base_prefix));
  put_name(c.base);
  put_subscripts(c.subscripts);
  put_modification(c.modification);
}

void Writer::expand(const EnumerationClass& c) {
  put(c.is_open ? "enumeration(:" : "enumeration(");
  for (const EnumerationLiteral& literal : c.literals) {
    put_if(&literal != c.literals.begin(), ", ");
    put_ident(literal.name);
    put_comment(literal.comment);
  }
  put(")");
}

void Writer::expand(const DerivativeClass& c) {
  put("der(");
  put_name(c.function);
  for (const Ident& variable : c.variables) {
    put(", ");
    put_ident(variable);
  }
  put(")");
}

}  // namespace hydae::syntax
