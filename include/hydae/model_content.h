// Module: model
// What a flat model consists of, to be read: variables, parameters, equations, events, functions,
// in the order in which they were declared, and by their names.
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

class ModelContent;

// One namespace for variables, parameters and aliases. The table holds numbers only; each name is
// stored once, in its own object.
class NameTable {
 public:
  struct Named {
    enum class Kind : std::uint8_t { kVariable, kParameter, kAlias };
    Kind kind;
    std::uint32_t index;
  };

  std::optional<Named> find(const ModelContent& model, std::string_view name) const;
  void add(const ModelContent& model, Named named);

 private:
  std::vector<std::uint64_t> entries_;  // open addressing
  std::size_t num_names_ = 0;
};

class ModelContent {
 public:
  const std::string& name() const { return name_; }
  std::string description;
  Experiment experiment;
  std::shared_ptr<SourceSet> sources;  // texts the ranges refer to; null for models built in C++

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

  Names names() const;  // good as long as the model stays where it is
  // For reading: beyond 10,000 characters the text ends in `...`, since what the graph shares is
  // written out.
  std::string to_string(const Expr& expr) const;
  // "der(x, 2)" for order 2 of x.
  std::string variable_name(VarId variable, int order = 0) const;

 protected:
  explicit ModelContent(std::string name);

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
  NameTable names_;
};

}  // namespace hydae
