#include "sim/history.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace hydae {

namespace {
constexpr double kLongAgo = 1e9;  // before the start of a run
constexpr double kForever = 1e60;

bool is_constant(const PastPiece& piece) {
  return std::all_of(piece.coefficients.begin() + 1, piece.coefficients.end(),
                     [](double coefficient) { return coefficient == 0; });
}

}  // namespace

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
