// From a model to its partition: linearize at every time, partition, differentiate what was refused
// for its index, until nothing changes.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <span>

#include <hydae/analyze.h>
#include <hydae/error.h>

#include "expr/incidence.h"
#include "partition/combine.h"
#include "partition/differentiate.h"
#include "partition/first_order.h"
#include "partition/linearize.h"
#include "partition/mode_points.h"
#include "partition/partition_system.h"
#include "partition/path_rows.h"
#include "partition/point_rates.h"
#include "partition/structural.h"

namespace hydae::partition {

namespace {

constexpr std::size_t kLongestText = 400;  // characters of an equation in the report

std::size_t find_name(const std::vector<std::string>& names, const std::string& name,
                      const char* what) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at != names.end()) return static_cast<std::size_t>(at - names.begin());
  const std::vector<std::string> near = nearest_names(name, names);
  throw UsageError(fmt::format("partition: there is no {} `{}`{}", what, name,
                               near.empty() ? "" : fmt::format("; near: {}", quoted_list(near))));
}

void refuse_delays(const System& system) {
  Diagnostics diagnostics;
  for (EqId i : ids<EqId>(system.residuals.size())) {
    if (!contents(system.graph(), system.residuals[i]).has_delays) continue;
    diagnostics.error("delay-in-partition",
                      fmt::format("equation {} has a delay: it cannot be linearized at one time",
                                  quoted(system.equation_names[i])),
                      system.equation_sources[i]);
  }
  if (diagnostics.has_errors()) throw ModelError(std::move(diagnostics));
}

bool is_taken(const Decision& decision) {
  return decision.outcome == Outcome::kIndex1 || decision.outcome == Outcome::kIndex2;
}

const Decision* find_decision(const Partition& partition, EqId equation) {
  const auto at =
      std::lower_bound(partition.decisions.begin(), partition.decisions.end(), equation,
                       [](const Decision& decision, EqId id) { return decision.equation < id; });
  return at != partition.decisions.end() && at->equation == equation ? &*at : nullptr;
}

const Options& checked(const Options& options) {
  for (const TimePoint& point : options.points)
    if (!std::isfinite(point.t))
      throw UsageError(fmt::format("partition: the time {} is not finite", point.t));
  if (options.max_differentiations < 0)
    throw UsageError(fmt::format("partition: a constraint cannot be differentiated {} times",
                                 options.max_differentiations));
  return options;
}

class ModelPartitioner {
 public:
  ModelPartitioner(const Model& model, const Options& options)
      : model_(model),
        options_(checked(options)),
        where_(find_points(model, options, result_.diagnostics)),
        given_(make_system(model, where_.mode)),
        path_(model, given_) {
    refuse_delays(given_);
    read_names();
  }

  ModelPartition run() {
    start();
    result_.given_index = combined_.partition.index;
    result_.local_index = combined_.partition.pencil.index;
    result_.structural = find_structural_answer(given_, find_used_equations(), is_input_);
    compare_answers(system_, combined_.partition, result_.structural);
    differentiate_refused();
    fill_result();
    return std::move(result_);
  }

 private:
  void read_names() {
    const std::vector<std::string>& equations = given_.equation_names.raw();
    is_must_.assign(equations.size(), false);
    is_candidate_.assign(equations.size(), !options_.candidates.has_value());
    gave_up_.assign(equations.size(), false);
    for (std::size_t k = 0; k < path_.size(); ++k) is_candidate_[path_.row(k).index()] = false;
    for (const std::string& name : options_.candidates.value_or(std::vector<std::string>()))
      is_candidate_[find_name(equations, name, "equation")] = true;
    is_input_.assign(model_.num_variables(), false);
    for (const std::string& name : options_.inputs) {
      const std::size_t column = find_name(given_.unknown_names.raw(), name, "variable");
      is_input_[given_.unknowns[VarId(column)].index()] = true;
    }
    must_determine_.assign(model_.num_variables(), false);
    for (const std::string& name : options_.must_include) read_must_include(name);
  }

