// The problem library: initial value problems from the literature, ready to analyze and simulate.
// Each comes with its equations, consistent start values, interval, source and, where they are
// known, an exact solution, published values with their trustworthy digits, event times and
// impulses, and the outcome of the structural analysis. Tests, benchmarks and examples are built on
// it.
//
//     Model m = find_problem("pendulum")->make_model();
//     Model chain = find_problem("chained_pendula(23)")->make_model();
//
// Fixed start values are as many as the problem has degrees of freedom and determine the rest
// locally; all other start values are guesses close to the solution (often equal to it).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <hydae/export.h>
#include <hydae/limit.h>
#include <hydae/model.h>

namespace HYDAE_EXPORT hydae {

enum class ProblemKind {
  kOde,        // explicit or implicit ordinary differential equations
  kDae,        // differential-algebraic equations with one structure
  kHybrid,     // equations that switch, events, impulses
  kAlgebraic,  // no derivatives: time is a parameter
  kIllPosed,   // wrong on purpose, for the diagnosis
};
const char* problem_kind_name(ProblemKind kind);  // "ode", "dae", ...

// One known value: the derivative of `variable` of the given order. The truth differs from `value`
// by at most `accuracy` (absolute).
struct ReferenceValue {
  std::string variable{};
  int order = 0;
  double value = 0;
  double accuracy = 0;
};

struct Reference {
  double t = 0;
  std::vector<ReferenceValue> values{};
  std::string source{};
  Limit limit = Limit::kRight;
};

// Weight of a Dirac delta (order 0), of its derivative (order 1), ... that a variable carries.
struct KnownImpulse {
  std::string variable{};
  int order = 0;
  double weight = 0;
};

struct KnownEvent {
  double t = 0;
  double accuracy = 0;  // absolute, of t
  std::string what{};
  std::vector<KnownImpulse> impulses{};
};

// What the Sigma-method says about the equations as they are written. Fields that nobody has worked
// out are empty. When `is_singular`, the system Jacobian is singular identically: c, d, index and
// dof are then what the analysis says and not the truth, which `true_index` and `true_dof` tell.
struct KnownStructure {
  std::vector<int> c{}, d{};
  std::optional<int> index{}, dof{};
  bool is_singular = false;
  std::optional<int> true_index{}, true_dof{};
};

// The solution as expressions of time, by variable. Between two events of a hybrid problem they are
// smooth; at an event they give the limit from the right.
using ExactComponents = std::vector<std::pair<std::string, Expr>>;

class ExactSolution {
 public:
  ExactSolution(const std::function<ExactComponents(const Expr& t)>& components);

  std::vector<std::string> variables() const;
  bool has(const std::string& variable) const;
  // Derivative of the given order at t; throws UsageError when the variable is not covered.
  double value(const std::string& variable, int order, double t) const;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

// What one problem is made of; see src/problems for the collection.
struct ProblemDefinition {
  std::string name{};         // snake_case
  std::string title{};        // one line
  std::string description{};  // what is special about it, and any trap in the literature
  std::string source{};
  ProblemKind kind = ProblemKind::kDae;
  double start_time = 0;
  double stop_time = 1;
  std::function<void(Model&)> equations{};  // variables, parameters, equations, start values
  std::function<ExactComponents(const Expr& t)> exact{};
  std::vector<Reference> references{};
  std::vector<KnownEvent> events{};
  KnownStructure structure{};
  // The start values satisfy all constraints, hidden ones too, up to this times 1 + the size of the
  // terms; empty when some start value is a rough guess only.
  std::optional<double> start_accuracy{};
  std::string defect{};     // ill-posed problems: what is wrong
  std::string size_name{};  // meaning of n in name(n); empty when there is no size
  int size = 0;
};

class Problem {
 public:
  explicit Problem(ProblemDefinition definition);

  const std::string& name() const { return definition_.name; }
  const std::string& title() const { return definition_.title; }
  const std::string& description() const { return definition_.description; }
  const std::string& source() const { return definition_.source; }
  ProblemKind kind() const { return definition_.kind; }
  const std::string& defect() const { return definition_.defect; }
  const std::string& size_name() const { return definition_.size_name; }
  int size() const { return definition_.size; }
  // "chained_pendula(5)": what find_problem() turns into this problem.
  std::string full_name() const;

  // A new model with the experiment's start and stop time set.
  Model make_model() const;

  const std::vector<Reference>& references() const { return definition_.references; }
  const std::vector<KnownEvent>& events() const { return definition_.events; }
  const KnownStructure& structure() const { return definition_.structure; }
  std::optional<double> start_accuracy() const { return definition_.start_accuracy; }

  bool has_exact() const { return static_cast<bool>(definition_.exact); }
  ExactSolution exact_solution() const;  // throws UsageError when none is known
  double exact(const std::string& variable, int order, double t) const;

 private:
  ProblemDefinition definition_;
};

// All problems, in their default sizes, grouped by kind.
const std::vector<const Problem*>& all_problems();

// The problem "name" or "name(size)". Throws UsageError when there is none; the message names the
// nearest.
std::shared_ptr<const Problem> find_problem(std::string_view text);

// Text for people. The list has one line for each problem, by kind.
std::string render_problem_list();
// All about one: its equations, start values, source, and what is known of the solution.
std::string render_problem(const Problem& problem);
// The list as a page of the guide, docs/guide/problems.md.
std::string render_problem_guide();

}  // namespace hydae
