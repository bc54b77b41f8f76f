// What the machine runs for one mode: the tape, arranged into stages by the structure of the model.
// Immutable and independent of order, step and parameter values; shared by any number of
// Expansions.
//
// Notation (J. D. Pryce, 2001; docs/math/taylor.md): offsets c_i of equations and d_j of variables;
// stage k solves f_i^(c_i+k) = 0 for x_j^(d_j+k), block after block. A block that is alone solvable
// with smaller, local offsets runs `lead` stages ahead: c_i - lead and d_j - lead are its local
// ones, and only derivatives below the local d_j belong to the state.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "codegen/tape.h"

namespace hydae::codegen {

// Equations and variables that are solved together; as many of one as of the other.
struct BlockShape {
  std::vector<int> equations;
  std::vector<int> variables;
  int lead = 0;  // d_j - local d_j = c_i - local c_i, the same for the whole block
};

struct Structure {
  std::vector<int> c;              // per equation, >= 0
  std::vector<int> d;              // per variable, >= 0
  std::vector<BlockShape> blocks;  // in the order of solution

  // No equations: the series of all variables are given, only outputs are computed
  // (output_expansion.h).
  bool has_given_variables() const { return c.empty() && blocks.empty() && !d.empty(); }
};

// x_variable^(order)
struct JetEntry {
  int variable = 0;
  int order = 0;
  bool operator==(const JetEntry&) const = default;
};

struct ProgramInput {
  Structure structure;
  std::vector<TermId> residuals;  // per equation: f_i, to be zero
  std::vector<TermId> outputs;    // event functions and other quantities wanted as series
  int num_parameters = 0;
};

struct StageTape;  // the arranged tape, for the engine only

class Program {
 public:
  // Throws UsageError if the structure does not fit the terms: not a partition into square blocks,
  // an equation that contains a derivative beyond d_j - c_i or needs a block that is solved later.
  Program(const TapeBuilder& tape, const ProgramInput& input);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  int num_variables() const { return static_cast<int>(structure_.d.size()); }
  int num_outputs() const { return num_outputs_; }
  int num_parameters() const { return num_parameters_; }
  // Some of it exists as code only: high orders of its series are not accurate.
  bool has_code() const;
  // Some of its functions may be as good as constant for a while and not after it, such as exp and
  // quotients: their coefficients then tell nothing of what comes.
  bool can_be_flat() const { return can_be_flat_; }
  // It has square roots: a series that passes a zero of one goes on as its other branch.
  bool has_roots() const { return has_roots_; }
  int num_blocks() const { return static_cast<int>(structure_.blocks.size()); }
  const Structure& structure() const { return structure_; }

  // The numbers an expansion starts from, in the order of its `state`: first the state proper, for
  // each variable the derivatives below its local d_j; then, from num_state() on, guesses of higher
  // derivatives that a system matrix depends on.
  std::span<const JetEntry> entries() const { return entries_; }
  int num_state() const { return num_state_; }

  // False if the leading derivatives of the block occur nonlinearly: then their guesses are the
  // start of a Newton iteration and must be given. Other guesses may be NaN: they are found.
  bool is_quasilinear(int block) const;
  // The first stage whose coefficient 0 is the value of the output: output coefficients 0 ..
  // p-1-shift are known after p stages. Zero unless the output contains a derivative beyond d_j.
  int output_shift(int output) const;

  const StageTape& stages() const { return *stages_; }
  std::string to_string() const;  // one line per operation, block by block

 private:
  Structure structure_;
  std::vector<JetEntry> entries_;
  int num_state_ = 0;
  int num_outputs_ = 0;
  int num_parameters_ = 0;
  bool can_be_flat_ = false, has_roots_ = false;
  std::unique_ptr<StageTape> stages_;
};

}  // namespace hydae::codegen
