// Constraint partitioning: the largest subsystem of local index 1, or mixed index 1 and Hessenberg
// index 2, that a standard DAE code can integrate, found in a DAE
//
//     F(x', x, t) = 0
//
// linearised at one time: with the reason why each constraint was taken or refused and what it does
// to stability, measured by the logarithmic norm. After S. Raha and L. R. Petzold, Constraint
// Partitioning for Structure in Path-Constrained Dynamic Optimization Problems (2000);
// docs/math/partition.md says what is done differently. The result is local: it holds for the
// linearisation it was given.
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <hydae/ids.h>

namespace hydae::partition {

// --- what goes in
// ---------------------------------------------------------------------------------

// Exact derivatives of F at one time along one motion; rows are equations, columns variables. The
// number of equations may differ from the number of variables: surplus variables stay inputs.
struct Linearisation {
  double t = 0;
  Eigen::SparseMatrix<double> mass;           // dF/dx'
  Eigen::SparseMatrix<double> jacobian;       // dF/dx
  Eigen::SparseMatrix<double> jacobian_rate;  // d/dt of dF/dx along the motion
  Eigen::SparseMatrix<double> mass_rate;      // d/dt of dF/dx'; 0 x 0 if it is constant
};

// How the algebraic variable that goes with a constraint is chosen (section 4.1.3 of the paper).
enum class Policy {
  kExhaustive =
      1,  // small systems: all combinations, the largest subsystem of lowest log norm; above
          // `Options::exhaustive_limit` constraints one constraint at a time, all variables
  kModerate = 2,  // a variable moderately connected with the differential variables
  kPivoting = 3,  // the largest entries first, over all constraints
};

struct Options {
  Policy policy = Policy::kModerate;
  // A constraint is stable enough if the log norm stays below
  //     max(tolerance / duration, 3 tolerance0) (20)
  // so `tolerance` is the logarithm of the largest growth that is accepted over the whole run.
  double tolerance = 20;              // TOL
  std::optional<double> tolerance0;   // TOL_0; not given: the log norm without constraints
  double duration = 1;                // |t_final - t_0|
  bool check_stability = true;        // false: structure alone decides
  bool confirm_by_exact_norm = true;  // compute the exact norm before an estimate refuses
  int check_block = 0;                // accepted constraints between two check backs; 0: chosen
  double rank_tolerance = 1e-10;      // relative: smaller pivots and singular values are zero
  int exhaustive_limit = 5;           // most constraints for which kExhaustive tries everything

  std::vector<EqId> must_include;               // taken whatever they do to stability
  std::optional<std::vector<EqId>> candidates;  // the only constraints that may be taken
  std::vector<VarId> inputs;                    // variables that stay inputs
};

// --- what comes out
// -------------------------------------------------------------------------------

enum class Role {
  kDifferential,
  kIndex1,
  kIndex2,
  kOutside,    // equation: not in the subsystem; variable: an input of it
  kUndecided,  // variable with a derivative that nothing at this time tells from an algebraic one
};

enum class Outcome {
  kIndex1,        // taken
  kIndex2,        // taken
  kUnstable,      // index 1 or 2 with every variable that fits, refused for its log norm
  kHigherIndex,   // no variable makes it index 1 or 2
  kDependent,     // follows from the constraints taken, or vanishes at this time
  kNotCandidate,  // excluded by the options
};

// What decided about stability.
enum class StabilityRule {
  kNotChecked,
  kEstimate,    // (14), (17) for index 1, (19) for index 2
  kParallel,    // index 2: T parallel to C2^T does not destabilise
  kConstant,    // index 2: constant C2
  kInvariant,   // index 2: (C2 H + C2') R = 0
  kExact,       // the estimate was too large, the exact log norm is not
  kNoIncrease,  // the exact log norm is too large, but no larger than before
  kMustInclude,
};

struct Stability {
  StabilityRule rule = StabilityRule::kNotChecked;
  bool accepted = true;
  double before = 0;    // log norm without the constraint; an upper bound between check backs
  double estimate = 0;  // with it
  std::optional<double> exact;  // with it, where it was computed
  double limit = 0;             // what estimate and exact were compared with
  double k = 1;                 // index 2: p^T R p of (18)
};

// One variable tried for a constraint.
struct Attempt {
  VarId variable;
  int index = 1;
  double pivot = 0;           // c_v - c_r C_v^-1 c_c of Lemma 2, or its like of Lemma 4
  double relative_pivot = 0;  // the same relative to its terms: rounding decides below 1e-16
  Stability stability;
};

struct Decision {
  EqId equation;
  Outcome outcome = Outcome::kHigherIndex;
  VarId variable;                      // that goes with it, if taken
  int index = 0;                       // 1 or 2 if that is known, also when refused as unstable
  bool removed_at_check_back = false;  // taken first, then refused for the overall log norm
  bool in_limited_search = false;      // taken to complete the mass matrix (section 4.1.2)
  double largest_refused_pivot = 0;    // relative; what was taken for zero
  std::vector<Attempt> attempts;       // in the order tried
};

// A block of equations and variables that was replaced by combinations, because its mass matrix is
// rank deficient: new equation k = sum of left(k, i) F_i, variables x = right y. Equation and
// variable ids of the result that are listed here mean the combinations.
struct Transformation {
  std::vector<EqId> equations;
  std::vector<VarId> variables;
  Eigen::MatrixXd left, right;
  Eigen::VectorXd singular_values;  // of the mass block
};

// A rank decision about one block of the mass matrix, C_v or C_2 T, by scaled singular values.
struct RankDecision {
  std::string matrix;  // "mass matrix", "C_v", "C_2 T"
  int rows = 0, columns = 0, rank = 0;
  double smallest_kept = 1, largest_dropped = 0;  // relative to the largest
};

enum class Index { kZero, kOne, kTwo, kHigher, kSingular, kUndecided };

struct LogNorms {
  double ode = 0;              // differential equations alone, algebraic variables as inputs
  std::vector<double> steps;   // estimate after each constraint taken
  std::vector<double> checks;  // exact value at each check back
  double final = 0;            // exact, of the whole subsystem
  double limit = 0;            // right-hand side of (20)
  // Without states that act on nothing (quadratures); subsystems without index 2 only.
  std::optional<double> without_quadratures;
};

struct Pencil {
  bool is_regular = true;       // s dF/dx' + dF/dx has full row rank for some s
  double margin = 0;            // its smallest scaled singular value, relative
  std::vector<EqId> dependent;  // equations of a dependence, if it is not regular
  bool is_permanent = false;    // and their coefficients do not change with time
  std::optional<int> index;     // of a regular square pencil (small systems): the local index
};

struct Pair {
  EqId equation;
  VarId variable;
  bool operator==(const Pair&) const = default;
};

struct Partition {
  double t = 0;
  Index index = Index::kUndecided;
  std::vector<EqId> differential_equations;
  std::vector<VarId> differential_variables;
  std::vector<Pair> index1, index2;  // in the order taken
  std::vector<Decision> decisions;   // one for each constraint, in the order of equations
  IdVector<EqId, Role> equation_roles;
  IdVector<VarId, Role> variable_roles;
  std::vector<Transformation> transformations;
  std::vector<RankDecision> ranks;
  Pencil pencil;
  LogNorms log_norms;

  bool is_transformed() const { return !transformations.empty(); }
};

// Throws UsageError if the matrices do not fit together or hold numbers that are not finite.
Partition partition_system(const Linearisation& system, const Options& options = {});

}  // namespace hydae::partition
