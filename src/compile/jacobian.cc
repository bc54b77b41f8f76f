#include "compile/jacobian.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "expr/jacobian.h"
#include "linalg/rank.h"
#include "linalg/sparse_lu.h"

namespace hydae {
namespace {

constexpr int kNumPoints = 6;  // at which a block must be singular to count as such
constexpr std::size_t kLargestDenseBlock = 400;  // blocks above are factorised sparsely

struct Entry {
  int row, column;
  double value;
};
using Entries = std::vector<Entry>;

// For blocks too large for singular values: growth of entries over pivots.
double sparse_condition(std::size_t size, Entries entries) {
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.column, a.row) < std::tie(b.column, b.row);
  });
  std::vector<int> start(size + 1, 0), row;
  std::vector<double> values;
  for (const Entry& entry : entries) {
    ++start[static_cast<std::size_t>(entry.column) + 1];
    row.push_back(entry.row);
    values.push_back(entry.value);
  }
  std::partial_sum(start.begin(), start.end(), start.begin());
  linalg::SparseLU lu(std::move(start), std::move(row));
  const bool is_regular = lu.factorize(values) && lu.pivot_ratio() * linalg::kRankTolerance < 1;
  return is_regular ? lu.pivot_ratio() : std::numeric_limits<double>::infinity();
}

// Evaluates the whole Jacobian once per point and hands out its blocks.
class JacobianSampler {
 public:
  JacobianSampler(const System& system, const structure::SignatureMatrix& sigma,
                  const structure::Analysis& structure)
      : system_(system),
        structure_(structure),
        evaluator_(system.graph(), system.residuals.raw(), &system.model->functions()) {
    collect_columns(sigma);
    jacobian_.emplace(evaluator_, columns_);
  }

  // False where a residual or a derivative is undefined.
  bool evaluate(const SamplePoint& point) {
    return evaluate(point.time(), point.parameters(), point.values(evaluator_.leaves()),
                    point.values(evaluator_.pre_leaves()));
  }
  bool evaluate(const JacobianPoint& point) {
    std::vector<double> values;
    for (const Leaf& leaf : evaluator_.leaves()) values.push_back(point.value(leaf));
    return evaluate(point.time, point.parameters, values,
                    std::vector<double>(evaluator_.pre_leaves().size(), 0.0));
  }

  double condition(BlockId block) const {
    const std::size_t size = structure_.fine.eqs(block).size();
    return size <= kLargestDenseBlock ? linalg::scaled_condition(dense(block))
                                      : sparse_condition(size, entries_[block.index()]);
  }

  Eigen::MatrixXd dense(BlockId block) const {
    const auto n = static_cast<Eigen::Index>(structure_.fine.eqs(block).size());
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, n);
    for (const auto& entry : entries_[block.index()]) matrix(entry.row, entry.column) = entry.value;
    return matrix;
  }

 private:
  // The leaves x_j^(d_j - c_i) of all tight entries inside diagonal blocks, sorted.
  void collect_columns(const structure::SignatureMatrix& sigma) {
    const structure::Blocks& fine = structure_.fine;
    for (EqId eq : ids<EqId>(sigma.num_eqs()))
      for (const auto& [var, order] : sigma.row(eq))
        if (fine.block_of(var) == fine.block_of(eq) && order == leading_order(eq, var))
          columns_.push_back({system_.unknowns[var], order});
    std::sort(columns_.begin(), columns_.end());
    columns_.erase(std::unique(columns_.begin(), columns_.end()), columns_.end());
    place_.resize(system_.unknowns.size());
    for (BlockId block : ids<BlockId>(fine.size())) {
      int at = 0;
      for (VarId var : fine.vars(block)) place_[var.index()] = at++;
    }
  }

  int leading_order(EqId eq, VarId var) const {
    return structure_.offsets.d[var] - structure_.offsets.c[eq];
  }

  bool evaluate(double time, const std::vector<double>& parameters,
                const std::vector<double>& values, const std::vector<double>& pre_values) {
    const std::vector<double> given(evaluator_.given().size(), 0.5);
    const auto residuals = jacobian_->evaluate({.time = time,
                                                .parameters = parameters,
                                                .values = values,
                                                .pre_values = pre_values,
                                                .given = given});
    if (!std::all_of(residuals.begin(), residuals.end(), [](double r) { return std::isfinite(r); }))
      return false;
    return collect_entries();
  }

  bool collect_entries() {
    entries_.assign(structure_.fine.size(), {});
    for (std::size_t b = 0; b < structure_.fine.size(); ++b) {
      int row = 0;
      for (EqId eq : structure_.fine.eqs(BlockId(b))) {
        for (const JacobianEntry& entry : jacobian_->row(eq.index())) {
          if (!std::isfinite(entry.value)) return false;
          const Leaf leaf = columns_[entry.column];
          const VarId column = *system_.find_column(leaf.variable);
          if (structure_.fine.block_of(column) == BlockId(b) &&
              leaf.order == leading_order(eq, column))
            entries_[b].push_back({row, place_[column.index()], entry.value});
        }
        ++row;
      }
    }
    return true;
  }

  const System& system_;
  const structure::Analysis& structure_;
  Evaluator evaluator_;
  std::vector<Leaf> columns_;
  std::optional<Jacobian> jacobian_;
  std::vector<int> place_;        // of a column in its block
  std::vector<Entries> entries_;  // by block
};

}  // namespace

SampledJacobian sample_jacobian(const System& system, const structure::SignatureMatrix& sigma,
                                const structure::Analysis& structure, const SampleSpace& space) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  JacobianSampler sampler(system, sigma, structure);
  SampledJacobian result;
  std::vector<double> best(structure.fine.size(), kInfinity);
  for (int attempt = 0; attempt < kMostSampleAttempts; ++attempt) {
    const SamplePoint point(space, attempt);
    if (!sampler.evaluate(point)) continue;
    result.points.push_back(point);
    for (std::size_t b = 0; b < best.size(); ++b)
      if (best[b] == kInfinity) best[b] = sampler.condition(BlockId(b));
    const bool is_regular =
        std::none_of(best.begin(), best.end(), [](double c) { return std::isinf(c); });
    if (is_regular || result.points.size() == kNumPoints) break;
  }
  if (!result.is_evaluated()) return result;
  for (std::size_t b = 0; b < best.size(); ++b) {
    if (best[b] != kInfinity)
      result.condition = std::max(result.condition, best[b]);
    else
      result.singular_blocks.push_back({BlockId(b), {}});
  }
  for (SingularBlock& singular : result.singular_blocks) {
    if (structure.fine.eqs(singular.block).size() > kLargestDenseBlock) continue;
    for (const SamplePoint& point : result.points) {
      sampler.evaluate(point);
      const Eigen::MatrixXd matrix = sampler.dense(singular.block);
      singular.matrices.emplace_back(matrix.data(), matrix.data() + matrix.size());
    }
  }
  return result;
}

std::vector<BlockId> singular_blocks_at(const JacobianPoint& point, const System& system,
                                        const structure::SignatureMatrix& sigma,
                                        const structure::Analysis& structure) {
  JacobianSampler sampler(system, sigma, structure);
  std::vector<BlockId> result;
  if (!sampler.evaluate(point)) return result;
  for (BlockId block : ids<BlockId>(structure.fine.size()))
    if (std::isinf(sampler.condition(block))) result.push_back(block);
  return result;
}

}  // namespace hydae
