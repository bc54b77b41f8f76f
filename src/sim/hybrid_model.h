// A model with its switches made explicit. Every relation has a guard g = a - b and a bit that says
// whether it holds; the bit is memory, the guard only says when it stops being valid. All
// expressions of the model are rewritten so that they read bits instead of relations. The
// continuous equations read whatever does not change between events from a table of numbers, which
// holds, behind the parameters of the model: pieces of inputs, bits, ticks of sample(), discrete
// values and their pre() values, event counters, pieces of the past for delay(), and switched
// coefficients.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <hydae/contact.h>
#include <hydae/initial_point.h>
#include <hydae/model.h>

#include "compile/system.h"

namespace hydae {

struct Relation {
  NodeId guard;  // a - b, reading bits
  Op op = Op::kGreater;
  bool is_silent = false;     // switches without an event
  bool is_time_only = false;  // between events the guard is an affine function of time
  NodeId slope;               // its time derivative, for time-only guards
  bool is_watched = true;     // false: its truth matters at events only
  // It bounds the piece of a counter or of a past signal: it always holds, and where it would cease
  // to, the next piece begins.
  bool is_bound = false;
  bool is_of_contact = false;  // true: a contact is violated; this is no memory
  bool is_slip = false;        // of a contact that slides
  std::string text;

  // Sign of the guard that a value of the bit stands for.
  int held_sign(bool bit) const;
  // Truth for a guard of this sign; 0 is identically zero.
  bool truth(int sign) const;
};

// Where relations switch together: all that have the same guard, up to its sign.
struct Surface {
  NodeId guard;
  struct Side {
    std::size_t relation;
    int sign;  // of its guard relative to the guard of the surface
  };
  std::vector<Side> relations;
};

struct Tick {  // sample(start, interval)
  NodeId start, interval;
};

// floor(u), ceil(u), trunc(u): a number that stays while lower <= u <= upper. Three places in the
// table: the number and the two bounds.
struct Counter {
  Op op = Op::kFloor;
  std::size_t lower = 0, upper = 0;  // relations u - lower bound >= 0, upper bound - u > 0
  std::size_t slot = 0;
};

// delay(u, lag): while lower <= time - lag <= upper a polynomial in (time - lag - origin) / scale.
// Places in the table: origin, 1/scale, lower, upper, coefficients.
struct Delay {
  NodeId argument;                   // u, reading bits
  NodeId past;                       // time - lag
  std::size_t lower = 0, upper = 0;  // relations
  std::size_t slot = 0;
  std::size_t num_coefficients = 0;
  bool varies = false;   // the lag changes, be it at events only
  bool is_held = false;  // u changes at events only, and the lag is constant
};

// An input that is read from the table: a polynomial in (time - origin) / scale. Places: origin,
// 1/scale, coefficients.
struct HybridInput {
  std::string name;
  VariableKind kind;
  Expr start;  // the value that it has if nobody gives one
  std::size_t slot = 0;
};

// A root that may stay at zero (guarded_roots.h): in a mode that reads its place in the table,
// which is zero for ever, the zero stands for the root.
struct GuardedRoot {
  NodeId argument;
  std::size_t relation = 0;  // that the argument is positive
  std::size_t slot = 0;
  bool is_bounded = false;  // the model says what the argument is there: max(..., 0), abs(...)
  std::string text{};
};

// What decides about the form of a model, beside its numbers.
struct FormOptions {
  std::size_t num_coefficients = 1;  // of the polynomials that a delay() keeps
  // Of the polynomials that inputs read; zero: inputs keep their start values.
  std::size_t num_input_coefficients = 0;
  std::vector<VarId> needed{};  // solved for although nothing reads them
  bool guards_roots = false;    // guarded_roots.h

