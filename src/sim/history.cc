#include "sim/history.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include "poly/convergence.h"
#include "poly/interpolate.h"
#include "poly/polynomial.h"
#include "sim/step_outputs.h"

namespace hydae {

namespace {
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

// Of the tolerance: what a polynomial over two pieces may miss them by. They are joined again and
// again.
constexpr double kJoined = 1e-3;

// Terms below what a piece may be wrong by are errors of the steps it was made of. In a short piece
// they stand for derivatives of any size.
constexpr double kErrorsOfPieces =
    1e-2;  // of the tolerance: several times what a step of BDF may miss
void drop_errors(PastPiece& piece, double rtol) {
  double size = 0;
  for (double coefficient : piece.coefficients) size = std::max(size, std::abs(coefficient));
  while (piece.coefficients.size() > 1 &&
         std::abs(piece.coefficients.back()) <= kErrorsOfPieces * rtol * size)
    piece.coefficients.pop_back();
}

// One polynomial over both, if there is one. Else nothing is changed.
bool join(PastPiece& first, const PastPiece& second, double rtol) {
  const double length = second.end - first.start;
  std::array<double, poly::Interpolation::kNumPoints> values{};
  double size = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double t = first.start + length * poly::Interpolation::points()[k];
    values[k] = value_in(t < second.start ? first : second, t);
    size = std::max(size, std::abs(values[k]));
  }
  const poly::Interpolation both(values);
  if (!(both.remainder() <= kJoined * rtol * size)) return false;
  first.end = second.end;
  first.origin = first.start;
  first.scale = length;
  first.coefficients.assign(both.coefficients().begin(), both.coefficients().end());
  drop_errors(first, rtol);
  return true;
}

}  // namespace

double value_in(const PastPiece& piece, double t) {
  return poly::evaluate(piece.coefficients, (t - piece.origin) / piece.scale);
}

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
    PastPiece piece{start, end, start, width * step, {}};
    piece.coefficients.assign(series.begin(), series.begin() + static_cast<std::ptrdiff_t>(count));
    drop_errors(piece, request.rtol);
    pieces.push_back(std::move(piece));
    begin += width;
    width *= 2;
  }
  return pieces;
}

void History::begin(double time, double value) {
  pieces_.clear();
  pieces_.push_back({-kForever, time, time, 1, {value}});
}

void History::add(PastPiece piece, double rtol) {
  while (pieces_.size() > 1 && pieces_.back().start >= piece.start) pieces_.pop_back();
  PastPiece& last = pieces_.back();
  last.end = std::min(last.end, piece.start);
  const bool is_next = last.end == piece.start;
  const bool is_continued = is_next && is_constant(last) && is_constant(piece) &&
                            last.coefficients[0] == piece.coefficients[0];
  if (is_continued)
    last.end = piece.end;
  else if (!is_next || pieces_.size() == 1 || !join(last, piece, rtol))
    pieces_.push_back(std::move(piece));
}

void History::hold(double time, double value) { add({time, kForever, time, 1, {value}}); }

const PastPiece& History::at(double s) const {
  const auto after =
      std::upper_bound(pieces_.begin(), pieces_.end(), s,
                       [](double value, const PastPiece& piece) { return value < piece.start; });
  return after == pieces_.begin() ? pieces_.front() : *std::prev(after);
}

double History::value(double s) const { return value_in(at(s), s); }

const PastPiece& History::before(double s) const {
  const auto from =
      std::lower_bound(pieces_.begin(), pieces_.end(), s,
                       [](const PastPiece& piece, double value) { return piece.start < value; });
  return from == pieces_.begin() ? pieces_.front() : *std::prev(from);
}

void History::forget_before(double s) {
  while (pieces_.size() > 1 && pieces_.front().end < s) pieces_.pop_front();
}

}  // namespace hydae
