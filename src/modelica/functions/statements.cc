#include "modelica/functions/statements.h"

#include <algorithm>
#include <fmt/format.h>

#include "modelica/classes/classes.h"
#include "modelica/components/components.h"
#include "modelica/expressions/call_evaluation.h"
#include "modelica/expressions/constant_folding.h"
#include "modelica/expressions/operators.h"
#include "modelica/expressions/reference.h"
#include "modelica/expressions/subscripts.h"
#include "modelica/functions/function_variables.h"

namespace hydae::modelica {

void Statements::count_step(SourceRange range) {
  if (++steps_ > session_.limits.statements)
    session_.fail("too-many-steps", "this algorithm takes too many steps", range);
}

bool Statements::is_stopped(const Frame& frame) const {
  const Graph& graph = *session_.graph;
  return graph.is_constant(frame.has_returned, 1) || graph.is_constant(frame.has_broken, 1);
}

void Statements::run(const syntax::List<const syntax::Statement*>& statements, const Env& env) {
  Graph& graph = *session_.graph;
  Frame& frame = *env.frame;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    if (is_stopped(frame)) return;
    const NodeId stopped = graph.binary(Op::kOr, frame.has_returned, frame.has_broken);
    if (graph.is_constant(stopped)) {
      run_one(*statements[i], env);
      continue;
    }
    // Perhaps stopped: this statement counts only where it is not.
    Frame before = frame;
    {
      const Guard guard(session_, graph.unary(Op::kNot, stopped));
      run_one(*statements[i], env);
    }
    Frame after = frame;
    frame = std::move(before);
    join(stopped, frame, after, statements[i]->range);
  }
}

void Statements::run_one(const syntax::Statement& statement, const Env& env) {
  using syntax::StatementKind;
  count_step(statement.range);
  session_.check_stack(statement.range);
  Graph& graph = *session_.graph;
  switch (statement.kind) {
    case StatementKind::kAssign: {
      const auto& assignment = syntax::as<syntax::AssignStatement>(statement);
      assign(*assignment.target, session_.evaluator->evaluate(*assignment.value, env), env);
      break;
    }
    case StatementKind::kAssignCall:
      assign_call(syntax::as<syntax::AssignCallStatement>(statement), env);
      break;
    case StatementKind::kCall: {
      const auto& call = *syntax::as<syntax::CallStatement>(statement).call;
      if (hooks_.call) hooks_.call(call, env, condition_);
      break;
    }
    case StatementKind::kIf: run_if(syntax::as<syntax::IfStatement>(statement), 0, env); break;
    case StatementKind::kFor: {
      const NodeId outer = env.frame->has_broken;
      run_for(syntax::as<syntax::ForStatement>(statement), 0, env);
      env.frame->has_broken = outer;
      break;
    }
    case StatementKind::kWhile:
      run_while(syntax::as<syntax::WhileStatement>(statement), env);
      break;
    case StatementKind::kWhen:
      if (!hooks_.when && env.frame->function == nullptr) throw Failure();  // in a when: reported
      if (!hooks_.when)
        session_.fail("misplaced-when", "`when` cannot stand in a function", statement.range);
      hooks_.when(syntax::as<syntax::WhenStatement>(statement), env);
      break;
    case StatementKind::kBreak: env.frame->has_broken = graph.boolean(true); break;
    case StatementKind::kReturn: env.frame->has_returned = graph.boolean(true); break;
  }
}

// ---- conditions ----

void Statements::run_if(const syntax::IfStatement& statement, std::size_t branch, const Env& env) {
  Graph& graph = *session_.graph;
  if (branch == statement.branches.size()) return;
  const auto& at = statement.branches[branch];
  if (at.condition == nullptr) return run(at.body, env);
  const NodeId condition = session_.folding->fold_configuration(
      session_.evaluator->scalar(*at.condition, env, BaseType::kBoolean, "the condition"));
  if (graph.is_constant(condition)) {
    if (graph.constant_value(condition) != 0) return run(at.body, env);
    return run_if(statement, branch + 1, env);
  }
  const NodeId outer = condition_;
  const auto and_outer = [&](NodeId node) {
    return outer.is_valid() ? graph.binary(Op::kAnd, outer, node) : node;
  };
  Frame& frame = *env.frame;
  Frame other = frame;
  const NodeId otherwise = graph.unary(Op::kNot, condition);
  Env else_env = env;
  else_env.frame = &other;
  {
    const Guard guard(session_, condition);
    condition_ = and_outer(condition);
    run(at.body, env);
  }
  {
    const Guard guard(session_, otherwise);
    condition_ = and_outer(otherwise);
    run_if(statement, branch + 1, else_env);
  }
  condition_ = outer;
  join(condition, frame, other, at.range);
}

