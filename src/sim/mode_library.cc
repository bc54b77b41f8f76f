#include "sim/mode_library.h"

#include <fmt/format.h>

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

std::vector<std::size_t> places_read(const Graph& graph, const std::vector<NodeId>& roots) {
  std::vector<std::size_t> places;
  Walk walk;
  for (NodeId id : walk.order(graph, roots))
    if (graph.op(id) == Op::kParameter) places.push_back(graph.node(id).parameter.index());
  return places;
}

}  // namespace

const CompiledMode& ModeLibrary::find_or_make(const ModeTruths& truths,
                                              const std::vector<Hold>& holds,
                                              const std::vector<double>& table) {
  const CompiledMode*& known = by_truths_[{truths, holds}];
  if (known != nullptr) {
    ++num_hits_;
    return *known;
  }
  HeldResiduals held = hold_guards(model_, truths, holds);
  std::vector<NodeId> delayed;
  for (const Delay& delay : model_.delays()) delayed.push_back(delay.argument);
  delayed = model_.decided(delayed, truths.truths);
  std::vector<NodeId> roots = held.residuals;
  roots.insert(roots.end(), held.guards.begin(), held.guards.end());
  roots.insert(roots.end(), delayed.begin(), delayed.end());
  std::shared_ptr<const CompiledMode>& mode = modes_[{std::move(roots), holds}];
  if (!mode) {
    const auto made = make(std::move(held), std::move(delayed), holds, table);
    made->number = num_modes();
    mode = made;
  }
  known = mode.get();
  return *known;
}

std::shared_ptr<CompiledMode> ModeLibrary::make(HeldResiduals held, std::vector<NodeId> delayed,
                                                const std::vector<Hold>& holds,
                                                const std::vector<double>& table) {
  auto mode = std::make_shared<CompiledMode>();
  mode->holds = holds;
  mode->residuals = held.residuals;
  if (!held.is_meaningful) {
    mode->defects.error("ambiguous-sliding",
                        "the two sides of a sliding surface differ in leading derivatives");
    return mode;
  }
  System system = model_.system(std::move(held.residuals));
  system.table = generic(model_, table);
  for (std::size_t k = 0; k < holds.size(); ++k) {
    const std::string text = system.to_string(model_.surfaces()[holds[k].surface].guard);
    system.add_unknown(fmt::format("{} of {}", holds[k].is_sliding() ? "share" : "reaction", text),
                       model_.graph().constant(0));
    system.add_equation(held.constraints[k], fmt::format("{} = 0", text));
  }
  mode->prepared = prepare(std::move(system));
  // A model may consist of its discrete part alone.
  if (!mode->prepared.system.unknowns.empty() || !mode->residuals.empty()) {
    report_ill_posed(mode->prepared, mode->defects);
    // At the first mode this is a fault of the model; later the solution at hand decides.
    if (modes_.size() <= 1 || !holds.empty())
      report_singular_jacobian(mode->prepared, mode->defects);
    if (mode->defects.has_errors()) return mode;
  }
  if (with_series_) make_program(std::move(held), delayed, *mode);
  return mode;
}

void ModeLibrary::make_program(HeldResiduals held, const std::vector<NodeId>& delayed,
                               CompiledMode& mode) const {
  mode.roots = square_roots(model_.graph(), mode.residuals);
  mode.layout = {held.guards.size(), held.exits.size(), delayed.size(), mode.roots.size()};
  std::vector<NodeId>& outputs = mode.outputs;
  outputs = std::move(held.guards);
  outputs.insert(outputs.end(), held.exits.begin(), held.exits.end());
  outputs.insert(outputs.end(), delayed.begin(), delayed.end());
  outputs.insert(outputs.end(), mode.roots.begin(), mode.roots.end());
  mode.compiled =
      compile_taylor(mode.prepared.system, mode.prepared.structure, outputs, model_.table_size());
  std::vector<NodeId> read = mode.prepared.system.residuals.raw();
  read.insert(read.end(), outputs.begin(), outputs.end());
  mode.inputs = places_read(model_.graph(), read);
}

}  // namespace hydae
