// Policy 1 promises the largest subsystem of index 1 or 2 that is stable enough, and of those the
// one with the lowest logarithmic norm. Two references that share nothing with the search: all
// subsets with their norms by dense inverses, and the index by its definition.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

#include "linalg/dense_factors.h"
#include "partition/dense_system_testing.h"
#include "partition/log_norm.h"

namespace hydae::partition {
namespace {

using Random = std::mt19937_64;

Matrix inverse_of(const Matrix& m) { return m.size() > 0 ? linalg::DenseLu(m).inverse() : m; }

int rank_of(const Matrix& m) { return linalg::OrthogonalFactors(m, 1e-10).rank(); }

std::vector<int> members(int mask) {
  std::vector<int> result;
  for (int i = 0; i < 31; ++i) {
    if (mask >> i & 1) result.push_back(i);
  }
  return result;
}

// x' = H x + B z, 0 = G x + E z, with entries from {-2 .. 2}: ranks are exact in doubles.
struct SmallSystem {
  Matrix H, B, G, E;

  Matrix mass() const {
    Matrix result = Matrix::Zero(H.rows() + G.rows(), H.cols() + B.cols());
    result.topLeftCorner(H.rows(), H.rows()).setIdentity();
    return result;
  }
  Matrix jacobian() const {
    Matrix result(H.rows() + G.rows(), H.cols() + B.cols());
    result << -H, -B, G, E;
    return result;
  }
  SmallSystem part(const std::vector<int>& rows, const std::vector<int>& columns) const {
    return {H, B(Eigen::all, columns), G(rows, Eigen::all), E(rows, columns)};
  }
};

struct Best {
  int size = -1;
  double norm = 0;
};

// Everything by definition and by dense inverses: all subsets of rows and columns for index 1, then
// for index 2 among the rows on which no free variable is left.
class ReferenceSearch {
 public:
  ReferenceSearch(const SmallSystem& system, double limit)
      : s_(system), limit_(limit), allowed_(std::max(limit, log_norm(system.H))) {}

  Best run() {
    const int rows = 1 << s_.G.rows(), columns = 1 << s_.B.cols();
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < columns; ++c) visit(members(r), members(c));
    }
    return best_;
  }

 private:
  static std::vector<int> others(const std::vector<int>& taken, int count) {
    std::vector<int> result;
    for (int i = 0; i < count; ++i) {
      if (std::find(taken.begin(), taken.end(), i) == taken.end()) result.push_back(i);
    }
    return result;
  }

  static bool is_invertible(const Matrix& m) {
    return m.rows() == m.cols() && rank_of(m) == m.rows();
  }

  void visit(const std::vector<int>& rows, const std::vector<int>& columns) {
    const Matrix Cv = s_.E(rows, columns);
    if (!is_invertible(Cv)) return;
    const Matrix inverse = inverse_of(Cv);
    const Matrix C1 = s_.G(rows, Eigen::all), Q = s_.B(Eigen::all, columns);
    const std::vector<int> rest_rows = others(rows, static_cast<int>(s_.G.rows()));
    const std::vector<int> rest_columns = others(columns, static_cast<int>(s_.B.cols()));
    const Matrix C3 = s_.E(rest_rows, columns);
    const Matrix left = s_.E(rest_rows, rest_columns) - C3 * inverse * s_.E(rows, rest_columns);
    const Matrix C2 = s_.G(rest_rows, Eigen::all) - C3 * inverse * C1;
    const Matrix T = s_.B(Eigen::all, rest_columns) - Q * inverse * s_.E(rows, rest_columns);
    const Matrix H = s_.H - Q * inverse * C1;
    std::vector<int> open;
    for (int i = 0; i < left.rows(); ++i) {
      if (left.cols() == 0 || left.row(i).cwiseAbs().maxCoeff() < 1e-10) open.push_back(i);
    }
    for (int r = 0; r < 1 << open.size(); ++r) {
      std::vector<int> rows2;
      for (int i : members(r)) rows2.push_back(open[i]);
      for (int c = 0; c < 1 << T.cols(); ++c) {
        const std::vector<int> columns2 = members(c);
        if (columns2.size() != rows2.size()) continue;
        consider(H, C2(rows2, Eigen::all), T(Eigen::all, columns2),
                 static_cast<int>(rows.size() + rows2.size()));
      }
    }
  }

  // mu of A on C x = 0.
  static double norm_on(const Matrix& A, const Matrix& C) {
    const Matrix basis = linalg::orthogonal_complement(C.transpose());
    return log_norm(basis.transpose() * A * basis);
  }

  // The same without states whose columns are zero, and again without those that acted on them.
  static double norm_of_acting_states(const Matrix& A, const Matrix& C) {
    for (int j = 0; j < A.cols(); ++j) {
      if (A.col(j).norm() > 1e-11 || C.col(j).norm() > 0) continue;
      std::vector<int> kept;
      for (int i = 0; i < A.cols(); ++i) {
        if (i != j) kept.push_back(i);
      }
      return norm_of_acting_states(A(kept, kept), C(Eigen::all, kept));
    }
    return norm_on(A, C);
  }

