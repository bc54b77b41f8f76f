// Constraint partitioning: the largest subsystem of local index 1, or mixed index 1 and Hessenberg
// index 2, that a standard DAE code can integrate, found in the equations of a model
//
//     F(x', x, t) = 0
//
// linearized at one time or several: with the reason why each constraint was taken or refused and
// what it does to stability, measured by the logarithmic norm. After S. Raha and L. R. Petzold,
// Constraint Partitioning for Structure in Path-Constrained Dynamic Optimization Problems (2000);
// docs/math/partition.md says what is done and what is done differently.
//
//     partition::Options options;
//     options.inputs = {"u1", "u2"};
//     options.candidates = std::vector<std::string>{"f5", "f6"};
//     partition::ModelPartition p = partition::partition_model(model, options);
//     std::cout << partition::to_text(p);
//     simulate(partition::make_subsystem(model, p));
//
// The result is local: it holds for the linearization at the times asked for.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <hydae/diagnostic.h>
#include <hydae/export.h>
#include <hydae/ids.h>
#include <hydae/initial_point.h>
#include <hydae/model.h>

namespace HYDAE_EXPORT hydae {
namespace partition {

// --- what goes in -----------------------------------------------------------------------------

// How the algebraic variable that goes with a constraint is chosen (section 4.1.3 of the paper).
enum class Policy {
  kExhaustive = 1,  // all combinations, the largest subsystem of lowest log norm; above
                    // `exhaustive_limit` constraints one constraint at a time, all variables
  kModerate = 2,    // a variable moderately connected with the differential variables
  kPivoting = 3,    // the largest entries first, over all constraints
};

// What the estimate of one more constraint is added to, and over which directions norms are taken
// once there are index-2 constraints.
enum class Sums {
  kExact,  // the exact norm of the last check back; directions that keep the constraints
  kPaper,  // the last estimate, as section 5.6 prints it; all directions
};

struct SearchOptions {
  Policy policy = Policy::kModerate;
  // A constraint is stable enough if the log norm stays below
  //     max(tolerance / duration, 3 tolerance0)                                              (20)
  // so `tolerance` is the logarithm of the largest growth that is accepted over the whole run.
  double tolerance = 20;             // TOL
  std::optional<double> tolerance0;  // TOL_0; not given: the log norm without constraints
  Sums sums = Sums::kExact;
  bool check_stability = true;        // false: structure alone decides
  bool confirm_by_exact_norm = true;  // compute the exact norm before an estimate refuses
  int check_block = 0;                // accepted constraints between two check backs; 0: chosen
  double rank_tolerance = 1e-10;      // relative: smaller pivots and singular values are zero
  int exhaustive_limit = 5;           // most constraints for which kExhaustive tries everything
};

// Where the values at the time of linearization come from.
enum class PointSource {
  kStart,       // the start values as the model gives them, consistent or not
  kConsistent,  // consistent initialization of the whole model at that time
};

// A time at which the model is linearized. `values` ("x", "der(x)", ...) replace start values of
// the model: all of them with a row of a trajectory, for instance. Of a consistent point they are
// the guesses.
struct TimePoint {
  double t = 0;
  std::vector<StartOverride> values{};
};

struct Options : SearchOptions {
  std::vector<TimePoint> points;  // none: the model's start time
  PointSource source = PointSource::kStart;
  std::optional<double> duration;  // |t_final - t_0| in (20); not given: of the model's experiment
  // Constraints refused for their index are differentiated up to this often; 0 leaves them.
  int max_differentiations = 6;