  bool operator==(const FormOptions&) const = default;
};

// An expression of discrete data that multiplies or adds in the continuous equations and is never
// zero: its value is a number in the table, not a mode.
struct SwitchedCoefficient {
  NodeId value;
  std::size_t slot = 0;
};

struct DiscreteEquation {
  VarId target;
  NodeId value;
};

struct HybridAction {
  WhenAction::Kind kind;
  Leaf target;
  NodeId value;
  const WhenAction* source = nullptr;
};

struct HybridBranch {
  std::vector<NodeId> conditions;
  std::vector<HybridAction> actions;
  std::optional<std::size_t> impact;   // position in impacts()
  std::optional<std::size_t> contact;  // position in contacts(), also for its friction
};

// The impact law of one branch of a when-clause: at the instant its equations hold between right
// and left limits, and the variables of impulse() carry the impulses that this takes.
struct ImpactClause {
  std::vector<NodeId> residuals;   // left limits are read from the table
  std::vector<std::string> texts;  // of the equations
  std::vector<VarId> carriers;     // as many
};

// Coulomb friction of a contact.
struct HybridFriction {
  NodeId slip;
  VarId forward, backward;  // Booleans
  // Violated: the slip of a sliding contact turns, a sticking one breaks loose.
  std::size_t turns = 0, breaks_forward = 0, breaks_backward = 0;
  EqId row;  // of the force, among residuals()
  double mu = 0, restitution = 0;
};

struct HybridContact {
  std::string name;
  NodeId gap, speed;  // speed: the time derivative of the gap
  VarId force;
  VarId closed;          // Boolean
  std::size_t relation;  // violated: the open gap is negative, or the force of the closed one
  EqId row;              // among residuals()
  double restitution = 0;
  ImpactLaw law = ImpactLaw::kNewton;
  std::optional<HybridFriction> friction{};
};

// A number of a contact, an expression of parameters, and what it may be.
struct ContactNumber {
  enum class Kind : std::uint8_t {
    kRestitution,
    kFriction,
    kStaticFriction,
    kTangentialRestitution,
  };
  Kind kind;
  std::size_t contact = 0;
  Expr value;
  SourceRange source;
};

// An equation that follows from the others (Model::imply), to be checked: its residual, and how it
// depends on what it reads.
struct ImpliedResidual {
  NodeId residual;
  NodeId side;  // one side of the equation: its size is that of rounding errors
  std::vector<Leaf> leaves;
  std::vector<NodeId> slopes;  // by these leaves
  const Equation* equation = nullptr;
};

class HybridModel {
 public:
  // Works on an extension of the model.
  explicit HybridModel(const Model& model, const FormOptions& form = {});

  // The same for one run: with a graph of its own that extends this one, and with other values of
  // parameters, which must not change what has been decided here (parameter_facts.h). UsageError
  // for a parameter that cannot be set, ModelError for a number that a contact cannot have.
  HybridModel for_run(const std::vector<ParameterOverride>& parameters) const;
  // From now on for_run() may be called on several threads, and nobody may add to the graph.
  void freeze() { model_->graph().freeze(); }

  const Model& model() const { return *model_; }
  Graph& graph() const { return model_->graph(); }

  const std::vector<Relation>& relations() const { return relations_; }
  const std::vector<Surface>& surfaces() const { return surfaces_; }
  std::size_t surface_of(std::size_t relation) const { return surface_of_[relation]; }
  // The bits on one side of a surface: side 1, -1, or 0 for the surface itself.
  void set_side(std::size_t surface, int side, std::vector<bool>& bits) const;
  int side_of(std::size_t surface, const std::vector<bool>& bits) const;  // 1, -1 or 0
  // Surfaces whose sides an expression reads, in their order.
  std::vector<std::size_t> surfaces_below(NodeId root) const;
  // The surfaces that one select reads, with all selects inside it, where these are several.
  const std::vector<std::vector<std::size_t>>& coupled_surfaces() const { return coupled_; }
  const std::vector<Tick>& ticks() const { return ticks_; }
  const std::vector<Counter>& counters() const { return counters_; }
  const std::vector<Delay>& delays() const { return delays_; }
  const std::vector<HybridInput>& inputs() const { return inputs_; }
  std::size_t num_input_coefficients() const { return num_input_coefficients_; }
  const std::vector<SwitchedCoefficient>& coefficients() const { return coefficients_; }
  const std::vector<GuardedRoot>& guarded_roots() const { return guarded_roots_; }
  // Variables that take no part in what follows; see compile/observed.h.
  const Observed& observed() const { return observed_; }
  const std::vector<NodeId>& residuals() const { return residuals_; }  // reading bits
  // The same with a select in the place of each switched coefficient, and with the definitions of
  // discrete variables that follow relations in their places.
  const std::vector<NodeId>& selecting_residuals() const { return selecting_residuals_; }
  const std::vector<NodeId>& conditions() const {
    return conditions_;
  }  // of selects in residuals, guards
  const std::vector<DiscreteEquation>& discrete_equations() const { return discrete_; }
  const std::vector<std::vector<HybridBranch>>& whens() const { return whens_; }
  const std::vector<HybridContact>& contacts() const { return contacts_; }
  const std::vector<ImpactClause>& impacts() const { return impacts_; }
  // What the impact laws read under pre(), in the order of their places in the table.
  const std::vector<Leaf>& impact_pres() const { return impact_pres_; }
  const std::vector<VarId>& discrete_variables() const { return discrete_variables_; }
  // True if the continuous equations read the value of a discrete variable.
  bool is_read(VarId discrete) const { return is_read_[discrete.index()]; }
  // True if the value of a discrete variable follows from relations and others like it.
  bool follows_relations(VarId discrete) const { return follows_[discrete.index()]; }
  const std::vector<std::pair<NodeId, const Assertion*>>& assertions() const { return assertions_; }

