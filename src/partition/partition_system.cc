#include "partition/partition_system.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <hydae/error.h>

#include "partition/constraint_judge.h"
#include "partition/differential_part.h"
#include "partition/eliminated.h"
#include "partition/exhaustive.h"
#include "partition/linearization.h"
#include "partition/log_norm.h"
#include "partition/pencil.h"
#include "partition/rank.h"
#include "partition/search.h"
#include "partition/semi_explicit.h"
#include "partition/sparse_algebra.h"
#include "partition/underlying_ode.h"

namespace hydae::partition {

namespace {

constexpr int kSmallestCheckBlock = 8;
constexpr int kMostCheckBacks = 16;

template <class IdType>
std::vector<bool> mark(const std::vector<IdType>& ids, std::size_t size, const char* what) {
  std::vector<bool> marked(size, false);
  for (IdType id : ids) {
    if (id.index() >= size) {
      throw UsageError("partition: there is no " + std::string(what) + " number " +
                       std::to_string(id.index() + 1));
    }
    marked[id.index()] = true;
  }
  return marked;
}

std::vector<std::vector<double>> rows_of(const Matrix& matrix) {
  std::vector<std::vector<double>> rows;
  for (const auto& row : matrix.rowwise()) rows.emplace_back(row.begin(), row.end());
  return rows;
}

void check_options(const SystemOptions& options) {
  const auto is_positive = [](double x) { return std::isfinite(x) && x > 0; };
  if (!is_positive(options.tolerance)) throw UsageError("partition: tolerance must be positive");
  if (!is_positive(options.duration)) throw UsageError("partition: duration must be positive");
  if (!(options.rank_tolerance > 0 && options.rank_tolerance < 1)) {
    throw UsageError("partition: rank_tolerance must be between 0 and 1");
  }
}

// Steps three and four on one system, and the result in terms of its equations and variables.
class Partitioner {
 public:
  Partitioner(const DifferentialPart& part, const SystemOptions& options, Partition& result)
      : part_(part),
        options_(options),
        s_(make_semi_explicit(part)),
        index1_(s_.E),
        result_(result) {
    const std::vector<bool> must = mark(options.must_include, part.is_candidate.size(), "equation");
    for (EqId i : s_.constraints) {
      must_include_.push_back(must[i.index()]);
      is_row_allowed_.push_back(part.is_candidate[i.index()] || must[i.index()]);
    }
    must_determine_ = mark(options.must_determine,
                           static_cast<std::size_t>(part.system.num_variables()), "variable");
    find_allowed_columns();
    set_limit();
  }

  void run() {
    if (options_.policy == Policy::kExhaustive && options_.preferred.empty()) {
      choice_ = search_all_combinations({s_, is_row_allowed_, is_column_allowed_, must_include_,
                                         must_columns(), limit_, options_});
    }
    find_index1();
    find_index2();
    fill_result();
  }

 private:
  void find_allowed_columns() {
    const std::vector<bool> is_input =
        mark(options_.inputs, static_cast<std::size_t>(part_.system.num_variables()), "variable");
    std::vector<bool> is_undecided(is_input.size(), false);
    if (!result_.pencil.is_regular) {
      for (VarId j : part_.surplus) is_undecided[j.index()] = true;
      for (const Pair& pair : part_.limited) is_undecided[pair.variable.index()] = false;
    }
    for (VarId j : s_.algebraic) {
      is_column_allowed_.push_back(!is_input[j.index()] && !is_undecided[j.index()]);
      result_.variable_roles[j] = is_undecided[j.index()] ? Role::kUndecided : Role::kOutside;
    }
  }

  // Right-hand side of (20).
  void set_limit() {
    result_.log_norms.ode = UnderlyingOde(s_, index1_).compute_log_norm();
    const double tolerance0 = options_.tolerance0.value_or(result_.log_norms.ode);
    limit_ = std::max(options_.tolerance / options_.duration, 3 * tolerance0);
    result_.log_norms.limit = limit_;
  }

  // By algebraic variable.
  std::vector<bool> must_columns() const {
    std::vector<bool> must;
    for (VarId j : s_.algebraic) must.push_back(must_determine_[j.index()]);
    return must;
  }

  int check_block() const {
    if (options_.check_block > 0) return options_.check_block;
    return std::max(kSmallestCheckBlock, s_.num_constraints() / kMostCheckBacks);
  }