  // The name of an equation, of a variable, or of both.
  void read_must_include(const std::string& name) {
    const auto& equations = given_.equation_names.raw();
    const auto& variables = given_.unknown_names.raw();
    const auto equation = std::find(equations.begin(), equations.end(), name);
    const auto variable = std::find(variables.begin(), variables.end(), name);
    if (equation != equations.end())
      is_must_[static_cast<std::size_t>(equation - equations.begin())] = true;
    if (variable != variables.end()) {
      const VarId id =
          given_.unknowns[VarId(static_cast<std::size_t>(variable - variables.begin()))];
      if (is_input_[id.index()])
        throw UsageError(
            fmt::format("partition: `{}` is an input: no constraint can determine it", name));
      must_determine_[id.index()] = true;
      return;
    }
    if (equation != equations.end()) return;
    std::vector<std::string> names = equations;
    names.insert(names.end(), variables.begin(), variables.end());
    find_name(names, name, "equation or variable");
  }

  // The system as given, at all points.
  void start() {
    system_ = make_first_order(given_, is_input_);
    result_.assumed_zero.clear();
    motions_.clear();
    for (const TimePoint& point : where_.points)
      motions_.push_back(make_motion(system_, point, result_.assumed_zero));
    path_.measure(system_, motions_);
    for (std::size_t k = 0; k < path_.size() && !options_.candidates; ++k)
      is_candidate_[path_.row(k).index()] = path_.is_active(k);
    search();
  }

  // Steps one to four at every point, and the points together.
  void search() {
    points_.clear();
    linearizations_.clear();
    for (const PointRates& motion : motions_) {
      linearizations_.push_back(linearized(motion));
      points_.push_back(partition_system(linearizations_.back(), make_options()));
    }
    combined_ = combine_points(system_, points_,
                               [&](std::size_t k, const std::vector<EqId>& equations,
                                   const std::vector<VarId>& variables) {
                                 return partition_system(linearizations_[k],
                                                         make_options_for(k, equations, variables));
                               });
  }

  // It needs a derivative of every equation, which code may not have.
  Linearization linearized(const PointRates& motion) const {
    try {
      return linearize(system_, motion);
    } catch (const UsageError& error) {
      Diagnostics diagnostics;
      diagnostics.error("not-differentiable", error.what());
      throw ModelError(std::move(diagnostics));
    }
  }

  SystemOptions make_options() const {
    SystemOptions options;
    static_cast<SearchOptions&>(options) = options_;
    options.duration = find_duration();
    options.candidates.emplace();
    for (EqId i : ids<EqId>(system_.rows.size())) {
      const SystemRow& row = system_.rows[i];
      const bool is_auxiliary = row.kind == SystemEquation::Kind::kAuxiliary;
      const bool is_must = is_auxiliary || (row.given.is_valid() && is_must_[row.given.index()]);
      if (is_must) options.must_include.push_back(i);
      if (is_must || (row.given.is_valid() && is_candidate_[row.given.index()]))
        options.candidates->push_back(i);
    }
    for (EqId i : ids<EqId>(system_.rows.size())) {
      const VarId column = system_.rows[i].determines;
      if (column.is_valid()) options.preferred.push_back({i, column});
    }
    for (VarId j : ids<VarId>(system_.columns.size())) {
      const SystemColumn& column = system_.columns[j];
      if (column.is_input) options.inputs.push_back(j);
      if (column.order == 0 && column.variable.is_valid() &&
          must_determine_[column.variable.index()])
        options.must_determine.push_back(j);
    }
    return options;
  }

  // These constraints only, with these algebraic variables only, whatever they do to stability.
  SystemOptions make_options_for(std::size_t k, const std::vector<EqId>& equations,
                                 const std::vector<VarId>& variables) const {
    SystemOptions options = make_options();
    options.candidates = equations;
    options.check_stability = false;
    std::vector<bool> is_free(system_.columns.size(), false);
    for (VarId j : variables) is_free[j.index()] = true;
    for (VarId j : points_[k].differential_variables) is_free[j.index()] = true;
    options.inputs.clear();
    for (VarId j : ids<VarId>(is_free.size())) {
      if (!is_free[j.index()]) options.inputs.push_back(j);
    }
    return options;
  }

