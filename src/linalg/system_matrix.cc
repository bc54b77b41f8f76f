#include "linalg/system_matrix.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "linalg/small_inverse.h"
#include "linalg/sparse_lu.h"

namespace hydae::linalg {

class Factorization {
 public:
  virtual ~Factorization() = default;
  virtual const char* method() const = 0;
  virtual const double* inverse() const { return nullptr; }
  virtual double factor_fill() const { return 0; }
  // The condition of the matrix, infinite if it could not be factorised.
  virtual double factorize(const std::vector<double>& values) = 0;
  virtual void solve(const double* b, double* x) = 0;
};

namespace {

using Position = SystemMatrix::Position;

// Beyond this a solution has no correct digit that can be relied on.
constexpr double kSingular = 1e14;

// Measured (docs/design/codegen.md): up to the first size the inverse, whatever the pattern; then
// sparse LU if its factors stay as empty as this; else the inverse up to kMaxSmall, then dense LU.
constexpr int kAlwaysInverse = 32;
constexpr double kSparseFill = 1.0 / 3;

constexpr double kSingularRatio = std::numeric_limits<double>::infinity();

// Pivots above this say that nothing is wrong; below, the exact measure is computed.
constexpr double kSafePivot = 1e-5;

class ExplicitInverse : public Factorization {
 public:
  explicit ExplicitInverse(int n) : n_(n), inverse_(n * padded(n)) {}
  const char* method() const override { return "inverse"; }
  const double* inverse() const override { return inverse_.data(); }

  double factorize(const std::vector<double>& values) override {
    std::copy(values.begin(), values.end(), inverse_.begin());
    const double pivot = invert(n_, inverse_.data());
    if (!(pivot > 0)) return kSingularRatio;
    return pivot > kSafePivot ? 1 / pivot : sensitivity(n_, values.data(), inverse_.data());
  }
  void solve(const double* b, double* x) override { multiply(n_, inverse_.data(), b, x); }

 private:
  int n_;
  std::vector<double> inverse_;
};

// Rows and columns are brought to size one first (D. Ruiz, 2001: by square roots, in turn): the
// choice of pivots must not depend on the units of equations, nor through them on those of
// unknowns.
class DenseFactors : public Factorization {
 public:
  explicit DenseFactors(int n) : n_(n), row_(n), column_(n), size_(n), scaled_(n, n), lu_(n) {}
  const char* method() const override { return "dense lu"; }

  double factorize(const std::vector<double>& values) override {
    scaled_ = Eigen::Map<const Eigen::MatrixXd>(values.data(), n_, n_);
    if (!scaled_.allFinite() || !equilibrate()) return kSingularRatio;
    lu_.compute(scaled_);
    double ratio = 0;
    for (int k = 0; k < n_; ++k) {
      const double size = scaled_.col(k).lpNorm<Eigen::Infinity>();
      ratio = std::max(ratio, size / std::abs(lu_.matrixLU()(k, k)));
    }
    return ratio;
  }
  void solve(const double* b, double* x) override {
    Eigen::Map<Eigen::VectorXd> solution(x, n_);
    const Eigen::Map<const Eigen::VectorXd> rhs(b, n_);
    const auto& order = lu_.permutationP().indices();
    for (int i = 0; i < n_; ++i) solution(order(i)) = row_(i) * rhs(i);
    lu_.matrixLU().triangularView<Eigen::UnitLower>().solveInPlace(solution);
    lu_.matrixLU().triangularView<Eigen::Upper>().solveInPlace(solution);
    solution.array() *= column_.array();
  }

 private:
  // False if a row or column is zero.
  bool equilibrate() {
    constexpr int kSweeps = 3;
    row_.setOnes();
    column_.setOnes();
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      size_.setZero(n_);
      for (int j = 0; j < n_; ++j) size_ = size_.cwiseMax(scaled_.col(j).cwiseAbs());
      if (!(size_.minCoeff() > 0)) return false;
      size_ = size_.cwiseSqrt().cwiseInverse();
      row_.array() *= size_.array();
      for (int j = 0; j < n_; ++j) {
        scaled_.col(j).array() *= size_.array();
        const double size = scaled_.col(j).lpNorm<Eigen::Infinity>();
        if (!(size > 0)) return false;
        const double factor = 1 / std::sqrt(size);
        scaled_.col(j) *= factor;
        column_(j) *= factor;
      }
    }
    return true;
  }

