// The model: what the user said, flat and symbolic. Variables, parameters, equations, event clauses
// and external functions, each with its name and the place where it was written. A Model says
// nothing about how it is solved.
//
//     Model m("pendulum");
//     Expr x = m.variable("x"), y = m.variable("y"), lambda = m.variable("lambda");
//     Expr g = m.parameter("g", 9.81), L = m.parameter("L", 1.0);
//     m.equation(der(x, 2) + x * lambda == 0);
//     m.equation(der(y, 2) + y * lambda - g == 0);
//     m.equation(x * x + y * y == L * L);
//     m.fix(x, 1.0);  m.start(y, 0.0);  m.fix(der(x), 0.0);
//
// Misuse throws UsageError naming the variable or equation. A copy of a Model shares its graph: the
// expressions of one are good in the other.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <hydae/diagnostic.h>
#include <hydae/export.h>
#include <hydae/expr.h>
#include <hydae/ids.h>
#include <hydae/source.h>

namespace HYDAE_EXPORT hydae {

enum class VariableKind : std::uint8_t {
  kReal,      // continuous: determined by equations at all times
  kDiscrete,  // Real that changes at events only
  kInteger,   // changes at events only; enumerations too
  kBoolean,   // changes at events only; 0 or 1
};

enum class StateSelect : std::uint8_t { kNever, kAvoid, kDefault, kPrefer, kAlways };

// Given value of x or of one of its derivatives at the start.
struct StartValue {
  int order = 0;
  Expr value;          // constant or parameter expression
  bool fixed = false;  // held by the initialization; otherwise a guess
};

// Of variables that are equal up to sign one stands for all. A start value that was given to one of
// them.
struct EqualStart {
  std::string name;   // an alias, or the variable itself
  double factor = 1;  // name = factor * variable
  Expr value;         // of that name
  bool fixed = false;
};

struct Variable {
  std::string name;  // with component path: "engine.shaft.phi"
  VariableKind kind = VariableKind::kReal;
  std::vector<StartValue> starts;  // at most one per order
  // If a variable equal to it has a start value: all of them, that of `starts` first.
  std::vector<EqualStart> equal_starts = {};
  std::vector<std::string> literals = {};  // of an enumeration: names of its values 1, 2, ...
  std::optional<Expr> min, max, nominal;
  std::string unit, display_unit, description;
  StateSelect state_select = StateSelect::kDefault;
  // It need not persist at an event where something has to give way: it does, and the others stay.
  bool is_free_at_events = false;
  bool is_protected = false;
  SourceRange source;
};

struct Parameter {
  std::string name;
  VariableKind kind = VariableKind::kReal;
  double value = 0;
  std::optional<Expr> binding;  // expression of other parameters; then `value` is computed
  std::string unit, description;
  bool is_structural = false;  // its value shaped the model: it cannot be changed any more
  SourceRange source;
};

struct Equation {
  std::string name;  // "f1", or what the user calls it
  Expr lhs, rhs;
  std::string component;  // instance path it came from, "" at the top
  SourceRange source;
  // Name of the input of the model whose start value this equation says; "" for all others. A run
  // that drives the input reads its signal in the place of the right side.
  std::string input = {};
};

// A variable that is given from outside: by a signal, or else by its start value.
struct ModelInput {
  std::string name;  // of a variable or an alias
  EqId equation;
};

// What happens inside a when-clause.
struct WhenAction {
  enum class Kind : std::uint8_t {
    kAssign,     // target := value, for discrete variables
    kReinit,     // reinit(target, value)
    kEquation,   // impact law: an equality between right limits and pre() values
    kImpulse,    // impulse(target): target carries the impulse of this clause's kEquation
    kAssert,     // assert(condition, message)
    kTerminate,  // terminate(message)
  };
  Kind kind = Kind::kAssign;
  Expr target;
  Expr value;  // the other side; the condition of an assert
  std::string message;
  bool is_warning = false;
  SourceRange source;
};

struct WhenBranch {
  std::vector<Expr> conditions;  // fires when one of them becomes true
  std::vector<WhenAction> actions;
};

struct WhenClause {
  std::vector<WhenBranch> branches;  // when, elsewhen, ...: the first that fires acts
  std::string component;
  SourceRange source;
};

struct Assertion {
  Expr condition;
  std::string message;
  bool is_warning = false;
  SourceRange source;
};

// A constraint on the path that an optimisation is to keep, lhs <= rhs or lhs = rhs. A simulation
// does not enforce it; constraint partitioning may take it as an equation.
struct PathConstraint {
  std::string name;  // "h1", or what the user calls it
  Expr lhs, rhs;
  bool is_equality = false;
  SourceRange source;
};

// A second name for a variable, kept visible in results: value = factor * target, factor 1 or -1.
struct Alias {
  std::string name;
  VarId target;
  double factor = 1;
  std::string unit, description;
  SourceRange source;
};

// The `experiment` annotation; options of a run override it.
struct Experiment {
  std::optional<double> start_time, stop_time, tolerance, interval;
};

class Model {
 public:
  explicit Model(std::string name = "model");