  double find_duration() const {
    if (options_.duration) return *options_.duration;
    const Experiment& experiment = model_.experiment;
    if (!experiment.stop_time) return 1;
    const double duration = std::abs(*experiment.stop_time - experiment.start_time.value_or(0.0));
    return duration > 0 ? duration : 1;
  }

  // Differential equations always count; constraints if they may be taken.
  std::vector<bool> find_used_equations() const {
    std::vector<bool> is_used(given_.residuals.size(), true);
    for (const Decision& decision : points_.front().decisions) {
      const EqId given = system_.rows[decision.equation].given;
      if (given.is_valid() && decision.outcome == Outcome::kNotCandidate)
        is_used[given.index()] = false;
    }
    return is_used;
  }

  // What the next round of differentiation has to do.
  struct Work {
    std::vector<EqId> rows;       // constraints to be differentiated
    bool has_determined = false;  // a pending derivative has become determined
    bool is_needed() const { return has_determined || !rows.empty(); }
  };

  Work find_work() const {
    Work work{find_refused()};
    const Partition& p = combined_.partition;
    for (VarId j : ids<VarId>(system_.columns.size())) {
      if (!system_.is_pending(j) || !is_used(j)) continue;
      const VarId base = system_.columns[j].rate_of;
      work.has_determined |= p.variable_roles[base] == Role::kIndex1 && !is_transformed(p, base);
      for (const Pair& pair : p.index2) {
        if (pair.variable == base && may_be_differentiated(pair.equation))
          work.rows.push_back(pair.equation);
      }
    }
    std::sort(work.rows.begin(), work.rows.end());
    work.rows.erase(std::unique(work.rows.begin(), work.rows.end()), work.rows.end());
    return work;
  }

  static bool is_transformed(const Partition& p, VarId column) {
    return std::any_of(p.transformations.begin(), p.transformations.end(), [&](const auto& block) {
      return std::find(block.variables.begin(), block.variables.end(), column) !=
             block.variables.end();
    });
  }

  // In a given constraint.
  bool is_used(VarId column) const {
    const Leaf leaf{system_.columns[column].symbol, 0};
    return std::any_of(system_.rows.begin(), system_.rows.end(), [&](const SystemRow& row) {
      if (!row.given.is_valid()) return false;
      const std::vector<Leaf> all = leaves(system_.graph(), std::span(&row.residual, 1));
      return std::binary_search(all.begin(), all.end(), leaf);
    });
  }

  bool may_be_differentiated(EqId i) const {
    const SystemRow& row = system_.rows[i];
    return row.kind == SystemEquation::Kind::kGiven && !gave_up_[row.given.index()] &&
           static_cast<int>(row.lower.size()) < options_.max_differentiations;
  }

  // Rounds of differentiation. Constraints that are not taken in the end are left as they were
  // given, and the rounds begin anew without them.
  void differentiate_refused() {
    while (true) {
      for (Work work = find_work(); work.is_needed(); work = find_work()) differentiate(work.rows);
      const std::vector<EqId> futile = find_futile();
      if (futile.empty()) return;
      for (EqId i : futile) gave_up_[i.index()] = true;
      start();
    }
  }

  // Constraints of the model that no time takes and that their index excludes, not stability.
  std::vector<EqId> find_refused() const {
    std::vector<EqId> rows;
    for (EqId i : ids<EqId>(system_.rows.size())) {
      if (may_be_differentiated(i) && is_refused_for_its_index(i)) rows.push_back(i);
    }
    return rows;
  }

  bool is_refused_for_its_index(EqId row) const {
    bool is_higher = false;
    for (const Partition& p : points_) {
      const Decision* decision = find_decision(p, row);
      if (decision == nullptr) continue;
      if (is_taken(*decision) || decision->outcome == Outcome::kUnstable) return false;
      is_higher |= decision->outcome == Outcome::kHigherIndex && p.pencil.is_regular;
    }
    return is_higher;
  }

