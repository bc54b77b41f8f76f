#include "codegen/series_store.h"

#include <cstring>

namespace hydae::codegen {

void SeriesStore::load(double time, const TimeScale& scale, std::span<const double> input) {
  std::memset(data_.data() + tape_.leaves.first, 0,
              (tape_.leaves.last - tape_.leaves.first) * sizeof(double));
  if (tape_.time.out >= 0) {
    data_[tape_.time.out] = data_[tape_.time.rev] = time;
    data_[tape_.time.out + 1] = data_[tape_.time.rev - 1] = scale.value();
  }
  for (const Load& l : tape_.loads) {
    const double value = input[l.entry] * scale.power(l.order);
    data_[l.place.out + l.order] = value;
    data_[l.place.rev - l.order] = value;
  }
}

void SeriesStore::load_guesses(std::span<const double> input) {
  for (const Load& l : tape_.guess_loads) data_[l.place.out] = data_[l.place.rev] = input[l.entry];
}

void SeriesStore::clear_guesses() {
  for (const Load& l : tape_.guess_loads) data_[l.place.out] = data_[l.place.rev] = 0;
}

void SeriesStore::store(const LinkedBlock& block, int k, const double* solution,
                        const double* factors) {
  double* data = data_.data();
  for (int i = block.fills.first; i < block.fills.last; ++i) {
    const Fill& fill = tape_.fills[i];
    const int m = k + fill.shift;
    if (m < 0) continue;
    const double value = solution[fill.column] * factors[fill.factor];
    data[fill.place.out + m] = value;
    data[fill.place.rev - m] = value;
    deltas_[fill.delta] = value;
  }
}

void SeriesStore::add(const LinkedBlock& block, int k, const double* solution,
                      const double* factors, double share) {
  double* data = data_.data();
  for (int i = block.fills.first; i < block.fills.last; ++i) {
    const Fill& fill = tape_.fills[i];
    const int m = k + fill.shift;
    if (m < 0) continue;
    const double change = share * solution[fill.column] * factors[fill.factor];
    const double value = data[fill.place.out + m] + change;
    data[fill.place.out + m] = value;
    data[fill.place.rev - m] = value;
    deltas_[fill.delta] = change;
  }
}

void SeriesStore::correct(const LinkedBlock& block, int k) {
  if (block.corrections.empty()) return;
  double* data = data_.data();
  const Correction* last = tape_.corrections.data() + block.corrections.last;
  for (const Correction* c = tape_.corrections.data() + block.corrections.first; c != last; ++c) {
    const int m = k + c->offset;
    if (m < 0) continue;
    double delta = 0;
    for (int e = c->first_edge; e < c->last_edge; ++e) {
      const CorrectionEdge& edge = tape_.correction_edges[e];
      delta += edge.multiplier * deltas_[edge.source];
    }
    deltas_[c->delta] = delta;
    const double value = data[c->place.out + m] + delta;
    data[c->place.out + m] = value;
    data[c->place.rev - m] = value;
  }
}

}  // namespace hydae::codegen
