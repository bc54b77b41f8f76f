// Continuation of an algebraic model in one of its parameters.
#include "init/continuation.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include <hydae/analyze.h>
#include <hydae/continuation.h>
#include <hydae/error.h>

#include "compile/group_equations.h"
#include "compile/ill_posed_report.h"

namespace hydae {
namespace {

AnalyzedSystem analyze_algebraic(const Model& model, const std::vector<bool>& mode) {
  AnalyzedSystem prepared = analyze_system(model, mode);
  Diagnostics diagnostics;
  report_ill_posed(prepared, diagnostics);
  if (diagnostics.has_errors()) throw ModelError(std::move(diagnostics));
  for (EqId eq : ids<EqId>(prepared.sigma.num_eqs()))
    for (const auto& [var, order] : prepared.sigma.row(eq))
      if (order > 0)
        throw UsageError(
            fmt::format("`{}` is not purely algebraic: equation {} contains a derivative of {}; "
                        "continuation follows the solutions of algebraic equations",
                        model.name(), quoted(prepared.system.equation_names[eq]),
                        quoted(prepared.system.unknown_names[var])));
  return prepared;
}

// All parameters and the time, for one value of the parameter that moves.
class MovingParameter {
 public:
  MovingParameter(const Model& model, const std::string& name) : model_(model) {
    if (name == "time") return;
    const auto parameter = model.find_parameter(name);
    if (!parameter) {
      std::vector<std::string> names{"time"};
      for (const Parameter& known : model.parameters()) names.push_back(known.name);
      const auto near = nearest_names(name, names);
      throw UsageError(
          fmt::format("model `{}` has no parameter `{}`{}", model.name(), name,
                      near.empty() ? "" : fmt::format("; near: {}", quoted_list(near))));
    }
    parameter_ = parameter;
    unit_ = model.parameters()[*parameter].unit;
  }

  Column column(const std::string& name) const {
    return parameter_ ? Column{name, unit_, ""} : Column{"time", "s", ""};
  }

  const Model& model_at(double lambda) {
    if (parameter_) model_.set_parameter(*parameter_, lambda);
    return model_;
  }

  PointSettings settings(double lambda) {
    if (!parameter_) return {lambda, model_.parameter_values()};
    model_.set_parameter(*parameter_, lambda);
    return {model_.experiment.start_time.value_or(0.0), model_.parameter_values()};
  }

 private:
  Model model_;  // whose parameter is moved
  std::optional<ParamId> parameter_;
  std::string unit_;
};

// The switches of the model at points of the curve.
class SwitchCheck {
 public:
  SwitchCheck(const Model& model, const InitialSystem& system, std::vector<bool> mode)
      : system_(system),
        mode_(std::move(mode)),
        evaluator_(model.graph(), system_relations(model), &model.functions()) {}

  // The first relation whose truth is not that of the mode.
  std::optional<std::size_t> find_change(const init::Vector& x, const PointSettings& settings) {
    if (mode_.empty()) return std::nullopt;
    const auto value_of = [&](Leaf leaf) {
      const auto column = system_.leaf_to_column.find(leaf);
      return column != system_.leaf_to_column.end() ? x[column->second] : system_.held.at(leaf);
    };
    std::vector<double> values, pre_values;
    for (Leaf leaf : evaluator_.leaves()) values.push_back(value_of(leaf));
    for (Leaf leaf : evaluator_.pre_leaves()) pre_values.push_back(value_of(leaf));
    const std::vector<double> given(evaluator_.given().size(), 0.0);
    const auto truths = evaluator_.evaluate({.time = settings.time,
                                             .parameters = settings.parameters,
                                             .values = values,
                                             .pre_values = pre_values,
                                             .given = given,
                                             .is_initial = true});
    for (std::size_t k = 0; k < mode_.size(); ++k)
      if ((truths[k] == 1.0) != mode_[k]) return k;
    return std::nullopt;
  }

 private:
  const InitialSystem& system_;
  std::vector<bool> mode_;
  Evaluator evaluator_;
};

init::PathOptions path_options(const ContinuationOptions& options) {
  const double width = std::abs(options.to - options.from);
  init::PathOptions path;
  path.direction = options.to > options.from ? 1 : -1;
  path.max_step = options.max_step;
  path.initial_step = std::min(path.initial_step, options.max_step);
  path.max_points = options.max_points;
  path.target = options.to;
  path.lambda_min = options.min.value_or(std::min(options.from - width, options.to));
  path.lambda_max = options.max.value_or(std::max(options.from + width, options.to));
  return path;
}

// A value at which no term of the equations vanishes that is there elsewhere on the way.
double generic_value(const ContinuationOptions& options) {
  constexpr double kShare = 0.5641895835477563;
  return options.from + kShare * (options.to - options.from);
}

void check(const ContinuationOptions& options) {
  if (!std::isfinite(options.from) || !std::isfinite(options.to) || options.from == options.to)
    throw UsageError(fmt::format("continuation from {} to {} of `{}` goes nowhere", options.from,
                                 options.to, options.parameter));
  if (!(options.max_step > 0)) throw UsageError("the longest step must be positive");
  if (options.max_points < 2) throw UsageError("a curve needs at least two points");
  if (options.min.value_or(options.from) > options.from ||
      options.max.value_or(options.from) < options.from)
    throw UsageError(fmt::format("the start value {} of `{}` is outside its range", options.from,
                                 options.parameter));
}

class CurveFollower {
 public:
  CurveFollower(const Model& model, const ContinuationOptions& options, std::vector<bool> mode)
      : model_(model),
        options_(options),
        moving_(model, options.parameter),
        mode_(std::move(mode)),
        prepared_(analyze_algebraic(moving_.model_at(generic_value(options)), mode_)) {
    InitializeOptions initial;
    initial.start_values = options.start_values;
    system_ = make_initial_system(prepared_, initial);
    for (const InitialColumn& column : system_.columns) values_.push_back(column.guess);
    for (std::size_t k = 0; k < system_.rows.size(); ++k) all_.rows.push_back(static_cast<int>(k));
    for (std::size_t k = 0; k < system_.columns.size(); ++k)
      if (!system_.columns[k].is_fixed) all_.columns.push_back(static_cast<int>(k));
  }