  // One round; if a constraint has no derivative, from the beginning without it.
  void differentiate(const std::vector<EqId>& rows) {
    const std::size_t k = combined_.report.deciding_point;
    ConstraintDifferentiation differentiation(system_, combined_.partition,
                                              RowMatrix(linearizations_[k].mass));
    try {
      differentiation.differentiate(rows);
    } catch (const UsageError& error) {
      result_.diagnostics.warning("not-differentiable", error.what());
      gave_up_[system_.rows[differentiation.row_at_work()].given.index()] = true;
      start();
      return;
    }
    for (PointRates& motion : motions_) extend_motion(system_, motion);
    search();
  }

  // Given equations that were differentiated and still not taken.
  std::vector<EqId> find_futile() const {
    std::vector<EqId> equations;
    for (EqId i : ids<EqId>(system_.rows.size())) {
      const SystemRow& row = system_.rows[i];
      if (row.lower.empty()) continue;
      const Decision* decision = find_decision(combined_.partition, i);
      if (decision == nullptr || !is_taken(*decision)) equations.push_back(row.given);
    }
    return equations;
  }

  void warn_about_variables_left_out() {
    for (VarId j : ids<VarId>(system_.columns.size())) {
      const SystemColumn& column = system_.columns[j];
      const Role role = combined_.partition.variable_roles[j];
      const bool is_left_out = role == Role::kOutside || role == Role::kUndecided;
      if (is_left_out && column.order == 0 && column.variable.is_valid() &&
          must_determine_[column.variable.index()])
        result_.diagnostics.warning(
            "variable-left-out",
            fmt::format("`{}` must be included, and no constraint that may be taken determines it",
                        column.name),
            model_.all_variables()[column.variable].source);
    }
  }

  std::string place_of(const SystemRow& row) const {
    return model_.sources ? model_.sources->place(row.source) : std::string();
  }

  void fill_result() {
    result_.model = model_.name();
    result_.moved = where_.moved;
    warn_about_variables_left_out();
    for (const SystemRow& row : system_.rows) {
      const int times = static_cast<int>(row.lower.size());
      std::string name = row.name;
      if (times == 1) name = fmt::format("der({})", row.name);
      if (times > 1) name = fmt::format("der({}, {})", row.name, times);
      result_.equations.push_back({row.kind, std::move(name),
                                   "0 = " + system_.to_string(row.residual, kLongestText), times,
                                   row.given, row.source, place_of(row), path_.excess_of(row.given),
                                   row.residual, row.lower});
    }
    for (VarId j : ids<VarId>(system_.columns.size())) {
      const SystemColumn& column = system_.columns[j];
      SystemVariable variable{column.name, column.variable, column.order, column.symbol, {}};
      for (const PointRates& motion : motions_) variable.values.push_back(motion.values[j.index()]);
      result_.variables.push_back(std::move(variable));
    }
    for (const auto& [leaf, value] : motions_.front().held) result_.held[leaf.variable] = value;
    result_.points = std::move(points_);
    result_.combined = std::move(combined_.partition);
    result_.combination = std::move(combined_.report);
    std::sort(result_.assumed_zero.begin(), result_.assumed_zero.end());
    result_.assumed_zero.erase(
        std::unique(result_.assumed_zero.begin(), result_.assumed_zero.end()),
        result_.assumed_zero.end());
  }

  const Model& model_;
  const Options& options_;
  ModelPartition result_;
  ModePoints where_;
  System given_;
  PathRows path_;
  std::vector<bool> is_must_, is_candidate_, gave_up_;  // by continuous equation
  std::vector<bool> is_input_, must_determine_;         // by variable of the model
  FirstOrderSystem system_;
  std::vector<PointRates> motions_;  // by point
  std::vector<Linearization> linearizations_;
  std::vector<Partition> points_;
  Combined combined_;
};

}  // namespace

bool ModelPartition::is_differentiated() const {
  return std::any_of(equations.begin(), equations.end(),
                     [](const SystemEquation& e) { return e.differentiations > 0; });
}

ModelPartition partition_model(const Model& model, const Options& options) {
  return ModelPartitioner(model, options).run();
}

}  // namespace hydae::partition
