#include "modelica/checks/parameter_bounds.h"

#include <fmt/format.h>

#include "modelica/components/components.h"

namespace hydae::modelica {

namespace {

class ParameterBounds {
 public:
  ParameterBounds(Session& session, const Model& model)
      : session_(session), model_(model), values_(model.parameter_values()) {}

  void check(Component& component) {
    const auto min = session_.components->attribute(component, session_.names.attributes.min);
    const auto max = session_.components->attribute(component, session_.names.attributes.max);
    for (std::int64_t i = 0; i < num_elements(component.sizes()); ++i) {
      const std::string name =
          session_.components->path(component) + session_.components->subscript(component, i);
      const auto parameter = model_.find_parameter(name);
      if (!parameter) continue;
      const double value = values_[parameter->index()];
      if (const auto low = known(min, i); low && value < *low)
        refuse(component, fmt::format("`{}` = {} is below its min {}", name, value, *low));
      if (const auto high = known(max, i); high && value > *high)
        refuse(component, fmt::format("`{}` = {} is above its max {}", name, value, *high));
    }
  }

 private:
  std::optional<double> known(const std::optional<Components::Attribute>& bound,
                              std::int64_t position) const {
    if (!bound || !bound->value.has_cells()) return std::nullopt;
    const NodeId cell = bound->cell(position);
    if (!session_.graph->is_constant(cell)) return std::nullopt;
    return session_.graph->constant_value(cell);
  }

  void refuse(const Component& component, const std::string& message) {
    session_.error("out-of-bounds", message, component.element->declaration->range());
  }

  Session& session_;
  const Model& model_;
  std::vector<double> values_;
};

}  // namespace

void check_parameter_bounds(Session& session, const ComponentOrder& order, const Model& model) {
  ParameterBounds bounds(session, model);
  for (Component* component : order) {
    const bool is_number =
        component->base() == BaseType::kReal || component->base() == BaseType::kInteger;
    if (component->variability > Variability::kParameter || component->is_free_parameter ||
        !is_number)
      continue;
    session.attempt(component->element->declaration->range(), [&] { bounds.check(*component); });
  }
}

}  // namespace hydae::modelica