// A variable that only one of the executions has assigned has a value there only.
void Statements::join_unassigned(NodeId condition, std::size_t slot, Frame& frame,
                                 const Frame& other) {
  Graph& graph = *session_.graph;
  const auto is_without = [&](const Frame& of) {
    if (of.slots[slot] == nullptr) return graph.boolean(true);
    const bool is_partial = slot < of.unassigned.size() && of.unassigned[slot].is_valid();
    return is_partial ? of.unassigned[slot] : graph.boolean(false);
  };
  const NodeId joined = graph.select(condition, is_without(frame), is_without(other));
  const bool is_nowhere = graph.is_constant(joined, 0);
  if (is_nowhere && frame.unassigned.empty()) return;
  frame.unassigned.resize(frame.slots.size());
  frame.unassigned[slot] = is_nowhere ? NodeId() : joined;
}

void Statements::join(NodeId condition, Frame& frame, const Frame& other, SourceRange range) {
  Graph& graph = *session_.graph;
  const auto merge = [&](std::shared_ptr<Value>& a, const std::shared_ptr<Value>& b) {
    if (a == b || b == nullptr) return;
    if (a == nullptr)
      a = b;
    else if (a->sizes != b->sizes)
      throw NotInlinable{"array size", range};
    else
      a = std::make_shared<Value>(Operators(session_).if_value(condition, *a, *b, range));
  };
  for (std::size_t i = 0; i < frame.slots.size(); ++i) {
    join_unassigned(condition, i, frame, other);
    merge(frame.slots[i], other.slots[i]);
  }
  for (auto& [component, value] : frame.components) {
    const auto found = other.components.find(component);
    if (found != other.components.end()) merge(value, found->second);
  }
  for (const auto& [component, value] : other.components)
    frame.components.try_emplace(component, value);
  frame.has_returned = graph.select(condition, frame.has_returned, other.has_returned);
  frame.has_broken = graph.select(condition, frame.has_broken, other.has_broken);
}

// ---- assignments ----

void Statements::assign_call(const syntax::AssignCallStatement& statement, const Env& env) {
  const Value results = Calls(session_).call(*statement.call, env);
  const auto target = [&](std::size_t i) {
    return syntax::find<syntax::ReferenceExpr>(statement.targets[i]);
  };
  if (results.type != BaseType::kTuple) {
    if (statement.targets.size() > 1)
      session_.fail("too-many-results", "the function has one result", statement.range);
    if (target(0) != nullptr) assign(*target(0), results, env);
    return;
  }
  if (statement.targets.size() > results.fields.size())
    session_.fail("too-many-results",
                  fmt::format("the function has {} results", results.fields.size()),
                  statement.range);
  for (std::size_t i = 0; i < statement.targets.size(); ++i)
    if (target(i) != nullptr) assign(*target(i), *results.fields[i].value, env);
}

void Statements::assign(const syntax::ReferenceExpr& target, const Value& value, const Env& env) {
  const syntax::Ident& first = target.parts.front().name;
  for (const LoopVariable* loop = env.loops; loop != nullptr; loop = loop->outer)
    if (loop->name == first.symbol)
      session_.fail(
          "assign-loop-variable",
          fmt::format("the loop variable `{}` cannot be assigned", session_.text(first.symbol)),
          first.range);
  const Found found = session_.classes->find(first.symbol, *env.scope);
  if (found.element == nullptr || found.element->component == nullptr)
    session_.classes->fail_not_found(first.symbol, *env.scope, first.range, "variable");
  Element& element = *found.element;
  Frame& frame = *env.frame;
  if (frame.function == nullptr) return assign_component(*element.component, target, 0, value, env);
  if (element.slot < 0 || element.owner != frame.function)
    session_.fail(
        "assign-outside",
        fmt::format("`{}` is not a variable of the function", session_.text(element.name)),
        first.range);
  if (element.component->causality == syntax::Causality::kInput)
    session_.fail("assign-input",
                  fmt::format("the input `{}` cannot be assigned", session_.text(element.name)),
                  first.range);
  std::shared_ptr<Value>& slot = frame.slots[static_cast<std::size_t>(element.slot)];
  if (target.parts.size() == 1 && target.parts.front().subscripts.empty()) {
    slot = std::make_shared<Value>(
        FunctionVariables(session_).fit(element, Value(value), env, target.range));
    if (!frame.unassigned.empty()) frame.unassigned[static_cast<std::size_t>(element.slot)] = {};
    return;
  }
  if (slot == nullptr)
    session_.fail("unassigned-variable",
                  fmt::format("`{}` has no value yet", session_.text(element.name)), first.range);
  if (slot.use_count() > 1) slot = std::make_shared<Value>(*slot);
  assign_parts(*slot, target.parts, {}, {value, target.range}, env);
}