  const std::vector<ImpliedResidual>& implied() const { return implied_; }

  // Places in the extended table of parameters.
  std::size_t num_parameters() const { return model_->parameters().size(); }
  std::size_t bit_slot(std::size_t relation) const { return first_bit() + relation; }
  std::size_t tick_slot(std::size_t tick) const { return bit_slot(relations_.size()) + tick; }
  std::size_t value_slot(VarId discrete) const {
    return tick_slot(ticks_.size()) + 2 * discrete_places_[discrete.index()];
  }
  std::size_t pre_slot(VarId discrete) const { return value_slot(discrete) + 1; }
  std::size_t impact_pre_slot(std::size_t k) const { return first_impact_pre_ + k; }
  std::size_t table_size() const { return impact_pre_slot(impact_pres_.size()); }

  // With residuals() as a mode has them, in the graph of the mode.
  System system(std::shared_ptr<Graph> nodes, std::vector<NodeId> residuals) const {
    return make_system(*model_, std::move(nodes), std::move(residuals), observed_);
  }

  // Roots with the selects of one mode decided: `truths` of conditions(), in their order. `graph`:
  // where the results stand, this model's or an extension of it.
  std::vector<NodeId> decided(Graph& graph, const std::vector<NodeId>& roots,
                              const std::vector<bool>& truths) const;

 private:
  class Builder;
  void drive_inputs();
  std::size_t first_bit() const {
    return num_parameters() + inputs_.size() * (2 + num_input_coefficients_);
  }
  void read_contact_numbers();
  void read_contact_number(const ContactNumber& number, const std::vector<double>& parameters);

  std::shared_ptr<Model> model_;
  std::shared_ptr<const Model> origin_;  // of a model for a run: what actions and assertions are of
  std::size_t num_input_coefficients_;
  std::vector<HybridInput> inputs_;
  Observed observed_;
  std::vector<Relation> relations_;
  std::vector<Surface> surfaces_;
  std::vector<std::size_t> surface_of_;
  std::vector<std::vector<std::size_t>> coupled_;
  std::vector<Tick> ticks_;
  std::vector<Counter> counters_;
  std::vector<Delay> delays_;
  std::vector<SwitchedCoefficient> coefficients_;
  std::vector<GuardedRoot> guarded_roots_;
  std::vector<NodeId> residuals_, selecting_residuals_, conditions_;
  std::vector<DiscreteEquation> discrete_;
  std::vector<std::vector<HybridBranch>> whens_;
  std::vector<HybridContact> contacts_;
  std::vector<ContactNumber> contact_numbers_;
  std::vector<ImpactClause> impacts_;
  std::vector<Leaf> impact_pres_;
  std::vector<VarId> discrete_variables_;
  std::vector<std::size_t> discrete_places_;  // by VarId, in discrete_variables_
  std::vector<bool> is_read_, follows_;       // by VarId
  std::size_t first_impact_pre_ = 0;          // places before it are the others'
  std::vector<std::pair<NodeId, const Assertion*>> assertions_;
  std::vector<ImpliedResidual> implied_;
};

}  // namespace hydae
