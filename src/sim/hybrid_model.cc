#include "sim/hybrid_model.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>

#include <hydae/contact.h>
#include <hydae/error.h>

#include "base/check.h"
#include "compile/held_variables.h"
#include "compile/start_values.h"
#include "compile/system.h"
#include "expr/derivative.h"
#include "expr/entire.h"
#include "expr/incidence.h"
#include "expr/rewrite.h"
#include "expr/silent_rounding.h"
#include "expr/switches.h"
#include "expr/walk.h"
#include "sim/followers.h"
#include "sim/guarded_roots.h"
#include "sim/known_at_start.h"
#include "sim/quoted_text.h"
#include "sim/surface_index.h"

namespace hydae {

// Collects everything in the order: continuous equations, discrete equations, when-clauses,
// assertions. So relations are numbered as a reader meets them.
class HybridModel::Builder {
 public:
  Builder(HybridModel& result, const FormOptions& form)
      : r_(result),
        model_(result.model()),
        graph_(result.graph()),
        parameters_(result.model().parameter_values()),
        form_(form),
        surfaces_(graph_, parameters_) {}

  void build() {
    number_discrete_variables();
    collect_roots();
    find_switches();
    held_variables_ = find_held_variables(model_, residuals_);
    lay_out_table();
    for (NodeId id : relation_nodes_) add_relation(id);
    for (NodeId id : counter_nodes_) add_counter(id);
    for (NodeId id : delay_nodes_) add_delay(id);
    for (NodeId id : sample_nodes_) {
      const auto operands = graph_.operands(id);
      r_.ticks_.push_back({operands[0], operands[1]});
    }
    for (GuardedRoot& root : r_.guarded_roots_) complete(root);
    r_.residuals_ = held(residuals_);
    r_.selecting_residuals_ = held(residuals_, /*with_coefficients=*/false);
    add_discrete_parts();
    inline_followers();
    collect_conditions();
    find_coupled_surfaces();
    find_values_read();
  }

 private:
  void number_discrete_variables() {
    r_.discrete_places_.resize(model_.num_variables(), 0);
    for (VarId variable : ids<VarId>(model_.num_variables())) {
      if (!is_discrete(variable)) continue;
      r_.discrete_places_[variable.index()] = r_.discrete_variables_.size();
      r_.discrete_variables_.push_back(variable);
    }
  }

  bool is_discrete(VarId variable) const {
    return variable.index() < model_.num_variables() &&
           model_.all_variables()[variable].kind != VariableKind::kReal;
  }

  // What is evaluated at events only comes last.
  void collect_roots() {
    residuals_ = solved_residuals(model_, r_.observed_);
    if (form_.guards_roots) residuals_ = guard_roots(graph_, residuals_, r_.guarded_roots_);
    roots_ = residuals_;
    for (const Equation& equation : model_.equations())
      if (is_discrete_equation(model_, equation)) {
        roots_.push_back(lowered(equation.lhs));
        roots_.push_back(lowered(equation.rhs));
      }
    for (const WhenClause& clause : model_.when_clauses())
      for (const WhenBranch& branch : clause.branches)
        for (const Expr& condition : branch.conditions) roots_.push_back(lowered(condition));
    for (const Equation& equation : model_.implied_equations())
      roots_.push_back(lowered_residual(equation));
    for (const Assertion& assertion : model_.assertions())
      roots_.push_back(watched(assertion.condition));
    num_watched_roots_ = roots_.size();
    for (const WhenClause& clause : model_.when_clauses())
      for (const WhenBranch& branch : clause.branches)
        for (const WhenAction& action : branch.actions) {
          if (action.kind == WhenAction::Kind::kEquation) roots_.push_back(lowered(action.target));
          roots_.push_back(lowered(action.value));
        }
  }