void Statements::assign_parts(Value& whole, std::span<const syntax::ReferencePart> parts,
                              std::vector<Subscript> chosen, const Assigned& to, const Env& env) {
  const syntax::ReferencePart& part = parts.front();
  const std::size_t outer = chosen.size();
  const Sizes own(whole.sizes.begin() + static_cast<std::ptrdiff_t>(outer), whole.sizes.end());
  for (auto& subscript :
       References(session_).subscripts(part.subscripts, own, env, nullptr, part.name.range))
    chosen.push_back(std::move(subscript));
  // Dimensions without a subscript are taken whole.
  while (chosen.size() < whole.sizes.size()) {
    auto& all = chosen.emplace_back();
    for (int k = 0; k < whole.sizes[chosen.size() - 1]; ++k) all.choice.indices.push_back(k);
  }
  if (parts.size() == 1) return assign_chosen(whole, std::move(chosen), to.value, to.range);
  const Symbol name = parts[1].name.symbol;
  for (Field& field : whole.fields) {
    if (field.name != name) continue;
    Value copy = *field.value;
    assign_parts(copy, parts.subspan(1), std::move(chosen), to, env);
    field.value = std::make_shared<Value>(std::move(copy));
    return;
  }
  session_.fail("name-not-found", fmt::format("there is no field `{}`", session_.text(name)),
                parts[1].name.range);
}

void Statements::assign_chosen(Value& whole, std::vector<Subscript> chosen, Value value,
                               SourceRange range) {
  for (std::size_t d = 0; d < chosen.size(); ++d) {
    if (!chosen[d].index.is_valid()) continue;
    // A subscript that changes: every element is assigned if it is the one.
    const Subscript changing = chosen[d];
    const NodeId index = changing.index;
    chosen[d] = {};
    chosen[d].choice.is_scalar = true;
    for (int i = 0; i < whole.sizes[d]; ++i) {
      Value assigned = whole;
      chosen[d].choice.indices = {i};
      assign_chosen(assigned, chosen, value, range);
      const NodeId is_this = is_index(*session_.graph, index, i + 1);
      whole = Operators(session_).if_value(is_this, assigned, whole, range);
    }
    whole = References(session_).defined_where(changing, std::move(whole));
    return;
  }
  std::vector<Choice> choices;
  Sizes sizes;
  for (auto& subscript : chosen) {
    if (!subscript.choice.is_scalar)
      sizes.push_back(static_cast<int>(subscript.choice.indices.size()));
    choices.push_back(std::move(subscript.choice));
  }
  const bool is_narrowed = whole.type == BaseType::kInteger && value.type == BaseType::kReal;
  const bool has_type = has_same_type(whole, value) && !is_narrowed;
  if (value.sizes != sizes || !has_type)
    session_.fail(has_type ? "size-mismatch" : "type-mismatch",
                  fmt::format("{} cannot be assigned to {}{}", type_text(value),
                              base_type_name(whole.type), sizes_text(sizes)),
                  range);
  modelica::assign(whole, choices, value);
}

