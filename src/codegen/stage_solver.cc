#include "codegen/stage_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "codegen/disturbance.h"
#include "linalg/small_inverse.h"

namespace hydae::codegen {
namespace {

constexpr int kMaxNewton = 25;
constexpr int kMaxHalvings = 10;
constexpr double kConverged = 1e-14;  // relative change of the unknowns
constexpr int kFewIterations = 4;     // of a method that converges quadratically
constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();
constexpr double kStagnation = 1e-9;  // accepted if rounding stops the iteration here

std::size_t largest_solve(const LinkedTape& tape) {
  std::size_t largest = 1;
  for (const LinkedBlock& block : tape.blocks)
    largest = std::max<std::size_t>(largest, linalg::padded(block.size));
  for (const LinkedBundle& bundle : tape.bundles)
    largest = std::max<std::size_t>(largest, bundle.blocks.last - bundle.blocks.first);
  return largest;
}

// The sum of the magnitudes of the terms of coefficient m. What code computes with is not seen:
// numbers of the order 1.
double size_of(const StageParts& parts, const Instr& sum, int m) {
  const double* data = parts.series.data();
  double size = m == 0 ? std::abs(sum.number) + (parts.tape.calls.empty() ? 0 : 1) : 0;
  for (const LinearPart* part = sum.linear; part != sum.leading_end; ++part)
    size += std::abs(part->factor * data[part->place + m]);
  for (const ProductPart* part = sum.products; part != sum.squares_end; ++part)
    for (int n = 0; n <= m; ++n)
      size += std::abs(part->factor * data[part->left + n] * data[part->right_rev - (m - n)]);
  return size;
}

// What rounding may make of a residual.
struct RowAtStage {
  int row, k;
};
double rounding_of(const StageParts& parts, RowAtStage at, unsigned pattern) {
  const Instr& row = parts.tape.rows[at.row];
  const int m = at.k + row.offset;
  return m < 0 ? 0 : disturbance(pattern, at.row) * size_of(parts, row, m);
}

// The same of a sum that is not solved for.
struct Rounding {
  int m;
  unsigned pattern;
};
void disturb(const StageParts& parts, const Instr& instr, Rounding rounding) {
  const int m = rounding.m;
  if (instr.op != SeriesOp::kSum || m < 0) return;
  double* data = parts.series.data();
  data[instr.out + m] += disturbance(rounding.pattern, ~instr.out) * size_of(parts, instr, m);
  data[instr.rev - m] = data[instr.out + m];
}

}  // namespace

StageSolver::StageSolver(const StageParts& parts) : parts_(parts) {
  const std::size_t largest = largest_solve(parts.tape);
  rhs_.resize(largest);
  solution_.resize(largest);
  newton_value_.resize(largest);
  newton_size_.resize(largest);
  nominal_.assign(parts.program.structure().d.size(), 1.0);
}

bool StageSolver::begin(double time, std::span<const double> input, bool has_guesses) {
  input_ = input;
  has_guesses_ = has_guesses;
  parts_.series.load(time, parts_.scale, input);
  return run_prologue();
}

// Order 0 of what the matrices depend on, from the state as given and the guesses.
bool StageSolver::run_prologue() {
  const LinkedTape& tape = parts_.tape;
  parts_.series.load_guesses(input_);
  for (const Instr& instr : tape.prologue)
    if (!evaluate_at_zero(instr, parts_.series.data()) && has_guesses_ && !is_enough(instr))
      return fail_function(instr);
  for (std::size_t b = 0; b < tape.blocks.size(); ++b) {
    const LinkedBlock& block = tape.blocks[b];
    const bool is_later = block.is_late && (block.max_local_c == 0 || !has_guesses_);
    if (block.is_constant || is_later) continue;
    if (!compute_matrix(static_cast<int>(b))) return false;
  }
  parts_.series.clear_guesses();
  return true;
}

bool StageSolver::compute_matrix(int b) {
  if (parts_.matrices.compute(b, parts_.series.data())) return true;
  parts_.result.condition = parts_.matrices.condition(b);
  return fail(ExpandStatus::kSingularBlock, b);
}

bool StageSolver::run(int first, int last) {
  const int last_single = disturbance_ != 0 ? last : std::min(last, 0);
  for (int k = first; k <= last_single; ++k) {
    if (!run_stage(k)) return false;
  }
  return last <= last_single || run_regular_stages(std::max(first, 1), last);
}

// Operations, residuals times their factors, solution, coefficients, corrections.
inline void StageSolver::run_regular_stage(const LinkedBundle& bundle, int k) {
  double* data = parts_.series.data();
  for (const InstrRun& run : bundle.instr_run_list) {
    const int m = k + run.offset;
    run.kernels[kernel_index(m)](run.first, run.last, data, m);
  }
  const double* row_factor = parts_.scale.row_factors(k + bundle.lead);
  for (const RowRun& run : bundle.row_run_list) {
    const int m = k + run.offset;
    run.kernels[kernel_index(m)](run.first, run.last, data, m,
                                 {row_factor[run.c], rhs_.data() + run.position});
  }
  parts_.matrices.solve(bundle, rhs_.data(), solution_.data());
  const double *factors = parts_.scale.fill_factors(k + bundle.lead), *solution = solution_.data();
  double *forwards = data + k, *backwards = data - k, *deltas = parts_.series.deltas();
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

// Stages k > 0: all blocks are linear and solved for, all orders positive. Blocks that do not need
// each other go through all stages one after the other: what they use stays near.
bool StageSolver::run_regular_stages(int first, int last) {
  for (const auto& [first_bundle, last_bundle] : parts_.program.stages().groups) {
    for (int k = first; k <= last; ++k) {
      for (int i = first_bundle; i < last_bundle; ++i) run_regular_stage(parts_.tape.bundles[i], k);
    }
  }
  for (int k = first; k <= last && !parts_.tape.output_instrs.empty(); ++k) run_outputs(k);
  return true;
}

bool StageSolver::run_stage(int k) {
  for (int b = 0; b < static_cast<int>(parts_.tape.blocks.size()); ++b) {
    const LinkedBlock& block = parts_.tape.blocks[b];
    const int kappa = k + block.lead;
    if (kappa < -block.max_local_c) continue;
    if (kappa == 0 && !block.is_quasilinear) {
      if (!iterate_block(b, k)) return false;
      continue;
    }
    const Instr* instrs = parts_.tape.instrs.data();
    if (!run_instrs(instrs + block.instrs.first, instrs + block.instrs.last, k)) return false;
    if (kappa == 0 && block.is_late && !compute_matrix(b)) return false;
    if (kappa < 0 ? !project_block(b, k) : !solve_block(b, k)) return false;
  }
  if (k < 0) return true;
  run_outputs(k);
  return true;
}

// What was solved for moves by as much as errors in the last digits of all terms would move it.
void StageSolver::disturb_block(int b, int k) {
  const LinkedBlock& block = parts_.tape.blocks[b];
  const double* factors = parts_.scale.row_factors(k + block.lead);
  for (int i = 0; i < block.size; ++i) {
    const int row = block.first_row + i;
    rhs_[i] = rounding_of(parts_, {row, k}, disturbance_) * factors[parts_.tape.row_c[row]];
  }
  parts_.matrices.solve(b, rhs_.data(), solution_.data());
  add_solution(block, k, 1);
  parts_.series.correct(block, k);
}

// An output that has no series here, such as the root of zero, has its value, if it has one, and
// NaN behind it. The solution does not need it.
void StageSolver::run_outputs(int k) {
  double* data = parts_.series.data();
  for (const Instr& instr : parts_.tape.output_instrs) {
    const int m = k + instr.offset;
    if (m > 0) [[likely]]
      instr.kernels[kernel_index(m)](&instr, &instr + 1, data, m);
    else if (m == 0)
      evaluate_at_zero(instr, data);
    if (disturbance_ != 0) disturb(parts_, instr, {m, disturbance_});
  }
}

bool StageSolver::run_instrs(const Instr* first, const Instr* last, int k) {
  double* data = parts_.series.data();
  for (const Instr* instr = first; instr != last; ++instr) {
    const int m = k + instr->offset;
    if (m > 0) [[likely]] {
      instr->kernels[kernel_index(m)](instr, instr + 1, data, m);
    } else if (m == 0 && !evaluate_at_zero(*instr, data) && !is_enough(*instr)) {
      return fail_function(*instr);
    }
    if (disturbance_ != 0) disturb(parts_, *instr, {m, disturbance_});
  }
  return true;
}

// rhs_ = -(c+kappa)!/kappa! h^-c times the residual; zero where c + kappa < 0.
void StageSolver::evaluate_rows(const LinkedBlock& block, int k, bool with_leading) {
  const FormKernel* kernels = form_kernels();
  const double* factors = parts_.scale.row_factors(k + block.lead);
  for (int i = 0; i < block.size; ++i) {
    const Instr& row = parts_.tape.rows[block.first_row + i];
    const int m = k + row.offset;
    if (m < 0) {
      rhs_[i] = 0;
      continue;
    }
    const LinearPart* linear_end = with_leading ? row.leading_end : row.leading;
    double value = kernels[kernel_index(m)](row, parts_.series.data(), m, linear_end);
    if (m == 0) value += row.number;
    if (disturbance_ != 0 && with_leading)
      value += rounding_of(parts_, {block.first_row + i, k}, disturbance_);
    rhs_[i] = value * factors[parts_.tape.row_c[block.first_row + i]];
  }
}

bool StageSolver::solve_block(int b, int k) {
  const LinkedBlock& block = parts_.tape.blocks[b];
  evaluate_rows(block, k, false);
  parts_.matrices.solve(b, rhs_.data(), solution_.data());
  parts_.series.store(block, k, solution_.data(), parts_.scale.fill_factors(k + block.lead));
  parts_.series.correct(block, k);
  if (disturbance_ != 0) disturb_block(b, k);
  return true;
}

bool StageSolver::project_block(int b, int k) {
  const LinkedBlock& block = parts_.tape.blocks[b];
  if (block.is_late && !has_guesses_) return true;
  evaluate_rows(block, k, true);
  parts_.matrices.solve(b, rhs_.data(), solution_.data());
  add_solution(block, k, 1);
  parts_.series.correct(block, k);
  return true;
}

void StageSolver::add_solution(const LinkedBlock& block, int k, double share) {
  parts_.series.add(block, k, solution_.data(), parts_.scale.fill_factors(k + block.lead), share);
}

// Largest change of an unknown, relative to the largest value it has had in this iteration: an
// unknown whose solution is zero converges too.
double StageSolver::newton_change(const LinkedBlock& block) {
  double change = 0;
  for (int j = 0; j < block.size; ++j) {
    newton_value_[j] += solution_[j];
    newton_size_[j] = std::max(newton_size_[j], std::abs(newton_value_[j]));
    if (newton_size_[j] > 0) change = std::max(change, std::abs(solution_[j]) / newton_size_[j]);
  }
  return change;
}

// Whether the residuals are what rounding makes of their terms: where all unknowns are zero there
// is nothing else to measure them by.
bool StageSolver::is_rounding(const LinkedBlock& block, int k) const {
  const double* factors = parts_.scale.row_factors(k + block.lead);
  for (int i = 0; i < block.size; ++i) {
    const Instr& row = parts_.tape.rows[block.first_row + i];
    const double size = size_of(parts_, row, k + row.offset) *
                        std::abs(factors[parts_.tape.row_c[block.first_row + i]]);
    if (std::abs(rhs_[i]) > kRounding * size) return false;
  }
  return true;
}

// Whether the last correction is within the rounding errors of usual values: all terms may vanish
// at a solution whose arguments do not, as in cos(x + pi/2) = 0.
bool StageSolver::is_below_nominal(int b) const {
  const std::vector<int>& variables = parts_.program.structure().blocks[b].variables;
  for (std::size_t j = 0; j < variables.size(); ++j)
    if (!(std::abs(solution_[j]) <= kRounding * nominal_[variables[j]])) return false;
  return true;
}

void StageSolver::begin_iteration(const LinkedBlock& block, int k) {
  for (int j = 0; j < block.size; ++j) {
    const int guess = parts_.tape.column_guess[block.first_row + j];
    solution_[j] = newton_value_[j] = guess >= 0 ? input_[guess] : 0;
    newton_size_[j] = std::abs(solution_[j]);
  }
  parts_.series.store(block, k, solution_.data(), parts_.scale.fill_factors(k + block.lead));
}

// Newton's method for the unknowns of local stage 0, from their guesses; a step that leaves the
// domain of a function is halved. The series of the block are evaluated anew with every iterate.
bool StageSolver::iterate_block(int b, int k) {
  const LinkedBlock& block = parts_.tape.blocks[b];
  const Instr* first = parts_.tape.instrs.data() + block.instrs.first;
  const Instr* last = parts_.tape.instrs.data() + block.instrs.last;
  begin_iteration(block, k);
  double last_change = HUGE_VAL;
  int halvings = 0;
  for (int iteration = 0; iteration < kMaxNewton;) {
    if (!run_instrs(first, last, k)) {
      if (iteration == 0 || ++halvings > kMaxHalvings) return false;
      parts_.result = {.sweeps = parts_.result.sweeps};
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
    parts_.matrices.solve(b, rhs_.data(), solution_.data());
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

bool StageSolver::fail(ExpandStatus status, int block) {
  parts_.result.status = status;
  parts_.result.block = block;
  return false;
}

bool StageSolver::fail_function(const Instr& instr) {
  const Series& series = parts_.program.stages().fused.series[instr.series];
  ExpandResult& result = parts_.result;
  result.status = ExpandStatus::kUndefinedFunction;
  result.op = series.function;
  result.tag = series.tag;
  result.argument = parts_.series.data()[parts_.tape.argument_place[instr.series]];
  if (instr.call != nullptr) result.text = instr.call->failure();
  return false;
}

}  // namespace hydae::codegen
