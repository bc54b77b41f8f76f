// Loops of algorithms. A loop whose number of turns is known is run turn by turn; otherwise it is
// recorded for a function program.
#include <map>
#include <set>

#include "modelica/classes/classes.h"
#include "modelica/components/components.h"
#include "modelica/expressions/constant_folding.h"
#include "modelica/expressions/value_scalars.h"
#include "modelica/functions/function_variables.h"
#include "modelica/functions/loop_function.h"
#include "modelica/functions/statements.h"

namespace hydae::modelica {

namespace {

using StatementList = syntax::List<const syntax::Statement*>;

void collect_expressions(const StatementList& statements, std::vector<const syntax::Expr*>& out) {
  for (const syntax::Statement* statement : statements) {
    if (const auto* assign = syntax::find<syntax::AssignStatement>(statement)) {
      out.push_back(assign->target);
      out.push_back(assign->value);
    } else if (const auto* loop = syntax::find<syntax::ForStatement>(statement)) {
      collect_expressions(loop->body, out);
    }
  }
}

void collect_assigned(const StatementList& statements, std::set<Symbol>& out) {
  using namespace syntax;
  const auto add = [&](const syntax::Expr* target) {
    if (const auto* reference = find<ReferenceExpr>(target))
      out.insert(reference->parts.front().name.symbol);
  };
  for (const Statement* statement : statements) {
    if (const auto* assign = find<AssignStatement>(statement)) add(assign->target);
    if (const auto* call = find<AssignCallStatement>(statement))
      for (const syntax::Expr* target : call->targets) add(target);
    if (const auto* choice = find<IfStatement>(statement))
      for (const auto& branch : choice->branches) collect_assigned(branch.body, out);
    if (const auto* loop = find<ForStatement>(statement)) collect_assigned(loop->body, out);
    if (const auto* loop = find<WhileStatement>(statement)) collect_assigned(loop->body, out);
  }
}

void collect_cells(const Value& value, std::vector<NodeId>& out) {
  for_each_cell(value, [&](NodeId cell, BaseType) { out.push_back(cell); });
}

}  // namespace

// ---- for ----

void Statements::run_for(const syntax::ForStatement& statement, std::size_t iterator,
                         const Env& env) {
  if (iterator == statement.iterators.size()) return run(statement.body, env);
  if (run_for_range(statement, iterator, env)) return;
  const syntax::Iterator& at = statement.iterators[iterator];
  std::vector<const syntax::Expr*> body;
  if (at.range == nullptr) collect_expressions(statement.body, body);
  for (Value& value : session_.evaluator->loop_values(at, env, body)) {
    count_step(statement.range);
    const LoopVariable loop{at.name.symbol, std::move(value), env.loops};
    Env inner = env;
    inner.loops = &loop;
    run_for(statement, iterator + 1, inner);
    if (is_stopped(*env.frame)) break;
  }
}

// A range a:d:b whose ends are not known becomes a loop of the program; false if it is known.
bool Statements::run_for_range(const syntax::ForStatement& statement, std::size_t iterator,
                               const Env& env) {
  const syntax::Iterator& at = statement.iterators[iterator];
  const auto* range = syntax::find<syntax::RangeExpr>(at.range);
  if (range == nullptr) return false;
  Evaluator& evaluator = *session_.evaluator;
  const Value start = evaluator.evaluate(*range->start, env);
  const Value stop = evaluator.evaluate(*range->stop, env);
  const Value step =
      range->step == nullptr ? evaluator.integer(1) : evaluator.evaluate(*range->step, env);
  for (const Value* end : {&start, &stop, &step})
    if (!end->is_scalar() || !end->is_numeric()) return false;
  const auto is_known = [&](const Value& value) {
    return session_.folding->is_parameter_expression(value.scalar());
  };
  if (is_known(start) && is_known(stop) && is_known(step)) return false;
  const auto width = session_.folding->find_constant(step.scalar());
  ProgramRecorder* recorder = session_.functions->recorder();
  if (recorder == nullptr || !width) throw NotInlinable{"loop", range->range};
  Graph& graph = *session_.graph;
  const bool is_upward = session_.folding->number(*width) > 0;
  const NodeId counter = recorder->add_register();
  recorder->assign({counter}, {start.scalar()});
  const LoopVariable loop{at.name.symbol, Value::scalar_of(start.type, counter), env.loops};
  Env inner = env;
  inner.loops = &loop;
  RecordedLoop recorded;
  recorded.condition = [&] {
    const Op op = is_upward ? Op::kLessEqual : Op::kGreaterEqual;
    return graph.relation(op, counter, stop.scalar(), true);
  };
  recorded.turn = [&] { run_for(statement, iterator + 1, inner); };
  recorded.counter = LoopCounter{counter, graph.binary(Op::kAdd, counter, *width)};
  record_loop(statement.body, inner, recorded, statement.range);
  return true;
}

// ---- while ----

void Statements::run_while(const syntax::WhileStatement& statement, const Env& env) {
  Graph& graph = *session_.graph;
  Frame& frame = *env.frame;
  const NodeId outer = frame.has_broken;
  while (!is_stopped(frame)) {
    count_step(statement.range);
    const auto condition = [&] {
      return session_.evaluator->scalar(*statement.condition, env, BaseType::kBoolean,
                                        "the condition");
    };
    const NodeId now = condition();
    const std::optional<NodeId> known = session_.folding->find_constant(now);
    const bool is_open =
        !graph.is_constant(frame.has_broken) || !graph.is_constant(frame.has_returned);
    if (!known || is_open) {
      if (session_.functions->recorder() == nullptr)
        throw NotInlinable{"loop", statement.condition->range};
      record_loop(statement.body, env, {condition, [&] { run(statement.body, env); }, {}},
                  statement.range);
      break;
    }
    session_.folding->fold(now, statement.condition->range, "the condition");
    if (session_.folding->number(*known) == 0) break;
    run(statement.body, env);
  }
  frame.has_broken = outer;
}

// ---- recording ----

// What a loop may assign: a variable of the function, or a component of the model.
struct Statements::Place {
  std::size_t slot = 0;
  Component* component = nullptr;

