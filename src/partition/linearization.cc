#include "partition/linearization.h"

#include <cmath>
#include <string>

#include <hydae/error.h>

#include "partition/rank.h"
#include "partition/sparse_algebra.h"

namespace hydae::partition {

namespace {

// An entry this much smaller than the others of its row and of its column is what rounding leaves
// of a zero, as in cos(pi/2).
constexpr double kVanished = 1e-15;

void check_matrix(const SparseMatrix& matrix, const SparseMatrix& shape, const char* name) {
  if (matrix.rows() != shape.rows() || matrix.cols() != shape.cols()) {
    throw UsageError("partition: " + std::string(name) + " is " + std::to_string(matrix.rows()) +
                     " x " + std::to_string(matrix.cols()) + ", the mass matrix " +
                     std::to_string(shape.rows()) + " x " + std::to_string(shape.cols()));
  }
  for (int j = 0; j < matrix.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(matrix, j); entry; ++entry) {
      if (std::isfinite(entry.value())) continue;
      throw UsageError("partition: " + std::string(name) + " of equation " +
                       std::to_string(entry.row() + 1) + " and variable " + std::to_string(j + 1) +
                       " is not finite");
    }
  }
}

RowMatrix without_noise(const SparseMatrix& matrix) {
  RowMatrix result(matrix);
  const Scaling scaling = compute_scaling(result);
  result.prune([&](Eigen::Index i, Eigen::Index j, double value) {
    return std::abs(scaling.rows[i] * value * scaling.columns[j]) > kVanished;
  });
  result.makeCompressed();
  return result;
}

// Entries (i, j) of the identity except for the block, which gets `block(k, l)`.
RowMatrix embed(const Matrix& block, const std::vector<int>& places, int size) {
  std::vector<bool> is_in_block(size, false);
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t k = 0; k < places.size(); ++k) {
    is_in_block[places[k]] = true;
    for (std::size_t l = 0; l < places.size(); ++l) {
      entries.emplace_back(places[k], places[l], block(k, l));
    }
  }
  for (int i = 0; i < size; ++i) {
    if (!is_in_block[i]) entries.emplace_back(i, i, 1.0);
  }
  RowMatrix matrix(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

template <class IdType>
std::vector<int> indices(const std::vector<IdType>& ids) {
  std::vector<int> result;
  for (IdType id : ids) result.push_back(static_cast<int>(id.index()));
  return result;
}

}  // namespace

LinearSystem prepare_system(const Linearization& linearization) {
  const SparseMatrix& mass = linearization.mass;
  check_matrix(mass, mass, "the mass matrix");
  check_matrix(linearization.jacobian, mass, "the Jacobian");
  check_matrix(linearization.jacobian_rate, mass, "the rate of the Jacobian");
  LinearSystem system{without_noise(mass), without_noise(linearization.jacobian),
                      RowMatrix(linearization.jacobian_rate), RowMatrix(0, 0)};
  if (linearization.mass_rate.size() > 0) {
    check_matrix(linearization.mass_rate, mass, "the rate of the mass matrix");
    system.mass_rate = linearization.mass_rate;
  }
  system.jacobian_rate.prune([](Eigen::Index, Eigen::Index, double value) { return value != 0; });
  return system;
}

void transform_system(LinearSystem& system, const BlockTransformation& transformation) {
  const RowMatrix left =
      embed(transformation.left, indices(transformation.equations), system.num_equations());
  const RowMatrix right =
      embed(transformation.right, indices(transformation.variables), system.num_variables());
  for (RowMatrix* matrix :
       {&system.mass, &system.jacobian, &system.jacobian_rate, &system.mass_rate}) {
    if (matrix->size() > 0) *matrix = product(product(left, *matrix), right);
  }
}

}  // namespace hydae::partition
