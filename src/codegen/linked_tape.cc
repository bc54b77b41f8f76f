#include "codegen/linked_tape.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "codegen/tape_layout.h"

namespace hydae::codegen {
namespace {

class Linker {
 public:
  Linker(const Program& program, int max_order, RowTerms terms)
      : program_(program),
        stages_(program.stages()),
        order_(max_order),
        terms_(terms),
        layout_(program, max_order, terms) {}
  LinkedTape run();

 private:
  void link_loads();
  Instr link_instr(SeriesId v);
  void link_workspace(Instr& instr, const Series& s);
  void link_call(Instr& instr, const Series& s);
  void link_sum(Instr& instr, const Form& form, const std::vector<LinearTerm>& leading);
  int number(ScalarId scalar);
  void link_block(int block);
  void link_bundle(Range blocks);
  bool have_same_kernel(const Instr& a, const Instr& b) const;
  void link_instr_runs(Range instrs);
  void link_row_runs(Range rows);
  int find_guess(int variable, int order) const;
  void link_fills(const BlockPlan& plan, LinkedBlock& linked);
  int link_partial(const Partial& partial);
  void link_gradients(const BlockPlan& plan, LinkedBlock& linked);
  void link_gradient(const std::vector<Edge>& edges, const std::vector<int>& columns, int first,
                     std::vector<int>& edge_partials);
  void link_corrections(const BlockPlan& plan, LinkedBlock& linked);
  void link_outputs();

  const Series& series(SeriesId v) const { return stages_.fused.series[v]; }
  bool is_leaf(SeriesId v) const { return series(v).op == SeriesOp::kVariable; }

