// The fused tape arranged into stages. Stage k computes every series v at order k + offset[v]: the
// offset is the largest that a user needs, so nothing is computed twice and nothing too late.
//
// In stage k the unknowns of a block read as zero; its residuals are then right but for the linear
// part J u that the solve adds. Series of the same stage that contain the unknowns ("active") are
// made right afterwards by partial derivatives at order 0 (docs/math/taylor.md, section 4).
#pragma once

#include <utility>
#include <vector>

#include "codegen/fused_tape.h"
#include "codegen/program.h"

namespace hydae::codegen {

// A partial derivative at order 0, from the values p, q of series.
struct Partial {
  enum class Rule : std::uint8_t {
    kNumber,  // factor
    kTimes,   // factor * p
    kOver,    // factor / p
    kRatio,   // factor * p / q
    kPower,   // d(q^factor)/dq, p = q^factor
  };
  Rule rule = Rule::kNumber;
  ScalarId factor = ScalarTape::kOne;
  SeriesId p = -1, q = -1;
};

struct Edge {
  Partial partial = {};
  SeriesId operand = -1;  // an unknown x_j^(q), or an active series
};

// A series that contains unknowns of the block of its own segment.
struct ActiveSeries {
  SeriesId series = -1;
  std::vector<Edge> edges = {};
  std::vector<int> columns = {};  // of the block, ascending
  bool is_corrected = false;      // somebody reads it after the solve
};

struct Row {
  int equation = 0;
  int local_c = 0;
  Form form = {};  // without the terms of `leading`
  std::vector<LinearTerm> leading =
      {};  // unknowns of the own block: zero in stages of the solution
  std::vector<Edge> edges = {};
  std::vector<int> columns = {};
};

struct BlockPlan {
  int lead = 0;
  int max_local_c = 0;
  std::vector<int> variables, local_d;
  std::vector<SeriesId> instructions;  // in order of evaluation
  std::vector<Row> rows;
  std::vector<ActiveSeries> active;  // in order of evaluation

  bool is_quasilinear = true;  // the matrix does not depend on the unknowns of stage 0
  bool is_constant = false;    // the matrix depends on parameters only
  // The matrix depends on values that the solution determines only on the way: it is computed in
  // local stage 0, and for the projection from guesses.
  bool is_late = false;
};

inline constexpr int kNever = -(1 << 28);  // offset of a series that nobody uses

struct StageTape {
  FusedTape fused;
  std::vector<int> offset;  // per series
  std::vector<int>
      segment;  // per series: block whose residuals first need it; number of blocks: outputs
  std::vector<BlockPlan> blocks;
  // Ranges (first, last) of blocks: several blocks of one unknown each that a stage can solve at
  // the same time, or one block.
  std::vector<std::pair<int, int>> bundles;
  // Ranges of bundles that read nothing of later ranges, not even older coefficients: each can go
  // through all its stages before the next one starts.
  std::vector<std::pair<int, int>> groups;
  std::vector<SeriesId> output_instructions;
  std::vector<int> output_offset;  // <= 0
  std::vector<SeriesId> prologue;  // what the matrices need before the first stage
  std::vector<JetEntry> guesses;
  int max_c = 0;
};

// Throws UsageError as Program does.
StageTape arrange(FusedTape fused, const Structure& structure);

// Every series that `form` or `series` reads, as a call of visit(SeriesId, is_linear).
template <class Visit>
void visit_operands(const Form& form, Visit&& visit) {
  for (const LinearTerm& term : form.linear) visit(term.series, true);
  for (const ProductTerm& term : form.products) {
    visit(term.left, false);
    visit(term.right, false);
  }
}

template <class Visit>
void visit_operands(const Series& series, Visit&& visit) {
  visit_operands(series.form, visit);
  for (SeriesId operand : {series.a, series.b, series.c}) {
    if (operand >= 0) visit(operand, false);
  }
  for (SeriesId operand : series.arguments) visit(operand, false);
}

}  // namespace hydae::codegen
