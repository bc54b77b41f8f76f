// For tests: how well the series of an expansion satisfy the equations, by naive arithmetic in
// extended precision on the terms as they were built.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "codegen/expansion.h"
#include "codegen/naive_series_testing.h"

namespace hydae::codegen {

// Largest |f_i,m| over all equations i and all orders m that the stages have solved (m < c_i + p),
// in units of epsilon times the size of the largest coefficient of order m among all terms.
inline double residual_in_epsilons(const TapeBuilder& tape, const ProgramInput& input,
                                   const Expansion& expansion,
                                   const std::vector<double>& parameters = {}) {
  std::vector<std::vector<long double>> x;
  std::size_t count = 0;
  for (int j = 0; j < expansion.program().num_variables(); ++j) {
    const auto series = expansion.series(j);
    x.emplace_back(series.begin(), series.end());
  }
  for (int c : input.structure.c) count = std::max<std::size_t>(count, c + expansion.order());
  const naive::Evaluation<long double> values(
      tape, {static_cast<int>(count), expansion.time(), expansion.scale()}, parameters, x);
  double worst = 0;
  for (std::size_t i = 0; i < input.residuals.size(); ++i) {
    std::vector<TermId> stack = {input.residuals[i]}, members;
    std::vector<char> is_seen(tape.size(), false);
    while (!stack.empty()) {
      const TermId id = stack.back();
      stack.pop_back();
      if (std::exchange(is_seen[id.index()], true)) continue;
      members.push_back(id);
      for (TermId operand : {tape.term(id).a, tape.term(id).b}) {
        if (operand.is_valid()) stack.push_back(operand);
      }
    }
    long double size = 0;
    for (int m = 0; m < input.structure.c[i] + expansion.order(); ++m) {
      size *= 0.3L;
      for (TermId id : members) size = std::max(size, std::abs(values.terms[id.index()][m]));
      const long double residual = std::abs(values.terms[input.residuals[i].index()][m]);
      if (size > 0) worst = std::max(worst, static_cast<double>(residual / size / 2.2e-16L));
    }
  }
  return worst;
}

}  // namespace hydae::codegen
