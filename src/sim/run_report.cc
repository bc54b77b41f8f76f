#include "sim/run_report.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <string>
#include <string_view>

namespace hydae {
namespace {

constexpr long kMostAlike = 20;  // warnings that differ in their numbers only

std::string without_numbers(const std::string& text) {
  std::string rest;
  std::copy_if(text.begin(), text.end(), std::back_inserter(rest), [](char c) {
    return std::string_view("0123456789.+-e").find(c) == std::string_view::npos;
  });
  return rest;
}

}  // namespace

void add_up(const Summary& part, Summary& whole) {
  whole.steps += part.steps;
  whole.rejected_steps += part.rejected_steps;
  whole.jacobians += part.jacobians;
  whole.factorizations += part.factorizations;
  whole.newton_iterations += part.newton_iterations;
  whole.state_selections += part.state_selections;
  whole.max_constraint_residual =
      std::max(whole.max_constraint_residual, part.max_constraint_residual);
  whole.max_dropped_residual = std::max(whole.max_dropped_residual, part.max_dropped_residual);
  whole.max_projection = std::max(whole.max_projection, part.max_projection);
  if (whole.bdf.empty())
    whole.bdf = part.bdf;
  else if (!part.bdf.empty() && part.bdf != whole.bdf)
    whole.bdf = "CVODE and IDA";
}

void RunReport::warn(std::string text) {
  auto& warnings = summary_.warnings;
  Alike& alike = alike_[without_numbers(text)];
  if (++alike.count <= kMostAlike) return warnings.push_back(std::move(text));
  if (alike.count == kMostAlike + 1) {
    alike.place = warnings.size();
    warnings.emplace_back();
  }
  const long more = alike.count - kMostAlike;
  warnings[alike.place] =
      more == 1 ? std::move(text) : fmt::format("{} more like these, the last one: {}", more, text);
}

void RunReport::add_event(EventRecord record) {
  if (summary_.num_events++ == 0 && record.t != start_) summary_.modes.insert(record.from_mode);
  summary_.modes.insert(record.to_mode);
  if (!keeps_events_) summary_.events.clear();
  summary_.events.push_back(std::move(record));
}

void RunReport::warn_once(const std::string& text) {
  auto& warnings = summary_.warnings;
  if (std::find(warnings.begin(), warnings.end(), text) == warnings.end()) warn(text);
}

}  // namespace hydae
