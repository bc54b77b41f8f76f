#include "codegen/block_needs.h"

#include <set>
#include <utility>

#include "codegen/recurrences.h"

namespace hydae::codegen {
namespace {

class BlockNeeds {
 public:
  BlockNeeds(StageTape& tape, const Structure& structure, const BlockIndex& index)
      : tape_(tape), s_(structure), index_(index) {}

  void mark_corrected();
  void classify_blocks();
  void make_prologue();

 private:
  int local_d(int variable) const {
    return s_.d[variable] - s_.blocks[index_.of_variable[variable]].lead;
  }
  bool is_beyond_state(const Series& leaf) const {
    return leaf.op == SeriesOp::kVariable && !s_.has_given_variables() &&
           leaf.order >= local_d(leaf.variable);
  }
  int num_series() const { return static_cast<int>(tape_.fused.series.size()); }
  int num_blocks() const { return static_cast<int>(s_.blocks.size()); }
  const Series& series(SeriesId v) const { return tape_.fused.series[v]; }

  StageTape& tape_;
  const Structure& s_;
  const BlockIndex& index_;
  std::vector<std::vector<SeriesId>> values_of_block_;  // that its partials are made of
};

// An active series is corrected if its coefficient is read after the solve: by a later stage (a
// factor, or a function: its recurrence reads its own past), by a later segment, or by the
// correction of such a series.
void BlockNeeds::mark_corrected() {
  std::vector<char> is_read(num_series(), false);
  for (SeriesId v = 0; v < num_series(); ++v) is_read[v] = series(v).op != SeriesOp::kSum;
  for (std::size_t i = 0; i < s_.c.size(); ++i) {
    visit_operands(tape_.fused.residuals[i], [&](SeriesId u, bool is_linear) {
      is_read[u] |=
          !is_linear || tape_.offset[u] != s_.c[i] || tape_.segment[u] != index_.of_equation[i];
    });
  }
  for (const Form& form : tape_.fused.outputs) {
    visit_operands(form, [&](SeriesId u, bool) { is_read[u] = true; });
  }
  for (SeriesId v = num_series() - 1; v >= 0; --v) {
    if (tape_.offset[v] == kNever) continue;
    visit_operands(series(v), [&](SeriesId u, bool is_linear) {
      is_read[u] |= !is_linear || is_read[v] || tape_.offset[u] != tape_.offset[v] ||
                    tape_.segment[u] != tape_.segment[v];
    });
  }
  for (BlockPlan& plan : tape_.blocks) {
    for (ActiveSeries& active : plan.active) active.is_corrected = is_read[active.series];
  }
}

void BlockNeeds::classify_blocks() {
  // What depends, by any path, on a derivative that is not part of the state.
  std::vector<char> is_beyond(num_series(), false);
  for (SeriesId v = 0; v < num_series(); ++v) {
    is_beyond[v] = is_beyond_state(series(v));
    visit_operands(series(v), [&](SeriesId u, bool) { is_beyond[v] |= is_beyond[u]; });
  }
  std::set<std::pair<int, int>> guesses;
  std::vector<int> visited(num_series(), -1);
  for (int b = 0; b < num_blocks(); ++b) {
    BlockPlan& plan = tape_.blocks[b];
    std::vector<SeriesId> values;
    const auto collect = [&](const std::vector<Edge>& edges) {
      for (const Edge& edge : edges) {
        for (SeriesId v : {edge.partial.p, edge.partial.q}) {
          if (v >= 0) values.push_back(v);
        }
      }
    };
    for (const Row& row : plan.rows) collect(row.edges);
    for (const ActiveSeries& active : plan.active) collect(active.edges);
    sort_unique(values);
    plan.is_constant = values.empty();
    std::vector<SeriesId> stack;
    std::vector<std::pair<int, int>> needed;
    const auto push = [&](SeriesId v) {
      if (is_beyond[v] && std::exchange(visited[v], b) != b) stack.push_back(v);
    };
    for (SeriesId v : values) push(v);
    while (!stack.empty()) {
      const SeriesId v = stack.back();
      stack.pop_back();
      plan.is_late = true;
      if (is_beyond_state(series(v))) needed.emplace_back(series(v).variable, series(v).order);
      visit_operands(series(v), [&](SeriesId u, bool) { push(u); });
    }
    for (const auto& [variable, order] : needed) {
      if (index_.of_variable[variable] == b) plan.is_quasilinear = false;
    }
    for (const auto& [variable, order] : needed) {
      const bool is_own = index_.of_variable[variable] == b;
      if (is_own || plan.max_local_c > 0) guesses.emplace(variable, order);
    }
    values_of_block_.push_back(std::move(values));
  }
  for (const auto& [variable, order] : guesses) tape_.guesses.push_back({variable, order});
}

void BlockNeeds::make_prologue() {
  std::vector<char> is_needed(num_series(), false);
  for (int b = 0; b < num_blocks(); ++b) {
    const BlockPlan& plan = tape_.blocks[b];
    if (plan.is_late && plan.max_local_c == 0) continue;
    for (SeriesId v : values_of_block_[b]) is_needed[v] = true;
  }
  for (SeriesId v = num_series() - 1; v >= 0; --v) {
    if (!is_needed[v]) continue;
    visit_operands(series(v), [&](SeriesId u, bool) { is_needed[u] = true; });
  }
  for (SeriesId v = 0; v < num_series(); ++v) {
    const SeriesOp op = series(v).op;
    const bool is_leaf = op == SeriesOp::kVariable || op == SeriesOp::kTime;
    if (is_needed[v] && !is_leaf && op != SeriesOp::kSecond) tape_.prologue.push_back(v);
  }
}

}  // namespace

void foresee_needs(StageTape& tape, const Structure& structure, const BlockIndex& index) {
  BlockNeeds needs(tape, structure, index);
  needs.mark_corrected();
  needs.classify_blocks();
  needs.make_prologue();
}

}  // namespace hydae::codegen