  NodeId lowered(const Expr& expr) { return lower_switches(graph_, expr.in(graph_)); }
  // In this graph: the sides may be of one that it extends, where nothing is to be added.
  NodeId lowered_residual(const Equation& equation) {
    return lower_switches(
        graph_, graph_.binary(Op::kSub, equation.lhs.in(graph_), equation.rhs.in(graph_)));
  }
  // Relations of an assertion make no events: the run looks when they cease to hold.
  NodeId watched(const Expr& expr) {
    return lower_switches(graph_, silence(graph_, expr.in(graph_)));
  }

  // A when-clause computes with the numbers of its instant: what it alone reads makes no events,
  // and has no memory where the series that would decide a limit may not exist.
  bool is_taken_literally(NodeId id) const {
    if (watched_nodes_.count(id) != 0) return false;
    return is_rounding(graph_.op(id)) || !is_entire(graph_, id);
  }

  // Relations between discrete values are ordinary expressions; the others have bits.
  void find_switches() {
    Walk walk;
    const auto watched_roots = std::span(roots_).subspan(0, num_watched_roots_);
    for (NodeId id : walk.order(graph_, watched_roots)) watched_nodes_.insert(id);
    const auto order = walk.order(graph_, roots_);
    std::map<NodeId, bool> varies;
    for (NodeId id : order) {
      varies[id] = is_varying(id, varies);
      const Op op = graph_.op(id);
      if (is_relation(op)) {
        const auto operands = graph_.operands(id);
        if ((varies[operands[0]] || varies[operands[1]]) && !is_taken_literally(id))
          relation_nodes_.push_back(id);
      }
      if (op == Op::kSample) sample_nodes_.push_back(id);
      if (op == Op::kDelay && !has_no_lag(id)) delay_nodes_.push_back(id);
      if (is_rounding(op) && varies[graph_.operands(id)[0]] && !is_taken_literally(id))
        counter_nodes_.push_back(id);
    }
  }

  // delay(u, 0) is u.
  bool has_no_lag(NodeId delay) {
    const NodeId by = graph_.operands(delay)[1];
    if (contents(graph_, by).has_time) return false;
    const auto lag = number_of(model_, Expr(graph_, by), parameters_);
    return lag && *lag <= 0;
  }

  // Whether a value changes between events.
  bool is_varying(NodeId id, const std::map<NodeId, bool>& varies) const {
    const Op op = graph_.op(id);
    if (op == Op::kTime || op == Op::kDelay) return true;
    if (op == Op::kVariable) return !is_discrete(graph_.leaf_of(id).variable);
    if (is_event_valued(op)) return false;
    const auto operands = graph_.operands(id);
    return std::any_of(operands.begin(), operands.end(),
                       [&](NodeId operand) { return varies.at(operand); });
  }

  // Bits first, two relations for each counter and each delay behind those of the model.
  void lay_out_table() {
    std::size_t slot = r_.first_bit();
    for (NodeId id : relation_nodes_) replacement_[id] = graph_.parameter(ParamId(slot++));
    slot += 2 * (counter_nodes_.size() + delay_nodes_.size());
    for (NodeId id : sample_nodes_) replacement_[id] = graph_.parameter(ParamId(slot++));
    first_value_ = slot;
    slot += 2 * r_.discrete_variables_.size();
    for (NodeId id : counter_nodes_) {
      counter_slots_[id] = slot;
      replacement_[id] = graph_.parameter(ParamId(slot));
      slot += 3;
    }
    for (NodeId id : delay_nodes_) {
      counter_slots_[id] = slot;
      slot += 4 + form_.num_coefficients;
    }
    for (GuardedRoot& root : r_.guarded_roots_) counter_slots_[root.argument] = root.slot = slot++;
    r_.first_impact_pre_ = slot;
    // An inner delay comes before the outer one in document order.
    for (NodeId id : delay_nodes_) replacement_[id] = past_value(id);
  }

  NodeId slot(std::size_t index) { return graph_.parameter(ParamId(index)); }
  // HybridModel::value_slot(), which is not good before all relations and ticks are there.
  std::size_t value_place(VarId discrete) const {
    return first_value_ + 2 * r_.discrete_places_[discrete.index()];
  }