  const std::string& name() const { return name_; }
  std::string description;
  Experiment experiment;
  std::shared_ptr<SourceSet> sources;  // texts the ranges refer to; null for models built in C++

  // A copy whose graph extends that of this model: what is added to it does not touch this one. It
  // is good as long as nothing is added to this model.
  Model extended() const;
  // A copy with a graph of its own.
  Model detached() const;

  // --- building -------------------------------------------------------------------------------
  Expr time();
  Expr variable(std::string name);  // a continuous Real
  Expr variable(Variable variable);
  std::vector<Expr> variables(const std::string& name, int count);  // name[1], name[2], ...
  // A variable that is given from outside, by the options of a run. Without a signal it keeps its
  // start value, which is zero if it has none.
  Expr input(std::string name, const Expr& start = 0.0);
  Expr input(Variable variable);
  void output(std::string name);  // a variable or an alias that is meant for others
  Expr parameter(std::string name, double value);
  Expr parameter(Parameter parameter);
  Expr parameter(std::string name, const Expr& binding);
  // Gives a declared parameter a binding, which may refer to parameters declared after it.
  void bind(const Expr& parameter, const Expr& binding);

  // Without a name an equation is called f1, f2, ... by its position.
  EqId equation(const Equality& equality, std::string name = "");
  EqId equation(const Expr& residual, std::string name = "");  // residual == 0
  EqId equation(Equation equation);
  // Takes equations out that follow from the others: implied_equations(). A run checks that they
  // do.
  void imply(const std::vector<EqId>& equations);
  void initial_equation(const Equality& equality, std::string name = "");
  void initial_equation(Equation equation);
  void when(WhenClause clause);
  void assertion(Assertion assertion);
  void path_constraint(PathConstraint constraint);
  FunctionId function(Function function);
  Expr call(FunctionId function, std::span<const Expr> arguments, int output = 0);
  void alias(Alias alias);

  // Guess or fixed value of a variable or of its derivative: m.fix(der(x), 0.0).
  void start(const Expr& variable, const Expr& value);
  void fix(const Expr& variable, const Expr& value);
  void bounds(const Expr& variable, double min, double max);
  void nominal(const Expr& variable, double value);
  void free_at_events(const Expr& variable);

  // What an input is, in the place of its start value.
  void drive(const ModelInput& input, const Expr& value);

  // New value of a parameter; throws if its value shaped the model or follows from a binding.
  void set_parameter(ParamId parameter, double value);

