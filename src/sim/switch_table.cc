#include "sim/switch_table.h"

namespace hydae {
namespace {

std::vector<NodeId> coefficient_roots(const HybridModel& model) {
  std::vector<NodeId> roots;
  for (const SwitchedCoefficient& coefficient : model.coefficients())
    roots.push_back(coefficient.value);
  return roots;
}

}  // namespace

std::pair<double, double> counter_bounds(Op op, double count) {
  if (op == Op::kFloor || (op == Op::kTrunc && count > 0)) return {count, count + 1};
  if (op == Op::kCeil || count < 0) return {count - 1, count};
  return {-1, 1};
}

SwitchTable::SwitchTable(const HybridModel& model)
    : model_(model),
      coefficients_(model, coefficient_roots(model)),
      numbers_(model.model().parameter_values()) {
  numbers_.resize(model.table_size(), 0.0);
}

const std::vector<double>& SwitchTable::fill(const TableContent& content) {
  set_bits(content.switches.bits);
  for (std::size_t k = 0; k < model_.ticks().size(); ++k)
    numbers_[model_.tick_slot(k)] = content.ticks != nullptr && content.ticks->count(k) != 0;
  for (VarId variable : model_.discrete_variables()) {
    numbers_[model_.value_slot(variable)] = content.values[variable.index()];
    numbers_[model_.pre_slot(variable)] = content.pre[variable.index()];
  }
  set_counts(content.switches.counts);
  set_pieces(content.pieces);
  if (!model_.coefficients().empty()) set_coefficients(content);
  return numbers_;
}

void SwitchTable::set_bits(const std::vector<bool>& bits) {
  for (std::size_t k = 0; k < bits.size(); ++k) numbers_[model_.bit_slot(k)] = bits[k] ? 1.0 : 0.0;
}

void SwitchTable::set_counts(const std::vector<double>& counts) {
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const Counter& counter = model_.counters()[k];
    const auto [lower, upper] = counter_bounds(counter.op, counts[k]);
    numbers_[counter.slot] = counts[k];
    numbers_[counter.slot + 1] = lower;
    numbers_[counter.slot + 2] = upper;
  }
}

// Those of delays, then those of inputs.
void SwitchTable::set_pieces(const std::vector<PastPiece>& pieces) {
  const auto set_coefficients = [&](const PastPiece& piece, std::size_t first, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      numbers_[first + i] = i < piece.coefficients.size() ? piece.coefficients[i] : 0;
  };
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    const PastPiece& piece = pieces[k];
    const bool is_past = k < model_.delays().size();
    const std::size_t slot =
        is_past ? model_.delays()[k].slot : model_.inputs()[k - model_.delays().size()].slot;
    numbers_[slot] = piece.origin;
    numbers_[slot + 1] = 1 / piece.scale;
    if (is_past) {
      numbers_[slot + 2] = piece.start;
      numbers_[slot + 3] = piece.end;
      set_coefficients(piece, slot + 4, model_.delays()[k].num_coefficients);
    } else {
      set_coefficients(piece, slot + 2, model_.num_input_coefficients());
    }
  }
}

// An inner coefficient comes before the outer one that reads it.
void SwitchTable::set_coefficients(const TableContent& content) {
  EvaluationContext now;
  now.discrete = &content.values;
  now.pre = &content.pre;
  now.table = &numbers_;
  now.is_initial = content.is_initial;
  now.is_terminal = content.is_terminal;
  for (std::size_t k = 0; k < model_.coefficients().size(); ++k) {
    const auto values = coefficients_.evaluate(now);
    bool has_changed = false;
    for (std::size_t i = 0; i < values.size(); ++i) {
      double& place = numbers_[model_.coefficients()[i].slot];
      has_changed = has_changed || place != values[i];
      place = values[i];
    }
    if (!has_changed) break;
  }
}

void SwitchTable::set_left_limits(const LeftLimit& left) {
  for (std::size_t k = 0; k < model_.impact_pres().size(); ++k)
    numbers_[model_.impact_pre_slot(k)] = left.value(model_.impact_pres()[k]);
}

}  // namespace hydae
