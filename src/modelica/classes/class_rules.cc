#include "modelica/classes/class_rules.h"

#include <fmt/format.h>
#include <string_view>

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

bool is_record_kind(ClassKind kind) {
  return kind == ClassKind::kRecord || kind == ClassKind::kOperatorRecord;
}

bool is_connector_kind(ClassKind kind) {
  return kind == ClassKind::kConnector || kind == ClassKind::kExpandableConnector;
}

bool is_predefined(std::string_view name) {
  return name == "Real" || name == "Integer" || name == "Boolean" || name == "String";
}

bool is_attribute_of_enumerations(std::string_view name) {
  return name == "quantity" || name == "min" || name == "max" || name == "start" || name == "fixed";
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
      if (declaration.is_component())
        check_component(declaration);
      else if (declaration.is_class())
        check_class(*declaration.cls);
    check_name();
    check_imports();
    if (const syntax::LongClass* definition = cls_.long_class()) check_sections(*definition);
  }

 private:
  void check_literals(const syntax::EnumerationClass& definition) {
    std::unordered_map<Symbol, SourceRange> first;
    for (const syntax::EnumerationLiteral& literal : definition.literals) {
      if (is_attribute_of_enumerations(workspace_.text(literal.name.symbol)))
        diagnostics_.error(
            "reserved-name",
            fmt::format("`{}` is an attribute of enumerations and cannot be a literal",
                        workspace_.text(literal.name.symbol)),
            literal.name.range);
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

  // ---- names and places ----

  void check_name() {
    if (is_predefined(workspace_.text(cls_.name)))
      refuse_name(cls_.definition->name.range, cls_.name);
  }

  void check_class(const ClassDef& inner) {
    const bool is_operator =
        inner.is(ClassKind::kOperator) || inner.is(ClassKind::kOperatorFunction);
    if (is_operator && kind_ != ClassKind::kOperatorRecord && kind_ != ClassKind::kOperator)
      diagnostics_.error("misplaced-class",
                         fmt::format("the operator `{}` does not stand in an operator record",
                                     workspace_.text(inner.name)),
                         inner.definition->name.range);
  }

  void refuse_name(SourceRange range, Symbol name) {
    diagnostics_.error("reserved-name",
                       fmt::format("`{}` is the name of a predefined type", workspace_.text(name)),
                       range);
  }

  // ---- components ----

  void check_component(const Declaration& declaration) {
    if (is_predefined(workspace_.text(declaration.name())))
      refuse_name(declaration.range(), declaration.name());
    check_kind_of_component(declaration);
    check_prefixes(declaration);
    if (declaration.clause->connection != syntax::Connection::kNone) check_flow(declaration);
    if (is_function_kind(kind_)) check_function_variable(declaration);
  }

  // Components that classes of a kind cannot have (4.6).
  void check_kind_of_component(const Declaration& declaration) {
    const std::string name = workspace_.text(declaration.name());
    const auto refuse = [&](const char* what) {
      diagnostics_.error("misplaced-component", fmt::format("`{}`: {}", name, what),
                         declaration.range());
    };
    if (kind_ == ClassKind::kPackage &&
        declaration.clause->variability != syntax::Variability::kConstant)
      refuse("a package holds constants and classes, no variables and no parameters");
    if (kind_ == ClassKind::kType) refuse("a type has no components; write a record");
    if (kind_ == ClassKind::kOperator) refuse("an operator holds functions only");
    if (declaration.is_protected && is_record_kind(kind_)) refuse("a record has no protected part");
    if (declaration.is_protected && is_connector_kind(kind_))
      refuse("a connector has no protected part");
  }

  void check_prefixes(const Declaration& declaration) {
    const syntax::ComponentElement& clause = *declaration.clause;
    const bool is_constant = clause.variability == syntax::Variability::kParameter ||
                             clause.variability == syntax::Variability::kConstant;
    const bool has_causality = clause.causality != syntax::Causality::kNone;
    const char* causality = clause.causality == syntax::Causality::kInput ? "input" : "output";
    const std::string name = workspace_.text(declaration.name());
    const auto refuse = [&](const std::string& message) {
      diagnostics_.error("misplaced-prefix", message, declaration.range());
    };
    if (is_constant && clause.causality == syntax::Causality::kInput && !is_function_kind(kind_))
      refuse(fmt::format(
          "`{}` is a {} and cannot be an input", name,
          clause.variability == syntax::Variability::kParameter ? "parameter" : "constant"));
    if (has_causality && is_record_kind(kind_))
      refuse(fmt::format("`{}` is a field of a record and cannot be an {}", name, causality));
    const bool is_seen_elsewhere = declaration.element->is_inner || declaration.element->is_outer;
    if (is_seen_elsewhere && (is_record_kind(kind_) || is_connector_kind(kind_)))
      refuse(fmt::format("`{}`: elements of {} are neither inner nor outer", name,
                         is_record_kind(kind_) ? "records" : "connectors"));
  }

  void check_flow(const Declaration& declaration) {
    const syntax::ComponentElement& clause = *declaration.clause;
    if (const char* kind = name_of_kind_without_flows(kind_))
      diagnostics_.error(
          "misplaced-prefix",
          fmt::format("`{}` belongs to components of connectors, `{}` is one of {}",
                      spelling(clause.connection), workspace_.text(declaration.name()), kind),
          declaration.range());
    else if (kind_ == ClassKind::kExpandableConnector)
      diagnostics_.error(
          "misplaced-prefix",
          fmt::format("`{}` is {}: an expandable connector has flows and streams "
                      "inside of connectors only",
                      workspace_.text(declaration.name()), spelling(clause.connection)),
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
    const char* around;  // what a when-statement cannot stand in; null outside of all
  };

  void check_statements(const syntax::Section& section) {
    std::vector<Nested> open = {
        {&section.statements, false,
         section.kind == SectionKind::kInitialAlgorithm ? "an initial algorithm" : nullptr}};
    while (!open.empty()) {
      const Nested at = open.back();
      open.pop_back();
      for (const syntax::Statement* statement : *at.statements) {
        check_statement(*statement, at);
        add_bodies(*statement, at.is_in_loop, open);
      }
    }
  }

  void check_statement(const syntax::Statement& statement, const Nested& at) {
    switch (statement.kind) {
      case syntax::StatementKind::kBreak:
        if (!at.is_in_loop)
          diagnostics_.error("misplaced-statement", "`break` stands in no loop", statement.range);
        break;
      case syntax::StatementKind::kReturn:
        if (!is_function_kind(kind_))
          diagnostics_.error("misplaced-statement", "`return` can only stand in a function",
                             statement.range);
        break;
      case syntax::StatementKind::kWhen:
        if (at.around != nullptr)
          diagnostics_.error("misplaced-when", fmt::format("`when` cannot stand in {}", at.around),
                             statement.range);
        break;
      default: break;
    }
  }

  template <class Conditional>
  static void add_branches(const Conditional& statement, Nested inner, std::vector<Nested>& open) {
    for (const auto& branch : statement.branches) {
      inner.statements = &branch.body;
      open.push_back(inner);
    }
  }

  static void add_bodies(const syntax::Statement& statement, bool is_in_loop,
                         std::vector<Nested>& open) {
    switch (statement.kind) {
      case syntax::StatementKind::kIf:
        return add_branches(syntax::as<syntax::IfStatement>(statement),
                            {nullptr, is_in_loop, "an `if` of an algorithm"}, open);
      case syntax::StatementKind::kWhen:
        return add_branches(syntax::as<syntax::WhenStatement>(statement),
                            {nullptr, is_in_loop, "another `when`"}, open);
      case syntax::StatementKind::kFor:
        return open.push_back(
            {&syntax::as<syntax::ForStatement>(statement).body, true, "a `for` of an algorithm"});
      case syntax::StatementKind::kWhile:
        return open.push_back(
            {&syntax::as<syntax::WhileStatement>(statement).body, true, "a `while`"});
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
