#include "sim/taylor_solution.h"

namespace hydae {

void TaylorSolution::load(const std::vector<double>& table) {
  stepper_.set_parameters(table);
  inputs_.clear();
  for (std::size_t place : mode().inputs) inputs_.push_back(table[place]);
}

std::vector<double> TaylorSolution::put_into(std::vector<double> table) const {
  for (std::size_t k = 0; k < inputs_.size(); ++k) table[mode().inputs[k]] = inputs_[k];
  return table;
}

bool TaylorSolution::is_loaded_with(const std::vector<double>& table) const {
  for (std::size_t k = 0; k < inputs_.size(); ++k)
    if (inputs_[k] != table[mode().inputs[k]]) return false;
  return true;
}

}  // namespace hydae
