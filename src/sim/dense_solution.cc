#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include <hydae/error.h>
#include <hydae/simulate.h>
#include <hydae/solution.h>

namespace hydae {

void DenseSolution::begin(std::span<const Column> columns) {
  columns_.assign(columns.begin(), columns.end());
  places_.clear(), pieces_.clear(), coefficients_.clear(), event_times_.clear();
  for (std::size_t k = 0; k < columns_.size(); ++k) places_.emplace(columns_[k].name, k);
}

void DenseSolution::add_piece(const SolutionPiece& piece) {
  pieces_.push_back({piece.from, piece.to, coefficients_.size(), piece.num_coefficients});
  coefficients_.insert(coefficients_.end(), piece.coefficients.begin(), piece.coefficients.end());
}

void DenseSolution::add_event(const EventRecord& event) { event_times_.push_back(event.t); }

double DenseSolution::start() const {
  if (empty()) throw UsageError("a solution without pieces has no start");
  return pieces_.front().from;
}

double DenseSolution::end() const {
  if (empty()) throw UsageError("a solution without pieces has no end");
  return pieces_.back().to;
}

// The last piece that begins at t or before, or, for the left limit, the first that ends there or
// behind it, in the order of the run.
const DenseSolution::Piece& DenseSolution::piece_at(double t, Limit limit) const {
  const double direction = end() >= start() ? 1 : -1;
  if ((t - start()) * direction < 0 || (t - end()) * direction > 0 || std::isnan(t))
    throw UsageError(fmt::format("t = {} is outside of the solution, {} to {}", t, start(), end()));
  if (limit == Limit::kLeft)  // the last piece ends at end()
    return *std::ranges::lower_bound(pieces_, t * direction, {},
                                     [&](const Piece& piece) { return piece.to * direction; });
  const auto behind = std::ranges::upper_bound(
      pieces_, t * direction, {}, [&](const Piece& piece) { return piece.from * direction; });
  return *std::prev(behind);
}

std::size_t DenseSolution::column(std::string_view name) const {
  const auto at = places_.find(name);
  if (at == places_.end()) throw UsageError(fmt::format("the solution has no column `{}`", name));
  return at->second;
}

std::span<const double> DenseSolution::polynomial(const Piece& piece, std::size_t column) const {
  return std::span(coefficients_)
      .subspan(piece.first + column * piece.num_coefficients, piece.num_coefficients);
}

namespace {

double part_of(double from, double to, double t) {
  return from == to ? 0 : (t - from) / (to - from);
}

double polynomial_value(std::span<const double> coefficients, double x) {
  double value = 0;
  for (std::size_t k = coefficients.size(); k-- > 0;) value = value * x + coefficients[k];
  return value;
}

double polynomial_slope(std::span<const double> coefficients, double x) {
  double slope = 0;
  for (std::size_t k = coefficients.size(); k-- > 1;)
    slope = slope * x + static_cast<double>(k) * coefficients[k];
  return slope;
}

}  // namespace

double DenseSolution::value(std::string_view name, double t, Limit limit) const {
  const Piece& piece = piece_at(t, limit);
  return polynomial_value(polynomial(piece, column(name)), part_of(piece.from, piece.to, t));
}

double DenseSolution::derivative(std::string_view name, double t, Limit limit) const {
  const Piece& piece = piece_at(t, limit);
  const std::span<const double> coefficients = polynomial(piece, column(name));
  if (piece.from == piece.to) return 0;
  return polynomial_slope(coefficients, part_of(piece.from, piece.to, t)) / (piece.to - piece.from);
}

std::vector<double> DenseSolution::values(double t, Limit limit) const {
  const Piece& piece = piece_at(t, limit);
  const double x = part_of(piece.from, piece.to, t);
  std::vector<double> all;
  for (std::size_t k = 0; k < columns_.size(); ++k)
    all.push_back(polynomial_value(polynomial(piece, k), x));
  return all;
}

}  // namespace hydae