  void find_index1() {
    std::vector<SearchRow> rows(s_.num_constraints());
    for (int i = 0; i < s_.num_constraints(); ++i) {
      rows[i].must_include = must_include_[i];
      if (!is_row_allowed_[i]) rows[i].state = RowState::kExcluded;
    }
    for (const Pair& pair : options_.preferred) {
      const auto [row, column] = place_of(pair);
      if (row >= 0 && column >= 0) rows[row].preferred = column;
    }
    Index1Judge judge(s_, index1_, options_, limit_);
    ConstraintSearch search(
        {index1_, judge, options_, 1, check_block(), is_column_allowed_, must_columns()},
        std::move(rows), result_.log_norms);
    if (choice_) {
      for (std::size_t k = 0; k < choice_->rows1.size(); ++k) {
        search.take_unjudged(choice_->rows1[k], choice_->columns1[k]);
      }
    } else {
      take_limited_pairs(search);
      search.run();
    }
    rows1_ = search.rows();
    norm_ = choice_ ? judge.check_back() : judge.bound();
    if (choice_) mark_rows_left_out(index1_, is_column_allowed_, rows1_);
  }

  // Rows that have a free variable but are in no best combination.
  void mark_rows_left_out(const PivotSet& set, const std::vector<bool>& is_allowed,
                          std::vector<SearchRow>& rows) const {
    for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
      if (rows[i].state != RowState::kOpen) continue;
      const PivotSet::ReducedRow reduced = set.reduce_row(i);
      for (int j = 0; j < reduced.values.size(); ++j) {
        const bool is_free = is_allowed[j] && !set.has_column(j);
        if (is_free && reduced.relative(j) > options_.rank_tolerance)
          rows[i].state = RowState::kUnstable;
      }
    }
  }

  void take_limited_pairs(ConstraintSearch& search) const {
    for (const Pair& pair : part_.limited) {
      const auto [row, column] = place_of(pair);
      search.take_unjudged(row, column);
    }
  }

  // Row and column of a pair; -1 for what is not a constraint or not algebraic.
  std::pair<int, int> place_of(const Pair& pair) const {
    const auto place = [](const auto& ids, auto id) {
      const auto at = std::lower_bound(ids.begin(), ids.end(), id);
      return at != ids.end() && *at == id ? static_cast<int>(at - ids.begin()) : -1;
    };
    return {place(s_.constraints, pair.equation), place(s_.algebraic, pair.variable)};
  }

  void find_index2() {
    std::vector<int> constraints, variables;
    for (int i = 0; i < s_.num_constraints(); ++i) {
      if (rows1_[i].state == RowState::kOpen) constraints.push_back(i);
    }
    for (int j = 0; j < s_.num_algebraic(); ++j) {
      if (is_column_allowed_[j] && !index1_.has_column(j)) variables.push_back(j);
    }
    eliminated_ = eliminate_index1(s_, index1_, std::move(constraints), std::move(variables));
    index2_.emplace(eliminated_.CT);
    std::vector<SearchRow> rows(eliminated_.constraints.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].must_include = must_include_[eliminated_.constraints[i]];
    }
    Index2Judge judge({s_, index1_, eliminated_, *index2_}, options_, limit_, norm_);
    const std::vector<bool> all(eliminated_.variables.size(), true);
    std::vector<bool> must;
    for (int j : eliminated_.variables) must.push_back(must_columns()[j]);
    ConstraintSearch search({*index2_, judge, options_, 2, check_block(), all, must},
                            std::move(rows), result_.log_norms);
    if (choice_) {
      for (std::size_t k = 0; k < choice_->rows2.size(); ++k) take_chosen_index2(search, k);
    } else {
      search.run();
    }
    rows2_ = search.rows();
    const bool is_exact = options_.sums == Sums::kExact && !choice_;
    norm_ = is_exact ? judge.bound() : judge.compute_exact(States::kAll);
    if (choice_) mark_rows_left_out(*index2_, all, rows2_);
  }

  void take_chosen_index2(ConstraintSearch& search, std::size_t k) const {
    const auto& rows = eliminated_.constraints;
    const auto& columns = eliminated_.variables;
    const auto row = std::find(rows.begin(), rows.end(), choice_->rows2[k]);
    const auto column = std::find(columns.begin(), columns.end(), choice_->columns2[k]);
    if (row == rows.end() || column == columns.end()) return;
    search.take_unjudged(static_cast<int>(row - rows.begin()),
                         static_cast<int>(column - columns.begin()));
  }

