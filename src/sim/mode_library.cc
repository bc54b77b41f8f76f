#include "sim/mode_library.h"

#include <bit>
#include <fmt/format.h>
#include <optional>

#include "base/timer.h"
#include "compile/ill_posed_report.h"
#include "expr/walk.h"
#include "sim/parameter_facts.h"

namespace hydae {
namespace {

constexpr double kGeneric = 0.73;  // for a number of the table that is zero now

// Values at which a zero coefficient does not look like a missing one.
std::vector<double> generic(const HybridModel& model, std::vector<double> table) {
  for (std::size_t k = model.num_parameters(); k < table.size(); ++k)
    if (table[k] == 0) table[k] = kGeneric + 0.01 * static_cast<double>(k % 17);
  return table;
}

bool is_root(const Graph& graph, NodeId id) {
  if (graph.op(id) != Op::kPow) return graph.op(id) == Op::kSqrt;
  const NodeId exponent = graph.operands(id)[1];
  if (!graph.is_constant(exponent)) return false;
  const double value = graph.constant_value(exponent);
  return value > 0 && value < 1;
}

std::vector<NodeId> roots_in(const Graph& graph, const std::vector<NodeId>& residuals) {
  std::vector<NodeId> roots;
  Walk walk;
  for (NodeId id : walk.order(graph, residuals))
    if (is_root(graph, id)) roots.push_back(id);
  return roots;
}

std::vector<std::size_t> places_read(const Graph& graph, const std::vector<NodeId>& roots) {
  std::vector<std::size_t> places;
  Walk walk;
  for (NodeId id : walk.order(graph, roots))
    if (graph.op(id) == Op::kParameter) places.push_back(graph.node(id).parameter.index());
  return places;
}

// The nodes below the roots that are not of the base, numbered as a walk meets them: the same list
// for the same expressions, operands in the same order, whatever else the graph has.
class CanonicalForm {
 public:
  CanonicalForm(const Graph& graph, std::size_t base_size) : graph_(graph), base_size_(base_size) {}

  std::vector<std::uint32_t> of(const std::vector<NodeId>& roots) {
    for (NodeId id : walk_.order(graph_, roots))
      if (id.index() >= base_size_) add_node(id);
    for (NodeId root : roots) form_.push_back(name(root));
    return std::move(form_);
  }

 private:
  std::uint32_t name(NodeId id) const {
    if (id.index() < base_size_) return id.index();
    return static_cast<std::uint32_t>(base_size_ + numbers_.at(id));
  }

  void add_node(NodeId id) {
    numbers_.emplace(id, numbers_.size());
    const Node node = graph_.node(id);
    const auto bits = std::bit_cast<std::uint64_t>(node.value);
    form_.insert(
        form_.end(),
        {static_cast<std::uint32_t>(node.op),
         static_cast<std::uint32_t>(node.silent + 2 * node.is_boolean),
         static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32),
         node.variable.index(), static_cast<std::uint32_t>(node.order), node.parameter.index(),
         node.function.index(), static_cast<std::uint32_t>(node.output),
         static_cast<std::uint32_t>(node.input), static_cast<std::uint32_t>(node.second_input)});
    const auto operands = graph_.operands(id);
    form_.push_back(static_cast<std::uint32_t>(operands.size()));
    for (NodeId operand : operands) form_.push_back(name(operand));
  }

  const Graph& graph_;
  std::size_t base_size_;
  Walk walk_;
  std::map<NodeId, std::size_t> numbers_;
  std::vector<std::uint32_t> form_;
};

bool is_regular(const CompiledMode& mode) {
  const AnalyzedSystem& prepared = mode.prepared;
  return prepared.repairs.empty() && !mode.defects.has_errors() && !mode.singular.has_errors() &&
         prepared.jacobian.is_evaluated() && prepared.jacobian.singular_blocks.empty();
}

}  // namespace

SharedModes::Ptr SharedModes::find_or_make(const ModeTruths& truths,
                                           const std::vector<PinnedGuard>& pins,
                                           const std::vector<double>& table) {
  std::shared_ptr<SameEquations> same;
  {
    const std::lock_guard lock(mutex_);
    if (const auto at = by_truths_.find({truths, pins}); at != by_truths_.end()) same = at->second;
  }
  std::optional<Decided> decided;
  if (!same) {
    decided = decide(truths, pins);
    Form form = form_of(*decided);
    const std::lock_guard lock(mutex_);
    std::shared_ptr<SameEquations>& known = by_form_[{std::move(form), pins}];
    if (!known) known = std::make_shared<SameEquations>();
    same = by_truths_[{truths, pins}] = known;
  }
  const std::lock_guard lock(same->mutex);
  std::vector<double> checked = generic(model_, table);
  for (const Ptr& mode : same->modes)
    if (fits(*mode, checked)) return mode;
  if (!decided) decided = decide(truths, pins);
  same->modes.push_back(make(*std::move(decided), pins, std::move(checked)));
  ++num_made_;
  return same->modes.back();
}

