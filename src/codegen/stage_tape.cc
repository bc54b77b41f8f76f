#include "codegen/stage_tape.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <hydae/error.h>

#include "codegen/block_index.h"
#include "codegen/block_needs.h"
#include "codegen/recurrences.h"

namespace hydae::codegen {
namespace {

constexpr int kUnbounded = 1 << 28;  // first order that contains unknowns, of a function of time

class Arranger {
 public:
  Arranger(FusedTape fused, const Structure& structure)
      : s_(structure), index_(index_blocks(fused, structure)) {
    tape_.fused = std::move(fused);
  }
  StageTape run();

 private:
  void compute_first_orders();
  int first_order(const Form& form) const;
  void compute_offsets();
  void compute_segments();
  void compute_active();
  void compute_active(SeriesId v);
  void make_blocks();
  void make_row(BlockPlan& plan, int block, int equation);
  void group_instructions(std::vector<SeriesId>& instructions) const;
  template <class Visit>
  void visit_reads(int block, Visit&& visit) const;
  bool is_waiting_for(int block, int first, int last) const;
  void make_bundles();
  void make_groups();
  void make_active_list();

  bool is_unknown(SeriesId u, int offset, int block) const;
  // Columns of `block` that operand u contributes to a user of that block with that offset.
  void add_columns(SeriesId u, int offset, int block, std::vector<int>& columns) const;
  bool is_active_operand(SeriesId u, int offset, int block) const;
  std::vector<Edge> active_edges(std::vector<Edge> edges, int offset, int block) const;

  int num_series() const { return static_cast<int>(tape_.fused.series.size()); }
  int num_blocks() const { return static_cast<int>(s_.blocks.size()); }
  const Series& series(SeriesId v) const { return tape_.fused.series[v]; }