  void fill_result() {
    result_.differential_equations = s_.state_equations;
    result_.differential_variables = s_.states;
    for (EqId i : s_.state_equations) result_.equation_roles[i] = Role::kDifferential;
    for (VarId j : s_.states) result_.variable_roles[j] = Role::kDifferential;
    for (int k = 0; k < index1_.size(); ++k) {
      add_pair(s_.constraints[index1_.rows()[k]], s_.algebraic[index1_.columns()[k]],
               Role::kIndex1);
    }
    for (int k = 0; k < index2_->size(); ++k) {
      add_pair(s_.constraints[eliminated_.constraints[index2_->rows()[k]]],
               s_.algebraic[eliminated_.variables[index2_->columns()[k]]], Role::kIndex2);
    }
    fill_decisions();
    fill_norms();
    add_rank("C_v", index1_.inverse());
    add_rank("C_2 T", index2_->inverse());
    result_.index = find_index();
  }

  void add_pair(EqId equation, VarId variable, Role role) {
    (role == Role::kIndex1 ? result_.index1 : result_.index2).push_back({equation, variable});
    result_.equation_roles[equation] = role;
    result_.variable_roles[variable] = role;
  }

  void fill_decisions() {
    std::vector<int> place2(s_.num_constraints(), -1);
    for (std::size_t i = 0; i < eliminated_.constraints.size(); ++i) {
      place2[eliminated_.constraints[i]] = static_cast<int>(i);
    }
    for (int i = 0; i < s_.num_constraints(); ++i) {
      Decision decision;
      decision.equation = s_.constraints[i];
      for (const Pair& pair : part_.limited) {
        decision.in_limited_search |= pair.equation == decision.equation;
      }
      if (rows1_[i].state != RowState::kOpen)
        fill_from(rows1_[i], 1, decision);
      else
        fill_from(rows2_[place2[i]], 2, decision);
      if (rows1_[i].state == RowState::kOpen && decision.outcome == Outcome::kHigherIndex &&
          is_dependent(i, place2[i])) {
        decision.outcome = Outcome::kDependent;
      }
      result_.decisions.push_back(std::move(decision));
    }
  }

  void fill_from(const SearchRow& row, int index, Decision& decision) const {
    decision.attempts = row.attempts;
    for (Attempt& attempt : decision.attempts) {
      const int column = static_cast<int>(attempt.variable.index());
      attempt.variable = s_.algebraic[index == 1 ? column : eliminated_.variables[column]];
    }
    decision.largest_refused_pivot = row.largest_refused_pivot;
    decision.removed_at_check_back = row.removed_at_check_back && row.state == RowState::kUnstable;
    switch (row.state) {
      case RowState::kExcluded: decision.outcome = Outcome::kNotCandidate; break;
      case RowState::kOpen: decision.outcome = Outcome::kHigherIndex; break;
      case RowState::kUnstable:
        decision.outcome = Outcome::kUnstable;
        decision.index = index;
        break;
      case RowState::kTaken:
        decision.outcome = index == 1 ? Outcome::kIndex1 : Outcome::kIndex2;
        decision.index = index;
        decision.variable = decision.attempts.back().variable;
        if (choice_ && options_.check_stability) set_overall(decision.attempts.back().stability);
        break;
    }
  }

  // The combination was judged as a whole.
  void set_overall(Stability& stability) const {
    stability.rule = StabilityRule::kExact;
    stability.before = result_.log_norms.ode;
    stability.exact = norm_;
    stability.limit = limit_;
  }

  // Nothing of the constraint is left once the index-1 variables are eliminated.
  bool is_dependent(int constraint, int place2) const {
    if (!is_zero_row(eliminated_.C, place2)) return false;
    const PivotSet::ReducedRow reduced = index1_.reduce_row(constraint);
    for (int j = 0; j < reduced.values.size(); ++j) {
      if (reduced.relative(j) > options_.rank_tolerance) return false;
    }
    return true;
  }

  void fill_norms() {
    LogNorms& norms = result_.log_norms;
    norms.final = norm_;
    const UnderlyingOde ode(s_, index1_, &eliminated_, &*index2_);
    const bool is_simple = ode.size() > kDenseLimit && !ode.has_idle_states();
    const double acting = is_simple ? norm_ : ode.compute_log_norm(States::kActing);
    if (std::isfinite(acting)) norms.without_quadratures = acting;
    if (index2_->size() > 0 && s_.num_states() <= kDenseLimit)
      norms.in_all_directions = log_norm(ode.to_dense());
  }

