// The stage tape with places in memory for one maximal order: flat lists that the engine runs
// through without looking anything up. All places are indices into one array of doubles.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "codegen/kernels.h"
#include "codegen/row_terms.h"
#include "codegen/stage_tape.h"
#include "linalg/small_inverse.h"
#include "linalg/system_matrix.h"

namespace hydae::codegen {

// Coefficient m of a series: forwards at out + m, backwards at rev - m.
struct Place {
  int out = -1, rev = -1;
};

// A copy of state entry number `entry` as coefficient `order` of a series: x^(l) h^order / order!.
struct Load {
  int entry = 0, order = 0;
  Place place = {};
};

// Where an entry of the state is found after its stage: x^(order) h^order / order!.
struct StateRead {
  int place = 0, order = 0;
};

// Where the unknown of a column goes: into the series of x_j^(q) at order k + shift. Its factor
// depends on local d_j - q only.
struct Fill {
  int column = 0, shift = 0, factor = 0, delta = 0;
  Place place = {};
  int position = 0;  // of the unknown within its bundle
};

// The same for stages k > 0: coefficients forwards at out + k and backwards at rev - k.
struct RegularFill {
  int position = 0, factor = 0, delta = 0;
  int out = 0, rev = 0;
};

// A partial derivative that changes from step to step; partials[target] is its value.
struct LinkedPartial {
  Partial::Rule rule = Partial::Rule::kNumber;
  int target = 0;
  int factor = 0;  // index into numbers
  int p = 0, q = 0;
};

// gradients[target] += partials[partial] * gradients[source]; gradients[0] is 1.
struct GradientTerm {
  int target = 0, partial = 0, source = 0;
};

struct CorrectionEdge {
  double multiplier = 0;  // value of the partial derivative
  int source = 0, partial = 0;
};

// Correction of one active series: deltas[delta] = sum over its edges of partial * deltas[source].
struct Correction {
  int offset = 0, delta = 0;
  Place place = {};
  int first_edge = 0, last_edge = 0;
};

// The same for stages k > 0.
struct RegularCorrection {
  const CorrectionEdge *first = nullptr, *last = nullptr;
  int delta = 0;
  int out = 0, rev = 0;
};

// Half-open ranges of the flat lists.
struct Range {
  int first = 0, last = 0;
  bool empty() const { return first == last; }
};

// Operations of one kind and offset that stand side by side: one call of a kernel.
struct InstrRun {
  Range instrs;
  int offset = 0;
  const Kernel* kernels = nullptr;
  const Instr *first = nullptr, *last = nullptr;
};

// Rows of one local offset c, all with or all without products.
struct RowRun {
  Range rows;
  int offset = 0, c = 0;
  int position = 0;  // of the first one within its bundle
  const RowKernel* kernels = nullptr;
  const Instr *first = nullptr, *last = nullptr;
};

template <class T>
struct PointerRange {
  const T *first = nullptr, *last = nullptr;
  const T* begin() const { return first; }
  const T* end() const { return last; }
};

// What stages k > 0 go through: blocks of one unknown each that are solved at the same time, or one
// block.
struct LinkedBundle {
  Range blocks;
  int lead = 0, first_row = 0;
  Range instr_runs, row_runs, fills, corrections;
  // The same as pointers: a stage of a small block is so short that looking them up would show.
  PointerRange<InstrRun> instr_run_list;
  PointerRange<RowRun> row_run_list;
  PointerRange<RegularFill> fill_list;
  PointerRange<RegularCorrection> correction_list;
};

struct LinkedBlock {
  int size = 0, lead = 0, max_local_c = 0;
  int first_row = 0;  // rows, and columns, are numbered through all blocks
  Range instrs, fills, partials, gradient_terms, corrections, correction_edges;
  int first_row_term = 0;  // gradient terms of the rows follow those of the active series
  Range gradients;         // of active series and matrix entries: cleared before they are summed
  int first_entry = 0, num_entries = 0;  // matrix entries among the gradients
  int matrix = -1;                       // index into matrices; -1: a single unknown
  const double* inverse = nullptr;       // of the matrix, if it is explicit
  linalg::MultiplyKernel multiply = nullptr;
  bool is_quasilinear = true, is_constant = false, is_late = false;
};

// Operations, and the terms and calls that they point to.
struct LinkedOperations {
  std::vector<Instr> instrs, output_instrs, prologue, rows;
  std::vector<InstrRun> instr_runs;
  std::vector<RowRun> row_runs;
  std::vector<int> row_c;  // local offsets by row number
  std::vector<std::unique_ptr<CallSite>> calls;
  std::vector<LinearPart> linear_parts;
  std::vector<ProductPart> product_parts;
};

// Numbers that depend on parameters only.
struct LinkedNumbers {
  std::vector<ScalarId> number_sources;  // numbers[i] is the value of this scalar
  std::vector<double> numbers;
  std::vector<std::pair<int, int>> constant_partials;  // target, index into numbers
};

// How a matrix is computed, and where its solution goes.
struct LinkedSolves {
  std::vector<Fill> fills;
  std::vector<RegularFill> regular_fills;
  Range fill_factors;  // values of local d_j - q that occur; `last` is the largest plus one
  std::vector<LinkedPartial> partials;
  std::vector<GradientTerm> gradient_terms;
  std::vector<Correction> corrections;
  std::vector<CorrectionEdge> correction_edges;
  std::vector<RegularCorrection> regular_corrections;
  std::vector<linalg::SystemMatrix> matrices;
  int num_partials = 0, num_gradients = 0, num_deltas = 0;
};

struct LinkedTape : LinkedOperations, LinkedNumbers, LinkedSolves {
  int data_size = 0;
  Range leaves;  // series of variables and time: cleared before each expansion
  Place time;
  std::vector<Place> base;          // per variable: its own series
  std::vector<Place> outputs;       // per output
  std::vector<int> argument_place;  // per series: value of the argument, for reports
  std::vector<int> column_guess;    // entry with the guess of the unknown in local stage 0, or -1
  std::vector<Load> loads, guess_loads;
  std::vector<StateRead> state_reads;  // by entry, guesses included
  std::vector<LinkedBlock> blocks;
  std::vector<LinkedBundle> bundles;
};

LinkedTape link(const Program& program, int max_order, RowTerms terms = RowTerms::kNeeded);
// Values of the scalars, into all that is made of them: numbers, factors, and the kernels that
// depend on an exponent.
void set_numbers(LinkedTape& tape, std::span<const double> scalars);

}  // namespace hydae::codegen