SharedModes::Decided SharedModes::decide(const ModeTruths& truths,
                                         const std::vector<PinnedGuard>& pins) const {
  Decided decided;
  decided.nodes = std::make_shared<Graph>(model_.model().shared_graph());
  decided.held = pin_guards(model_, *decided.nodes, truths, pins);
  for (const Delay& delay : model_.delays()) decided.delayed.push_back(delay.argument);
  decided.delayed = model_.decided(*decided.nodes, decided.delayed, truths.truths);
  return decided;
}

SharedModes::Form SharedModes::form_of(const Decided& decided) const {
  std::vector<NodeId> roots = decided.held.residuals;
  roots.insert(roots.end(), decided.held.guards.begin(), decided.held.guards.end());
  roots.insert(roots.end(), decided.delayed.begin(), decided.delayed.end());
  return CanonicalForm(*decided.nodes, model_.graph().size()).of(roots);
}

// Where the structure follows from the form of the equations alone, it is that of all numbers at
// which the Jacobian is regular, too.
bool SharedModes::fits(const CompiledMode& mode, const std::vector<double>& table) const {
  const System& system = mode.prepared.system;
  if (system.table == table) return true;
  if (!is_regular(mode)) return false;
  const auto parameters = [&](const std::vector<double>& numbers) {
    return std::vector(numbers.begin(),
                       numbers.begin() + static_cast<std::ptrdiff_t>(model_.num_parameters()));
  };
  const ParameterFacts facts(model_.model(), system.graph(), system.graph().size(),
                             parameters(system.table));
  if (!facts.hold_for(parameters(table))) return false;
  const SampleSpace space(model_.model(), table);
  const SampledJacobian jacobian =
      sample_jacobian(system, mode.prepared.sigma, mode.prepared.structure, space);
  return jacobian.is_evaluated() && jacobian.singular_blocks.empty();
}

SharedModes::Ptr SharedModes::make(Decided decided, const std::vector<PinnedGuard>& pins,
                                   std::vector<double> table) const {
  auto mode = std::make_shared<CompiledMode>();
  HeldResiduals& held = decided.held;
  mode->pins = pins;
  mode->residuals = held.residuals;
  if (!held.is_meaningful) {
    mode->defects.error("ambiguous-sliding",
                        "the two sides of a sliding surface differ in leading derivatives");
    mode->prepared.system.table = std::move(table);
    mode->prepared.system.nodes = std::move(decided.nodes);
    return mode;
  }
  System system = model_.system(decided.nodes, std::move(held.residuals));
  system.table = std::move(table);
  for (std::size_t k = 0; k < pins.size(); ++k) {
    const std::string text = system.to_string(model_.surfaces()[pins[k].surface].guard);
    system.add_unknown(fmt::format("{} of {}", pins[k].is_sliding() ? "share" : "reaction", text),
                       system.graph().constant(0));
    system.add_equation(held.constraints[k], fmt::format("{} = 0", text));
  }
  const Timer timer;
  mode->prepared = analyze_system(std::move(system));
  mode->analysis_seconds = timer.seconds();
  // A model may consist of its discrete part alone.
  if (!mode->prepared.system.unknowns.empty() || !mode->residuals.empty()) {
    report_ill_posed(mode->prepared, mode->defects);
    report_singular_jacobian(mode->prepared, mode->singular);
  }
  if (with_series_ && !mode->defects.has_errors())
    make_program(std::move(held), decided.delayed, *mode);
  mode->prepared.system.graph().freeze();
  return mode;
}

void SharedModes::make_program(HeldResiduals held, const std::vector<NodeId>& delayed,
                               CompiledMode& mode) const {
  const Graph& graph = mode.prepared.system.graph();
  mode.roots = roots_in(graph, mode.residuals);
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
  mode.inputs = places_read(graph, read);
}

const CompiledMode& ModeLibrary::find_or_make(const ModeTruths& truths,
                                              const std::vector<PinnedGuard>& pins,
                                              const std::vector<double>& table) {
  const CompiledMode*& known = by_truths_[{truths, pins}];
  if (known != nullptr) {
    ++num_hits_;
    return *known;
  }
  const Timer timer;
  SharedModes::Ptr shared = shared_->find_or_make(truths, pins, table);
  Met& met = modes_[shared.get()];
  if (!met.own) {
    met.own = own_copy(*shared, table);
    met.shared = std::move(shared);
  }
  known = met.own.get();
  const double seconds = timer.seconds(), analysis = std::min(seconds, known->analysis_seconds);
  analysis_seconds_ += analysis;
  compile_seconds_ += seconds - analysis;
  return *known;
}

std::unique_ptr<CompiledMode> ModeLibrary::own_copy(const CompiledMode& shared,
                                                    const std::vector<double>& table) const {
  auto own = std::make_unique<CompiledMode>(shared);
  own->number = num_modes();
  System& system = own->prepared.system;
  system.model = &model_.model();
  system.nodes = std::make_shared<Graph>(shared.prepared.system.nodes);
  system.table = generic(model_, table);
  // At the first mode this is a fault of the model; later the solution at hand decides.
  if (own->number == 1 || !own->pins.empty()) own->defects.append(shared.singular);
  return own;
}

}  // namespace hydae