  int n_;
  Eigen::VectorXd row_, column_, size_;
  Eigen::MatrixXd scaled_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
};

class SparseFactors : public Factorization {
 public:
  SparseFactors(int n, std::vector<int> start, std::vector<int> row)
      : n_(n), lu_(std::move(start), std::move(row)) {}
  const char* method() const override { return "sparse lu"; }
  double factor_fill() const override { return lu_.factor_fill(); }

  double factorize(const std::vector<double>& values) override {
    return lu_.factorize(values) ? lu_.pivot_ratio() : kSingularRatio;
  }
  void solve(const double* b, double* x) override {
    std::copy(b, b + n_, x);
    lu_.solve({x, static_cast<std::size_t>(n_)});
  }

 private:
  int n_;
  SparseLU lu_;
};

// Distinct positions ordered by column, then row.
std::vector<Position> pattern(std::span<const Position> entries) {
  std::vector<Position> cells(entries.begin(), entries.end());
  const auto by_column = [](const Position& a, const Position& b) {
    return std::pair(a.second, a.first) < std::pair(b.second, b.first);
  };
  std::sort(cells.begin(), cells.end(), by_column);
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  return cells;
}

std::unique_ptr<SparseFactors> make_sparse(int n, const std::vector<Position>& cells) {
  std::vector<int> start(n + 1), row;
  row.reserve(cells.size());
  for (const auto& [i, j] : cells) {
    ++start[j + 1];
    row.push_back(i);
  }
  for (int j = 0; j < n; ++j) start[j + 1] += start[j];
  return std::make_unique<SparseFactors>(n, std::move(start), std::move(row));
}

SystemMatrix::Method best_method(int n, const std::vector<Position>& cells) {
  using Method = SystemMatrix::Method;
  if (n <= kAlwaysInverse) return Method::kInverse;
  const bool is_full = static_cast<double>(cells.size()) > kSparseFill * n * n;
  if (!is_full && make_sparse(n, cells)->factor_fill() < kSparseFill) return Method::kSparse;
  return n <= kMaxSmall ? Method::kInverse : Method::kDense;
}

}  // namespace

SystemMatrix::SystemMatrix(int n, std::span<const Position> entries, Method method)
    : size_(n), slots_(entries.size()) {
  HYDAE_CHECK(n >= 1);
  for (const auto& [i, j] : entries) HYDAE_CHECK(i >= 0 && i < n && j >= 0 && j < n);
  const std::vector<Position> cells = pattern(entries);
  if (method == Method::kBest) method = best_method(n, cells);
  HYDAE_CHECK(method != Method::kInverse || n <= kMaxSmall);
  if (method != Method::kSparse) {
    const int ld = method == Method::kInverse ? padded(n) : n;
    for (std::size_t e = 0; e < entries.size(); ++e) {
      slots_[e] = entries[e].first + ld * entries[e].second;
    }
    values_.resize(static_cast<std::size_t>(n) * ld);
    if (method == Method::kInverse)
      factorization_ = std::make_unique<ExplicitInverse>(n);
    else
      factorization_ = std::make_unique<DenseFactors>(n);
    return;
  }
  const auto by_column = [](const Position& a, const Position& b) {
    return std::pair(a.second, a.first) < std::pair(b.second, b.first);
  };
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const auto cell = std::lower_bound(cells.begin(), cells.end(), entries[e], by_column);
    slots_[e] = static_cast<int>(cell - cells.begin());
  }
  values_.resize(cells.size());
  factorization_ = make_sparse(n, cells);
}

SystemMatrix::~SystemMatrix() = default;
SystemMatrix::SystemMatrix(SystemMatrix&&) noexcept = default;
SystemMatrix& SystemMatrix::operator=(SystemMatrix&&) noexcept = default;

const char* SystemMatrix::method() const { return factorization_->method(); }

double SystemMatrix::factor_fill() const { return factorization_->factor_fill(); }

const double* SystemMatrix::inverse() const { return factorization_->inverse(); }

bool SystemMatrix::factorize() {
  condition_ = factorization_->factorize(values_);
  return condition_ < kSingular;
}

void SystemMatrix::solve(const double* b, double* x) { factorization_->solve(b, x); }

}  // namespace hydae::linalg
