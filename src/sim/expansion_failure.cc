#include "sim/expansion_failure.h"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/derivative_name.h"
#include "expr/walk.h"
#include "ops/operation.h"

namespace hydae {
namespace {

constexpr std::size_t kMostPlaces = 3;

// What a failed expansion is about.
class Explanation {
 public:
  Explanation(const Model& model, const TaylorSolution& solution)
      : model_(model),
        mode_(solution.mode()),
        stepper_(solution.stepper()),
        when_(fmt::format("simulation stopped at t = {:.10g}: ", stepper_.time())) {}

  Failure failure() const;

 private:
  Failure undefined_function() const;
  Failure step_too_small() const;
  std::string name_and_place(EqId equation) const;
  std::string equations_of_block(int block) const;
  std::string place_of(NodeId node) const;

  const Model& model_;
  const CompiledMode& mode_;
  const integrate::TaylorStepper& stepper_;
  std::string when_;
};

// "`f2` (tank.mo:14:3)".
std::string Explanation::name_and_place(EqId equation) const {
  const System& system = mode_.prepared.system;
  const std::string name = quoted(system.equation_names[equation]);
  const std::string place =
      model_.sources ? model_.sources->place(system.equation_sources[equation]) : std::string();
  return place.empty() ? name : fmt::format("{} ({})", name, place);
}

std::string Explanation::equations_of_block(int block) const {
  if (block < 0) return "the equations";
  const auto& equations =
      mode_.compiled.program->structure().blocks[static_cast<std::size_t>(block)].equations;
  std::vector<std::string> names, places;
  for (int i : equations) {
    const EqId equation(static_cast<std::size_t>(i));
    names.push_back(mode_.prepared.system.equation_names[equation]);
    places.push_back(name_and_place(equation));
  }
  return names.size() > kMostPlaces ? quoted_list(names)
                                    : fmt::format("{}", fmt::join(places, ", "));
}

// ", in equation `f2` (tank.mo:14:3)": the equations that contain a node; empty if none does.
std::string Explanation::place_of(NodeId node) const {
  const System& system = mode_.prepared.system;
  std::vector<std::string> places;
  Walk walk;
  for (EqId eq : ids<EqId>(system.residuals.size())) {
    walk.order(system.graph(), system.residuals[eq]);
    if (!walk.contains(node)) continue;
    if (places.size() == kMostPlaces) {
      places.emplace_back("...");
      break;
    }
    places.push_back(name_and_place(eq));
  }
  if (places.empty()) return {};
  return fmt::format(", in equation{} {}", places.size() > 1 ? "s" : "", fmt::join(places, ", "));
}

Failure Explanation::step_too_small() const {
  std::string message = when_ + fmt::format("step {:.2g} is below the limit {:.2g}",
                                            stepper_.last_step(), stepper_.smallest_step());
  if (stepper_.limiting_entry() >= 0) {
    const codegen::JetEntry entry =
        stepper_.program().entries()[static_cast<std::size_t>(stepper_.limiting_entry())];
    const VarId column(static_cast<std::size_t>(entry.variable));
    message +=
        fmt::format("\n   largest error: `{}`",
                    derivative_name(mode_.prepared.system.unknown_names[column], entry.order));
  }
  return {Status::kStepTooSmall, std::move(message)};
}

Failure Explanation::undefined_function() const {
  const codegen::ExpandResult& why = stepper_.failure();
  const bool has_node = why.tag >= 0;
  const NodeId node(has_node ? static_cast<std::size_t>(why.tag) : 0);
  const std::string place = has_node ? place_of(node) : "";
  if (!why.text.empty()) return {Status::kUndefinedFunction, when_ + why.text + place};
  const std::string op(op_name(why.op));
  // sqrt(0) is a number, its derivatives are not.
  const bool has_value =
      ops::entry(why.op).num_operands == 1 && std::isfinite(ops::apply(why.op, why.argument));
  return {
      Status::kUndefinedFunction,
      when_ + fmt::format("{}`{}` {}: {} of {:.6g}{}", has_value ? "the derivative of " : "",
                          has_node ? mode_.prepared.system.to_string(node) : op,
                          has_value ? "does not exist" : "is undefined", op, why.argument, place)};
}

Failure Explanation::failure() const {
  using codegen::ExpandStatus;
  const codegen::ExpandResult& why = stepper_.failure();
  switch (why.status) {
    case ExpandStatus::kSingularBlock:
      return {Status::kSingularJacobian,
              when_ + fmt::format("the system Jacobian is singular in the block of {} (condition "
                                  "number {:.2g})",
                                  equations_of_block(why.block), why.condition)};
    case ExpandStatus::kUndefinedFunction: return undefined_function();
    case ExpandStatus::kNotConverged:
      return {Status::kNotConverged, when_ + fmt::format("no consistent point was found for {}",
                                                         equations_of_block(why.block))};
    case ExpandStatus::kNotFinite:
      return {Status::kOverflow, when_ + fmt::format("numbers overflow in the block of {}",
                                                     equations_of_block(why.block))};
    case ExpandStatus::kOk: break;
  }
  return step_too_small();
}

}  // namespace

Failure expansion_failure(const Model& model, const TaylorSolution& solution) {
  return Explanation(model, solution).failure();
}

}  // namespace hydae