  NodeId past_time(NodeId delay) {
    return rewritten(graph_.binary(Op::kSub, graph_.time(), graph_.operands(delay)[1]));
  }

  // The polynomial of the piece at hand, by Horner's rule.
  NodeId past_value(NodeId delay) {
    const std::size_t first = counter_slots_.at(delay);
    const NodeId x = graph_.binary(Op::kMul, graph_.binary(Op::kSub, past_time(delay), slot(first)),
                                   slot(first + 1));
    NodeId value = slot(first + 4 + form_.num_coefficients - 1);
    for (std::size_t k = form_.num_coefficients - 1; k-- > 0;)
      value = graph_.binary(Op::kAdd, graph_.binary(Op::kMul, value, x), slot(first + 4 + k));
    return value;
  }

  std::vector<NodeId> rewritten(const std::vector<NodeId>& roots) {
    const auto change = [&](NodeId id, const std::vector<NodeId>& operands) {
      const auto at = replacement_.find(id);
      if (at != replacement_.end()) return at->second;
      const bool is_choice = graph_.op(id) == Op::kSelect && counter_slots_.count(id) != 0;
      if (is_choice) return graph_.select(operands[0], operands[1], slot(counter_slots_.at(id)));
      return graph_.op(id) == Op::kDelay && has_no_lag(id) ? operands[0] : NodeId();
    };
    Rewriter<decltype(change)> rewriter(graph_, change);
    std::vector<NodeId> result;
    for (NodeId root : roots) result.push_back(rewriter.rewrite(root));
    return result;
  }
  NodeId rewritten(NodeId root) { return rewritten(std::vector<NodeId>{root}).front(); }

  // Rewritten, and reading discrete values and switched coefficients from the table.
  std::vector<NodeId> held(const std::vector<NodeId>& roots, bool with_coefficients = true) {
    KnownAtStart known(graph_, r_.num_parameters());
    const auto change = [&](NodeId id, const std::vector<NodeId>& operands) {
      const Op op = graph_.op(id);
      if (op == Op::kVariable || op == Op::kPre) {
        const Leaf leaf = graph_.leaf_of(id);
        if (!is_discrete(leaf.variable)) return NodeId();
        if (leaf.order > 0) return graph_.constant(0);
        return slot(value_place(leaf.variable) + (op == Op::kPre ? 1 : 0));
      }
      if (is_rounding(op)) return coefficient(graph_.unary(op, operands[0]), /*never_zero=*/false);
      if (with_coefficients && op == Op::kSelect && is_never_zero(operands[1], known) &&
          is_never_zero(operands[2], known))
        return coefficient(graph_.select(operands[0], operands[1], operands[2]), true);
      return NodeId();
    };
    Rewriter<decltype(change)> rewriter(graph_, change);
    std::vector<NodeId> result;
    for (NodeId root : rewritten(roots)) result.push_back(rewriter.rewrite(root));
    return result;
  }
  NodeId held(NodeId root) { return held(std::vector<NodeId>{root}).front(); }

  // A number, known when the run begins, that is not zero.
  bool is_never_zero(NodeId id, KnownAtStart& known) {
    if (const auto at = coefficient_nodes_.find(id); at != coefficient_nodes_.end()) return true;
    if (graph_.op(id) == Op::kParameter && graph_.node(id).parameter.index() >= r_.num_parameters())
      return false;
    if (!known.holds(id)) return false;
    const auto value = number_of(model_, Expr(graph_, id), parameters_);
    return value && std::isfinite(*value) && *value != 0;
  }

  NodeId coefficient(NodeId value, bool never_zero) {
    if (graph_.is_constant(value) || graph_.op(value) == Op::kParameter) return value;
    const auto [at, is_new] = coefficients_.emplace(value, r_.first_impact_pre_);
    if (is_new) {
      if (never_zero) coefficient_nodes_.insert(slot(r_.first_impact_pre_));
      r_.coefficients_.push_back({value, r_.first_impact_pre_++});
    }
    return slot(at->second);
  }

