#include "compile/linear_subsystem.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace hydae {

std::string name_of(const AnalyzedSystem& prepared, const Unknown& unknown, int more) {
  const std::string& name = prepared.system.unknown_names[unknown.column];
  const int order = unknown.leaf.order + more;
  if (order == 0) return name;
  return order == 1 ? fmt::format("der({})", name) : fmt::format("der({}, {})", name, order);
}

// In the linear equations the derivatives by y' of the highest states count among the unknowns if
// the system is an ODE.
LinearSubsystem::LinearSubsystem(const AnalyzedSystem& prepared, const Reduced& reduced,
                                 const ReducedMatrix& matrix, const ReducedInputs& inputs_of)
    : prepared_(prepared), reduced_(reduced) {
  if (reduced_.num_iterated_equations == reduced_.equations.size()) return;
  const std::size_t n = reduced_.unknowns.size();
  constexpr std::uint32_t kGiven = 0xffffffff;
  std::vector<std::uint32_t> inputs, unknown_of_input(2 * n, kGiven);
  const auto add = [&](std::size_t input) {
    unknown_of_input[input] = static_cast<std::uint32_t>(inputs.size());
    inputs.push_back(static_cast<std::uint32_t>(input));
  };
  if (reduced_.is_ode) {
    std::vector<bool> has_chain(n, false);
    for (const ChainRow& chain : reduced_.chains) has_chain[chain.state] = true;
    for (std::size_t i = 0; i < reduced_.num_states; ++i)
      if (!has_chain[i]) add(n + i);
  }
  for (std::size_t i = reduced_.num_iterated; i < n; ++i) add(i);
  const std::uint32_t first_row = row_of_equation(reduced_, reduced_.num_iterated_equations);
  std::vector<Position> positions;
  std::vector<NodeId> rows, coefficients;
  for (const ReducedMatrix::Entry& entry : matrix.entries()) {
    const std::uint32_t unknown = unknown_of_input[entry.column + (entry.is_derivative ? n : 0)];
    if (entry.row < first_row || unknown == kGiven) continue;
    positions.push_back({unknown, entry.row - first_row});
    coefficients.push_back(entry.value);
  }
  for (std::size_t i = reduced_.num_iterated_equations; i < reduced_.equations.size(); ++i)
    rows.push_back(reduced_.equations[i].residual);
  linear_.emplace(LinearEquations::Parts{inputs_of.program(rows), inputs_of.program(coefficients),
                                         std::move(positions), std::move(inputs)});
}

void LinearSubsystem::set_fixed(std::span<const double> parameters, std::span<const double> held) {
  if (linear_) linear_->set_fixed(parameters, held);
}

LinearEquations::Outcome LinearSubsystem::solve(double t, const double* y, const double* yp,
                                                std::size_t given) {
  const std::size_t n = reduced_.unknowns.size();
  const std::span<double> values = linear_->inputs().first(n), rates = linear_->inputs().last(n);
  std::copy(y, y + given, values.begin());
  if (reduced_.is_ode)
    for (const ChainRow& chain : reduced_.chains) rates[chain.state] = y[chain.next];
  else
    std::copy(yp, yp + given, rates.begin());
  return linear_->solve(t);
}

void LinearSubsystem::write(bool is_solved, std::span<double> y, std::span<double> yp) const {
  const std::size_t n = reduced_.unknowns.size();
  for (const ChainRow& chain : reduced_.chains)
    if (reduced_.is_ode) yp[chain.state] = y[chain.next];
  for (std::size_t k = 0; k < linear_->size(); ++k) {
    const std::uint32_t place = linear_->places()[k];
    (place < n ? y[place] : yp[place - n]) =
        is_solved ? linear_->solution()[k] : std::numeric_limits<double>::quiet_NaN();
  }
}

void LinearSubsystem::write_derivatives(const double* y, double* yp) const {
  const std::size_t n = reduced_.unknowns.size();
  for (const ChainRow& chain : reduced_.chains) yp[chain.state] = y[chain.next];
  for (std::size_t k = 0; k < linear_->size(); ++k)
    if (const std::uint32_t place = linear_->places()[k]; place >= n)
      yp[place - n] = linear_->solution()[k];
}

std::string LinearSubsystem::singular_block(double least) const {
  constexpr std::size_t kMostNames = 5;
  if (!linear_) return "";
  const auto worst = linear_->find_worst_block();
  if (!worst || !(worst->condition > least)) return "";
  const std::size_t n = reduced_.unknowns.size();
  std::string names;
  for (std::size_t i = 0; i < std::min(kMostNames, worst->unknowns.size()); ++i) {
    const std::size_t place = linear_->places()[worst->unknowns[i]];
    const std::string name = place < n ? name_of(prepared_, reduced_.unknowns[place])
                                       : name_of(prepared_, reduced_.unknowns[place - n], 1);
    names += fmt::format("{}`{}`", i == 0 ? "" : ", ", name);
  }
  if (worst->unknowns.size() > kMostNames)
    names += fmt::format(" and {} more", worst->unknowns.size() - kMostNames);
  return fmt::format("the linear equations for {} are singular (condition {:.1e})", names,
                     worst->condition);
}

void LinearSubsystem::read_state(State& state) const {
  state.signs.clear();
  state.size = 0;
  if (!linear_ || linear_->has_fixed_coefficients()) return;
  linear_->read_signs(state.signs);
  for (double value : linear_->solution()) state.size = std::max(state.size, std::abs(value));
}

}  // namespace hydae