  const Program& program_;
  const StageTape& stages_;
  int order_;
  RowTerms terms_;
  LinkedTape out_;
  TapeLayout layout_;
  std::vector<Instr> linked_instr_;   // per series
  std::vector<bool> is_denominator_;  // per series
  std::vector<int> delta_;            // per series, of the current block
  std::vector<int> column_of_;        // per variable, within its block
  struct Gradient {
    int first = 0;
    const std::vector<int>* columns = nullptr;
  };
  std::vector<Gradient> gradient_;                 // per active series
  std::vector<std::vector<int>> active_partials_;  // per active series of the block, per edge
  std::vector<std::vector<SeriesId>> leaves_of_;   // per variable: its derivatives in use
};

// The lists have their final length: indices become pointers, in the order of linking.
void set_pointers(LinkedTape& tape) {
  tape.numbers.resize(tape.number_sources.size());
  for (auto* instrs : {&tape.instrs, &tape.rows, &tape.output_instrs, &tape.prologue}) {
    for (Instr& instr : *instrs) {
      const LinearPart* linear = tape.linear_parts.data();
      instr.linear = linear + instr.first_linear;
      instr.leading = linear + instr.first_leading;
      instr.leading_end = linear + instr.last_leading;
      const ProductPart* products = tape.product_parts.data();
      instr.products = products + instr.first_product;
      instr.squares = products + instr.first_square;
      instr.squares_end = products + instr.last_square;
    }
  }
  for (const Fill& fill : tape.fills) {
    tape.regular_fills.push_back({fill.position, fill.factor, fill.delta,
                                  fill.place.out + fill.shift, fill.place.rev - fill.shift});
  }
  const CorrectionEdge* edges = tape.correction_edges.data();
  for (const Correction& c : tape.corrections) {
    tape.regular_corrections.push_back({edges + c.first_edge, edges + c.last_edge, c.delta,
                                        c.place.out + c.offset, c.place.rev - c.offset});
  }
  const auto pointers = [](const auto& list, Range range) {
    return PointerRange<typename std::decay_t<decltype(list)>::value_type>{
        list.data() + range.first, list.data() + range.last};
  };
  for (InstrRun& run : tape.instr_runs) {
    run.first = tape.instrs.data() + run.instrs.first;
    run.last = tape.instrs.data() + run.instrs.last;
  }
  for (LinkedBundle& bundle : tape.bundles) {
    for (int i = bundle.row_runs.first; i < bundle.row_runs.last; ++i) {
      RowRun& run = tape.row_runs[i];
      run.position = run.rows.first - bundle.first_row;
      run.first = tape.rows.data() + run.rows.first;
      run.last = tape.rows.data() + run.rows.last;
    }
    bundle.instr_run_list = pointers(tape.instr_runs, bundle.instr_runs);
    bundle.row_run_list = pointers(tape.row_runs, bundle.row_runs);
    bundle.fill_list = pointers(tape.regular_fills, bundle.fills);
    bundle.correction_list = pointers(tape.regular_corrections, bundle.corrections);
  }
}

LinkedTape Linker::run() {
  const std::size_t n = stages_.fused.series.size();
  delta_.assign(n, -1);
  gradient_.resize(n);
  linked_instr_.resize(n);
  is_denominator_ = find_denominators(stages_.fused);
  column_of_.resize(program_.num_variables());
  out_.num_gradients = 1;
  link_loads();
  for (const auto& [first, last] : stages_.bundles) {
    for (int b = first; b < last; ++b) link_block(b);
    link_bundle({first, last});
  }
  link_outputs();
  for (SeriesId v : stages_.prologue) out_.prologue.push_back(linked_instr_[v]);
  for (const Series& s : stages_.fused.series) {
    out_.argument_place.push_back(s.argument >= 0 ? layout_.place(s.argument).out : 0);
  }
  out_.data_size = layout_.size();
  out_.base = layout_.base();
  out_.leaves = layout_.leaves();
  out_.time = layout_.time();
  set_pointers(out_);
  return std::move(out_);
}

void Linker::link_loads() {
  leaves_of_.resize(program_.num_variables());
  for (SeriesId v = 0; v < static_cast<int>(stages_.fused.series.size()); ++v) {
    if (layout_.is_read_leaf(v)) leaves_of_[series(v).variable].push_back(v);
  }
  const auto entries = program_.entries();
  for (int e = 0; e < static_cast<int>(entries.size()); ++e) {
    const auto [variable, order] = entries[e];
    const bool is_state = e < program_.num_state();
    out_.state_reads.push_back({layout_.base()[variable].out + order, order});
    if (is_state)
      out_.loads.push_back({e, order, layout_.base()[variable]});
    else if (order == 0)
      out_.guess_loads.push_back({e, 0, layout_.base()[variable]});
    for (SeriesId leaf : leaves_of_[variable]) {
      if (series(leaf).order == 0) continue;
      const int m = order - series(leaf).order;
      if (is_state && m >= 0) out_.loads.push_back({e, m, layout_.place(leaf)});
      if (!is_state && m == 0) out_.guess_loads.push_back({e, 0, layout_.place(leaf)});
    }
  }
}

int Linker::number(ScalarId scalar) {
  out_.number_sources.push_back(scalar);
  return static_cast<int>(out_.number_sources.size()) - 1;
}

void Linker::link_sum(Instr& instr, const Form& form, const std::vector<LinearTerm>& leading) {
  if (form.products.empty())
    instr.variant = form.linear.size() == 2 ? Variant::kPairSum : Variant::kLinearSum;
  instr.number_source = number(form.constant);
  const auto append_linear = [&](const std::vector<LinearTerm>& terms) {
    for (const LinearTerm& term : terms)
      out_.linear_parts.push_back({0, layout_.place(term.series).out, number(term.factor)});
    return static_cast<int>(out_.linear_parts.size());
  };
  instr.first_linear = append_linear({});
  instr.first_leading = append_linear(form.linear);
  instr.last_leading = append_linear(leading);
  const auto append_products = [&](bool wants_squares) {
    for (const ProductTerm& term : form.products) {
      if ((term.left == term.right) != wants_squares) continue;
      const int left = layout_.place(term.left).out, right = layout_.place(term.right).rev;
      out_.product_parts.push_back({0, left, right, number(term.factor)});
    }
    return static_cast<int>(out_.product_parts.size());
  };
  instr.first_product = static_cast<int>(out_.product_parts.size());
  instr.first_square = append_products(false);
  instr.last_square = append_products(true);
}

// Time, or a sum of numbers and multiples of time.
bool is_linear_in_time(const FusedTape& tape, SeriesId v) {
  const Series& s = tape.series[v];
  const auto is_time = [&](const LinearTerm& term) {
    return tape.series[term.series].op == SeriesOp::kTime;
  };
  return s.op == SeriesOp::kTime ||
         (s.op == SeriesOp::kSum && s.form.products.empty() &&
          std::all_of(s.form.linear.begin(), s.form.linear.end(), is_time));
}

Instr Linker::link_instr(SeriesId v) {
  const Series& s = series(v);
  Instr instr;
  instr.op = s.op;
  instr.function = s.function;
  instr.series = v;
  instr.offset = stages_.offset[v];
  instr.out = layout_.place(v).out;
  instr.rev = layout_.place(v).rev;
  instr.is_denominator = is_denominator_[static_cast<std::size_t>(v)];
  if (ops::is_pair(s.op)) {
    instr.out2 = layout_.place(v + 1).out;
    instr.rev2 = layout_.place(v + 1).rev;
  }
  const auto operand = [&](SeriesId u, int& out, int& rev) {
    if (u >= 0) out = layout_.place(u).out, rev = layout_.place(u).rev;
  };
  operand(s.a, instr.a, instr.a_rev);
  operand(s.b, instr.b, instr.b_rev);
  operand(s.c, instr.c, instr.c_rev);
  const bool has_linear_variant =
      s.op == SeriesOp::kSinCos || s.op == SeriesOp::kSinhCosh || s.op == SeriesOp::kExp;
  if (has_linear_variant && is_linear_in_time(stages_.fused, s.a))
    instr.variant = Variant::kLinearArgument;
  if (s.op == SeriesOp::kSum)
    link_sum(instr, s.form, {});
  else if (s.op == SeriesOp::kCall)
    link_call(instr, s);
  else
    link_workspace(instr, s);
  linked_instr_[v] = instr;
  return instr;
}

void Linker::link_workspace(Instr& instr, const Series& s) {
  const int count = layout_.capacity(instr.series);
  const bool is_plain =
      s.op == SeriesOp::kQuotient || s.op == SeriesOp::kReciprocal || s.op == SeriesOp::kSqrt;
  if (!is_plain) instr.w = layout_.allocate(count);
  if (s.op == SeriesOp::kAtan2)
    instr.w2 = layout_.allocate(count), instr.w3 = layout_.allocate(count);
  instr.inverse = layout_.allocate(1);
  instr.number_source = number(s.scalar);
}

void Linker::link_call(Instr& instr, const Series& s) {
  const BlackBox& code = stages_.fused.codes[s.code];
  std::vector<int> arguments;
  for (SeriesId u : s.arguments) arguments.push_back(layout_.place(u).out);
  std::vector<CallSite::Result> outputs, partials;
  const int num_results = code.num_outputs * (1 + code.num_inputs);
  for (int k = 0; k < num_results; ++k) {
    const Place& place = layout_.place(instr.series + k);
    (k < code.num_outputs ? outputs : partials).push_back({place.out, place.rev});
  }
  out_.calls.push_back(std::make_unique<CallSite>(code, std::move(arguments), std::move(outputs),
                                                  std::move(partials)));
  instr.call = out_.calls.back().get();
}

void Linker::link_block(int block) {
  const BlockPlan& plan = stages_.blocks[block];
  LinkedBlock linked;
  linked.size = static_cast<int>(plan.rows.size());
  linked.lead = plan.lead;
  linked.max_local_c = plan.max_local_c;
  linked.is_quasilinear = plan.is_quasilinear;
  linked.is_constant = plan.is_constant;
  linked.is_late = plan.is_late;
  linked.instrs.first = static_cast<int>(out_.instrs.size());
  for (SeriesId v : plan.instructions) out_.instrs.push_back(link_instr(v));
  linked.instrs.last = static_cast<int>(out_.instrs.size());
  linked.first_row = static_cast<int>(out_.rows.size());
  for (const Row& row : plan.rows) {
    Instr instr;
    instr.offset = row.local_c + plan.lead;
    link_sum(instr, row.form,
             needs_leading(plan, row, terms_) ? row.leading : std::vector<LinearTerm>());
    out_.rows.push_back(instr);
    out_.row_c.push_back(row.local_c);
  }
  for (std::size_t k = 0; k < plan.variables.size(); ++k) {
    column_of_[plan.variables[k]] = static_cast<int>(k);
    out_.column_guess.push_back(find_guess(plan.variables[k], plan.local_d[k]));
  }
  link_fills(plan, linked);
  linked.partials.first = static_cast<int>(out_.partials.size());
  link_gradients(plan, linked);
  linked.partials.last = static_cast<int>(out_.partials.size());
  link_corrections(plan, linked);
  out_.blocks.push_back(linked);
}

// The kernels of powers depend on the value of the exponent.
bool Linker::have_same_kernel(const Instr& a, const Instr& b) const {
  const auto scalar = [this](const Instr& in) { return out_.number_sources[in.number_source]; };
  return a.op == b.op && a.variant == b.variant && a.offset == b.offset &&
         (a.op != SeriesOp::kPower || scalar(a) == scalar(b));
}

// The lists of neighbouring blocks are neighbours.
void Linker::link_bundle(Range blocks) {
  const LinkedBlock &first = out_.blocks[blocks.first], &last = out_.blocks[blocks.last - 1];
  LinkedBundle bundle;
  bundle.blocks = blocks;
  bundle.lead = first.lead;
  bundle.first_row = first.first_row;
  bundle.fills = {first.fills.first, last.fills.last};
  bundle.corrections = {first.corrections.first, last.corrections.last};
  for (int b = blocks.first; b < blocks.last; ++b) {
    const LinkedBlock& block = out_.blocks[b];
    for (int i = block.fills.first; i < block.fills.last; ++i) {
      out_.fills[i].position = out_.fills[i].column + block.first_row - bundle.first_row;
    }
  }
  bundle.instr_runs.first = static_cast<int>(out_.instr_runs.size());
  link_instr_runs({first.instrs.first, last.instrs.last});
  bundle.instr_runs.last = static_cast<int>(out_.instr_runs.size());
  bundle.row_runs.first = static_cast<int>(out_.row_runs.size());
  link_row_runs({first.first_row, last.first_row + last.size});
  bundle.row_runs.last = static_cast<int>(out_.row_runs.size());
  out_.bundles.push_back(bundle);
}

void Linker::link_instr_runs(Range instrs) {
  for (int i = instrs.first; i < instrs.last; ++i) {
    const Instr& instr = out_.instrs[i];
    if (i > instrs.first && have_same_kernel(instr, out_.instrs[i - 1]))
      out_.instr_runs.back().instrs.last = i + 1;
    else
      out_.instr_runs.push_back({{i, i + 1}, instr.offset});
  }
}

void Linker::link_row_runs(Range rows) {
  for (int i = rows.first; i < rows.last; ++i) {
    const Instr& row = out_.rows[i];
    const bool is_same = i > rows.first && out_.row_c[i] == out_.row_c[i - 1] &&
                         row.variant == out_.rows[i - 1].variant;
    if (is_same)
      out_.row_runs.back().rows.last = i + 1;
    else
      out_.row_runs.push_back({.rows = {i, i + 1},
                               .offset = row.offset,
                               .c = out_.row_c[i],
                               .kernels = row_kernels(row.variant)});
  }
}

int Linker::find_guess(int variable, int order) const {
  const auto entries = program_.entries();
  const auto first = entries.begin() + program_.num_state();
  const auto at = std::find(first, entries.end(), JetEntry{variable, order});
  return at == entries.end() ? -1 : static_cast<int>(at - entries.begin());
}

void Linker::link_fills(const BlockPlan& plan, LinkedBlock& linked) {
  linked.fills.first = static_cast<int>(out_.fills.size());
  for (std::size_t k = 0; k < plan.variables.size(); ++k) {
    const int column = static_cast<int>(k), variable = plan.variables[k];
    const int d = plan.local_d[k];
    const int base_delta = out_.num_deltas++;
    out_.fills.push_back({column, d + plan.lead, d, base_delta, layout_.base()[variable]});
    out_.fill_factors.last = std::max(out_.fill_factors.last, d + 1);
    for (SeriesId leaf : leaves_of_[variable]) {
      const int q = series(leaf).order;
      delta_[leaf] = q == 0 ? base_delta : out_.num_deltas++;
      if (q == 0) continue;
      out_.fills.push_back({column, d + plan.lead - q, d - q, delta_[leaf], layout_.place(leaf)});
      out_.fill_factors.first = std::min(out_.fill_factors.first, d - q);
    }
  }
  linked.fills.last = static_cast<int>(out_.fills.size());
}

int Linker::link_partial(const Partial& partial) {
  const int target = out_.num_partials++;
  const int factor = number(partial.factor);
  if (partial.rule == Partial::Rule::kNumber) {
    out_.constant_partials.emplace_back(target, factor);
    return target;
  }
  LinkedPartial linked{partial.rule, target, factor};
  if (partial.p >= 0) linked.p = layout_.place(partial.p).out;
  if (partial.q >= 0) linked.q = layout_.place(partial.q).out;
  out_.partials.push_back(linked);
  return target;
}

// Gradients are sparse rows over the columns of the block: target row `first`, at `columns`.
void Linker::link_gradient(const std::vector<Edge>& edges, const std::vector<int>& columns,
                           int first, std::vector<int>& edge_partials) {
  const auto slot = [&](int column) {
    const auto at = std::lower_bound(columns.begin(), columns.end(), column);
    return first + static_cast<int>(at - columns.begin());
  };
  for (const Edge& edge : edges) {
    const int partial = link_partial(edge.partial);
    edge_partials.push_back(partial);
    if (is_leaf(edge.operand)) {
      const int column = column_of_[series(edge.operand).variable];
      out_.gradient_terms.push_back({slot(column), partial, 0});
      continue;
    }
    const auto& [source, source_columns] = gradient_[edge.operand];
    for (std::size_t k = 0; k < source_columns->size(); ++k) {
      out_.gradient_terms.push_back(
          {slot((*source_columns)[k]), partial, source + static_cast<int>(k)});
    }
  }
}

void Linker::link_gradients(const BlockPlan& plan, LinkedBlock& linked) {
  linked.gradient_terms.first = static_cast<int>(out_.gradient_terms.size());
  linked.gradients.first = out_.num_gradients;
  active_partials_.assign(plan.active.size(), {});
  for (std::size_t k = 0; k < plan.active.size(); ++k) {
    const ActiveSeries& active = plan.active[k];
    const int first = out_.num_gradients;
    out_.num_gradients += static_cast<int>(active.columns.size());
    gradient_[active.series] = {first, &active.columns};
    link_gradient(active.edges, active.columns, first, active_partials_[k]);
  }
  linked.first_entry = out_.num_gradients;
  linked.first_row_term = static_cast<int>(out_.gradient_terms.size());
  std::vector<linalg::SystemMatrix::Position> positions;
  for (std::size_t i = 0; i < plan.rows.size(); ++i) {
    const Row& row = plan.rows[i];
    const int first = out_.num_gradients;
    out_.num_gradients += static_cast<int>(row.columns.size());
    std::vector<int> unused;
    link_gradient(row.edges, row.columns, first, unused);
    for (int column : row.columns) positions.emplace_back(static_cast<int>(i), column);
  }
  linked.num_entries = static_cast<int>(positions.size());
  linked.gradients.last = out_.num_gradients;
  linked.gradient_terms.last = static_cast<int>(out_.gradient_terms.size());
  if (linked.size > 1) {
    linked.matrix = static_cast<int>(out_.matrices.size());
    out_.matrices.emplace_back(linked.size, positions);
    linked.inverse = out_.matrices.back().inverse();
    if (linked.inverse != nullptr) linked.multiply = linalg::multiply_kernel(linked.size);
  }
}

void Linker::link_corrections(const BlockPlan& plan, LinkedBlock& linked) {
  const auto num_edges = [this] { return static_cast<int>(out_.correction_edges.size()); };
  linked.corrections.first = static_cast<int>(out_.corrections.size());
  linked.correction_edges.first = num_edges();
  for (std::size_t k = 0; k < plan.active.size(); ++k) {
    const ActiveSeries& active = plan.active[k];
    if (!active.is_corrected) continue;
    Correction correction{stages_.offset[active.series], out_.num_deltas++,
                          layout_.place(active.series)};
    delta_[active.series] = correction.delta;
    correction.first_edge = num_edges();
    for (std::size_t e = 0; e < active.edges.size(); ++e) {
      const int source = delta_[active.edges[e].operand];
      HYDAE_CHECK(source >= 0);
      out_.correction_edges.push_back({0, source, active_partials_[k][e]});
    }
    correction.last_edge = num_edges();
    out_.corrections.push_back(correction);
  }
  linked.corrections.last = static_cast<int>(out_.corrections.size());
  linked.correction_edges.last = num_edges();
}

void Linker::link_outputs() {
  for (SeriesId v : stages_.output_instructions) out_.output_instrs.push_back(link_instr(v));
  for (std::size_t i = 0; i < stages_.fused.outputs.size(); ++i) {
    Instr instr;
    instr.offset = stages_.output_offset[i];
    const Place place = layout_.place_record(std::max(1, order_ + instr.offset), false);
    instr.out = place.out;
    instr.rev = place.rev;
    link_sum(instr, stages_.fused.outputs[i], {});
    out_.outputs.push_back(place);
    out_.output_instrs.push_back(instr);
  }
}

}  // namespace

void set_numbers(LinkedTape& tape, std::span<const double> scalars) {
  for (std::size_t i = 0; i < tape.numbers.size(); ++i)
    tape.numbers[i] = scalars[tape.number_sources[i]];
  for (LinearPart& part : tape.linear_parts) part.factor = tape.numbers[part.number];
  for (ProductPart& part : tape.product_parts) part.factor = tape.numbers[part.number];
  for (auto* instrs : {&tape.instrs, &tape.rows, &tape.output_instrs, &tape.prologue}) {
    for (Instr& instr : *instrs) {
      instr.number = tape.numbers[instr.number_source];
      if (instr.op == SeriesOp::kPower) {
        const double exponent = instr.number;
        const bool is_whole = exponent >= 0 && exponent == std::floor(exponent);
        instr.variant = is_whole ? Variant::kIntegerPower : Variant::kGeneral;
      }
      instr.kernels = kernels(instr.op, instr.variant);
    }
  }
  for (InstrRun& run : tape.instr_runs) run.kernels = tape.instrs[run.instrs.first].kernels;
}

LinkedTape link(const Program& program, int max_order, RowTerms terms) {
  return Linker(program, max_order, terms).run();
}

}  // namespace hydae::codegen
