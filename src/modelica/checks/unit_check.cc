#include "modelica/checks/unit_check.h"

#include <fmt/format.h>
#include <set>

#include "modelica/checks/unit_of_expression.h"
#include "modelica/components/components.h"
#include "modelica/expressions/constant_folding.h"

namespace hydae::modelica {

namespace {

// Walks the sections of one class.
class UnitWalk {
 public:
  UnitWalk(Session& session, UnitsOfClass& units, Instance& part)
      : session_(session), units_(units), part_(part) {}

  void equations(const syntax::List<const syntax::Equation*>& list) {
    for (const syntax::Equation* equation : list) {
      // Reported where the equation was made; there is nothing to say about its units.
      session_.attempt(equation->range, [&] {
        session_.check_stack(equation->range);
        visit(*equation);
      });
    }
  }

  void statements(const syntax::List<const syntax::Statement*>& list) {
    for (const syntax::Statement* statement : list) {
      session_.attempt(statement->range, [&] {
        session_.check_stack(statement->range);
        visit(*statement);
      });
    }
  }

 private:
  void visit(const syntax::Equation& equation) {
    if (const auto* equal = syntax::find<syntax::EqualEquation>(&equation))
      return units_.check_equality(*equal->left, *equal->right, equation.range, part_);
    if (const auto* connect = syntax::find<syntax::ConnectEquation>(&equation))
      return units_.check_connection(*connect, part_);
    if (const auto* choice = syntax::find<syntax::IfEquation>(&equation)) return branches(*choice);
    if (const auto* when = syntax::find<syntax::WhenEquation>(&equation))
      for (const auto& branch : when->branches) equations(branch.body);
    if (const auto* loop = syntax::find<syntax::ForEquation>(&equation))
      with_loops(loop->iterators, [&] { equations(loop->body); });
  }

  void visit(const syntax::Statement& statement) {
    if (const auto* assign = syntax::find<syntax::AssignStatement>(&statement))
      return units_.check_equality(*assign->target, *assign->value, statement.range, part_);
    if (const auto* choice = syntax::find<syntax::IfStatement>(&statement))
      for (const auto& branch : choice->branches) statements(branch.body);
    if (const auto* when = syntax::find<syntax::WhenStatement>(&statement))
      for (const auto& branch : when->branches) statements(branch.body);
    if (const auto* loop = syntax::find<syntax::ForStatement>(&statement))
      with_loops(loop->iterators, [&] { statements(loop->body); });
    if (const auto* loop = syntax::find<syntax::WhileStatement>(&statement)) statements(loop->body);
  }

  // Branches that parameters switch off may name components that are not there.
  void branches(const syntax::IfEquation& choice) {
    for (const auto& branch : choice.branches) {
      if (branch.condition != nullptr) {
        Env env{&part_};
        if (!units_.loops.empty()) return;
        NodeId condition =
            session_.evaluator->scalar(*branch.condition, env, BaseType::kBoolean, "the condition");
        if (session_.folding->is_parameter_expression(condition))
          condition = session_.folding->fold(condition, branch.condition->range, "the condition");
        if (session_.graph->is_constant(condition, 0)) continue;
        equations(branch.body);
        if (session_.graph->is_constant(condition)) return;
        continue;
      }
      equations(branch.body);
    }
  }

  template <class Body>
  void with_loops(const syntax::List<syntax::Iterator>& iterators, Body body) {
    const std::size_t before = units_.loops.size();
    for (const syntax::Iterator& iterator : iterators) units_.loops.push_back(iterator.name.symbol);
    body();
    units_.loops.resize(before);
  }

  Session& session_;
  UnitsOfClass& units_;
  Instance& part_;
};

class UnitCheck {
 public:
  explicit UnitCheck(Session& session) : session_(session) {}

  void check(Instance& instance) {
    UnitsOfClass units(session_, instance);
    visit(instance, units);
    for (Element* element : instance.elements)
      if (element->component != nullptr) check_binding(*element->component, units);
  }

 private:
  // The class and its base classes; each text once.
  void visit(Instance& part, UnitsOfClass& units) {
    for (Instance* base : part.bases) visit(*base, units);
    if (part.def == nullptr || !seen_.insert(part.def).second) return;
    const syntax::LongClass* definition = part.def->long_class();
    if (definition == nullptr) return;
    UnitWalk walk(session_, units, part);
    for (const syntax::Section& section : definition->sections) {
      walk.equations(section.equations);
      walk.statements(section.statements);
    }
  }

  void check_binding(Component& component, UnitsOfClass& units) {
    if (component.type == nullptr || !component.type->is_builtin() || component.link.is_outer ||
        !component.is_present || component.base() != BaseType::kReal)
      return;
    const std::optional<Binding>& binding = session_.components->bindings().binding(component);
    if (!binding || !bindings_.insert(binding->expr).second) return;
    if (binding->expr->kind == syntax::ExprKind::kInteger ||
        binding->expr->kind == syntax::ExprKind::kReal)
      return;
    session_.attempt(binding->expr->range, [&] { units.check_binding(component, *binding); });
  }

  Session& session_;
  std::set<const ClassDef*> seen_;
  std::set<const syntax::Expr*> bindings_;
};

}  // namespace

void check_units(Session& session, const Flattener& flattener) {
  UnitCheck check(session);
  for (Instance* instance : flattener.instances()) check.check(*instance);
}

// A text that is no unit is compared with nothing, and nothing else would say so.
void check_unit_texts(Session& session, const Flattener& flattener) {
  std::set<std::string> reported;
  for (Component* component : flattener.order()) {
    if (component->base() != BaseType::kReal) continue;
    for (const Symbol name : {session.names.attributes.unit, session.names.attributes.display_unit})
      session.attempt(component->element->declaration->range(), [&] {
        const auto found = session.components->attribute(*component, name);
        if (!found || found->value.strings.empty()) return;
        const std::string& text = found->value.strings.front();
        if (text.empty() || parse_unit(text) || !reported.insert(text).second) return;
        session.warning("unknown-unit",
                        fmt::format("{} is no unit that is known here: nothing is compared with it",
                                    hydae::quoted(text)),
                        found->range);
      });
  }
}

}  // namespace hydae::modelica
