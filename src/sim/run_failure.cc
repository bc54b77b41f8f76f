// Why a run ended before its time, in the user's names: which equations, which operation, where it
// is written.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/derivative_name.h"
#include "expr/walk.h"
#include "sim/run.h"

namespace hydae {
namespace {

constexpr std::size_t kMostPlaces = 3;

}  // namespace

void Run::fail(Failure failure) {
  result_.summary.status = failure.status;
  result_.summary.message = std::move(failure.message);
}

void Run::warn_once(const std::string& text) {
  auto& warnings = result_.summary.warnings;
  if (std::find(warnings.begin(), warnings.end(), text) == warnings.end()) warnings.push_back(text);
}

// "`f2` (tank.mo:14:3)".
std::string Run::name_and_place(EqId equation) const {
  const System& system = mode_->prepared.system;
  const std::string name = quoted(system.equation_names[equation]);
  const std::string place =
      model_.sources ? model_.sources->place(system.equation_sources[equation]) : std::string();
  return place.empty() ? name : fmt::format("{} ({})", name, place);
}

std::string Run::equations_of_block(int block) const {
  if (block < 0) return "the equations";
  const auto& equations =
      mode_->compiled.program->structure().blocks[static_cast<std::size_t>(block)].equations;
  std::vector<std::string> names, places;
  for (int i : equations) {
    const EqId equation(static_cast<std::size_t>(i));
    names.push_back(mode_->prepared.system.equation_names[equation]);
    places.push_back(name_and_place(equation));
  }
  return names.size() > kMostPlaces ? quoted_list(names)
                                    : fmt::format("{}", fmt::join(places, ", "));
}

// ", in equation `f2` (tank.mo:14:3)": the equations that contain a node; empty if none does.
std::string Run::place_of(NodeId node) const {
  const System& system = mode_->prepared.system;
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

void Run::report_step_too_small(const std::string& when) {
  const double step = stepper_->last_step();
  std::string message =
      when + fmt::format("step {:.2g} is below the limit {:.2g}", step, stepper_->smallest_step());
  if (stepper_->limiting_entry() >= 0) {
    const codegen::JetEntry entry =
        stepper_->program().entries()[static_cast<std::size_t>(stepper_->limiting_entry())];
    const VarId column(static_cast<std::size_t>(entry.variable));
    message +=
        fmt::format("\n   largest error: `{}`",
                    derivative_name(mode_->prepared.system.unknown_names[column], entry.order));
  }
  fail(Status::kStepTooSmall, std::move(message));
}

// What the solution is heading for, in the warnings, or in the message of a run that failed there.
void Run::report_singularity() {
  const auto forecast = watch_.forecast();
  if (!forecast) return;
  Summary& summary = result_.summary;
  const VarId column(static_cast<std::size_t>(forecast->variable));
  summary.singularity = SingularityForecast{
      forecast->t, mode_->prepared.system.unknown_names[column], forecast->exponent};
  const std::string text = fmt::format(
      "the solution seems to have a singularity at t = {:.7g}: `{}` behaves like (t - time)^{:.2g}",
      forecast->t, summary.singularity->variable, -forecast->exponent);
  if (summary.succeeded())
    summary.warnings.push_back(text);
  else
    summary.message += "\n   " + text;
}

void Run::report_expand_failure() {
  using codegen::ExpandStatus;
  const codegen::ExpandResult& why = stepper_->failure();
  const std::string when = fmt::format("simulation stopped at t = {:.10g}: ", stepper_->time());
  switch (why.status) {
    case ExpandStatus::kSingularBlock:
      fail(
          Status::kSingularJacobian,
          when + fmt::format("the system Jacobian is singular in the block of {} (condition number "
                             "{:.2g})",
                             equations_of_block(why.block), why.condition));
      break;
    case ExpandStatus::kUndefinedFunction: {
      const std::string op(codegen::term_op_name(why.op));
      const bool has_node = why.tag >= 0;
      const NodeId node(has_node ? static_cast<std::size_t>(why.tag) : 0);
      if (!why.text.empty()) {
        fail(Status::kUndefinedFunction, when + why.text + (has_node ? place_of(node) : ""));
        break;
      }
      fail(Status::kUndefinedFunction,
           when + fmt::format("`{}` is undefined: {} of {:.6g}{}",
                              has_node ? mode_->prepared.system.to_string(node) : op, op,
                              why.argument, has_node ? place_of(node) : ""));
      break;
    }
    case ExpandStatus::kNotConverged:
      fail(Status::kNotConverged, when + fmt::format("no consistent point was found for {}",
                                                     equations_of_block(why.block)));
      break;
    case ExpandStatus::kNotFinite:
      fail(Status::kOverflow, when + fmt::format("numbers overflow in the block of {}",
                                                 equations_of_block(why.block)));
      break;
    case ExpandStatus::kOk: report_step_too_small(when);
  }
}

}  // namespace hydae
