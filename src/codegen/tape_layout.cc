#include "codegen/tape_layout.h"

namespace hydae::codegen {

TapeLayout::TapeLayout(const Program& program, int max_order, RowTerms terms)
    : program_(program),
      stages_(program.stages()),
      order_(max_order),
      terms_(terms),
      place_(stages_.fused.series.size()) {
  find_reversed();
  find_read_leaves();
  place_leaves();
  place_series();
}

void TapeLayout::find_reversed() {
  is_reversed_.assign(stages_.fused.series.size(), false);
  const auto mark_products = [&](const Form& form) {
    for (const ProductTerm& term : form.products) is_reversed_[term.right] = true;
  };
  for (const Form& form : stages_.fused.residuals) mark_products(form);
  for (const Form& form : stages_.fused.outputs) mark_products(form);
  for (std::size_t v = 0; v < is_reversed_.size(); ++v) {
    const Series& s = stages_.fused.series[v];
    mark_products(s.form);
    if (s.op == SeriesOp::kIntegral) is_reversed_[s.b] = true;
    if (s.op == SeriesOp::kAtan2) {
      is_reversed_[s.a] = is_reversed_[s.b] = is_reversed_[s.c] = true;
    }
    const bool is_recursive = s.op != SeriesOp::kSum && s.op != SeriesOp::kVariable &&
                              s.op != SeriesOp::kTime && s.op != SeriesOp::kIntegral &&
                              s.op != SeriesOp::kAtan2;
    if (is_recursive) is_reversed_[v] = true;
  }
}

// Leading terms count in the stages of the projection where their order is not negative, and in
// Newton's method.
bool needs_leading(const BlockPlan& plan, const Row& row, RowTerms terms) {
  return terms == RowTerms::kAll || row.local_c > 0 || !plan.is_quasilinear;
}

void TapeLayout::find_read_leaves() {
  is_read_leaf_.assign(stages_.fused.series.size(), false);
  const auto mark = [&](SeriesId v, bool) {
    is_read_leaf_[v] = series(v).op == SeriesOp::kVariable && stages_.offset[v] != kNever;
  };
  for (std::size_t v = 0; v < is_read_leaf_.size(); ++v) {
    if (stages_.offset[v] != kNever) visit_operands(series(static_cast<int>(v)), mark);
  }
  for (const Form& form : stages_.fused.outputs) visit_operands(form, mark);
  for (const BlockPlan& plan : stages_.blocks) {
    for (const Row& row : plan.rows) {
      visit_operands(row.form, mark);
      if (!needs_leading(plan, row, terms_)) continue;
      for (const LinearTerm& term : row.leading) mark(term.series, true);
    }
  }
}

int TapeLayout::allocate(int count) {
  const int place = size_;
  size_ += count;
  return place;
}

// Lengths that are a multiple of 512 bytes would map all series to the same lines of the cache.
Place TapeLayout::place_record(int capacity, bool is_reversed) {
  Place place;
  place.out = allocate(capacity);
  place.rev = is_reversed ? allocate(capacity) + capacity - 1 : unread_.rev;
  const int length = is_reversed ? 2 * capacity : capacity;
  if (length % 64 == 0) allocate(4);
  return place;
}

void TapeLayout::place_leaves() {
  int longest = std::max(1, order_);
  for (int d : program_.structure().d) longest = std::max(longest, d + order_);
  for (std::size_t v = 0; v < place_.size(); ++v) {
    if (stages_.offset[v] != kNever) longest = std::max(longest, capacity(static_cast<int>(v)));
  }
  std::vector<SeriesId> own(program_.num_variables(), -1);
  for (std::size_t v = 0; v < place_.size(); ++v) {
    const Series& s = series(static_cast<int>(v));
    if (s.op == SeriesOp::kVariable && s.order == 0) own[s.variable] = static_cast<int>(v);
  }
  ++longest;  // time has two coefficients at least
  unread_.rev = allocate(longest) + longest - 1;
  leaves_.first = size_;
  for (int j = 0; j < program_.num_variables(); ++j) {
    const bool is_reversed = own[j] >= 0 && is_reversed_[own[j]];
    base_.push_back(place_record(program_.structure().d[j] + order_, is_reversed));
  }
  for (std::size_t v = 0; v < place_.size(); ++v) {
    const Series& s = series(static_cast<int>(v));
    if (s.op == SeriesOp::kTime && stages_.offset[v] != kNever) {
      place_[v] = time_ = place_record(longest, is_reversed_[v]);
    } else if (s.op == SeriesOp::kVariable && s.order == 0) {
      place_[v] = base_[s.variable];
    } else if (is_derivative_leaf(static_cast<int>(v))) {
      const int count = std::max(1, program_.structure().d[s.variable] - s.order + order_);
      place_[v] = place_record(count, is_reversed_[v]);
    }
  }
  leaves_.last = size_;
}

void TapeLayout::place_series() {
  for (std::size_t v = 0; v < place_.size(); ++v) {
    const SeriesOp op = series(static_cast<int>(v)).op;
    if (stages_.offset[v] == kNever || op == SeriesOp::kVariable || op == SeriesOp::kTime) continue;
    place_[v] = place_record(capacity(static_cast<int>(v)), is_reversed_[v]);
  }
}

}  // namespace hydae::codegen
