#include "linalg/sparse_lu.h"

#include <algorithm>
#include <cmath>
#include <klu.h>

#include "base/check.h"

namespace hydae::linalg {
namespace {

// Pivots of an older matrix are kept while the elements of the factors stay below 1/this times
// those of the matrix: then about four digits are lost at most.
constexpr double kLeastReciprocalGrowth = 1e-4;

}  // namespace

struct SparseLU::Factors {
  std::vector<int> start, row;
  klu_common common;
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
  std::vector<double> row_size;  // largest entry of each row: what KLU scales by
  double pivot_ratio = 0;
  bool has_pivots = false;
  mutable std::vector<int> place, next;  // of rows, for signs

  int n() const { return static_cast<int>(start.size()) - 1; }
  ~Factors() {
    if (numeric != nullptr) klu_free_numeric(&numeric, &common);
    if (symbolic != nullptr) klu_free_symbolic(&symbolic, &common);
  }
  bool refactor(double* values);
  bool factor(double* values);
  double compute_pivot_ratio(std::span<const double> values);
};

bool SparseLU::Factors::refactor(double* values) {
  if (!has_pivots) return false;
  if (!klu_refactor(start.data(), row.data(), values, symbolic, numeric, &common)) return false;
  if (common.status != KLU_OK) return false;
  klu_rgrowth(start.data(), row.data(), values, symbolic, numeric, &common);
  return common.rgrowth >= kLeastReciprocalGrowth;
}

bool SparseLU::Factors::factor(double* values) {
  if (numeric != nullptr) klu_free_numeric(&numeric, &common);
  numeric = klu_factor(start.data(), row.data(), values, symbolic, &common);
  has_pivots = numeric != nullptr && common.status == KLU_OK;
  return has_pivots;
}

double SparseLU::Factors::compute_pivot_ratio(std::span<const double> values) {
  std::fill(row_size.begin(), row_size.end(), 0);
  for (std::size_t e = 0; e < row.size(); ++e) {
    row_size[row[e]] = std::max(row_size[row[e]], std::abs(values[e]));
  }
  const auto* pivots = static_cast<const double*>(numeric->Udiag);
  double ratio = 0;
  for (int k = 0; k < n(); ++k) {
    const int j = symbolic->Q[k];
    double largest = 0;
    for (int e = start[j]; e < start[j + 1]; ++e) {
      largest = std::max(largest, std::abs(values[e] / row_size[row[e]]));
    }
    ratio = std::max(ratio, largest / std::abs(pivots[k]));
  }
  return ratio;
}

SparseLU::SparseLU(std::vector<int> start, std::vector<int> row, double pivot_threshold)
    : factors_(std::make_unique<Factors>()) {
  factors_->start = std::move(start);
  factors_->row = std::move(row);
  factors_->row_size.resize(factors_->start.size() - 1);
  factors_->place.resize(factors_->row_size.size());
  factors_->next.resize(factors_->row_size.size());
  klu_defaults(&factors_->common);
  factors_->common.tol = pivot_threshold;
  HYDAE_CHECK(factors_->n() >= 1);
  factors_->symbolic =
      klu_analyze(factors_->n(), factors_->start.data(), factors_->row.data(), &factors_->common);
  HYDAE_CHECK(factors_->symbolic != nullptr);
}

SparseLU::~SparseLU() = default;
SparseLU::SparseLU(SparseLU&&) noexcept = default;
SparseLU& SparseLU::operator=(SparseLU&&) noexcept = default;

int SparseLU::size() const { return factors_->n(); }
double SparseLU::factor_fill() const {
  const double n = size();
  return (factors_->symbolic->lnz + factors_->symbolic->unz) / (n * n);
}

double SparseLU::pivot_ratio() const { return factors_->pivot_ratio; }

bool SparseLU::factorize(std::span<const double> values) {
  HYDAE_CHECK(values.size() == factors_->row.size());
  for (double value : values) {
    if (!std::isfinite(value)) return false;
  }
  double* data = const_cast<double*>(values.data());  // KLU reads only
  if (!factors_->refactor(data) && !factors_->factor(data)) return false;
  factors_->pivot_ratio = factors_->compute_pivot_ratio(values);
  return std::isfinite(factors_->pivot_ratio);
}

// The pivots, and whether their rows are an odd permutation of those before pivoting: one
// transposition for each cycle's length less one.
void SparseLU::read_determinant_signs(std::vector<int>& signs) const {
  const Factors& f = *factors_;
  const auto* pivots = static_cast<const double*>(f.numeric->Udiag);
  std::vector<int>& place = f.place;
  for (int k = 0; k < f.n(); ++k) place[static_cast<std::size_t>(f.symbolic->P[k])] = k;
  std::vector<int>& next = f.next;
  for (int k = 0; k < f.n(); ++k)
    next[static_cast<std::size_t>(k)] = place[static_cast<std::size_t>(f.numeric->Pnum[k])];
  signs.assign(static_cast<std::size_t>(f.symbolic->nblocks), 1);
  for (int block = 0; block < f.symbolic->nblocks; ++block) {
    int& sign = signs[static_cast<std::size_t>(block)];
    for (int k = f.symbolic->R[block]; k < f.symbolic->R[block + 1]; ++k) {
      if (pivots[k] < 0) sign = -sign;
      for (int at = k; next[static_cast<std::size_t>(at)] != at; sign = -sign)
        std::swap(next[static_cast<std::size_t>(at)],
                  next[static_cast<std::size_t>(next[static_cast<std::size_t>(at)])]);
    }
  }
}

void SparseLU::forget_pivots() { factors_->has_pivots = false; }

void SparseLU::solve(std::span<double> rhs) {
  Factors& f = *factors_;
  HYDAE_CHECK(klu_solve(f.symbolic, f.numeric, f.n(), 1, rhs.data(), &f.common) != 0);
}

void SparseLU::solve_transposed(std::span<double> rhs) {
  Factors& f = *factors_;
  HYDAE_CHECK(klu_tsolve(f.symbolic, f.numeric, f.n(), 1, rhs.data(), &f.common) != 0);
}

}  // namespace hydae::linalg