// In an algorithm section: the component of the model that the target names.
void Statements::assign_component(Component& named, const syntax::ReferenceExpr& target,
                                  std::size_t part, const Value& value, const Env& env) {
  Component& component = session_.components->real(named);
  session_.components->expand(component);
  const auto parts = std::span<const syntax::ReferencePart>(target.parts).subspan(part);
  if (!component.is_present)
    session_.fail("use-of-conditional",
                  fmt::format("`{}` is absent", session_.components->path(component)),
                  target.range);
  if (component.type->is_builtin()) {
    if (component.variability <= Variability::kParameter && !component.is_free_parameter)
      session_.fail("assign-parameter",
                    fmt::format("the parameter `{}` cannot be assigned",
                                session_.components->path(component)),
                    target.range);
    auto& components = env.frame->components;
    if (!components.contains(&component)) {
      components[&component] = std::make_shared<Value>(session_.components->value(component));
      if (hooks_.first_assignment) hooks_.first_assignment(component);
    }
    std::shared_ptr<Value>& held = components[&component];
    if (held.use_count() > 1) held = std::make_shared<Value>(*held);
    const Value coerced = value;
    return assign_parts(*held, parts, {}, {coerced, target.range}, env);
  }
  if (parts.size() == 1) {
    // A whole record: field by field.
    if (!component.dimensions.empty() || value.type != BaseType::kRecord)
      session_.unsupported("assignments to arrays of records in models are", target.range);
    for (Element* element : component.instances.front()->elements) {
      const Value* field = value.field(element->name);
      if (element->component == nullptr || field == nullptr) continue;
      assign_whole(*element->component, *field, env, target.range);
    }
    return;
  }
  // Of each element that the subscripts name, its part of the value.
  Sizes front;
  const std::vector<std::int64_t> chosen = chosen_instances(component, parts[0], env, front);
  const bool is_split = front.size() <= value.sizes.size() &&
                        std::equal(front.begin(), front.end(), value.sizes.begin());
  if (!is_split)
    session_.fail("size-mismatch",
                  fmt::format("{} cannot be assigned to {} elements of `{}`", type_text(value),
                              sizes_text(front), session_.components->path(component)),
                  target.range);
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    Element* member = session_.classes->find_member(
        *component.instances[static_cast<std::size_t>(chosen[k])], parts[1].name.symbol);
    if (member == nullptr || member->component == nullptr)
      session_.fail("name-not-found",
                    fmt::format("`{}` not found", session_.evaluator->text(target.range)),
                    target.range);
    assign_component(*member->component, target, part + 1,
                     element_at(value, front.size(), static_cast<std::int64_t>(k)), env);
  }
}

// Row-major positions of the elements of an array of components; `sizes` of those dimensions that
// do not disappear.
std::vector<std::int64_t> Statements::chosen_instances(const Component& component,
                                                       const syntax::ReferencePart& part,
                                                       const Env& env, Sizes& sizes) {
  const Sizes own = component.sizes();
  auto subscripts = References(session_).subscripts(part.subscripts, own, env,
                                                    &component.dimensions, part.name.range);
  while (subscripts.size() < own.size()) {
    auto& all = subscripts.emplace_back();
    for (int k = 0; k < own[subscripts.size() - 1]; ++k) all.choice.indices.push_back(k);
  }
  std::vector<std::int64_t> chosen = {0};
  for (std::size_t d = 0; d < own.size(); ++d) {
    if (subscripts[d].index.is_valid())
      session_.unsupported("assignments to changing elements of component arrays are",
                           part.name.range);
    const std::vector<int>& indices = subscripts[d].choice.indices;
    if (!subscripts[d].choice.is_scalar) sizes.push_back(static_cast<int>(indices.size()));
    std::vector<std::int64_t> next;
    for (const std::int64_t linear : chosen)
      for (const int index : indices) next.push_back(linear * own[d] + index);
    chosen = std::move(next);
  }
  return chosen;
}

void Statements::assign_whole(Component& named, const Value& value, const Env& env,
                              SourceRange range) {
  Component& component = session_.components->real(named);
  session_.components->expand(component);
  if (!component.type->is_builtin()) {
    for (Element* element : component.instances.front()->elements) {
      const Value* field = value.field(element->name);
      if (element->component != nullptr && field != nullptr)
        assign_whole(*element->component, *field, env, range);
    }
    return;
  }
  auto& components = env.frame->components;
  if (!components.contains(&component) && hooks_.first_assignment)
    hooks_.first_assignment(component);
  components[&component] = std::make_shared<Value>(
      session_.components->bindings().coerce(Value(value), component, range));
}

}  // namespace hydae::modelica
