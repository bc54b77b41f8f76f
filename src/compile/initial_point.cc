#include "compile/initial_point.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <nlohmann/json.hpp>

#include <hydae/analyze.h>
#include <hydae/error.h>

#include "compile/analyzed_system.h"
#include "compile/ill_posed_report.h"
#include "compile/observers.h"

namespace hydae {
namespace {

void describe_values(const InitialSystem& system, const ConsistentPoint& solution,
                     InitialPoint& point) {
  const System& continuous = system.prepared->system;
  point.variables = continuous.unknown_names.raw();
  point.values.resize(point.variables.size());
  for (std::size_t k = 0; k < system.columns.size(); ++k) {
    const InitialColumn& column = system.columns[k];
    if (const auto unknown = continuous.find_column(column.leaf.variable))  // else it is observed
      point.values[unknown->index()].push_back(solution.values[k]);
    (column.is_fixed ? point.fixed : point.free).push_back(column.name);
  }
  for (int k : solution.kept)
    point.kept.push_back(system.columns[static_cast<std::size_t>(k)].start_name);
  point.moved = solution.moved;
}

InitialPart names_of(const InitialSystem& system, const InitialGroup& group) {
  InitialPart part;
  for (int row : group.rows)
    part.equations.push_back(system.rows[static_cast<std::size_t>(row)].name);
  for (int column : group.columns)
    part.unknowns.push_back(system.columns[static_cast<std::size_t>(column)].name);
  return part;
}

std::string list_or_nothing(const std::vector<std::string>& names) {
  return names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, ", "));
}

// What the structure says about the freedom of choice.
std::string to_text(const InitialPart& over, const InitialPart& under) {
  std::string out;
  if (!over.equations.empty())
    out += fmt::format("over-determined: {} equations for {} unknowns: {} for {}\n",
                       over.equations.size(), over.unknowns.size(), quoted_list(over.equations),
                       over.unknowns.empty() ? "nothing" : quoted_list(over.unknowns));
  if (!under.unknowns.empty())
    out += fmt::format(
        "under-determined: {} of {} unknowns may be chosen, and stay close to their guesses: {}\n",
        under.unknowns.size() - under.equations.size(), under.unknowns.size(),
        quoted_list(under.unknowns));
  return out;
}

}  // namespace

void describe_point(const InitialSystem& system, const ConsistentPoint& solution,
                    InitialPoint& point) {
  point.iterations += solution.iterations;
  point.residual_norm = solution.residual_norm;
  point.method = init::name(solution.report.method);
  describe_values(system, solution, point);
  const InitialDiagnosis diagnosis = diagnose(system);
  point.over = names_of(system, diagnosis.over);
  point.under = names_of(system, diagnosis.under);
}

void add_aliases(const Model& model, InitialPoint& point) {
  std::map<std::string, std::size_t> places;
  for (std::size_t j = 0; j < point.variables.size(); ++j) places[point.variables[j]] = j;
  for (const Alias& alias : model.aliases()) {
    const auto target = places.find(model.all_variables()[alias.target].name);
    if (target == places.end()) continue;
    std::vector<double> values = point.values[target->second];
    for (double& value : values) value = value == 0 ? 0 : alias.factor * value;
    point.variables.push_back(alias.name);
    point.values.push_back(std::move(values));
  }
}

void describe_failure(const Diagnostic& why, InitialPoint& point) {
  point.moved.clear();
  point.status = why.code;
  point.message = why.message;
  point.diagnostics.add(why);
}

InitialPoint find_initial_point(const AnalyzedSystem& prepared, const InitializeOptions& options) {
  InitialPoint point;
  require_well_posed(prepared);
  const Model& model = *prepared.system.model;
  InitialSystem system = make_initial_system(prepared, options);
  point.t = options.time.value_or(model.experiment.start_time.value_or(0.0));
  const PointSettings settings{point.t, model.parameter_values()};
  const ConsistentPoint solution = solve_with_observers(system, settings);
  describe_point(system, solution, point);
  add_aliases(model, point);
  if (!solution.is_solved()) describe_failure(explain_failure(system, settings, solution), point);
  return point;
}

InitialPoint initialize_in_mode(const Model& given, const InitializeOptions& options) {
  const Model model = given.extended();  // what is added is not the model's
  std::vector<bool> mode = start_mode(model);
  std::copy_n(options.mode.begin(), std::min(options.mode.size(), mode.size()), mode.begin());
  InitialPoint point = find_initial_point(analyze_system(model, mode), options);
  const std::vector<std::string> texts = relation_texts(model);
  for (std::size_t k = 0; k < mode.size(); ++k) point.mode.emplace_back(texts[k], mode[k]);
  return point;
}

std::string to_text(const MovedStart& start) {
  const bool is_name = start.because.find(' ') == std::string::npos;
  return fmt::format("start value of {} moved from {} to {}: {}", hydae::quoted(start.variable),
                     start.from, start.to, is_name ? hydae::quoted(start.because) : start.because);
}

std::string to_text(const InitialPoint& point) {
  std::string out = fmt::format("consistent point at t = {}\n", point.t);
  if (!point.succeeded())
    out = fmt::format("no consistent point at t = {}; the best one is\n", point.t);
  for (const auto& [relation, truth] : point.mode)
    out += fmt::format("  mode: {} is {}\n", relation, truth);
  for (std::size_t j = 0; j < point.variables.size(); ++j)
    out += fmt::format("  {} = {}\n", point.variables[j], fmt::join(point.values[j], ", "));
  out += fmt::format("held: {}\n", list_or_nothing(point.fixed));
  out += fmt::format("free: {}\n", list_or_nothing(point.free));
  if (!point.kept.empty())
    out += fmt::format("start values kept: {}\n", fmt::join(point.kept, ", "));
  for (const MovedStart& start : point.moved) out += "  " + to_text(start) + "\n";
  out += to_text(point.over, point.under);
  out += fmt::format("residual {:.2g} relative to its terms, {} iterations ({})\n",
                     point.residual_norm, point.iterations, point.method);
  return out;
}

namespace {

using Json = nlohmann::ordered_json;

Json moved_json(const std::vector<MovedStart>& moved) {
  Json list = Json::array();
  for (const MovedStart& start : moved)
    list.push_back({{"variable", start.variable},
                    {"from", start.from},
                    {"to", start.to},
                    {"because", start.because}});
  return list;
}

Json part_json(const InitialPart& part) {
  return {{"equations", part.equations}, {"variables", part.unknowns}};
}

}  // namespace

std::string to_json(const InitialPoint& point) {
  Json mode = Json::object(), values = Json::object();
  for (const auto& [relation, truth] : point.mode) mode[relation] = truth;
  for (std::size_t j = 0; j < point.variables.size(); ++j)
    values[point.variables[j]] = point.values[j];
  const Json json = {{"status", point.status},
                     {"message", point.message},
                     {"t", point.t},
                     {"mode", mode},
                     {"values", values},
                     {"residual_norm", point.residual_norm},
                     {"iterations", point.iterations},
                     {"method", point.method},
                     {"free", point.free},
                     {"fixed", point.fixed},
                     {"kept", point.kept},
                     {"moved", moved_json(point.moved)},
                     {"over", part_json(point.over)},
                     {"under", part_json(point.under)}};
  return json.dump(1) + "\n";
}

}  // namespace hydae