  // Names of equations and variables of the model. A name that does not exist is a UsageError.
  // Equations that are taken whatever they do to stability, and variables that are to be determined
  // by some constraint; one that no constraint can determine is a warning.
  std::vector<std::string> must_include;
  std::optional<std::vector<std::string>> candidates;  // the only constraints that may be taken
  std::vector<std::string> inputs;                     // variables that are given functions of time
  std::vector<bool> mode;                              // truth of relations, as in AnalyzeOptions
};

// --- what comes out ---------------------------------------------------------------------------

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
  kEstimate,      // (14), (17) for index 1, (19) for index 2
  kParallel,      // index 2: T parallel to C2^T does not destabilise
  kConstant,      // index 2: constant C2
  kInvariant,     // index 2: (C2 H + C2') R = 0
  kExact,         // the estimate was too large, the exact log norm is not
  kActingStates,  // the exact log norm is too large, but not without states that act on nothing
  kNoIncrease,    // the exact log norm is too large, but no larger than before
  kMustInclude,
};

struct Stability {
  StabilityRule rule = StabilityRule::kNotChecked;
  bool accepted = true;
  double before = 0;    // log norm without the constraint; an upper bound between check backs
  double estimate = 0;  // with it
  std::optional<double> exact;  // with it, where it was computed
  double limit = 0;             // what estimate and exact were compared with
  double k = 1;                 // index 2: the largest p^T R p of (18) over leading eigenvectors p
  double k_least = 1;           // and the smallest
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
// rank deficient: new equation k = sum of left[k][i] F_i, variables x_j = sum of right[j][k] y_k.
// Equation and variable ids of the result that are listed here mean the combinations.
struct Transformation {
  std::vector<EqId> equations;
  std::vector<VarId> variables;
  std::vector<std::vector<double>> left, right;  // row by row
  std::vector<double> singular_values;           // of the mass block
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
  double final = 0;            // exact, of the whole subsystem, on its index-2 constraints
  double limit = 0;            // right-hand side of (20)
  // Without states that act on nothing (quadratures); none if there are no others.
  std::optional<double> without_quadratures;
  // With index-2 constraints: over all directions, also those that leave the constraints.
  std::optional<double> in_all_directions;
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

// The partition of one linearized system.
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

// A row of the first-order system that is partitioned.
struct SystemEquation {
  enum class Kind {
    kGiven,       // an equation of the model, possibly differentiated
    kDefinition,  // der(x) as a variable of its own, for equations with der(x, 2)
    kAuxiliary,   // determines a derivative that a differentiated constraint needs
  };
  Kind kind = Kind::kGiven;
  std::string name;  // "f6", "der(f6)" after one differentiation
  std::string text;  // "0 = ..."; long ones end in ...
  int differentiations = 0;
  EqId given;  // position among the continuous equations of the model; kGiven only
  SourceRange source;
  std::string place;  // "crane.mo:12:3"; empty for models built in C++
  // Of a path constraint lhs <= rhs: lhs - rhs at the points. It is a candidate where that is zero.
  std::vector<double> excess;
  NodeId residual;            // in the graph of the model, over the symbols of the variables
  std::vector<NodeId> lower;  // what it was before each differentiation
};

// A column of it: a variable of the model or one of its derivatives.
struct SystemVariable {
  std::string name;
  VarId variable;  // of the model; none for auxiliary ones
  int order = 0;
  VarId symbol;                // what it is called in the residuals
  std::vector<double> values;  // at the points
};

// What the Sigma-method says about the same equations.
struct StructuralAnswer {
  bool is_applicable = false;  // as many equations as unknowns, and a transversal
  int index = 0;
  std::vector<int> c;  // differentiations of the continuous equations of the model that may be used
  bool is_jacobian_singular = false;
  bool agrees = true;       // with the local answer, as far as both are known
  std::string explanation;  // one or two sentences
};

// Several points together (section 5.3 of the paper).
struct Combination {
  bool is_consistent = true;           // the lists of the points fit together
  std::size_t deciding_point = 0;      // the point with the largest subsystem
  std::vector<std::string> conflicts;  // why not
  std::vector<double> singular_times;  // points at which the combined subsystem is not of its index
};

struct ModelPartition {
  std::string model;
  std::vector<SystemEquation> equations;  // of the system partitioned, by EqId
  std::vector<SystemVariable> variables;  // by VarId
  std::vector<Partition> points;          // one for each time
  Partition combined;                     // of one point: that point
  Combination combination;
  Index given_index = Index::kUndecided;  // of the equations as they are given
  std::optional<int> local_index;         // of their pencil, if it is square and not too large
  StructuralAnswer structural;
  std::map<VarId, double> held;           // variables that events determine, at the first point
  std::vector<MovedStart> moved;          // start values that consistent points did not keep
  std::vector<std::string> assumed_zero;  // variables without a start value: 0 was taken
  Diagnostics diagnostics;                // warnings

  bool is_differentiated() const;
};

// Throws UsageError for options that make no sense, ModelError for a model that cannot be
// linearized: [undefined-point], [delay-in-partition], or a point that initialization cannot find.
ModelPartition partition_model(const Model& model, const Options& options = {});

// The subsystem taken, as a model in first-order form: inputs and refused variables are parameters
// with their values at the deciding point, constraints that were differentiated hold with their
// lower derivatives initially, and differential variables keep their values there as far as the
// constraints leave them free, the model's fixed ones first. Throws UsageError if nothing was
// decided, or if a transformed block was taken in part only.
Model make_subsystem(const Model& model, const ModelPartition& partition);

std::string to_text(const ModelPartition& partition);
std::string to_json(const ModelPartition& partition);

const char* index_name(Index index);  // "0", "1", "2", "higher", "singular", "undecided"

}  // namespace partition
}  // namespace hydae