  // The underlying ODE on C_2 x = 0.
  void consider(const Matrix& H, const Matrix& C2, const Matrix& T, int size) {
    const Matrix CT = C2 * T;
    if (!is_invertible(CT)) return;
    const Matrix A = (Matrix::Identity(H.rows(), H.rows()) - T * inverse_of(CT) * C2) * H;
    const double norm = norm_on(A, C2);
    if (norm > allowed_ && norm_of_acting_states(A, C2) > limit_) return;
    if (size > best_.size || (size == best_.size && norm < best_.norm)) best_ = {size, norm};
  }

  const SmallSystem& s_;
  double limit_, allowed_;
  Best best_;
};

// The pencil s M + J is regular and has index 2 at most. With N_k the block matrix of k rows
// (0 .. J M 0 ..), rank N_{k+1} - rank N_k is n minus the number of Jordan blocks to the infinite
// eigenvalue that are longer than k.
bool is_index_2_at_most(const SmallSystem& system) {
  const Matrix M = system.mass(), J = system.jacobian();
  const auto n = M.rows();
  if (rank_of(0.7310585 * M + J) < n) return false;  // entries are small integers: no eigenvalue
  Matrix N3 = Matrix::Zero(3 * n, 3 * n);
  for (int k = 0; k < 3; ++k) {
    N3.block(k * n, k * n, n, n) = M;
    if (k > 0) N3.block(k * n, (k - 1) * n, n, n) = J;
  }
  return rank_of(N3) - rank_of(N3.topLeftCorner(2 * n, 2 * n)) == n;
}

// The most constraints that have index 2 at most with as many of the variables, others given.
int largest_by_definition(const SmallSystem& system) {
  int largest = 0;
  for (int r = 0; r < 1 << system.G.rows(); ++r) {
    for (int c = 0; c < 1 << system.B.cols(); ++c) {
      const std::vector<int> rows = members(r), columns = members(c);
      const int size = static_cast<int>(rows.size());
      if (rows.size() != columns.size() || size <= largest) continue;
      if (is_index_2_at_most(system.part(rows, columns))) largest = size;
    }
  }
  return largest;
}

class RandomSystems {
 public:
  explicit RandomSystems(unsigned seed) : random_(seed) {}
  SmallSystem draw(int trial) {
    const int n = 1 + trial % 4, m = 1 + trial % 5, k = 1 + trial / 5 % 4;
    return {sparse(n, n, 60), sparse(n, k, 60), sparse(m, n, 70), sparse(m, k, 25)};
  }

 private:
  Matrix sparse(int rows, int columns, int density) {
    std::uniform_int_distribution<int> entry(-2, 2), percent(0, 99);
    return Matrix::NullaryExpr(rows, columns,
                               [&] { return percent(random_) < density ? entry(random_) : 0.0; });
  }
  Random random_;
};

SystemOptions exhaustive_options() {
  SystemOptions options;
  options.policy = Policy::kExhaustive;
  options.tolerance = 4;
  options.tolerance0 = 0;
  return options;
}

TEST(ExhaustivePolicy, agrees_with_the_reference_on_systems_of_up_to_five_constraints) {
  RandomSystems systems(7);
  const SystemOptions options = exhaustive_options();
  int num_compared = 0, num_with_index2 = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    const SmallSystem system = systems.draw(trial);
    const Partition p = partition_system(dense_system(system.mass(), system.jacobian()), options);
    if (!p.pencil.is_regular) continue;  // dependent constraints: the algorithm stops
    const Best best = ReferenceSearch(system, options.tolerance).run();
    ++num_compared;
    num_with_index2 += !p.index2.empty();
    ASSERT_EQ(p.index1.size() + p.index2.size(), static_cast<std::size_t>(best.size)) << trial;
    if (std::isfinite(best.norm)) {
      EXPECT_NEAR(p.log_norms.final, best.norm, 1e-8 * (1 + std::abs(best.norm))) << trial;
    }
  }
  EXPECT_GT(num_compared, 200);
  EXPECT_GT(num_with_index2, 30);
}

// That only constraints without a free variable are tried for index 2 loses nothing: one that has a
// free variable can have index 1 with it instead, and the others keep their index.
TEST(ExhaustivePolicy, finds_as_many_constraints_as_the_definition_of_the_index_allows) {
  RandomSystems systems(8);
  SystemOptions options = exhaustive_options();
  options.check_stability = false;
  int num_compared = 0;
  for (int trial = 0; trial < 600; ++trial) {
    const SmallSystem system = systems.draw(trial);
    const Partition p = partition_system(dense_system(system.mass(), system.jacobian()), options);
    if (!p.pencil.is_regular) continue;
    ++num_compared;
    ASSERT_EQ(p.index1.size() + p.index2.size(),
              static_cast<std::size_t>(largest_by_definition(system)))
        << trial;
  }
  EXPECT_GT(num_compared, 100);
}

}  // namespace
}  // namespace hydae::partition
