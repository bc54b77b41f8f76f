// Taylor coefficients of all variables of a DAE at a point: one workspace for repeated expansions
// of one Program. Nothing is allocated after construction. Not for use by two threads at a time.
//
//     Expansion expansion(program, 30);
//     expansion.set_parameters(values);
//     ExpandResult r = expansion.expand({.time = t, .step = h, .order = 22, .state = x});
//     x_j(t + tau*expansion.scale()) = sum_l expansion.series(j)[l] tau^l
//
// The state is first projected onto the constraints and their derivatives that it must satisfy, by
// one Gauss-Newton sweep (more if it moves by more than the tolerance), see docs/math/taylor.md.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "codegen/program.h"
#include "codegen/row_terms.h"

namespace hydae::codegen {

struct ExpandRequest {
  double time = 0;
  double step = 1;  // expected step, not zero; negative backwards. Only its magnitude class matters
  int order = 0;    // number of stages p: coefficients of x_j up to d_j + p - 1
  std::span<const double> state = {};  // values of Program::entries()
  std::span<const double> weights =
      {};  // per state entry: 1 / (tolerance of its value); may be empty
  // With order 1: a function needs a value, no derivative. Leading derivatives where there are no
  // series, such as at the root of zero.
  bool wants_values = false;
  // Not 0: each equation is wrong by what rounding may make of its terms, the state and the time by
  // their last digits, in a pattern of this number. What that moves is known no better. For an
  // expansion with RowTerms::kAll.
  unsigned disturbance = 0;
};

enum class ExpandStatus {
  kOk,
  kSingularBlock,      // block, condition
  kUndefinedFunction,  // op, tag, argument or text: e.g. sqrt of a negative number
  kNotConverged,       // block: Newton iteration of a nonlinear block, or the projection
  kNotFinite,          // overflow; block where it was noticed
};

struct ExpandResult {
  ExpandStatus status = ExpandStatus::kOk;
  int block = -1;
  // Reciprocal of the smallest relative change of one entry that makes the system matrix singular;
  // largest over the blocks. Does not depend on units.
  double condition = 0;
  Op op = Op::kConstant;
  int tag = -1;
  double argument = 0;
  std::string text = {};    // of code that failed, instead of an argument
  double displacement = 0;  // of the projection: largest weighted change of a state entry
  int sweeps = 0;           // of the projection

  bool ok() const { return status == ExpandStatus::kOk; }
};

std::string to_string(const ExpandResult& result);

class Expansion {
 public:
  Expansion(std::shared_ptr<const Program> program, int max_order,
            RowTerms terms = RowTerms::kNeeded);
  ~Expansion();
  Expansion(Expansion&&) noexcept;
  Expansion& operator=(Expansion&&) noexcept;

  const Program& program() const;
  std::shared_ptr<const Program> shared_program() const;
  int max_order() const;

  // Values of all parameters; they are zero before.
  void set_parameters(std::span<const double> values);

  // Usual sizes of the variables, 1 before: an iteration that moves an unknown by less than the
  // rounding error of that has converged, where the unknown itself is zero.
  void set_nominal(std::span<const double> values);

  // What was expanded before has no influence on the numbers of the next one: its scale of time.
  void forget_past();

  // On failure the series are not valid, but the workspace can be used again.
  ExpandResult expand(const ExpandRequest& request);

  // --- results of the last successful expansion
  double time() const;
  double scale() const;  // signed power of two: tau = (t - time()) / scale()
  int order() const;
  std::span<const double> series(int variable) const;       // d_j + order() coefficients in tau
  std::span<const double> output_series(int output) const;  // order() - output_shift coefficients
  std::span<const double> state() const;  // projected state, and the solved values of guesses
  // Where the first function that is as good as constant at time() begins to change: exp(u) where u
  // comes out of far below, tanh(u) where u comes near zero. At most `tau`. No coefficient of the
  // function tells, those of its argument do.
  double first_change(double tau) const;
  std::span<const double> displacement() const;  // projected minus given, per state entry

 private:
  std::unique_ptr<class Engine> engine_;
};

}  // namespace hydae::codegen
