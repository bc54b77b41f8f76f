#include "sim/event.h"

namespace hydae {

void add_impulse(const Model& model, VarId variable, const ImpulseWeight& weight,
                 std::vector<Impulse>& impulses) {
  if (variable.index() >= model.num_variables()) return;  // of a repair
  const std::string& name = model.all_variables()[variable].name;
  for (Impulse& impulse : impulses)
    if (impulse.variable == name && impulse.order == weight.order) {
      impulse.weight += weight.weight;
      return;
    }
  impulses.push_back({name, weight.order, weight.weight});
}

}  // namespace hydae
