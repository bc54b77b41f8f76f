#include "partition/mode_points.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include <hydae/analyze.h>
#include <hydae/error.h>
#include <hydae/initialize.h>

#include "base/derivative_name.h"
#include "compile/given_point.h"
#include "compile/given_starts.h"
#include "compile/system.h"

namespace hydae::partition {

namespace {

// Inputs that nothing determines, or constraints for an optimiser: the closest point is meant.
bool is_rectangular(const Model& model) {
  std::size_t unknowns = 0, equations = 0;
  for (const Variable& variable : model.all_variables())
    unknowns += variable.kind == VariableKind::kReal;
  for (const Equation& equation : model.equations())
    equations += !is_discrete_equation(model, equation);
  return unknowns != equations;
}

class PointFinder {
 public:
  PointFinder(const Model& model, const Options& options, Diagnostics& warnings)
      : model_(model),
        options_(options),
        warnings_(warnings),
        relations_(system_relations(model)),
        texts_(relation_texts(model)) {}

  ModePoints run() {
    result_.points = options_.points;
    if (result_.points.empty())
      result_.points.push_back({model_.experiment.start_time.value_or(0.0)});
    for (std::size_t k = 0; k < result_.points.size(); ++k) {
      TimePoint& point = result_.points[k];
      const std::vector<bool> mode =
          options_.source == PointSource::kConsistent ? make_consistent(point) : mode_at(point, {});
      if (k == 0)
        result_.mode = mode;
      else
        compare(mode, point.t);
    }
    return std::move(result_);
  }

 private:
  using Truths = std::map<std::string, bool>;  // by the text of a relation

  std::vector<bool> make_consistent(TimePoint& point) {
    InitializeOptions options{point.t, options_.mode, point.values};
    options.is_least_norm = is_rectangular(model_);
    const std::vector<bool> given = mode_at(point, {});
    const InitialPoint found = initialize(model_, options);
    if (!found.succeeded()) throw ModelError(found.diagnostics);
    result_.moved.insert(result_.moved.end(), found.moved.begin(), found.moved.end());
    point.values.clear();
    for (std::size_t j = 0; j < found.variables.size(); ++j)
      for (std::size_t order = 0; order < found.values[j].size(); ++order)
        point.values.push_back(
            {derivative_name(found.variables[j], static_cast<int>(order)), found.values[j][order]});
    if (options.is_least_norm) return given;  // modes are not looked for
    return mode_at(point, Truths(found.mode.begin(), found.mode.end()));
  }

  // What is known of relations counts more than their values: they may be at their limits.
  std::vector<bool> mode_at(const TimePoint& point, const Truths& known) const {
    std::vector<StartOverride> values;
    for (const StartOverride& value : point.values)
      if (find_named_leaf(model_, value.variable)) values.push_back(value);
    const std::vector<double> truths = GivenPoint(model_, values, point.t).evaluate(relations_);
    std::vector<bool> mode;
    for (std::size_t k = 0; k < truths.size(); ++k) {
      const auto at = known.find(texts_[k]);
      mode.push_back(at == known.end() ? truths[k] == 1.0 : at->second);
    }
    std::copy_n(options_.mode.begin(), std::min(options_.mode.size(), mode.size()), mode.begin());
    return mode;
  }

  void compare(const std::vector<bool>& mode, double t) {
    for (std::size_t k = 0; k < mode.size(); ++k)
      if (mode[k] != result_.mode[k])
        warnings_.warning(
            "other-mode",
            fmt::format("`{}` is {} at t = {} and {} at t = {}: the equations are those of the "
                        "former",
                        texts_[k], result_.mode[k], result_.points.front().t, mode[k], t));
  }

  const Model& model_;
  const Options& options_;
  Diagnostics& warnings_;
  std::vector<NodeId> relations_;
  std::vector<std::string> texts_;
  ModePoints result_;
};

}  // namespace

ModePoints find_points(const Model& model, const Options& options, Diagnostics& warnings) {
  return PointFinder(model, options, warnings).run();
}

}  // namespace hydae::partition
