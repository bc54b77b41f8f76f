#include "modelica/classes/class_rules.h"

#include <fmt/format.h>

namespace hydae::modelica {

namespace {

using syntax::ClassKind;
using syntax::SectionKind;
using StatementList = syntax::List<const syntax::Statement*>;

bool is_function_kind(ClassKind kind) {
  return kind == ClassKind::kFunction || kind == ClassKind::kOperatorFunction;
}

// Kinds that have neither equations nor algorithms; null for the others.
const char* name_of_passive_kind(ClassKind kind) {
  switch (kind) {
    case ClassKind::kRecord:
    case ClassKind::kOperatorRecord: return "a record";
    case ClassKind::kConnector:
    case ClassKind::kExpandableConnector: return "a connector";
    case ClassKind::kPackage: return "a package";
    case ClassKind::kType: return "a type";
    case ClassKind::kOperator: return "an operator";
    default: return nullptr;
  }
}

// Kinds whose components are no part of a connector; null for the others.
const char* name_of_kind_without_flows(ClassKind kind) {
  switch (kind) {
    case ClassKind::kModel: return "a model";
    case ClassKind::kBlock: return "a block";
    case ClassKind::kPackage: return "a package";
    case ClassKind::kFunction:
    case ClassKind::kOperatorFunction: return "a function";
    default: return nullptr;
  }
}

const char* spelling(syntax::Connection connection) {
  return connection == syntax::Connection::kFlow ? "flow" : "stream";
}

class ClassRules {
 public:
  ClassRules(const Workspace& workspace, const ClassDef& cls, Diagnostics& diagnostics)
      : workspace_(workspace),
        cls_(cls),
        kind_(cls.definition->class_kind),
        diagnostics_(diagnostics) {}

  void check() {
    if (const auto* enumeration = syntax::find<syntax::EnumerationClass>(cls_.definition))
      check_literals(*enumeration);
    for (const Declaration& declaration : cls_.declarations)
      if (declaration.is_component()) check_component(declaration);
    check_imports();
    if (const syntax::LongClass* definition = cls_.long_class()) check_sections(*definition);
  }

 private:
  void check_literals(const syntax::EnumerationClass& definition) {
    std::unordered_map<Symbol, SourceRange> first;
    for (const syntax::EnumerationLiteral& literal : definition.literals) {
      const auto [found, is_new] = first.emplace(literal.name.symbol, literal.name.range);
      if (is_new) continue;
      diagnostics_
          .error("duplicate-element",
                 fmt::format("`{}` is a literal of `{}` twice",
                             workspace_.text(literal.name.symbol), workspace_.text(cls_.name)),
                 literal.name.range)
          .notes.push_back({"first declared here", found->second});
    }
  }

  // ---- components ----

  void check_component(const Declaration& declaration) {
    if (declaration.clause->connection != syntax::Connection::kNone) check_flow(declaration);
    if (is_function_kind(kind_)) check_function_variable(declaration);
  }

  void check_flow(const Declaration& declaration) {
    const syntax::ComponentElement& clause = *declaration.clause;
    if (const char* kind = name_of_kind_without_flows(kind_))
      diagnostics_.error(
          "misplaced-prefix",
          fmt::format("`{}` belongs to components of connectors, `{}` is one of {}",
                      spelling(clause.connection), workspace_.text(declaration.name()), kind),
          declaration.range());
    else if (clause.variability == syntax::Variability::kParameter ||
             clause.variability == syntax::Variability::kConstant)
      diagnostics_.error(
          "misplaced-prefix",
          fmt::format(
              "`{}` is a {} and cannot be a {} variable", workspace_.text(declaration.name()),
              clause.variability == syntax::Variability::kParameter ? "parameter" : "constant",
              spelling(clause.connection)),
          declaration.range());
  }

  // Public are the inputs and outputs, protected is the rest (12.2).
  void check_function_variable(const Declaration& declaration) {
    const bool is_formal = declaration.clause->causality != syntax::Causality::kNone;
    if (is_formal != declaration.is_protected) return;
    Diagnostic& error = diagnostics_.error(
        "function-variable",
        is_formal ? fmt::format("`{}` of a function is protected: nobody could give or read it",
                                workspace_.text(declaration.name()))
                  : fmt::format("`{}` of a function is neither input, output nor protected",
                                workspace_.text(declaration.name())),
        declaration.range());
    if (!is_formal) error.help = "write `protected` before what the function needs for itself";
  }

  // ---- imports ----