  void add_relation(NodeId id) {
    const Node node = graph_.node(id);
    Relation relation;
    relation.op = node.op;
    relation.is_silent = node.silent;
    // Equality holds at isolated instants only, or for good.
    relation.is_watched =
        watched_nodes_.count(id) != 0 && node.op != Op::kEqual && node.op != Op::kNotEqual;
    relation.text = to_string(graph_, id, model_.names(), 10'000);
    relation.guard = held(graph_.binary(Op::kSub, node.a, node.b));
    add_relation(std::move(relation));
  }

  std::size_t add_relation(Relation relation) {
    relation.is_time_only = is_affine_in_time(relation.guard, relation.slope);
    add_to_surface(relation.guard);
    r_.relations_.push_back(std::move(relation));
    return r_.relations_.size() - 1;
  }

  std::size_t add_bound(NodeId guard, bool is_silent, std::string text) {
    Relation bound;
    bound.op = Op::kGreaterEqual;
    bound.is_bound = true;
    bound.is_silent = is_silent;
    bound.text = std::move(text);
    bound.guard = guard;
    return add_relation(std::move(bound));
  }

  void add_counter(NodeId id) {
    Counter counter;
    counter.op = graph_.op(id);
    counter.slot = counter_slots_.at(id);
    const NodeId u = held(graph_.operands(id)[0]);
    const std::string text = to_string(graph_, id, model_.names(), 10'000);
    counter.lower = add_bound(graph_.binary(Op::kSub, u, slot(counter.slot + 1)), false, text);
    counter.upper = add_bound(graph_.binary(Op::kSub, slot(counter.slot + 2), u), false, text);
    r_.counters_.push_back(counter);
  }

  void add_delay(NodeId id) {
    Delay delay;
    delay.slot = counter_slots_.at(id);
    delay.num_coefficients = form_.num_coefficients;
    delay.argument = held(graph_.operands(id)[0]);
    delay.past = held(past_time(id));
    const std::string text = to_string(graph_, id, model_.names(), 10'000);
    delay.lower = add_bound(graph_.binary(Op::kSub, delay.past, slot(delay.slot + 2)), true, text);
    delay.upper = add_bound(graph_.binary(Op::kSub, slot(delay.slot + 3), delay.past), true, text);
    const Contents lag = contents(graph_, graph_.operands(id)[1]);
    delay.varies = lag.has_time || lag.has_variables || lag.has_pre || lag.has_delays;
    delay.is_held = !delay.varies && is_held(model_, graph_.operands(id)[0], held_variables_);
    r_.delays_.push_back(delay);
  }

  // In the place of the choice, which its argument was so far.
  void complete(GuardedRoot& root) {
    const NodeId is_positive = graph_.operands(root.argument)[0],
                 power = graph_.operands(root.argument)[1];
    root.text = to_string(graph_, power, model_.names(), kTextInMessage);
    const auto at = std::ranges::find(relation_nodes_, is_positive);
    root.relation = static_cast<std::size_t>(at - relation_nodes_.begin());
    root.argument = graph_.operands(is_positive)[0];
    root.is_bounded = graph_.op(root.argument) == Op::kSelect;
    root.argument = held(root.argument);
  }

  void add_to_surface(NodeId guard) {
    const std::size_t relation = r_.relations_.size();
    auto at = surfaces_.find(guard);
    if (!at) {
      at = {r_.surfaces_.size(), 1};
      surfaces_.add(guard, at->surface);
      r_.surfaces_.push_back({guard, {}});
    }
    r_.surfaces_[at->surface].relations.push_back({relation, at->sign});
    r_.surface_of_.push_back(at->surface);
  }

  bool is_affine_in_time(NodeId guard, NodeId& slope) {
    for (const Leaf& leaf : leaves(graph_, std::span(&guard, 1)))
      if (!is_discrete(leaf.variable)) return false;
    if (!contents(graph_, guard).has_time) return false;
    slope = total_derivative(graph_, guard);
    return !contents(graph_, slope).has_time;
  }

  std::optional<VarId> bare_discrete_variable(const Expr& side) const {
    if (side.is_number() || graph_.op(side.id()) != Op::kVariable) return std::nullopt;
    const Leaf leaf = graph_.leaf_of(side.id());
    if (!is_discrete(leaf.variable) || leaf.order != 0) return std::nullopt;
    return leaf.variable;
  }

  // m = expression, or the other way round. Where both sides are variables, the one that nothing
  // else determines is meant.
  void add_discrete_equations() {
    std::vector<const Equation*> waiting;
    for (const Equation& equation : model_.equations())
      if (is_discrete_equation(model_, equation)) waiting.push_back(&equation);
    std::set<VarId> known;
    for (const WhenClause& clause : model_.when_clauses())
      for (const WhenBranch& branch : clause.branches)
        for (const WhenAction& action : branch.actions)
          if (action.kind == WhenAction::Kind::kAssign)
            if (const auto target = bare_discrete_variable(action.target)) known.insert(*target);
    bool is_forced = false;
    while (!waiting.empty()) {
      const std::size_t before = waiting.size();
      std::erase_if(waiting, [&](const Equation* equation) {
        const auto left = bare_discrete_variable(equation->lhs);
        const auto right = bare_discrete_variable(equation->rhs);
        const bool takes_left = left && known.count(*left) == 0;
        const bool takes_right = right && known.count(*right) == 0;
        if (!is_forced && takes_left && takes_right) return false;
        const bool is_left = takes_left || (left && !takes_right);
        is_forced = false;
        known.insert(is_left ? *left : *right);
        r_.discrete_.push_back({is_left ? *left : *right,
                                rewritten(lowered(is_left ? equation->rhs : equation->lhs))});
        return true;
      });
      is_forced = waiting.size() == before;
    }
  }

  // The branch is a contact: its impulse has a law.
  std::size_t add_contact(const WhenBranch& branch, const ContactClause& contact) {
    HybridContact made;
    made.name = model_.all_variables()[contact.closed].name;
    if (made.name.ends_with(".closed")) made.name.resize(made.name.size() - 7);
    made.gap = rewritten(lowered(contact.gap));
    made.speed = total_derivative(graph_, made.gap);
    made.force = graph_.leaf_of(contact.force.id()).variable;
    made.closed = contact.closed;
    made.relation = relation_of(branch.conditions.front());
    made.row =
        row_of(graph_.select(graph_.variable(contact.closed), contact.gap.id(), contact.force.id()),
               contact.force, contact.source);
    made.law = contact.law;
    r_.contacts_.push_back(std::move(made));
    const std::size_t place = r_.contacts_.size() - 1;
    r_.contact_numbers_.push_back(
        {ContactNumber::Kind::kRestitution, place, contact.restitution, contact.source});
    return place;
  }

  std::size_t relation_of(const Expr& condition) {
    const auto at = std::find(relation_nodes_.begin(), relation_nodes_.end(), lowered(condition));
    HYDAE_CHECK(at != relation_nodes_.end());
    const auto relation = static_cast<std::size_t>(at - relation_nodes_.begin());
    r_.relations_[relation].is_of_contact = true;
    return relation;
  }

  // The equation `wanted` = 0, which determines a force.
  EqId row_of(NodeId wanted, const Expr& force, SourceRange source) const {
    std::size_t row = 0;
    for (EqId eq : ids<EqId>(model_.num_equations())) {
      const Equation& equation = model_.equations()[eq];
      if (is_discrete_equation(model_, equation) || r_.observed_.contains(eq)) continue;
      if (equation.lhs.id() == wanted || equation.rhs.id() == wanted) return EqId(row);
      ++row;
    }
    fail("contact-equation",
         fmt::format("the contact of `{}` has no equation `{} = 0`", model_.to_string(force),
                     to_string(graph_, wanted, model_.names(), kTextInMessage)),
         source);
  }

  [[noreturn]] static void fail(const char* code, const std::string& message, SourceRange source) {
    Diagnostics diagnostics;
    diagnostics.error(code, message, source);
    throw ModelError(std::move(diagnostics));
  }

  // The contact whose friction the branch is, if it is one.
  std::optional<std::size_t> add_friction(const WhenBranch& branch) {
    const auto friction = find_friction(model_, branch);
    if (!friction) return std::nullopt;
    const auto contact =
        std::find_if(r_.contacts_.begin(), r_.contacts_.end(),
                     [&](const HybridContact& other) { return other.closed == friction->closed; });
    if (contact == r_.contacts_.end())
      fail(
          "contact-equation",
          fmt::format("the friction `{}` belongs to no contact", model_.to_string(friction->force)),
          friction->source);
    HybridFriction made;
    made.slip = rewritten(lowered(friction->slip));
    made.forward = friction->forward;
    made.backward = friction->backward;
    made.turns = relation_of(branch.conditions[0]);
    r_.relations_[made.turns].is_slip = true;
    made.breaks_forward = relation_of(branch.conditions[1]);
    made.breaks_backward = relation_of(branch.conditions[2]);
    made.row = row_selected_by(*friction);
    contact->friction = std::move(made);
    const auto place = static_cast<std::size_t>(contact - r_.contacts_.begin());
    const auto add_number = [&](ContactNumber::Kind kind, const Expr& value) {
      r_.contact_numbers_.push_back({kind, place, value, friction->source});
    };
    add_number(ContactNumber::Kind::kFriction, friction->mu);
    add_number(ContactNumber::Kind::kStaticFriction, friction->mu_static);
    add_number(ContactNumber::Kind::kTangentialRestitution, friction->restitution);
    return place;
  }

  // The equation of the friction force: it begins with `if forward`.
  EqId row_selected_by(const FrictionClause& friction) const {
    const NodeId forward = graph_.variable(friction.forward);
    for (EqId eq : ids<EqId>(model_.num_equations()))
      for (const Expr& side : {model_.equations()[eq].lhs, model_.equations()[eq].rhs})
        if (!side.is_number() && graph_.op(side.id()) == Op::kSelect &&
            graph_.operands(side.id())[0] == forward)
          return row_of(side.id(), friction.force, friction.source);
    return row_of(friction.force.id(), friction.force, friction.source);
  }

  void add_discrete_parts() {
    add_discrete_equations();
    for (const WhenClause& clause : model_.when_clauses()) {
      std::vector<HybridBranch> branches;
      for (const WhenBranch& branch : clause.branches) branches.push_back(make_branch(branch));
      r_.whens_.push_back(std::move(branches));
    }
    for (const Assertion& assertion : model_.assertions())
      r_.assertions_.emplace_back(rewritten(watched(assertion.condition)), &assertion);
    for (const Equation& equation : model_.implied_equations()) add_implied(equation);
  }

  void add_implied(const Equation& equation) {
    ImpliedResidual implied;
    implied.residual = rewritten(lowered_residual(equation));
    implied.side = rewritten(lowered(equation.lhs));
    implied.equation = &equation;
    for (const Partial& entry : gradient(graph_, implied.residual)) {
      implied.leaves.push_back(entry.leaf);
      implied.slopes.push_back(entry.derivative);
    }
    r_.implied_.push_back(std::move(implied));
  }

  HybridBranch make_branch(const WhenBranch& branch) {
    HybridBranch result;
    if (const auto contact = find_contact(model_, branch))
      result.contact = add_contact(branch, *contact);
    else
      result.contact = add_friction(branch);
    for (const Expr& condition : branch.conditions)
      result.conditions.push_back(rewritten(lowered(condition)));
    if (result.contact) return result;  // its actions are those of the contact
    for (const WhenAction& action : branch.actions) {
      if (action.kind == WhenAction::Kind::kEquation || action.kind == WhenAction::Kind::kImpulse) {
        if (!result.impact) result.impact = add_impact(branch);
        continue;
      }
      HybridAction made;
      made.kind = action.kind;
      made.source = &action;
      if (!action.target.is_number() && graph_.op(action.target.id()) == Op::kVariable)
        made.target = graph_.leaf_of(action.target.id());
      made.value = rewritten(lowered(action.value));
      result.actions.push_back(made);
    }
    return result;
  }

  std::size_t add_impact(const WhenBranch& branch) {
    ImpactClause impact;
    for (const WhenAction& action : branch.actions) {
      if (action.kind == WhenAction::Kind::kImpulse)
        impact.carriers.push_back(graph_.leaf_of(action.target.id()).variable);
      if (action.kind != WhenAction::Kind::kEquation) continue;
      const NodeId residual =
          graph_.binary(Op::kSub, action.target.in(graph_), action.value.in(graph_));
      impact.residuals.push_back(with_left_limits(rewritten(lower_switches(graph_, residual))));
      impact.texts.push_back(
          fmt::format("{} = {}", model_.to_string(action.target), model_.to_string(action.value)));
    }
    check_counts(impact, branch);
    r_.impacts_.push_back(std::move(impact));
    return r_.impacts_.size() - 1;
  }

  void check_counts(const ImpactClause& impact, const WhenBranch& branch) const {
    if (impact.residuals.size() == impact.carriers.size()) return;
    std::vector<std::string> names;
    for (VarId carrier : impact.carriers) names.push_back(model_.all_variables()[carrier].name);
    const bool is_under = impact.residuals.size() < impact.carriers.size();
    Diagnostics diagnostics;
    diagnostics
        .error(is_under ? "impact-under-specified" : "impact-over-specified",
               fmt::format("an impact with {} equation{} and {} impulse{}{}{}",
                           impact.residuals.size(), impact.residuals.size() == 1 ? "" : "s",
                           impact.carriers.size(), impact.carriers.size() == 1 ? "" : "s",
                           names.empty() ? "" : ": ", quoted_list(names)),
               branch.actions.front().source)
        .help = is_under ? "add an equation between new values and pre() values for each impulse"
                         : "name the variables that carry the impulses: impulse(F)";
    throw ModelError(std::move(diagnostics));
  }

  // pre(x) of a continuous variable becomes a place in the table.
  NodeId with_left_limits(NodeId root) {
    const auto change = [&](NodeId id, const std::vector<NodeId>&) {
      if (graph_.op(id) != Op::kPre) return NodeId();
      const Leaf leaf = graph_.leaf_of(id);
      auto at = std::find(r_.impact_pres_.begin(), r_.impact_pres_.end(), leaf);
      if (at == r_.impact_pres_.end()) at = r_.impact_pres_.insert(at, leaf);
      const auto place = static_cast<std::size_t>(at - r_.impact_pres_.begin());
      return graph_.parameter(ParamId(r_.impact_pre_slot(place)));
    };
    return Rewriter<decltype(change)>(graph_, change).rewrite(root);
  }

  void collect_conditions() {
    std::vector<NodeId> roots = r_.selecting_residuals_;
    roots.insert(roots.end(), r_.residuals_.begin(), r_.residuals_.end());
    for (const Relation& relation : r_.relations_) roots.push_back(relation.guard);
    for (const Delay& delay : r_.delays_) roots.push_back(delay.argument);
    std::set<NodeId> known;
    Walk walk;
    for (NodeId id : walk.order(graph_, roots)) {
      if (graph_.op(id) != Op::kSelect) continue;
      const NodeId condition = graph_.operands(id)[0];
      if (known.insert(condition).second) r_.conditions_.push_back(condition);
    }
  }

  // On a sliding surface a discrete variable that follows its relations is a blend as they are.
  void inline_followers() {
    std::map<NodeId, NodeId> definitions;  // by place in the table
    for (const DiscreteEquation& equation : r_.discrete_)
      definitions[slot(value_place(equation.target))] =
          held({equation.value}, /*with_coefficients=*/false).front();
    std::set<NodeId> memories;
    for (VarId variable : r_.discrete_variables_) memories.insert(slot(value_place(variable) + 1));
    Followers followers(graph_, std::move(definitions), std::move(memories));
    for (NodeId& residual : r_.selecting_residuals_) residual = followers.inlined(residual);
    r_.follows_.assign(model_.num_variables(), false);
    for (const DiscreteEquation& equation : r_.discrete_)
      r_.follows_[equation.target.index()] =
          followers.is_follower(slot(value_place(equation.target)));
  }

  void find_coupled_surfaces() {
    std::vector<NodeId> pending = r_.selecting_residuals_;
    for (const Relation& relation : r_.relations_) pending.push_back(relation.guard);
    std::set<NodeId> visited;
    std::set<std::vector<std::size_t>> coupled;
    while (!pending.empty()) {
      const NodeId id = pending.back();
      pending.pop_back();
      if (!visited.insert(id).second) continue;
      if (graph_.op(id) != Op::kSelect) {
        const auto operands = graph_.operands(id);
        pending.insert(pending.end(), operands.begin(), operands.end());
        continue;
      }
      std::vector<std::size_t> surfaces = r_.surfaces_below(id);
      if (surfaces.size() > 1) coupled.insert(std::move(surfaces));
    }
    r_.coupled_.assign(coupled.begin(), coupled.end());
  }

  // Discrete variables whose places in the table the continuous equations read.
  void find_values_read() {
    std::vector<NodeId> roots = r_.residuals_;
    for (const Relation& relation : r_.relations_) roots.push_back(relation.guard);
    for (const Delay& delay : r_.delays_) roots.push_back(delay.argument);
    for (const SwitchedCoefficient& coefficient : r_.coefficients_)
      roots.push_back(coefficient.value);
    std::set<std::size_t> slots;
    Walk walk;
    for (NodeId id : walk.order(graph_, roots))
      if (graph_.op(id) == Op::kParameter) slots.insert(graph_.node(id).parameter.index());
    r_.is_read_.assign(model_.num_variables(), false);
    for (VarId variable : r_.discrete_variables_)
      r_.is_read_[variable.index()] = slots.count(r_.value_slot(variable)) != 0;
  }

  HybridModel& r_;
  const Model& model_;
  Graph& graph_;
  std::vector<double> parameters_;
  const FormOptions& form_;
  std::size_t num_watched_roots_ = 0, first_value_ = 0;
  std::vector<NodeId> residuals_, roots_, relation_nodes_, sample_nodes_, counter_nodes_,
      delay_nodes_;
  std::set<NodeId> watched_nodes_, coefficient_nodes_;
  std::set<VarId> held_variables_;  // continuous ones that change at events only
  std::map<NodeId, NodeId> replacement_;
  std::map<NodeId, std::size_t> counter_slots_;  // first place of a counter or delay
  std::map<NodeId, std::size_t> coefficients_;
  SurfaceIndex surfaces_;
};

HybridModel::HybridModel(const Model& model, const FormOptions& form)
    : model_(std::make_shared<Model>(model.extended())),
      num_input_coefficients_(form.num_input_coefficients) {
  std::vector<VarId> solved = form.needed;
  if (num_input_coefficients_ > 0) {
    drive_inputs();
    for (const ModelInput& input : model.inputs()) solved.push_back(model.variable_of(input));
  }
  observed_ = find_observed(*model_, solved);
  Builder(*this, form).build();
  read_contact_numbers();
}

std::vector<NodeId> HybridModel::decided(Graph& graph, const std::vector<NodeId>& roots,
                                         const std::vector<bool>& truths) const {
  if (conditions_.empty()) return roots;
  std::map<NodeId, bool> known;
  for (std::size_t k = 0; k < conditions_.size(); ++k) known[conditions_[k]] = truths[k];
  const auto change = [&](NodeId id, const std::vector<NodeId>&) {
    const auto at = known.find(id);
    return at == known.end() ? NodeId() : graph.boolean(at->second);
  };
  Rewriter<decltype(change)> rewriter(graph, change);
  std::vector<NodeId> result;
  for (NodeId root : roots) result.push_back(rewriter.rewrite(root));
  return result;
}

}  // namespace hydae
