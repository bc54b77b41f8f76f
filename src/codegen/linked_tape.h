// The stage tape with places in memory for one maximal order: flat lists that the engine runs
// through without looking anything up. All places are indices into one array of doubles.
#pragma once

#include <vector>

#include "codegen/kernels.h"
#include "codegen/stage_tape.h"
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

// Where the unknown of a column goes: into the series of x_j^(q) at order k + shift. Its factor
// depends on local d_j - q only.
struct Fill {
  int column = 0, shift = 0, factor = 0, delta = 0;
  Place place = {};
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

// Correction of one active series: deltas[delta] = sum partials[...] * deltas[...].
struct Correction {
  int offset = 0, delta = 0;
  Place place = {};
  int first_edge = 0, last_edge = 0;
};

struct CorrectionEdge {
  int partial = 0, delta = 0;
};

// Half-open ranges of the flat lists.
struct Range {
  int first = 0, last = 0;
  bool empty() const { return first == last; }
};

struct LinkedBlock {
  int size = 0, lead = 0, max_local_c = 0;
  int first_row = 0;  // rows, and columns, are numbered through all blocks
  Range instrs, fills, partials, gradient_terms, corrections;
  int first_row_term = 0;  // gradient terms of the rows follow those of the active series
  Range gradients;         // of active series and matrix entries: cleared before they are summed
  int first_entry = 0, num_entries = 0;  // matrix entries among the gradients
  int matrix = -1;                       // index into matrices; -1: a single unknown
  const double* inverse = nullptr;       // of the matrix, if it is explicit
  bool is_quasilinear = true, is_constant = false, is_late = false;
};

struct LinkedTape {
  int data_size = 0;
  Range leaves;  // series of variables and time: cleared before each expansion
  Place time;
  std::vector<Place> base;          // per variable: its own series
  std::vector<Place> outputs;       // per output
  std::vector<int> argument_place;  // per series: value of the argument, for reports
  std::vector<Instr> instrs, output_instrs, prologue, rows;
  std::vector<int> row_c;         // local offsets by row number
  std::vector<int> column_guess;  // entry with the guess of the unknown in local stage 0, or -1
  std::vector<Load> loads, guess_loads;
  std::vector<Fill> fills;
  Range fill_factors;  // values of local d_j - q that occur; `last` is the largest plus one
  std::vector<LinkedPartial> partials;
  std::vector<GradientTerm> gradient_terms;
  std::vector<Correction> corrections;
  std::vector<CorrectionEdge> correction_edges;
  std::vector<LinkedBlock> blocks;
  std::vector<linalg::SystemMatrix> matrices;
  int num_partials = 0, num_gradients = 0, num_deltas = 0;
  std::vector<std::pair<int, int>> constant_partials;  // target, index into numbers

  std::vector<int> args;
  std::vector<ScalarId> number_sources;  // numbers[i] is the value of this scalar
  std::vector<double> numbers;
};

LinkedTape link(const Program& program, int max_order);

}  // namespace hydae::codegen