  void check_imports() {
    std::unordered_map<Symbol, const syntax::ImportElement*> first;
    for (const syntax::ImportElement* import : cls_.imports) {
      if (import->is_all || !import->members.empty() || import->name.parts.empty()) continue;
      const Symbol local =
          import->alias.is_valid() ? import->alias.symbol : import->name.parts.back().symbol;
      const auto [found, is_new] = first.emplace(local, import);
      if (is_new || has_same_parts(found->second->name, import->name)) continue;
      diagnostics_
          .error("duplicate-element",
                 fmt::format("`{}` is imported twice, with two meanings", workspace_.text(local)),
                 import->range)
          .notes.push_back({"the other import", found->second->range});
    }
  }

  static bool has_same_parts(const syntax::Name& a, const syntax::Name& b) {
    if (a.parts.size() != b.parts.size()) return false;
    for (std::size_t i = 0; i < a.parts.size(); ++i)
      if (a.parts[i].symbol != b.parts[i].symbol) return false;
    return true;
  }

  // ---- sections ----

  void misplaced_section(const std::string& message, SourceRange range) {
    diagnostics_.error("misplaced-section", message, range);
  }

  void check_sections(const syntax::LongClass& definition) {
    bool has_body = definition.external != nullptr;
    for (const syntax::Section& section : definition.sections) {
      if (section.equations.empty() && section.statements.empty() &&
          section.kind != SectionKind::kAlgorithm)
        continue;
      const SourceRange range = section.range;
      if (const char* kind = name_of_passive_kind(kind_); kind != nullptr) {
        misplaced_section(fmt::format("{} has no equations and no algorithms", kind), range);
        continue;
      }
      if (is_function_kind(kind_)) {
        if (section.kind != SectionKind::kAlgorithm)
          misplaced_section("a function has an algorithm, no equations and nothing initial", range);
        else if (has_body)
          misplaced_section("a function has one body: an algorithm or an external function", range);
        has_body = true;
      }
      check_statements(section);
    }
  }

  // ---- statements ----

  // Statements are nested to any depth: a list of what is still to be looked at.
  struct Nested {
    const StatementList* statements;
    bool is_in_loop;
  };

  void check_statements(const syntax::Section& section) {
    std::vector<Nested> open = {{&section.statements, false}};
    while (!open.empty()) {
      const Nested at = open.back();
      open.pop_back();
      for (const syntax::Statement* statement : *at.statements) {
        check_statement(*statement, section, at.is_in_loop);
        add_bodies(*statement, at.is_in_loop, open);
      }
    }
  }

  void check_statement(const syntax::Statement& statement, const syntax::Section& section,
                       bool is_in_loop) {
    switch (statement.kind) {
      case syntax::StatementKind::kBreak:
        if (!is_in_loop)
          diagnostics_.error("misplaced-statement", "`break` stands in no loop", statement.range);
        break;
      case syntax::StatementKind::kReturn:
        if (!is_function_kind(kind_))
          diagnostics_.error("misplaced-statement", "`return` can only stand in a function",
                             statement.range);
        break;
      case syntax::StatementKind::kWhen:
        if (section.kind == SectionKind::kInitialAlgorithm)
          diagnostics_.error("misplaced-when", "`when` cannot stand in an initial algorithm",
                             statement.range);
        break;
      default: break;
    }
  }

  template <class Conditional>
  static void add_branches(const Conditional& statement, bool is_in_loop,
                           std::vector<Nested>& open) {
    for (const auto& branch : statement.branches) open.push_back({&branch.body, is_in_loop});
  }

  static void add_bodies(const syntax::Statement& statement, bool is_in_loop,
                         std::vector<Nested>& open) {
    switch (statement.kind) {
      case syntax::StatementKind::kIf:
        return add_branches(syntax::as<syntax::IfStatement>(statement), is_in_loop, open);
      case syntax::StatementKind::kWhen:
        return add_branches(syntax::as<syntax::WhenStatement>(statement), is_in_loop, open);
      case syntax::StatementKind::kFor:
        return open.push_back({&syntax::as<syntax::ForStatement>(statement).body, true});
      case syntax::StatementKind::kWhile:
        return open.push_back({&syntax::as<syntax::WhileStatement>(statement).body, true});
      default: return;
    }
  }

  const Workspace& workspace_;
  const ClassDef& cls_;
  ClassKind kind_;
  Diagnostics& diagnostics_;
};

}  // namespace

void check_class_rules(const Workspace& workspace, const ClassDef& cls, Diagnostics& diagnostics) {
  if (cls.definition != nullptr) ClassRules(workspace, cls, diagnostics).check();
}

}  // namespace hydae::modelica
