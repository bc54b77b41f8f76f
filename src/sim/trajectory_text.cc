// Trajectory as CSV and JSON, summary as JSON.
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <hydae/simulate.h>
#include <hydae/trajectory.h>

namespace hydae {
namespace {

using Json = nlohmann::ordered_json;

// Quotes a field that has a comma, a quote or a line break.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

// JSON has no NaN and no infinity: null.
Json json_number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

}  // namespace

void append_csv_header(std::string& out, const Column& axis, std::span<const Column> columns) {
  out += csv_field(axis.name);
  for (const Column& column : columns) {
    out += ',';
    out += csv_field(column.name);
  }
  out += '\n';
}

void append_csv_row(std::string& out, double time, std::span<const double> values) {
  fmt::format_to(std::back_inserter(out), "{}", time);
  for (double value : values) fmt::format_to(std::back_inserter(out), ",{}", value);
  out += '\n';
}

std::string to_csv(const Trajectory& trajectory) {
  std::string out;
  append_csv_header(out, trajectory.axis(), trajectory.columns());
  for (std::size_t r = 0; r < trajectory.num_rows(); ++r)
    append_csv_row(out, trajectory.times()[r], trajectory.row(r));
  return out;
}

std::string to_json(const Trajectory& trajectory) {
  Json json;
  json[trajectory.axis().name] = trajectory.times();
  Json& variables = json["variables"] = Json::object();
  for (std::size_t k = 0; k < trajectory.columns().size(); ++k) {
    Json values = Json::array();
    for (std::size_t r = 0; r < trajectory.num_rows(); ++r)
      values.push_back(json_number(trajectory.value(r, k)));
    variables[trajectory.columns()[k].name] = {{"unit", trajectory.columns()[k].unit},
                                               {"values", std::move(values)}};
  }
  return json.dump() + "\n";
}

namespace {

Json event_json(const EventRecord& event) {
  Json impulses = Json::array(), jumps = Json::array();
  for (const Impulse& impulse : event.impulses)
    impulses.push_back({{"variable", impulse.variable},
                        {"order", impulse.order},
                        {"weight", json_number(impulse.weight)}});
  for (const Jump& jump : event.jumps)
    jumps.push_back({{"variable", jump.variable},
                     {"left", json_number(jump.left)},
                     {"right", json_number(jump.right)}});
  return {{"t", event.t},
          {"kind", event.kind},
          {"relations", event.relations},
          {"from_mode", event.from_mode},
          {"to_mode", event.to_mode},
          {"impulses", std::move(impulses)},
          {"jumps", std::move(jumps)}};
}

Json moved_starts_json(const std::vector<MovedStart>& moved) {
  Json list = Json::array();
  for (const MovedStart& start : moved)
    list.push_back({{"variable", start.variable},
                    {"from", start.from},
                    {"to", json_number(start.to)},
                    {"because", start.because}});
  return list;
}

Json dropped_json(const std::vector<DroppedEquation>& dropped) {
  Json list = Json::array();
  for (const DroppedEquation& equation : dropped)
    list.push_back({{"equation", equation.equation},
                    {"source", equation.source},
                    {"follows_from", equation.follows_from}});
  return list;
}

Json functions_json(const std::vector<EventFunction>& functions) {
  Json list = Json::array();
  for (const EventFunction& function : functions) {
    Json entry = {{"relation", function.relation},
                  {"grade", name_of(function.grade)},
                  {"sampled_steps", function.sampled_steps}};
    if (function.unproved) entry["unproved"] = json_number(*function.unproved);
    list.push_back(std::move(entry));
  }
  return list;
}

Json singularity_json(const std::optional<SingularityForecast>& forecast) {
  if (!forecast) return nullptr;
  return {{"t", json_number(forecast->t)},
          {"variable", forecast->variable},
          {"exponent", json_number(forecast->exponent)}};
}

}  // namespace

std::string to_json(const Summary& summary) {
  Json events = Json::array();
  for (const EventRecord& event : summary.events) events.push_back(event_json(event));
  const Json json = {{"status", name_of(summary.status)},
                     {"message", summary.message},
                     {"warnings", summary.warnings},
                     {"t_end", json_number(summary.t_end)},
                     {"solver", summary.solver},
                     {"solver_choice", summary.solver_choice},
                     {"bdf", summary.bdf},
                     {"tolerance", summary.tolerance},
                     {"atol", summary.atol},
                     {"scales", summary.scales},
                     {"order", summary.order},
                     {"steps", summary.steps},
                     {"rejected_steps", summary.rejected_steps},
                     {"jacobians", summary.jacobians},
                     {"factorizations", summary.factorizations},
                     {"newton_iterations", summary.newton_iterations},
                     {"moved_starts", moved_starts_json(summary.moved_starts)},
                     {"state_selections", summary.state_selections},
                     {"events", std::move(events)},
                     {"event_functions", functions_json(summary.event_functions)},
                     {"modes_visited", summary.modes_visited},
                     {"mode_cache_hits", summary.mode_cache_hits},
                     {"max_constraint_residual", json_number(summary.max_constraint_residual)},
                     {"dropped_equations", dropped_json(summary.dropped_equations)},
                     {"least_norm", summary.least_norm},
                     {"max_dropped_residual", json_number(summary.max_dropped_residual)},
                     {"max_projection", json_number(summary.max_projection)},
                     {"singularity", singularity_json(summary.singularity)},
                     {"seconds", summary.seconds}};
  return json.dump(1) + "\n";
}

}  // namespace hydae
