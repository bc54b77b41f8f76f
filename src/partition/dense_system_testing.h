// For tests: a Linearization from small dense matrices, and readable lists of a Partition.
#pragma once

#include <algorithm>
#include <vector>

#include "partition/partition_system.h"

namespace hydae::partition {

inline Linearization dense_system(const Eigen::MatrixXd& mass, const Eigen::MatrixXd& jacobian,
                                  const Eigen::MatrixXd& rate = Eigen::MatrixXd(), double t = 0) {
  Linearization system;
  system.t = t;
  system.mass = mass.sparseView(0, 1);
  system.jacobian = jacobian.sparseView(0, 1);
  const Eigen::MatrixXd zero = Eigen::MatrixXd::Zero(mass.rows(), mass.cols());
  system.jacobian_rate = (rate.size() > 0 ? rate : zero).sparseView(0, 1);
  return system;
}

// Numbers as the paper prints them: from 1, sorted.
template <class IdType>
std::vector<int> numbers(const std::vector<IdType>& ids) {
  std::vector<int> result;
  for (IdType id : ids) result.push_back(static_cast<int>(id.index()) + 1);
  std::sort(result.begin(), result.end());
  return result;
}

inline std::vector<int> equations_of(const std::vector<Pair>& pairs) {
  std::vector<EqId> ids;
  for (const Pair& pair : pairs) ids.push_back(pair.equation);
  return numbers(ids);
}

inline std::vector<int> variables_of(const std::vector<Pair>& pairs) {
  std::vector<VarId> ids;
  for (const Pair& pair : pairs) ids.push_back(pair.variable);
  return numbers(ids);
}

}  // namespace hydae::partition
