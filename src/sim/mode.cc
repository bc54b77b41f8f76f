#include "sim/mode.h"

#include "compile/defects.h"

namespace hydae {

Mode& ModeCache::find_or_make(const std::vector<bool>& truths) {
  std::unique_ptr<Mode>& mode = modes_[truths];
  if (!mode) mode = make(truths);
  return *mode;
}

std::unique_ptr<Mode> ModeCache::make(const std::vector<bool>& truths) {
  auto mode = std::make_unique<Mode>();
  mode->number = num_modes();
  mode->truths = truths;
  mode->prepared = prepare(make_system(model_.model(), model_.decided(model_.residuals(), truths)));
  report_ill_posed(mode->prepared, mode->defects);
  report_singular_jacobian(mode->prepared, mode->defects);
  if (mode->defects.has_errors()) return mode;
  std::vector<NodeId> guards;
  for (const Relation& relation : model_.relations()) guards.push_back(relation.guard);
  mode->compiled = compile_taylor(mode->prepared.system, mode->prepared.structure,
                                  model_.decided(guards, truths), model_.table_size());
  return mode;
}

}  // namespace hydae
