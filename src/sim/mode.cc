#include "sim/mode.h"

#include "compile/defects.h"
#include "expr/walk.h"

namespace hydae {
namespace {

constexpr double kGeneric = 0.73;  // for a number of the table that is zero now

// Values at which a zero coefficient does not look like a missing one.
std::vector<double> generic(const HybridModel& model, std::vector<double> table) {
  for (std::size_t k = model.num_parameters(); k < table.size(); ++k)
    if (table[k] == 0) table[k] = kGeneric + 0.01 * static_cast<double>(k % 17);
  return table;
}

std::vector<NodeId> square_roots(const Graph& graph, const std::vector<NodeId>& residuals) {
  std::vector<NodeId> roots;
  Walk walk;
  for (NodeId id : walk.order(graph, residuals))
    if (graph.op(id) == Op::kSqrt) roots.push_back(id);
  return roots;
}

}  // namespace

Mode& ModeCache::find_or_make(const std::vector<bool>& truths, const std::vector<double>& table) {
  Mode*& known = by_truths_[truths];
  if (known != nullptr) return *known;
  const std::vector<NodeId> decided = decided_roots(truths);
  std::unique_ptr<Mode>& mode = modes_[decided];
  if (!mode) {
    mode = make(truths, decided, table);
    mode->number = num_modes();
  }
  known = mode.get();
  return *known;
}

// Residuals, guards, delayed signals.
std::vector<NodeId> ModeCache::decided_roots(const std::vector<bool>& truths) const {
  std::vector<NodeId> roots = model_.residuals();
  for (const Relation& relation : model_.relations()) roots.push_back(relation.guard);
  for (const Delay& delay : model_.delays()) roots.push_back(delay.argument);
  return model_.decided(roots, truths);
}

std::unique_ptr<Mode> ModeCache::make(const std::vector<bool>& truths,
                                      const std::vector<NodeId>& decided,
                                      const std::vector<double>& table) const {
  auto mode = std::make_unique<Mode>();
  mode->truths = truths;
  const auto first_output =
      decided.begin() + static_cast<std::ptrdiff_t>(model_.residuals().size());
  const std::vector<NodeId> residuals(decided.begin(), first_output);
  std::vector<NodeId> outputs(first_output, decided.end());
  System system = make_system(model_.model(), residuals);
  system.table = generic(model_, table);
  mode->prepared = prepare(std::move(system));
  // A model may consist of its discrete part alone.
  if (!residuals.empty() || !mode->prepared.system.unknowns.empty()) {
    report_ill_posed(mode->prepared, mode->defects);
    // At the first mode this is a fault of the model; later the solution at hand decides.
    if (modes_.size() <= 1) report_singular_jacobian(mode->prepared, mode->defects);
    if (mode->defects.has_errors()) return mode;
  }
  mode->roots = square_roots(model_.graph(), residuals);
  outputs.insert(outputs.end(), mode->roots.begin(), mode->roots.end());
  mode->compiled =
      compile_taylor(mode->prepared.system, mode->prepared.structure, outputs, model_.table_size());
  return mode;
}

}  // namespace hydae