  // --- reading --------------------------------------------------------------------------------
  Graph& graph() const { return *graph_; }
  const std::shared_ptr<Graph>& shared_graph() const { return graph_; }
  std::size_t num_variables() const { return variables_.size(); }
  std::size_t num_equations() const { return equations_.size(); }
  const IdVector<VarId, Variable>& all_variables() const { return variables_; }
  const IdVector<ParamId, Parameter>& parameters() const { return parameters_; }
  const IdVector<EqId, Equation>& equations() const { return equations_; }
  const std::vector<Equation>& implied_equations() const { return implied_equations_; }
  const std::vector<Equation>& initial_equations() const { return initial_equations_; }
  const std::vector<WhenClause>& when_clauses() const { return when_clauses_; }
  const std::vector<Assertion>& assertions() const { return assertions_; }
  const std::vector<PathConstraint>& path_constraints() const { return path_constraints_; }
  const IdVector<FunctionId, Function>& functions() const { return functions_; }
  const std::vector<Alias>& aliases() const { return aliases_; }
  const std::vector<ModelInput>& inputs() const { return inputs_; }
  VarId variable_of(const ModelInput& input) const;
  const std::vector<std::string>& outputs() const { return outputs_; }
  std::optional<VarId> find_variable(const std::string& name) const;
  std::optional<ParamId> find_parameter(const std::string& name) const;
  const Alias* find_alias(const std::string& name) const;  // null if there is none

  NodeId residual(EqId equation) const;  // lhs - rhs
  // Values of all parameters, those with a binding computed. ModelError if a binding depends on its
  // own parameter or is undefined.
  std::vector<double> parameter_values() const;
  Names names() const;  // good as long as the model stays where it is
  // For reading: beyond 10,000 characters the text ends in `...`, since what the graph shares is
  // written out.
  std::string to_string(const Expr& expr) const;
  // "der(x, 2)" for order 2 of x.
  std::string variable_name(VarId variable, int order = 0) const;

 private:
  // A variable, parameter or alias found by its name.
  struct Named {
    enum class Kind : std::uint8_t { kVariable, kParameter, kAlias };
    Kind kind;
    std::uint32_t index;
  };
  const std::string& name_of(Named named) const;
  std::optional<Named> find(std::string_view name) const;
  void add_name(Named named);
  void check_new_name(const std::string& name, const char* what) const;
  Expr own(const Expr& expr, const std::string& where) const;
  Expr own_value(const Expr& expr, const std::string& where) const;
  Leaf leaf_of(const Expr& expr, const std::string& where) const;
  void set_start(const Expr& variable, const Expr& value, bool fixed);
  void own_starts(Variable& variable) const;
  void own_sides(Equation& equation) const;
  void own_action(WhenAction& action) const;

  std::string name_;
  std::shared_ptr<Graph> graph_;
  IdVector<VarId, Variable> variables_;
  IdVector<ParamId, Parameter> parameters_;
  IdVector<EqId, Equation> equations_;
  std::vector<Equation> implied_equations_, initial_equations_;
  std::vector<WhenClause> when_clauses_;
  std::vector<Assertion> assertions_;
  std::vector<PathConstraint> path_constraints_;
  IdVector<FunctionId, Function> functions_;
  std::vector<Alias> aliases_;
  std::vector<ModelInput> inputs_;
  std::vector<std::string> outputs_;
  std::vector<std::uint64_t> name_table_;  // open addressing; the names are in the lists above
  std::size_t num_names_ = 0;
};

// Records a DAETS-style function template once:
//     struct { template <class T> void operator()(T t, const T* x, T* f) const { ... diff(x[0], 2)
//     ... } }
// or with a fourth parameter `void* parameters`, which is passed on. Variables are named x[1].. or
// as given; equations f1, f2, ...
template <class F>
std::vector<Expr> record(Model& model, F&& f, int n, const std::vector<std::string>& names = {},
                         void* parameters = nullptr) {
  std::vector<Expr> x;
  if (names.empty()) x = model.variables("x", n);
  for (const std::string& name : names) x.push_back(model.variable(name));
  std::vector<Expr> residuals(x.size());
  const Expr* variables = x.data();
  if constexpr (std::is_invocable_v<F&, Expr, const Expr*, Expr*, void*>)
    f(model.time(), variables, residuals.data(), parameters);
  else
    f(model.time(), variables, residuals.data());
  for (const Expr& residual : residuals) model.equation(residual);
  return x;
}

}  // namespace hydae
