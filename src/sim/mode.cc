#include "sim/mode.h"

#include <fmt/format.h>

#include "compile/defects.h"

namespace hydae {

Mode& ModeCache::find_or_make(const CornerTruths& truths, const std::vector<Hold>& holds) {
  std::unique_ptr<Mode>& mode = modes_[{truths, holds}];
  if (mode)
    ++num_hits_;
  else
    mode = make(truths, holds);
  return *mode;
}

std::unique_ptr<Mode> ModeCache::make(const CornerTruths& truths, const std::vector<Hold>& holds) {
  auto mode = std::make_unique<Mode>();
  mode->number = num_modes();
  mode->holds = holds;
  HeldResiduals held = hold_guards(model_, truths, holds);
  mode->residuals = held.residuals;
  if (!held.is_meaningful) {
    mode->defects.error("ambiguous-sliding",
                        "the two sides of a sliding surface differ in leading derivatives");
    return mode;
  }
  System system = make_system(model_.model(), std::move(held.residuals));
  for (std::size_t k = 0; k < holds.size(); ++k) {
    const std::string text = system.to_string(model_.surfaces()[holds[k].surface].guard);
    system.add_unknown(fmt::format("{} of {}", holds[k].is_sliding() ? "share" : "reaction", text),
                       model_.graph().constant(0));
    system.add_equation(held.constraints[k], fmt::format("{} = 0", text));
  }
  mode->prepared = prepare(std::move(system));
  report_ill_posed(mode->prepared, mode->defects);
  report_singular_jacobian(mode->prepared, mode->defects);
  if (mode->defects.has_errors()) return mode;
  std::vector<NodeId> outputs = std::move(held.guards);
  outputs.insert(outputs.end(), held.exits.begin(), held.exits.end());
  mode->compiled =
      compile_taylor(mode->prepared.system, mode->prepared.structure, outputs, model_.table_size());
  return mode;
}

}  // namespace hydae