  void add_rank(const char* name, const BorderedInverse& inverse) {
    if (inverse.size() == 0) return;
    RankDecision decision{name, inverse.size(), inverse.size(), 0, 1, 0};
    for (int b = 0; b < inverse.num_blocks(); ++b) {
      if (inverse.block(b).rows() > kDenseLimit) return;
      const ScaledRank rank = compute_scaled_rank(inverse.block(b), 0);
      decision.rank += rank.rank;
      decision.smallest_kept = std::min(decision.smallest_kept, rank.smallest_kept);
    }
    for (const Decision& d : result_.decisions) {
      const bool is_of_this = (name[2] == 'v') == (d.index == 1);
      if (is_of_this || d.index == 0) {
        decision.largest_dropped = std::max(decision.largest_dropped, d.largest_refused_pivot);
      }
    }
    result_.ranks.push_back(decision);
  }

  Index find_index() const {
    if (!result_.pencil.is_regular) return Index::kUndecided;
    Index index = Index::kZero;
    for (const Decision& decision : result_.decisions) {
      const bool is_higher =
          decision.outcome == Outcome::kHigherIndex || decision.outcome == Outcome::kDependent;
      if (is_higher) return Index::kHigher;
      if (decision.index == 1) index = std::max(index, Index::kOne);
      if (decision.index == 2) index = std::max(index, Index::kTwo);
    }
    return index;
  }

  const DifferentialPart& part_;
  const SystemOptions& options_;
  SemiExplicit s_;
  PivotSet index1_;
  Partition& result_;
  std::vector<bool> must_include_, is_row_allowed_, is_column_allowed_;
  std::vector<bool> must_determine_;  // by variable
  double limit_ = 0;
  double norm_ = 0;
  std::optional<ExhaustiveChoice> choice_;
  Eliminated eliminated_;
  std::optional<PivotSet> index2_;
  std::vector<SearchRow> rows1_, rows2_;
};

// An input is a given function of time, and so is its derivative.
void drop_derivatives_of_inputs(LinearSystem& system, const SystemOptions& options) {
  const std::vector<bool> is_input =
      mark(options.inputs, static_cast<std::size_t>(system.num_variables()), "variable");
  system.mass.prune([&](Eigen::Index, Eigen::Index j, double) { return !is_input[j]; });
}

// Equations that may end up in the subsystem, and what they are about.
PencilPart find_pencil_part(const LinearSystem& system, const std::vector<bool>& is_candidate,
                            const SystemOptions& options) {
  PencilPart part;
  const std::vector<bool> must = mark(options.must_include, is_candidate.size(), "equation");
  for (EqId i : ids<EqId>(is_candidate.size())) {
    const bool is_differential = !is_zero_row(system.mass, static_cast<int>(i.index()));
    if (is_differential || is_candidate[i.index()] || must[i.index()]) part.equations.push_back(i);
  }
  const auto num_variables = static_cast<std::size_t>(system.num_variables());
  const std::vector<bool> is_input = mark(options.inputs, num_variables, "variable");
  for (VarId j : ids<VarId>(num_variables)) {
    part.all_variables.push_back(j);
    if (!is_input[j.index()]) part.unknowns.push_back(j);
  }
  return part;
}

}  // namespace

Partition partition_system(const Linearization& linearization, const SystemOptions& options) {
  check_options(options);
  LinearSystem system = prepare_system(linearization);
  const auto num_equations = static_cast<std::size_t>(system.num_equations());
  drop_derivatives_of_inputs(system, options);

  Partition result;
  result.t = linearization.t;
  result.equation_roles.assign(num_equations, Role::kOutside);
  result.variable_roles.assign(static_cast<std::size_t>(system.num_variables()), Role::kOutside);
  std::vector<bool> is_candidate(num_equations, true);
  if (options.candidates) is_candidate = mark(*options.candidates, num_equations, "equation");
  result.pencil = examine_pencil(system, find_pencil_part(system, is_candidate, options),
                                 options.rank_tolerance);
  if (!result.pencil.is_regular && result.pencil.is_permanent) {
    result.index = Index::kSingular;
    result.log_norms.ode = result.log_norms.final = std::numeric_limits<double>::quiet_NaN();
    return result;
  }
  const DifferentialPart part =
      find_differential_part(std::move(system), result.pencil, std::move(is_candidate), options);
  for (const BlockTransformation& block : part.transformations) {
    result.transformations.push_back(
        {block.equations,
         block.variables,
         rows_of(block.left),
         rows_of(block.right),
         {block.singular_values.begin(), block.singular_values.end()}});
  }
  result.ranks = part.ranks;
  Partitioner(part, options, result).run();
  return result;
}

}  // namespace hydae::partition