  std::shared_ptr<Value>& in(Frame& frame) const {
    return component == nullptr ? frame.slots[slot] : frame.components.at(component);
  }
};

// Of a model all that the section assigns, in the order of the variables; what this loop leaves
// alone keeps its value.
std::vector<Statements::Place> Statements::places(const StatementList& body, const Env& env) {
  Frame& frame = *env.frame;
  std::vector<Place> out;
  if (frame.function == nullptr) {
    std::map<std::uint32_t, Component*> ordered;
    for (const auto& [component, value] : frame.components)
      if (!value->cells.empty())
        ordered[session_.components->value(*component).cells.front().index()] = component;
    for (const auto& [index, component] : ordered) out.push_back({0, component});
    return out;
  }
  std::set<Symbol> assigned;
  collect_assigned(body, assigned);
  for (const Symbol name : assigned) {
    const Found found = session_.classes->find(name, *env.scope);
    if (found.element == nullptr || found.element->slot < 0) continue;
    out.push_back({static_cast<std::size_t>(found.element->slot), nullptr});
    std::shared_ptr<Value>& slot = out.back().in(frame);
    if (slot == nullptr)
      slot = std::make_shared<Value>(FunctionVariables(session_).blank(*found.element, env));
  }
  return out;
}

// `turn` executes the body once. What it assigns lives in registers, and so does whether a break or
// return has been met.
void Statements::record_loop(const StatementList& body, const Env& env, const RecordedLoop& loop,
                             SourceRange range) {
  const auto& [condition, turn, counter] = loop;
  Graph& graph = *session_.graph;
  Frame& frame = *env.frame;
  ProgramRecorder& recorder = *session_.functions->recorder();
  const std::vector<Place> held = places(body, env);  // the frame moves its values
  std::vector<NodeId> registers, values;
  std::vector<std::shared_ptr<Value>> before;
  for (const Place& place : held) {
    Value value = *place.in(frame);
    replace_cells(value, [&](NodeId cell, BaseType) {
      values.push_back(cell);
      registers.push_back(recorder.add_register());
      return registers.back();
    });
    before.push_back(place.in(frame) = std::make_shared<Value>(std::move(value)));
  }
  const NodeId had_returned = frame.has_returned;
  const NodeId may_run =
      graph.unary(Op::kNot, graph.binary(Op::kOr, had_returned, frame.has_broken));
  const NodeId path = condition_.is_valid() ? graph.binary(Op::kAnd, condition_, may_run) : may_run;
  const NodeId stopped = recorder.add_register(), returned = recorder.add_register();
  registers.insert(registers.end(), {stopped, returned});
  values.insert(values.end(), {graph.boolean(false), graph.boolean(false)});
  recorder.assign(registers, values);

  const NodeId runs = graph.binary(
      Op::kAnd, graph.binary(Op::kAnd, path, graph.unary(Op::kNot, stopped)), condition());
  recorder.begin_loop();
  frame.has_broken = frame.has_returned = graph.boolean(false);
  turn();
  std::vector<NodeId> next;
  for (std::size_t i = 0; i < held.size(); ++i) {
    const std::size_t first = next.size();
    collect_cells(*held[i].in(frame), next);
    std::vector<NodeId> old;
    collect_cells(*before[i], old);
    if (next.size() - first != old.size()) throw NotInlinable{"array size", range};
  }
  for (std::size_t i = 0; i < held.size(); ++i) held[i].in(frame) = before[i];
  restore_unchanged(held, frame, values, next);
  next.push_back(graph.binary(Op::kOr, frame.has_broken, frame.has_returned));
  next.push_back(frame.has_returned);
  if (counter) {
    registers.push_back(counter->now);
    next.push_back(counter->next);
  }
  recorder.assign(registers, std::move(next));
  recorder.end_loop(runs);
  frame.has_returned = graph.binary(Op::kOr, had_returned, returned);
}

// Behind the loop, what no turn changes has the formula that it had before: no register of this
// loop is in it.
void Statements::restore_unchanged(const std::vector<Place>& held, Frame& frame,
                                   const std::vector<NodeId>& values,
                                   const std::vector<NodeId>& next) {
  std::size_t k = 0;
  for (const Place& place : held) {
    Value value = *place.in(frame);
    replace_cells(value, [&](NodeId cell, BaseType) {
      const NodeId out = next[k] == cell ? values[k] : cell;
      ++k;
      return out;
    });
    place.in(frame) = std::make_shared<Value>(std::move(value));
  }
}

}  // namespace hydae::modelica
