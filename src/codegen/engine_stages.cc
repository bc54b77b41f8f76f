// The stages of an expansion. Stage k appends one coefficient to every series and solves every
// block once; a block with lead e is then in its local stage kappa = k + e:
//   kappa > 0   linear, unknowns read as 0;
//   kappa = 0   the same, or a Newton iteration if the block is not quasilinear;
//   kappa < 0   projection: the unknowns are known but for a small correction.
#include <algorithm>
#include <cmath>
#include <limits>

#include "codegen/engine.h"
#include "linalg/small_inverse.h"

namespace hydae::codegen {
namespace {

constexpr int kMaxNewton = 25;
constexpr int kMaxHalvings = 10;
constexpr double kConverged = 1e-14;  // relative change of the unknowns
constexpr int kFewIterations = 4;     // of a method that converges quadratically
constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();
constexpr double kStagnation = 1e-9;  // accepted if rounding stops the iteration here

}  // namespace

bool Engine::run_stages(int first, int last) {
  for (int k = first; k <= std::min(last, 0); ++k) {
    if (!run_stage(k)) return false;
  }
  return last <= 0 || run_regular_stages(std::max(first, 1), last);
}

inline void Engine::solve_linear(int b) {
  const LinkedBlock& block = tape_.blocks[b];
  if (block.matrix < 0)
    solution_[0] = rhs_[0] * inverse_[b];
  else if (block.inverse != nullptr)
    block.multiply(block.size, block.inverse, rhs_.data(), solution_.data());
  else
    tape_.matrices[block.matrix].solve(rhs_.data(), solution_.data());
}

// Operations, residuals times their factors, solution, coefficients, corrections.
inline void Engine::run_regular_stage(const LinkedBundle& bundle, int k) {
  double* data = data_.data();
  for (const InstrRun& run : bundle.instr_run_list) {
    const int m = k + run.offset;
    run.kernels[kernel_index(m)](run.first, run.last, data, m);
  }
  const double* row_factor = row_factors(k + bundle.lead);
  for (const RowRun& run : bundle.row_run_list) {
    const int m = k + run.offset;
    run.kernels[kernel_index(m)](run.first, run.last, data, m, row_factor[run.c],
                                 rhs_.data() + run.position);
  }
  solve_bundle(bundle);
  const double *factors = fill_factors(k + bundle.lead), *solution = solution_.data();
  double *forwards = data + k, *backwards = data - k, *deltas = deltas_.data();
  for (const RegularFill& fill : bundle.fill_list) {
    const double value = solution[fill.position] * factors[fill.factor];
    forwards[fill.out] = value;
    backwards[fill.rev] = value;
    deltas[fill.delta] = value;
  }
  for (const RegularCorrection& c : bundle.correction_list) {
    double delta = 0;
    for (const CorrectionEdge* e = c.first; e != c.last; ++e)
      delta += e->multiplier * deltas[e->source];
    deltas[c.delta] = delta;
    const double value = forwards[c.out] + delta;
    forwards[c.out] = value;
    backwards[c.rev] = value;
  }
}

inline void Engine::solve_bundle(const LinkedBundle& bundle) {
  const int count = bundle.blocks.last - bundle.blocks.first;
  if (count == 1) return solve_linear(bundle.blocks.first);
  const double* inverse = inverse_.data() + bundle.blocks.first;
  for (int i = 0; i < count; ++i) solution_[i] = rhs_[i] * inverse[i];
}

// Stages k > 0: all blocks are linear and solved for, all orders positive. Blocks that do not need
// each other go through all stages one after the other: what they use stays near.
bool Engine::run_regular_stages(int first, int last) {
  for (const auto& [first_bundle, last_bundle] : program_->stages().groups) {
    for (int k = first; k <= last; ++k) {
      for (int i = first_bundle; i < last_bundle; ++i) run_regular_stage(tape_.bundles[i], k);
    }
  }
  for (int k = first; k <= last && !tape_.output_instrs.empty(); ++k) run_outputs(k);
  return true;
}

bool Engine::run_stage(int k) {
  for (int b = 0; b < static_cast<int>(tape_.blocks.size()); ++b) {
    const LinkedBlock& block = tape_.blocks[b];
    const int kappa = k + block.lead;
    if (kappa < -block.max_local_c) continue;
    if (kappa == 0 && !block.is_quasilinear) {
      if (!iterate_block(b, k)) return false;
      continue;
    }
    const Instr* instrs = tape_.instrs.data();
    if (!run_instrs(instrs + block.instrs.first, instrs + block.instrs.last, k)) return false;
    if (kappa == 0 && block.is_late && !compute_matrix(b)) return false;
    if (kappa < 0 ? !project_block(b, k) : !solve_block(b, k)) return false;
  }
  if (k < 0) return true;
  run_outputs(k);
  return true;
}

// An output that has no series here, such as the root of zero, has its value, if it has one, and
// NaN behind it. The solution does not need it.
void Engine::run_outputs(int k) {
  double* data = data_.data();
  for (const Instr& instr : tape_.output_instrs) {
    const int m = k + instr.offset;
    if (m > 0) [[likely]]
      instr.kernels[kernel_index(m)](&instr, &instr + 1, data, m);
    else if (m == 0)
      evaluate_at_zero(instr, data);
  }
}

bool Engine::run_instrs(const Instr* first, const Instr* last, int k) {
  double* data = data_.data();
  for (const Instr* instr = first; instr != last; ++instr) {
    const int m = k + instr->offset;
    if (m > 0) [[likely]] {
      instr->kernels[kernel_index(m)](instr, instr + 1, data, m);
    } else if (m == 0 && !evaluate_at_zero(*instr, data) && !is_enough(*instr)) {
      return fail_function(*instr);
    }
  }
  return true;
}

// rhs_ = -(c+kappa)!/kappa! h^-c times the residual; zero where c + kappa < 0.
void Engine::evaluate_rows(const LinkedBlock& block, int k, bool with_leading) {
  const FormKernel* kernels = form_kernels();
  const double* factors = row_factors(k + block.lead);
  for (int i = 0; i < block.size; ++i) {
    const Instr& row = tape_.rows[block.first_row + i];
    const int m = k + row.offset;
    if (m < 0) {
      rhs_[i] = 0;
      continue;
    }
    const LinearPart* linear_end = with_leading ? row.leading_end : row.leading;
    double value = kernels[kernel_index(m)](row, data_.data(), m, linear_end);
    if (m == 0) value += row.number;
    rhs_[i] = value * factors[tape_.row_c[block.first_row + i]];
  }
}

bool Engine::solve_block(int b, int k) {
  const LinkedBlock& block = tape_.blocks[b];
  evaluate_rows(block, k, false);
  solve_linear(b);
  store_solution(block, k);
  if (!block.corrections.empty()) correct(block.corrections, k);
  return true;
}

bool Engine::project_block(int b, int k) {
  const LinkedBlock& block = tape_.blocks[b];
  if (block.is_late && !has_guesses_) return true;
  evaluate_rows(block, k, true);
  solve_linear(b);
  add_solution(block, k, 1);
  if (!block.corrections.empty()) correct(block.corrections, k);
  return true;
}

void Engine::store_solution(const LinkedBlock& block, int k) {
  double* data = data_.data();
  const double* factors = fill_factors(k + block.lead);
  for (int i = block.fills.first; i < block.fills.last; ++i) {
    const Fill& fill = tape_.fills[i];
    const int m = k + fill.shift;
    if (m < 0) continue;
    const double value = solution_[fill.column] * factors[fill.factor];
    data[fill.place.out + m] = value;
    data[fill.place.rev - m] = value;
    deltas_[fill.delta] = value;
  }
}

void Engine::add_solution(const LinkedBlock& block, int k, double factor) {
  double* data = data_.data();
  const double* factors = fill_factors(k + block.lead);
  for (int i = block.fills.first; i < block.fills.last; ++i) {
    const Fill& fill = tape_.fills[i];
    const int m = k + fill.shift;
    if (m < 0) continue;
    const double change = factor * solution_[fill.column] * factors[fill.factor];
    const double value = data[fill.place.out + m] + change;
    data[fill.place.out + m] = value;
    data[fill.place.rev - m] = value;
    deltas_[fill.delta] = change;
  }
}

void Engine::correct(Range corrections, int k) {
  double* data = data_.data();
  const Correction* last = tape_.corrections.data() + corrections.last;
  for (const Correction* c = tape_.corrections.data() + corrections.first; c != last; ++c) {
    const int m = k + c->offset;
    if (m < 0) continue;
    double delta = 0;
    for (int e = c->first_edge; e < c->last_edge; ++e) {
      const CorrectionEdge& edge = tape_.correction_edges[e];
      delta += edge.multiplier * deltas_[edge.source];
    }
    deltas_[c->delta] = delta;
    const double value = data[c->place.out + m] + delta;
    data[c->place.out + m] = value;
    data[c->place.rev - m] = value;
  }
}

// Largest change of an unknown, relative to the largest value it has had in this iteration: an
// unknown whose solution is zero converges too.
double Engine::newton_change(const LinkedBlock& block) {
  double change = 0;
  for (int j = 0; j < block.size; ++j) {
    newton_value_[j] += solution_[j];
    newton_size_[j] = std::max(newton_size_[j], std::abs(newton_value_[j]));
    if (newton_size_[j] > 0) change = std::max(change, std::abs(solution_[j]) / newton_size_[j]);
  }
  return change;
}

// Whether the residuals are what rounding makes of their terms: where all unknowns are zero there
// is nothing else to measure them by. What code computes with is not seen: numbers of the order 1.
bool Engine::is_rounding(const LinkedBlock& block, int k) const {
  const double* data = data_.data();
  const double* factors = row_factors(k + block.lead);
  for (int i = 0; i < block.size; ++i) {
    const Instr& row = tape_.rows[block.first_row + i];
    const int m = k + row.offset;
    double size = m == 0 ? std::abs(row.number) + (tape_.calls.empty() ? 0 : 1) : 0;
    for (const LinearPart* part = row.linear; part != row.leading_end; ++part)
      size += std::abs(part->factor * data[part->place + m]);
    for (const ProductPart* part = row.products; part != row.squares_end; ++part)
      for (int n = 0; n <= m; ++n)
        size += std::abs(part->factor * data[part->left + n] * data[part->right_rev - (m - n)]);
    size *= std::abs(factors[tape_.row_c[block.first_row + i]]);
    if (std::abs(rhs_[i]) > kRounding * size) return false;
  }
  return true;
}

// Whether the last correction is within the rounding errors of usual values: all terms may vanish
// at a solution whose arguments do not, as in cos(x + pi/2) = 0.
bool Engine::is_below_nominal(int b) const {
  const std::vector<int>& variables = program_->structure().blocks[b].variables;
  for (std::size_t j = 0; j < variables.size(); ++j)
    if (!(std::abs(solution_[j]) <= kRounding * nominal_[variables[j]])) return false;
  return true;
}

// Newton's method for the unknowns of local stage 0, from their guesses; a step that leaves the
// domain of a function is halved. The series of the block are evaluated anew with every iterate.
bool Engine::iterate_block(int b, int k) {
  const LinkedBlock& block = tape_.blocks[b];
  const Instr* first = tape_.instrs.data() + block.instrs.first;
  const Instr* last = tape_.instrs.data() + block.instrs.last;
  for (int j = 0; j < block.size; ++j) {
    const int guess = tape_.column_guess[block.first_row + j];
    solution_[j] = newton_value_[j] = guess >= 0 ? input_[guess] : 0;
    newton_size_[j] = std::abs(solution_[j]);
  }
  store_solution(block, k);
  double last_change = HUGE_VAL;
  int halvings = 0;
  for (int iteration = 0; iteration < kMaxNewton;) {
    if (!run_instrs(first, last, k)) {
      if (iteration == 0 || ++halvings > kMaxHalvings) return false;
      result_ = {.sweeps = result_.sweeps};
      for (int j = 0; j < block.size; ++j) {
        solution_[j] *= 0.5;
        newton_value_[j] -= solution_[j];
      }
      add_solution(block, k, -1);
      continue;
    }
    if (last_change <= kConverged) return true;
    if (!compute_matrix(b)) return false;
    evaluate_rows(block, k, true);
    if (iteration >= kFewIterations && is_rounding(block, k)) return true;
    solve_linear(b);
    add_solution(block, k, 1);
    const double change = newton_change(block);
    if (!std::isfinite(change)) return fail(ExpandStatus::kNotFinite, b);
    const bool is_stagnant = change < kStagnation && change >= 0.5 * last_change;
    const bool is_zero = iteration >= kFewIterations && is_below_nominal(b);
    last_change = is_stagnant || is_zero ? 0 : change;
    ++iteration;
  }
  return fail(ExpandStatus::kNotConverged, b);
}

}  // namespace hydae::codegen
