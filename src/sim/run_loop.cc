// The time loop.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "sim/run.h"

namespace hydae {

void Run::integrate() {
  Cause start;
  start.is_time_event = true;
  for (std::size_t k = 0; k < hybrid_.ticks().size(); ++k)
    if (tick_data_.evaluate(instant(settings_.start))[2 * k] == settings_.start)
      start.ticks.insert(k);
  const bool has_start_event = !start.ticks.empty() || has_violated_contact();
  record_until(settings_.start);
  if (has_start_event && !process_event(settings_.start, start)) return;
  while (stepper_->time() != settings_.stop && !is_terminated_)
    if (!step()) break;
  result_.summary.t_end = stepper_->time();
}

// One step: to the end of the series, to a time event, or to the first root of a guard.
bool Run::step() {
  Cause cause;
  const double limit = next_time_event(settings_.stop, cause);
  if (!stepper_->expand(limit)) {
    report_expand_failure();
    return false;
  }
  watch_.observe(stepper_->time(), stepper_->reach(), stepper_->radius());
  Cause state_cause;
  if (const auto t = find_event(state_cause)) {
    record_until(*t);
    return process_event(*t, state_cause) && close_accumulation();
  }
  const double reach = stepper_->reach();
  record_until(reach);
  if (!are_assertions_met(reach)) return false;
  if (reach == limit && cause.is_time_event) return process_event(reach, cause);
  last_step_ = std::abs(reach - stepper_->time());
  stepper_->advance(reach);
  known_zeros_.clear();
  if (options_.progress && !options_.progress(reach)) {
    fail("cancelled", fmt::format("cancelled at t = {}", reach));
    return false;
  }
  return true;
}

// The next time at which a tick is due or a guard that is affine in time vanishes, exactly.
double Run::next_time_event(double limit, Cause& cause) {
  const double now = stepper_->time(), direction = settings_.direction();
  double next = limit;
  const auto consider = [&](double t) {
    if (!((t - now) * direction > 0) || (t - next) * direction > 0) return false;
    if (t != next) cause = {};
    next = t;
    cause.is_time_event = true;
    return true;
  };
  if (!time_relations_.empty()) {
    Instant at_zero = instant(now);
    at_zero.t = 0;
    const auto values = time_guards_.evaluate(at_zero);
    for (std::size_t k = 0; k < time_relations_.size(); ++k) {
      const double slope = values[2 * k + 1];
      if (slope != 0 && consider(-values[2 * k] / slope))
        cause.relations.insert(time_relations_[k]);
    }
  }
  if (!hybrid_.ticks().empty()) {
    const auto values = tick_data_.evaluate(instant(now));
    for (std::size_t k = 0; k < hybrid_.ticks().size(); ++k) {
      const double first = values[2 * k], interval = values[2 * k + 1];
      if (!(interval > 0)) continue;
      double count = std::max(0.0, std::floor((now - first) / interval));
      while (first + count * interval <= now) ++count;
      if (consider(first + count * interval)) cause.ticks.insert(k);
    }
  }
  return next;
}

// Output k of the program as a polynomial over the step.
poly::Guard Run::guard_over_step(std::size_t output) {
  const double ratio = (stepper_->reach() - stepper_->time()) / stepper_->expansion().scale();
  const auto series = stepper_->output_series(static_cast<int>(output));
  std::vector<double>& scaled = guard_series_[output];
  scaled.assign(series.begin(), series.end());
  double power = 1, size = 0;
  for (double& coefficient : scaled) {
    coefficient *= power;
    power *= ratio;
    size += std::abs(coefficient);
  }
  // What is left of the series beyond its last terms, and rounding.
  const double tail =
      scaled.size() > 1 ? std::abs(scaled.back()) + std::abs(scaled[scaled.size() - 2]) : 0;
  poly::Guard guard;
  guard.coefficients = scaled;
  guard.remainder = std::min(tail, 1e-3 * size) + 4e-16 * size;
  guard.num_known_zeros = known_zeros_.empty() ? 0 : known_zeros_[output];
  return guard;
}

std::optional<double> Run::find_event(Cause& cause) {
  const std::size_t n = hybrid_.relations().size();
  if (n == 0) return std::nullopt;
  const std::size_t num_outputs = n + 2 * mode_->holds.size();
  guard_series_.resize(num_outputs);
  std::vector<poly::Guard> guards;
  std::vector<std::size_t> watched;
  for (std::size_t k = 0; k < num_outputs; ++k) {
    const bool is_exit = k >= n;
    if (!is_exit && (hybrid_.relations()[k].is_time_only || is_held(k))) continue;
    guards.push_back(guard_over_step(k));
    guards.back().held_sign = is_exit ? 1 : hybrid_.relations()[k].held_sign(bits_[k]);
    watched.push_back(k);
  }
  const poly::FirstEvent& event = finder_.find(guards);
  for (const poly::GuardRoot& root : event.grazing)
    if (const std::size_t k = watched[static_cast<std::size_t>(root.guard)]; k < n)
      note_grazing(k, root.root.tau);
  if (!event.has_event()) return std::nullopt;
  cause.is_silent = true;
  for (const poly::GuardRoot& root : event.guards) {
    const std::size_t output = watched[static_cast<std::size_t>(root.guard)];
    if (output >= n) {
      add_exit(output - n, cause);
      continue;
    }
    cause.relations.insert(output);
    cause.is_silent = cause.is_silent && hybrid_.relations()[output].is_silent;
  }
  const double t = stepper_->time(), reach = stepper_->reach();
  return event.tau >= 1 ? reach : t + event.tau * (reach - t);
}

// A guard that touches zero and turns back: whether it has crossed is not known.
void Run::note_grazing(std::size_t relation, double tau) {
  if (hybrid_.relations()[relation].is_silent || !grazed_.insert(relation).second) return;
  const double t = stepper_->time() + tau * (stepper_->reach() - stepper_->time());
  result_.summary.warnings.push_back(
      fmt::format("grazing at t = {:.10g}: `{}` touches its limit and was not switched", t,
                  hybrid_.relations()[relation].text));
}

void Run::record_until(double t) {
  while (const auto time = grid_->next_until(t))
    recorder_->record(*time, [&](Leaf leaf) { return current_value(leaf, *time); });
}

bool Run::are_assertions_met(double t) {
  if (hybrid_.assertions().empty()) return true;
  const auto truths = assertions_.evaluate(instant(t));
  for (std::size_t k = 0; k < truths.size(); ++k) {
    if (truths[k] == 1.0) continue;
    const Assertion& assertion = *hybrid_.assertions()[k].second;
    const std::string text = fmt::format("assertion at t = {:.10g}: {}", t, assertion.message);
    if (!assertion.is_warning) {
      fail("assertion-failed", text);
      return false;
    }
    warn_once(text);
  }
  return true;
}

namespace {

std::string derivative_name(const std::string& name, int order) {
  if (order == 0) return name;
  return order == 1 ? fmt::format("der({})", name) : fmt::format("der({}, {})", name, order);
}

}  // namespace

void Run::report_expand_failure() {
  using codegen::ExpandStatus;
  const codegen::ExpandResult& why = stepper_->failure();
  const System& system = mode_->prepared.system;
  const codegen::Program& program = *mode_->compiled.program;
  const auto equations = [&] {
    std::vector<std::string> names;
    if (why.block >= 0)
      for (int i : program.structure().blocks[static_cast<std::size_t>(why.block)].equations)
        names.push_back(system.equation_names[EqId(static_cast<std::size_t>(i))]);
    return names.empty() ? std::string("the equations") : quoted_list(names);
  };
  const std::string when = fmt::format("simulation stopped at t = {:.10g}: ", stepper_->time());
  switch (why.status) {
    case ExpandStatus::kSingularBlock:
      fail(
          "singular-jacobian",
          when + fmt::format("the system Jacobian is singular in the block of {} (condition number "
                             "{:.2g})",
                             equations(), why.condition));
      break;
    case ExpandStatus::kUndefinedFunction: {
      const std::string text = why.tag >= 0
                                   ? system.to_string(NodeId(static_cast<std::size_t>(why.tag)))
                                   : std::string(codegen::term_op_name(why.op));
      fail("undefined-function", when + fmt::format("`{}` is undefined: {} of {:.6g}", text,
                                                    codegen::term_op_name(why.op), why.argument));
      break;
    }
    case ExpandStatus::kNotConverged:
      fail("not-converged",
           when + fmt::format("no consistent point was found for {}", equations()));
      break;
    case ExpandStatus::kNotFinite:
      fail("overflow", when + fmt::format("numbers overflow in the block of {}", equations()));
      break;
    case ExpandStatus::kOk: {
      std::string limiting;
      if (stepper_->limiting_entry() >= 0) {
        const codegen::JetEntry entry =
            program.entries()[static_cast<std::size_t>(stepper_->limiting_entry())];
        limiting = fmt::format(
            "\n   largest error: `{}`",
            derivative_name(system.unknown_names[VarId(static_cast<std::size_t>(entry.variable))],
                            entry.order));
      }
      fail("step-too-small", when + "the step is below what the time can resolve" + limiting);
    }
  }
  if (const auto warning = watch_.warning()) result_.summary.message += "\n   " + *warning;
}

}  // namespace hydae
