#include "sim/solution_pieces.h"

#include <algorithm>
#include <cmath>

#include "poly/interpolate.h"

namespace hydae {
namespace {

constexpr double kPieceAccuracy = 0.1;  // what a piece may miss the step by
// Of a part of a step that is still divided. A column that no polynomial follows, near a root
// that begins, or that is not finite, is taken as it is there.
constexpr double kShortestPiece = 0x1p-20;

// Divisions that help nothing until what is left of a column is taken for noise: values that are
// rounding errors, or a jump that makes no event.
constexpr int kMostStalledDivisions = 3;

}  // namespace

SolutionPieces::SolutionPieces(SolutionSink* sink, std::span<const Column> columns, double rtol)
    : sink_(sink), num_columns_(columns.size()), rtol_(rtol), scales_(columns.size(), 0.0) {
  if (sink_ != nullptr) sink_->begin(columns);
}

void SolutionPieces::skip_to(double t) {
  if (sink_ == nullptr || t == reached_ || last_row_.empty()) return;
  sink_->add_piece({reached_, t, 1, last_row_});
  reached_ = t;
}

void SolutionPieces::add_until(double t, const Row& row) {
  if (sink_ == nullptr || t == reached_) return;
  const Part whole{reached_, t, std::vector<double>(num_columns_, HUGE_VAL),
                   std::vector<int>(num_columns_, 0)};
  add_part(whole, kShortestPiece * std::abs(t - reached_), row);
  reached_ = t;
  const std::span<const double> last = row(t);
  last_row_.assign(last.begin(), last.end());
}

void SolutionPieces::add_part(Part part, double smallest, const Row& row) {
  sample(part.from, part.to, row);
  if (is_followed(part) || std::abs(part.to - part.from) <= smallest)
    return sink_->add_piece({part.from, part.to, poly::Interpolation::kNumPoints, coefficients_});
  Part first = part;
  first.to = part.from = part.from + (part.to - part.from) / 2;
  add_part(std::move(first), smallest, row);
  add_part(std::move(part), smallest, row);
}

void SolutionPieces::sample(double from, double to, const Row& row) {
  constexpr std::size_t kNumPoints = poly::Interpolation::kNumPoints;
  values_.resize(num_columns_ * kNumPoints);
  for (std::size_t i = 0; i < kNumPoints; ++i) {
    const double part = poly::Interpolation::points()[i];
    const std::span<const double> here = row(part == 1 ? to : from + part * (to - from));
    for (std::size_t k = 0; k < num_columns_; ++k) {
      values_[k * kNumPoints + i] = here[k];
      if (std::isfinite(here[k])) scales_[k] = std::max(scales_[k], std::abs(here[k]));
    }
  }
}

// Polynomials through the values; whether they are good enough for all columns.
bool SolutionPieces::is_followed(Part& part) {
  constexpr std::size_t kNumPoints = poly::Interpolation::kNumPoints;
  constexpr double kProgress = 0.75;  // a kink halves its remainder with each division
  coefficients_.clear();
  bool all = true;
  for (std::size_t k = 0; k < num_columns_; ++k) {
    const auto values =
        std::span<const double>(values_).subspan(k * kNumPoints).first<kNumPoints>();
    if (std::ranges::count(values, values[0]) == kNumPoints) {  // exactly: it may be discrete
      coefficients_.push_back(values[0]);
      coefficients_.resize(coefficients_.size() + kNumPoints - 1, 0.0);
      continue;
    }
    const poly::Interpolation polynomial(values);
    coefficients_.insert(coefficients_.end(), polynomial.coefficients().begin(),
                         polynomial.coefficients().end());
    const double left = polynomial.remainder();
    const double allowed = kPieceAccuracy * rtol_ * scales_[k];
    if (left <= allowed) continue;
    part.stalls[k] = left <= kProgress * part.remainders[k] ? 0 : part.stalls[k] + 1;
    part.remainders[k] = left;
    all = all && part.stalls[k] >= kMostStalledDivisions;
  }
  return all;
}

void SolutionPieces::end_at(double t, std::span<const double> row) {
  if (sink_ == nullptr || std::ranges::equal(row, last_row_)) return;
  sink_->add_piece({t, t, 1, row});
}

}  // namespace hydae
