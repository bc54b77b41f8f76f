#include "modelica/components/prefix_rules.h"

#include <fmt/format.h>

#include "modelica/classes/classes.h"
#include "modelica/components/components.h"

namespace hydae::modelica {

namespace {

class PrefixRules {
 public:
  PrefixRules(Session& session, const Component& component)
      : session_(session),
        component_(component),
        clause_(*component.element->declaration->clause),
        name_(session.text(component.element->name)) {}

  void check() {
    check_connector();
    check_stream();
    check_nesting();
    check_block();
    check_final_class();
  }

 private:
  void refuse(const char* code, const std::string& message) {
    session_.error(code, message, component_.element->declaration->range());
  }

  bool is_class_of_kind(const Instance& type, syntax::ClassKind kind) const {
    return session_.classes->is_kind(const_cast<Instance&>(type), kind);
  }

  // 9.3: what is connected is no parameter.
  void check_connector() {
    const bool is_fixed = clause_.variability == syntax::Variability::kParameter ||
                          clause_.variability == syntax::Variability::kConstant;
    if (is_fixed && session_.classes->is_connector(*component_.type))
      refuse("misplaced-prefix",
             fmt::format("`{}` is a connector and cannot be a parameter or constant", name_));
  }

  // 15.1
  void check_stream() {
    if (clause_.connection == syntax::Connection::kStream && !component_.type->is_builtin())
      refuse("flow-type",
             fmt::format("`{}` is no Real: only a Real can be a stream variable", name_));
  }

  // 4.4.2.2: a prefix of a component with elements takes the place of theirs.
  void check_nesting() {
    const bool has_causality = component_.causality != syntax::Causality::kNone &&
                               (clause_.causality != syntax::Causality::kNone ||
                                component_.type->causality != syntax::Causality::kNone);
    const bool has_connection = clause_.connection != syntax::Connection::kNone;
    if (component_.type->is_builtin() || (!has_causality && !has_connection)) return;
    for (const Element* element : component_.type->elements) {
      if (element->component == nullptr) continue;
      const syntax::ComponentElement& inner = *element->declaration->clause;
      const bool is_nested = inner.connection != syntax::Connection::kNone ||
                             (has_causality && inner.causality != syntax::Causality::kNone);
      if (!is_nested) continue;
      return refuse("nested-prefix",
                    fmt::format("`{}` is {}, and so is its element `{}` by itself", name_,
                                has_causality ? "input or output" : "flow or stream",
                                session_.text(element->name)));
    }
  }

  // 4.6: the variables of a public connector of a block are inputs and outputs.
  void check_block() {
    const Instance& owner = *component_.element->owner;
    if (!is_class_of_kind(owner, syntax::ClassKind::kBlock) || component_.is_protected ||
        !session_.classes->is_connector(*component_.type) ||
        is_class_of_kind(*component_.type, syntax::ClassKind::kExpandableConnector))
      return;
    for (const Instance* instance : component_.instances)
      for (const Element* element : instance->elements) {
        const Component* part = element->component;
        if (part == nullptr || !part->is_present || part->type == nullptr ||
            !part->type->is_builtin() || part->variability <= Variability::kParameter ||
            part->causality != syntax::Causality::kNone)
          continue;
        return refuse(
            "acausal-block",
            fmt::format("`{}` of a block is public and has `{}`, neither input nor output", name_,
                        session_.text(element->name)));
      }
  }

  // 7.2.6: all elements of a class that is final are final.
  void check_final_class() {
    const Declaration* type = component_.type_element->declaration;
    const bool is_final = type != nullptr && type->element != nullptr && type->element->is_final;
    if (!is_final || component_.type->is_builtin()) return;
    for (const ModRef& mod : component_.element->mods)
      if (!mod.mod->subs.empty())
        return refuse("modify-final", fmt::format("`{}`: its class `{}` is final", name_,
                                                  session_.text(component_.type_element->name)));
  }

  Session& session_;
  const Component& component_;
  const syntax::ComponentElement& clause_;
  std::string name_;
};

}  // namespace

void check_prefixes(Session& session, const Component& component) {
  if (component.type == nullptr || component.type_element == nullptr) return;
  PrefixRules(session, component).check();
}

}  // namespace hydae::modelica
