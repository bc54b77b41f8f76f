#include "sim/history.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "poly/convergence.h"
#include "sim/step_outputs.h"

namespace hydae {

namespace {
constexpr double kLongAgo = 1e9;  // before the start of a run
constexpr double kForever = 1e60;

bool is_constant(const PastPiece& piece) {
  return std::all_of(piece.coefficients.begin() + 1, piece.coefficients.end(),
                     [](double coefficient) { return coefficient == 0; });
}

// Where a signal has no series, pieces of this part of a step are straight lines.
constexpr double kSmallestPiece = 0x1p-20;

// The coefficients that are kept, if what is left out is small.
bool is_accurate(std::span<const double> series, const PieceRequest& request) {
  const auto tail =
      poly::estimate_tail(series.first(std::min(series.size(), request.num_coefficients)));
  double size = 0;
  for (double coefficient : series) size = std::max(size, std::abs(coefficient));
  return tail && *tail <= request.rtol * size;
}

}  // namespace

std::vector<PastPiece> pieces_of(StepOutputs& outputs, std::size_t output,
                                 const PieceRequest& request) {
  std::vector<PastPiece> pieces;
  const double from = outputs.from(), step = outputs.to() - from;
  double begin = 0, width = request.until;
  while (begin < request.until) {
    width = std::min(width, request.until - begin);
    auto series = outputs.series(output, begin, width);
    std::vector<double> line;
    if (width <= kSmallestPiece) {
      const double value = outputs.value(output, begin);
      line = {value, outputs.value(output, begin + width) - value};
      series = line;
    } else if (series.empty() || outputs.is_interpolation_poor() || !is_accurate(series, request)) {
      width *= 0.5;
      continue;
    }
    const double start = from + begin * step;
    const double end = begin + width >= request.until ? from + request.until * step
                                                      : from + (begin + width) * step;
    const std::size_t count = std::min(series.size(), request.num_coefficients);
    pieces.push_back({start,
                      end,
                      start,
                      width * step,
                      {series.begin(), series.begin() + static_cast<std::ptrdiff_t>(count)}});
    begin += width;
    width *= 2;
  }
  return pieces;
}

void History::begin(double time, double value) {
  pieces_.clear();
  pieces_.push_back({time - kLongAgo, time, time, 1, {value}});
}

void History::add(PastPiece piece) {
  while (pieces_.size() > 1 && pieces_.back().start >= piece.start) pieces_.pop_back();
  PastPiece& last = pieces_.back();
  last.end = std::min(last.end, piece.start);
  const bool is_continued = last.end == piece.start && is_constant(last) && is_constant(piece) &&
                            last.coefficients[0] == piece.coefficients[0];
  if (is_continued)
    last.end = piece.end;
  else
    pieces_.push_back(std::move(piece));
}

void History::hold(double time, double value) { add({time, kForever, time, 1, {value}}); }

const PastPiece& History::at(double s) const {
  const auto after =
      std::upper_bound(pieces_.begin(), pieces_.end(), s,
                       [](double value, const PastPiece& piece) { return value < piece.start; });
  return after == pieces_.begin() ? pieces_.front() : *std::prev(after);
}

void History::forget_before(double s) {
  while (pieces_.size() > 1 && pieces_.front().end < s) pieces_.pop_front();
}

}  // namespace hydae