  // The relation that is not as the mode says at the very start; found by run().
  std::optional<std::size_t> wrong_relation() const { return wrong_relation_; }

  SolutionCurve run() {
    GroupEquations equations(system_, moving_.settings(options_.from), values_);
    equations.select(all_);
    init::ParametricProblem problem =
        equations.parametric_problem([this](double lambda) { return moving_.settings(lambda); });
    problem.parameter_nominal = std::abs(options_.to - options_.from);
    const init::PathOptions path = path_options(options_);
    describe(options_.by_arc_length
                 ? init::follow_arc(problem, options_.from, path)
                 : init::follow_parameter(problem, options_.from, options_.to, path));
    return std::move(curve_);
  }

 private:
  void describe(const init::Continuation& found) {
    curve_.parameter = options_.parameter;
    curve_.from = options_.from;
    curve_.to = options_.to;
    std::vector<Column> columns;
    for (int k : all_.columns) {
      const VarId variable = system_.columns[static_cast<std::size_t>(k)].leaf.variable;
      columns.push_back({system_.columns[static_cast<std::size_t>(k)].name,
                         model_.all_variables()[variable].unit,
                         model_.all_variables()[variable].description});
    }
    curve_.points = Trajectory(std::move(columns), moving_.column(options_.parameter));
    const bool is_whole = add_points(found);
    if (is_whole) describe_end(found);
    if (curve_.points.num_rows() > 0) {
      curve_.special_points.insert(curve_.special_points.begin(),
                                   SpecialPoint{SpecialPoint::Kind::kStart, 0});
      curve_.special_points.push_back({SpecialPoint::Kind::kEnd, curve_.points.num_rows() - 1});
    }
  }

  // False if the equations switch on the way: the curve of this mode ends there.
  bool add_points(const init::Continuation& found) {
    SwitchCheck switches(model_, system_, mode_);
    for (const init::ContinuationPoint& point : found.points) {
      if (const auto relation = switches.find_change(point.x, moving_.settings(point.lambda))) {
        if (curve_.points.num_rows() == 0) wrong_relation_ = relation;
        curve_.status = "switch";
        curve_.message =
            fmt::format("`{}` changes before {} = {:.10g}: the equations switch there",
                        relation_texts(model_)[*relation], options_.parameter, point.lambda);
        return false;
      }
      const std::size_t row = curve_.points.num_rows();
      if (point.kind == init::PointKind::kFold)
        curve_.special_points.push_back({SpecialPoint::Kind::kTurningPoint, row});
      if (point.kind == init::PointKind::kBranch)
        curve_.special_points.push_back({SpecialPoint::Kind::kBranchPoint, row});
      curve_.points.add_row(point.lambda,
                            {point.x.data(), static_cast<std::size_t>(point.x.size())});
      curve_.arc_lengths.push_back(point.arclength);
    }
    return true;
  }

  void describe_end(const init::Continuation& found) {
    using init::PathEnd;
    curve_.is_closed = found.end == PathEnd::kClosed;
    if (found.end == PathEnd::kTarget || curve_.is_closed) return;
    const std::string name = options_.parameter;
    const double last = found.points.empty() ? options_.from : found.points.back().lambda;
    switch (found.end) {
      case PathEnd::kLeftRange:
        curve_.status = "left-range";
        curve_.message =
            fmt::format("the curve leaves the range at {} = {:.10g} without meeting {}", name, last,
                        options_.to);
        break;
      case PathEnd::kMaxPoints:
      case PathEnd::kMaxArclength:
        curve_.status = "too-many-points";
        curve_.message =
            fmt::format("{} points lead to {} = {:.10g} only", options_.max_points, name, last);
        break;
      case PathEnd::kBadStart:
        curve_.status = "no-start";
        curve_.message = fmt::format("no curve begins at {} = {}: {}", name, options_.from,
                                     found.message.empty() ? "no unique tangent" : found.message);
        break;
      default:
        curve_.status = "step-too-small";
        curve_.message =
            options_.by_arc_length
                ? fmt::format(
                      "the curve cannot be followed beyond {} = {:.10g}: it ends, has a "
                      "cusp or several curves meet",
                      name, last)
                : fmt::format(
                      "the solution ends at {} = {:.10g}: probably a turning point, which "
                      "continuation by arc length passes",
                      name, last);
    }
  }

  const Model& model_;
  const ContinuationOptions& options_;
  MovingParameter moving_;
  std::vector<bool> mode_;
  AnalyzedSystem prepared_;
  InitialSystem system_;
  std::vector<double> values_;  // of fixed columns
  InitialGroup all_;
  std::optional<std::size_t> wrong_relation_;
  SolutionCurve curve_;
};

}  // namespace

SolutionCurve follow(const Model& model, const ContinuationOptions& options) {
  check(options);
  std::vector<bool> mode = start_mode(model);
  for (std::size_t attempt = 0;; ++attempt) {
    CurveFollower follower(model, options, mode);
    SolutionCurve curve = follower.run();
    // The guesses may be on the other side of a switch than the solution.
    const auto wrong = follower.wrong_relation();
    if (!wrong || attempt == mode.size()) return curve;
    mode[*wrong] = !mode[*wrong];
  }
}

}  // namespace hydae