  const Structure& s_;
  BlockIndex index_;
  StageTape tape_;
  std::vector<int> first_order_;           // o_v = min over j of d_j - sigma_vj
  std::vector<std::vector<int>> columns_;  // per series: active in these columns of its segment
};

StageTape Arranger::run() {
  compute_first_orders();
  compute_offsets();
  compute_segments();
  compute_active();
  make_blocks();
  for (BlockPlan& plan : tape_.blocks) group_instructions(plan.instructions);
  make_bundles();
  make_groups();
  make_active_list();
  foresee_needs(tape_, s_, index_);
  return std::move(tape_);
}

void Arranger::compute_first_orders() {
  first_order_.assign(num_series(), kUnbounded);
  for (SeriesId v = 0; v < num_series(); ++v) {
    if (series(v).op == SeriesOp::kVariable) {
      first_order_[v] = s_.d[series(v).variable] - series(v).order;
    }
    visit_operands(series(v), [&](SeriesId u, bool) {
      first_order_[v] = std::min(first_order_[v], first_order_[u]);
    });
  }
}

int Arranger::first_order(const Form& form) const {
  int order = kUnbounded;
  visit_operands(form, [&](SeriesId u, bool) { order = std::min(order, first_order_[u]); });
  return order;
}

void Arranger::compute_offsets() {
  std::vector<int>& offset = tape_.offset;
  offset.assign(num_series(), kNever);
  const auto require = [&](SeriesId u, int value) { offset[u] = std::max(offset[u], value); };
  const auto require_form = [&](const Form& form, int value) {
    visit_operands(form, [&](SeriesId u, bool) { require(u, value); });
  };
  for (std::size_t i = 0; i < s_.c.size(); ++i) {
    if (first_order(tape_.fused.residuals[i]) < s_.c[i]) {
      throw UsageError(fmt::format(
          "equation {} contains a derivative beyond the offsets: d_j - sigma_ij = {} < c_i = {}", i,
          first_order(tape_.fused.residuals[i]), s_.c[i]));
    }
    require_form(tape_.fused.residuals[i], s_.c[i]);
    tape_.max_c = std::max(tape_.max_c, s_.c[i]);
  }
  for (const Form& form : tape_.fused.outputs) {
    tape_.output_offset.push_back(std::min(0, first_order(form)));
    require_form(form, tape_.output_offset.back());
  }
  for (SeriesId v = num_series() - 1; v >= 0; --v) {
    if (offset[v] == kNever) continue;
    visit_operands(series(v), [&](SeriesId u, bool) { require(u, offset[v]); });
  }
  for (SeriesId v = 0; v < num_series(); ++v) {
    if (series(v).op == SeriesOp::kSecond) offset[v] = offset[v - 1];
  }
}

void Arranger::compute_segments() {
  std::vector<int>& segment = tape_.segment;
  segment.assign(num_series(), num_blocks());
  const auto place = [&](SeriesId u, int offset, int user_segment) {
    if (tape_.offset[u] == offset) segment[u] = std::min(segment[u], user_segment);
  };
  for (std::size_t i = 0; i < s_.c.size(); ++i) {
    visit_operands(tape_.fused.residuals[i],
                   [&](SeriesId u, bool) { place(u, s_.c[i], index_.of_equation[i]); });
  }
  for (SeriesId v = num_series() - 1; v >= 0; --v) {
    if (tape_.offset[v] == kNever) continue;
    visit_operands(series(v), [&](SeriesId u, bool) { place(u, tape_.offset[v], segment[v]); });
  }
  for (SeriesId v = 0; v < num_series(); ++v) {
    if (series(v).op == SeriesOp::kSecond) segment[v] = segment[v - 1];
  }
}

bool Arranger::is_unknown(SeriesId u, int offset, int block) const {
  const Series& leaf = series(u);
  return leaf.op == SeriesOp::kVariable && first_order_[u] == offset &&
         index_.of_variable[leaf.variable] == block;
}

bool Arranger::is_active_operand(SeriesId u, int offset, int block) const {
  if (series(u).op == SeriesOp::kVariable) return is_unknown(u, offset, block);
  return tape_.offset[u] == offset && tape_.segment[u] == block && !columns_[u].empty();
}

void Arranger::add_columns(SeriesId u, int offset, int block, std::vector<int>& columns) const {
  if (is_unknown(u, offset, block)) {
    columns.push_back(index_.column_of_variable[series(u).variable]);
  } else if (series(u).op != SeriesOp::kVariable && is_active_operand(u, offset, block)) {
    columns.insert(columns.end(), columns_[u].begin(), columns_[u].end());
  }
}

void Arranger::compute_active() {
  columns_.resize(num_series());
  for (SeriesId v = 0; v < num_series(); ++v) compute_active(v);
}

void Arranger::compute_active(SeriesId v) {
  const int offset = tape_.offset[v], block = tape_.segment[v];
  const bool is_leaf = series(v).op == SeriesOp::kVariable || series(v).op == SeriesOp::kTime;
  if (is_leaf || offset == kNever || block == num_blocks()) return;
  std::vector<int> columns;
  visit_operands(series(v), [&](SeriesId u, bool) {
    add_columns(u, offset, block, columns);
    if (series(u).op == SeriesOp::kVariable && first_order_[u] == offset &&
        index_.of_variable[series(u).variable] > block) {
      throw UsageError(fmt::format("block {} needs variable {}, which is solved for later", block,
                                   series(u).variable));
    }
  });
  sort_unique(columns);
  columns_[v] = std::move(columns);
}

std::vector<Edge> Arranger::active_edges(std::vector<Edge> edges, int offset, int block) const {
  std::erase_if(edges,
                [&](const Edge& edge) { return !is_active_operand(edge.operand, offset, block); });
  return edges;
}

void Arranger::make_blocks() {
  for (int b = 0; b < num_blocks(); ++b) {
    BlockPlan& plan = tape_.blocks.emplace_back();
    plan.lead = s_.blocks[b].lead;
    plan.variables = s_.blocks[b].variables;
    for (int j : plan.variables) plan.local_d.push_back(s_.d[j] - plan.lead);
    // Rows of one offset side by side: the engine takes them together.
    std::vector<int> equations = s_.blocks[b].equations;
    std::stable_sort(equations.begin(), equations.end(),
                     [&](int x, int y) { return s_.c[x] < s_.c[y]; });
    for (int i : equations) make_row(plan, b, i);
  }
  for (SeriesId v = 0; v < num_series(); ++v) {
    const SeriesOp op = series(v).op;
    if (tape_.offset[v] == kNever || op == SeriesOp::kVariable || op == SeriesOp::kTime ||
        op == SeriesOp::kSecond) {
      continue;
    }
    if (tape_.segment[v] == num_blocks())
      tape_.output_instructions.push_back(v);
    else
      tape_.blocks[tape_.segment[v]].instructions.push_back(v);
  }
}

// Operations of one kind and offset come together as far as their operands allow: of those that are
// ready, all of one kind are taken, then those of the next.
void Arranger::group_instructions(std::vector<SeriesId>& instructions) const {
  std::map<SeriesId, std::pair<int, std::vector<SeriesId>>> waiting;  // missing operands, users
  for (SeriesId v : instructions) waiting[v];
  const auto source = [&](SeriesId u) {
    return series(u).op == SeriesOp::kSecond ? series(u).a : u;
  };
  for (SeriesId v : instructions) {
    visit_operands(series(v), [&](SeriesId u, bool) {
      const auto operand = waiting.find(source(u));
      if (operand == waiting.end() || tape_.offset[u] != tape_.offset[v]) return;
      operand->second.second.push_back(v);
      ++waiting[v].first;
    });
  }
  using Kind = std::tuple<SeriesOp, bool, int>;  // operation, has products, offset
  std::map<Kind, std::vector<SeriesId>> ready;
  const auto enter = [&](SeriesId v) {
    ready[{series(v).op, !series(v).form.products.empty(), tape_.offset[v]}].push_back(v);
  };
  for (SeriesId v : instructions) {
    if (waiting[v].first == 0) enter(v);
  }
  std::vector<SeriesId> grouped;
  while (!ready.empty()) {
    const auto group = ready.extract(ready.begin());
    for (SeriesId v : group.mapped()) {
      grouped.push_back(v);
      for (SeriesId user : waiting[v].second) {
        if (--waiting[user].first == 0) enter(user);
      }
    }
  }
  instructions = std::move(grouped);
}

void Arranger::make_row(BlockPlan& plan, int block, int equation) {
  const int c = s_.c[equation];
  Row row{.equation = equation, .local_c = c - plan.lead};
  row.form = tape_.fused.residuals[equation];
  std::vector<Edge> edges;
  visit_partials(row.form, [&](const Edge& edge) { edges.push_back(edge); });
  row.edges = active_edges(std::move(edges), c, block);
  for (const Edge& edge : row.edges) add_columns(edge.operand, c, block, row.columns);
  sort_unique(row.columns);
  visit_operands(row.form, [&](SeriesId u, bool) {
    if (series(u).op == SeriesOp::kVariable && first_order_[u] == c &&
        index_.of_variable[series(u).variable] > block) {
      throw UsageError(fmt::format("equation {} needs variable {}, which is solved for later",
                                   equation, series(u).variable));
    }
  });
  std::erase_if(row.form.linear, [&](const LinearTerm& term) {
    if (!is_unknown(term.series, c, block)) return false;
    row.leading.push_back(term);
    return true;
  });
  plan.max_local_c = std::max(plan.max_local_c, row.local_c);
  plan.rows.push_back(std::move(row));
}

// Calls visit(operand, offset of the reader) for all that a block reads.
template <class Visit>
void Arranger::visit_reads(int block, Visit&& visit) const {
  const BlockPlan& plan = tape_.blocks[block];
  for (SeriesId v : plan.instructions) {
    visit_operands(series(v), [&](SeriesId u, bool) { visit(u, tape_.offset[v]); });
  }
  for (const Row& row : plan.rows) {
    visit_operands(tape_.fused.residuals[row.equation],
                   [&](SeriesId u, bool) { visit(u, s_.c[row.equation]); });
  }
}

// True if `block` reads in a stage what the blocks first .. last-1 are solved for in that stage.
bool Arranger::is_waiting_for(int block, int first, int last) const {
  bool is_waiting = false;
  visit_reads(block, [&](SeriesId u, int offset) {
    const bool is_leaf = series(u).op == SeriesOp::kVariable;
    const int owner = is_leaf ? index_.of_variable[series(u).variable] : tape_.segment[u];
    if (owner >= first && owner < last) is_waiting |= is_active_operand(u, offset, owner);
  });
  return is_waiting;
}

void Arranger::make_bundles() {
  constexpr int kMostBlocks = 64;
  auto& bundles = tape_.bundles;
  for (int b = 0; b < num_blocks(); ++b) {
    const auto is_like = [&](const BlockPlan& other) {
      const BlockPlan& plan = tape_.blocks[b];
      return plan.rows.size() == 1 && other.rows.size() == 1 && plan.lead == other.lead;
    };
    const bool joins = b > 0 && b - bundles.back().first < kMostBlocks &&
                       is_like(tape_.blocks[b - 1]) && !is_waiting_for(b, bundles.back().first, b);
    if (joins)
      bundles.back().second = b + 1;
    else
      bundles.emplace_back(b, b + 1);
  }
}

void Arranger::make_groups() {
  int first = 0, latest = 0;  // bundle that the group starts with, last block that it reads
  for (int i = 0; i < static_cast<int>(tape_.bundles.size()); ++i) {
    const auto [first_block, last_block] = tape_.bundles[i];
    for (int b = first_block; b < last_block; ++b) {
      visit_reads(b, [&](SeriesId u, int) {
        const Series& s = series(u);
        if (s.op == SeriesOp::kTime) return;
        latest = std::max(latest, s.op == SeriesOp::kVariable ? index_.of_variable[s.variable]
                                                              : tape_.segment[u]);
      });
    }
    if (latest >= last_block) continue;
    tape_.groups.emplace_back(first, i + 1);
    first = i + 1;
  }
}

void Arranger::make_active_list() {
  for (SeriesId v = 0; v < num_series(); ++v) {
    if (columns_[v].empty()) continue;
    const int block = tape_.segment[v];
    tape_.blocks[block].active.push_back(
        {.series = v,
         .edges = active_edges(recurrence(tape_.fused.series[v].op).partials(tape_.fused, v),
                               tape_.offset[v], block),
         .columns = columns_[v]});
  }
}

}  // namespace

StageTape arrange(FusedTape fused, const Structure& structure) {
  return Arranger(std::move(fused), structure).run();
}

}  // namespace hydae::codegen
