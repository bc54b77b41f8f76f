#include "codegen/block_matrices.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace hydae::codegen {

BlockMatrices::BlockMatrices(LinkedTape& tape) : tape_(tape) {
  partials_.resize(tape.num_partials);
  gradients_.resize(tape.num_gradients);
  gradients_[0] = 1;
  inverse_.resize(tape.blocks.size());
  condition_.resize(tape.blocks.size());
}

void BlockMatrices::compute_constant_ones(const double* data) {
  for (const auto& [target, number] : tape_.constant_partials)
    partials_[target] = tape_.numbers[number];
  for (std::size_t b = 0; b < tape_.blocks.size(); ++b)
    if (tape_.blocks[b].is_constant) compute(static_cast<int>(b), data);
}

void BlockMatrices::compute_partials(const LinkedBlock& block, const double* data) {
  for (int i = block.partials.first; i < block.partials.last; ++i) {
    const LinkedPartial& rule = tape_.partials[i];
    const double factor = tape_.numbers[rule.factor], p = data[rule.p], q = data[rule.q];
    double& value = partials_[rule.target];
    switch (rule.rule) {
      case Partial::Rule::kNumber: value = factor; break;
      case Partial::Rule::kTimes: value = factor * p; break;
      case Partial::Rule::kOver: value = factor / p; break;
      case Partial::Rule::kRatio: value = factor * p / q; break;
      case Partial::Rule::kPower:
        value = q != 0 ? factor * p / q : factor * std::pow(q, factor - 1);
        break;
    }
  }
}

bool BlockMatrices::compute(int b, const double* data) {
  const LinkedBlock& block = tape_.blocks[b];
  compute_partials(block, data);
  for (int e = block.correction_edges.first; e < block.correction_edges.last; ++e) {
    CorrectionEdge& edge = tape_.correction_edges[e];
    edge.multiplier = partials_[edge.partial];
  }
  std::fill(gradients_.begin() + block.gradients.first, gradients_.begin() + block.gradients.last,
            0);
  for (int i = block.gradient_terms.first; i < block.gradient_terms.last; ++i) {
    const GradientTerm& term = tape_.gradient_terms[i];
    gradients_[term.target] += partials_[term.partial] * gradients_[term.source];
  }
  if (block.matrix < 0) {
    condition_[b] = compute_scalar(b);
  } else {
    linalg::SystemMatrix& matrix = tape_.matrices[block.matrix];
    const std::span<double> values = matrix.values();
    for (int e = 0; e < block.num_entries; ++e)
      values[matrix.slot(e)] = gradients_[block.first_entry + e];
    matrix.factorize();
    condition_[b] = matrix.condition();
  }
  return is_regular(b);
}

// A single number is as good as singular if it is what cancellation left over.
double BlockMatrices::compute_scalar(int b) {
  const LinkedBlock& block = tape_.blocks[b];
  double sum = 0, size = 0;
  for (int i = block.first_row_term; i < block.gradient_terms.last; ++i) {
    const GradientTerm& term = tape_.gradient_terms[i];
    const double part = partials_[term.partial] * gradients_[term.source];
    sum += part;
    size += std::abs(part);
  }
  inverse_[b] = 1 / sum;
  const bool is_regular = std::isfinite(inverse_[b]) && std::isfinite(sum);
  return is_regular ? size / std::abs(sum) : std::numeric_limits<double>::infinity();
}

}  // namespace hydae::codegen
