#include "modelica/expressions/reference.h"

#include <cmath>
#include <fmt/format.h>

#include "modelica/classes/classes.h"
#include "modelica/classes/requirements.h"
#include "modelica/components/components.h"
#include "modelica/expressions/constant_folding.h"
#include "modelica/expressions/evaluate.h"
#include "modelica/expressions/operators.h"
#include "modelica/expressions/subscripts.h"
#include "modelica/functions/function_variables.h"

namespace hydae::modelica {

const Instance* References::index_type(const syntax::Expr& expr, Instance& scope) {
  const auto* reference = syntax::find<syntax::ReferenceExpr>(&expr);
  if (reference == nullptr) return nullptr;
  Element* element = nullptr;
  for (const syntax::ReferencePart& part : reference->parts) {
    if (!part.subscripts.empty()) return nullptr;
    if (element == nullptr) {
      Instance& from = reference->is_global ? session_.classes->root() : scope;
      element = session_.classes->find(part.name.symbol, from).element;
    } else {
      element = session_.classes->find_member(session_.classes->plain(*element), part.name.symbol);
    }
    if (element == nullptr || !element->is_class()) return nullptr;
  }
  Instance& type = session_.classes->plain(*element);
  session_.classes->elaborate(type);
  const bool is_index =
      type.builtin == BaseType::kBoolean || type.builtin == BaseType::kEnumeration;
  return is_index ? &type : nullptr;
}

// ---- subscripts ----

namespace {

[[noreturn]] void fail_no_literal(Session& session, const EnumType& type,
                                  const syntax::Ident& name) {
  Diagnostic diagnostic;
  diagnostic.code = "name-not-found";
  diagnostic.message =
      fmt::format("{} is no value of this enumeration", hydae::quoted(session.text(name.symbol)));
  diagnostic.range = name.range;
  const auto near = nearest_names(session.text(name.symbol), type.literals);
  if (!near.empty()) diagnostic.help = fmt::format("did you mean {}?", hydae::quoted(near.front()));
  session.fail(std::move(diagnostic));
}

// Zero-based index from the value of a subscript. One that is computed may be wrong where it does
// not count; one that is written down is wrong anywhere.
int checked_index(Session& session, double value, int size, const syntax::Expr& expr,
                  SourceRange array) {
  const auto index = static_cast<std::int64_t>(std::llround(value));
  if (index >= 1 && index <= size) return static_cast<int>(index - 1);
  const std::string message = fmt::format("index {} of `{}` is outside of 1 to {}", index,
                                          session.evaluator->text(array), size);
  const bool may_not_count = session.guard.is_valid() || session.functions->recorder() != nullptr;
  if (size == 0 || expr.kind == syntax::ExprKind::kInteger || !may_not_count)
    session.fail("index-out-of-range", message, expr.range);
  require(session, {"index-out-of-range", session.graph->boolean(false), message, expr.range});
  return 0;
}

// false -> 1, true -> 2.
NodeId from_boolean(Session& session, NodeId cell) {
  Graph& graph = *session.graph;
  return graph.select(cell, graph.constant(2), graph.constant(1));
}

// An index that changes during the simulation is watched: outside of 1 to `size` there is no
// element. In a program the condition is left to the caller, too: that of a loop is looked at in
// every turn.
NodeId watch_index(Session& session, NodeId index, int size, SourceRange range, SourceRange array) {
  Graph& graph = *session.graph;
  if (size == 0)
    session.fail("index-out-of-range", "there is no index into an array without elements", range);
  const NodeId is_inside =
      graph.binary(Op::kAnd, graph.relation(Op::kGreaterEqual, index, graph.constant(1), true),
                   graph.relation(Op::kLessEqual, index, graph.constant(size), true));
  const std::string message =
      fmt::format("index `{}` of `{}` is outside of 1 to {}", session.evaluator->text(range),
                  session.evaluator->text(array), size);
  require(session, {"index-out-of-range", is_inside, message, range});
  return session.functions->recorder() == nullptr ? NodeId() : is_inside;
}

void check_index_type(Session& session, const Value& value, const Dimension* dimension,
                      SourceRange range) {
  BaseType expected = BaseType::kInteger;
  if (dimension != nullptr && dimension->is_boolean) expected = BaseType::kBoolean;
  if (dimension != nullptr && dimension->enumeration != nullptr) expected = BaseType::kEnumeration;
  const bool is_allowed = value.type == expected && (expected != BaseType::kEnumeration ||
                                                     *value.enumeration == *dimension->enumeration);
  // Values without a declaration (results of functions, parts of records) are counted by integers.
  if (is_allowed || (dimension == nullptr && value.type != BaseType::kReal && value.has_cells()))
    return;
  session.fail("index-type",
               fmt::format("this dimension is indexed by {}, not by {}",
                           expected == BaseType::kEnumeration ? dimension->enumeration->name
                                                              : base_type_name(expected),
                           type_text(value)),
               range);
}

}  // namespace

// Whether it is a range whose ends change.
bool References::take_slice(const syntax::Expr& expr, const Env& env, int size, Slice& slice) {
  const auto* range = syntax::find<syntax::RangeExpr>(&expr);
  if (range == nullptr || range->step != nullptr || !slice.is_meant.empty()) return false;
  const NodeId first =
      session_.evaluator->scalar(*range->start, env, BaseType::kInteger, "the start of the range");
  const NodeId last =
      session_.evaluator->scalar(*range->stop, env, BaseType::kInteger, "the end of the range");
  ConstantFolding& folding = *session_.folding;
  if (folding.is_parameter_expression(first) && folding.is_parameter_expression(last)) return false;
  Graph& graph = *session_.graph;
  const auto at_most = [&](NodeId a, NodeId b) {
    return graph.relation(Op::kLessEqual, a, b, /*silent=*/true);
  };
  const NodeId is_inside = graph.binary(Op::kAnd, at_most(graph.constant(1), first),
                                        at_most(last, graph.constant(size)));
  require(session_, {"index-out-of-range",
                     graph.binary(Op::kOr, graph.unary(Op::kNot, at_most(first, last)), is_inside),
                     fmt::format("the range `{}` is not within 1 to {}",
                                 session_.evaluator->text(expr.range), size),
                     expr.range});
  for (int i = 1; i <= size; ++i)
    slice.is_meant.push_back(graph.binary(Op::kAnd, at_most(first, graph.constant(i)),
                                          at_most(graph.constant(i), last)));
  return true;
}

std::vector<Subscript> References::subscripts(const syntax::List<const syntax::Expr*>& exprs,
                                              const Sizes& sizes, const Env& env,
                                              const CheckedList<Dimension>* dimensions,
                                              SourceRange range) {
  if (exprs.size() > sizes.size())
    session_.fail("too-many-subscripts",
                  fmt::format("{} subscripts for {} dimensions", exprs.size(), sizes.size()),
                  range);
  std::vector<Subscript> out;
  for (std::size_t d = 0; d < exprs.size(); ++d) {
    Subscript& subscript = out.emplace_back();
    const syntax::Expr& expr = *exprs[d];
    if (expr.kind == syntax::ExprKind::kColon) {
      for (int i = 0; i < sizes[d]; ++i) subscript.choice.indices.push_back(i);
      continue;
    }
    Env inner = env;
    inner.end_sizes = &sizes;
    inner.end_dimension = static_cast<int>(d);
    inner.slice = nullptr;
    if (env.slice != nullptr && take_slice(expr, inner, sizes[d], *env.slice)) {
      for (int i = 0; i < sizes[d]; ++i) subscript.choice.indices.push_back(i);
      continue;
    }
    const Value value = session_.evaluator->evaluate(expr, inner);
    const Dimension* dimension = dimensions == nullptr ? nullptr : &(*dimensions)[d];
    check_index_type(session_, value, dimension, expr.range);
    if (value.rank() > 1)
      session_.fail("type-mismatch", "a subscript is a scalar or a vector", expr.range);
    subscript.choice.is_scalar = value.is_scalar();
    // Boolean indices count from false.
    const bool is_boolean = value.type == BaseType::kBoolean;
    const int shift = is_boolean ? 1 : 0;
    for (const NodeId cell : value.cells) {
      if (!session_.folding->is_parameter_expression(cell)) {
        if (!value.is_scalar())
          session_.unsupported("vectors of changing subscripts are", expr.range);
        subscript.index = is_boolean ? from_boolean(session_, cell) : cell;
        if (value.type == BaseType::kInteger)
          subscript.is_inside = watch_index(session_, cell, sizes[d], expr.range, range);
        break;
      }
      const NodeId index = session_.folding->fold(cell, expr.range, "the subscript");
      subscript.choice.indices.push_back(
          checked_index(session_, session_.folding->number(index) + shift, sizes[d], expr, range));
    }
  }
  return out;
}

Value References::defined_where(const Subscript& subscript, Value value) {
  Graph& graph = *session_.graph;
  if (!subscript.is_inside.is_valid() || !value.is_numeric()) return value;
  for (NodeId& cell : value.cells)
    cell = graph.select(subscript.is_inside, cell, undefined_number(graph));
  return value;
}

Value References::subscript(const Value& value, const std::vector<Subscript>& subscripts) {
  std::vector<Choice> choices;
  for (std::size_t d = 0; d < subscripts.size(); ++d) {
    if (!subscripts[d].index.is_valid()) {
      choices.push_back(subscripts[d].choice);
      continue;
    }
    // A subscript that changes: one alternative for each index.
    std::vector<Subscript> fixed = subscripts;
    fixed[d] = Subscript();
    fixed[d].choice.is_scalar = true;
    fixed[d].choice.indices = {value.sizes[d] - 1};
    Value out = defined_where(subscripts[d], this->subscript(value, fixed));
    for (int i = value.sizes[d] - 2; i >= 0; --i) {
      fixed[d].choice.indices = {i};
      const NodeId is_this = is_index(*session_.graph, subscripts[d].index, i + 1);
      out =
          Operators(session_).if_value(is_this, this->subscript(value, fixed), out, SourceRange());
    }
    return out;
  }
  return choose(value, choices);
}

Value References::select_parts(const Value& root, std::span<const syntax::ReferencePart> parts,
                               const Env& env) {
  std::shared_ptr<const Value> kept;
  const Value* value = &root;
  const auto keep = [&](std::shared_ptr<const Value> next) {
    kept = std::move(next);
    value = kept.get();
  };
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const syntax::ReferencePart& part = parts[i];
    std::size_t skip = 0;  // dimensions of the records around a field come first
    if (i > 0) {
      skip = value->sizes.size();
      std::shared_ptr<const Value> next;
      for (const Field& field : value->fields)
        if (field.name == part.name.symbol) next = field.value;
      if (next == nullptr)
        session_.fail(
            "name-not-found",
            fmt::format("{} has no field `{}`", type_text(*value), session_.text(part.name.symbol)),
            part.name.range);
      keep(std::move(next));
    }
    if (part.subscripts.empty()) continue;
    const Sizes own(value->sizes.begin() + static_cast<std::ptrdiff_t>(skip), value->sizes.end());
    std::vector<Subscript> all;
    for (std::size_t d = 0; d < skip; ++d) {
      Subscript& whole = all.emplace_back();
      for (int k = 0; k < value->sizes[d]; ++k) whole.choice.indices.push_back(k);
    }
    for (Subscript& subscript : subscripts(part.subscripts, own, env, nullptr, part.name.range))
      all.push_back(std::move(subscript));
    keep(std::make_shared<Value>(subscript(*value, all)));
  }
  return *value;
}

// ---- components ----

void References::check_reachable(const Found& found, Component& component, SourceRange range,
                                 const Env& env) {
  if (!found.is_enclosing) return;
  session_.components->resolve(component);
  if (component.variability == Variability::kConstant || component.link.is_outer) return;
  Diagnostic diagnostic;
  diagnostic.code = "non-constant-from-enclosing-class";
  const std::string name = session_.text(component.element->name);
  const std::string owner =
      found.scope->def == nullptr ? "" : session_.text(found.scope->def->name);
  diagnostic.message = fmt::format(
      "`{}` is a {} of the enclosing class `{}`; only constants can be used here", name,
      component.variability == Variability::kParameter ? "parameter" : "variable", owner);
  diagnostic.range = range;
  diagnostic.notes.push_back({"declared here", component.element->declaration->range()});
  if (env.scope->def != nullptr)
    diagnostic.help = fmt::format("give `{}` a parameter `{}` of its own and pass it on",
                                  session_.text(env.scope->def->name), name);
  session_.fail(std::move(diagnostic));
}

// A variable of the function that is executed; null if it is something else.
const Value* References::find_in_frames(Element& element, const Env& env, SourceRange range) {
  if (element.slot < 0) return nullptr;
  for (Frame* frame = env.frame; frame != nullptr; frame = frame->outer) {
    if (frame->function != element.owner) continue;
    const auto& value = frame->slots[static_cast<std::size_t>(element.slot)];
    // Declarations are evaluated in the order in which they need each other.
    if (value == nullptr) FunctionVariables(session_).declare(element, *frame, env);
    if (value == nullptr)
      session_.fail("unassigned-variable",
                    fmt::format("`{}` is used before it has a value", session_.text(element.name)),
                    range);
    const auto slot = static_cast<std::size_t>(element.slot);
    if (slot < frame->unassigned.size() && frame->unassigned[slot].is_valid())
      require(
          session_,
          {"unassigned-variable", session_.graph->unary(Op::kNot, frame->unassigned[slot]),
           fmt::format("`{}` is used before it has a value", session_.text(element.name)), range});
    return value.get();
  }
  return nullptr;
}

namespace {

// 3.6.7: time passes in models and blocks.
void check_time(Session& session, Instance& scope, SourceRange range) {
  const bool is_data = session.classes->is_record(scope) || session.classes->is_connector(scope) ||
                       session.classes->is_kind(scope, syntax::ClassKind::kPackage);
  if (is_data)
    session
        .error(
            "misplaced-time",
            fmt::format("`time` is used in `{}`, which is no model", session.text(scope.def->name)),
            range)
        .help = "the model that has it can write `time` in a modifier";
}

}  // namespace

Value References::reference(const syntax::ReferenceExpr& expr, const Env& env) {
  if (expr.parts.empty()) throw Failure();
  const syntax::ReferencePart& first = expr.parts.front();
  const Symbol name = first.name.symbol;
  if (!expr.is_global) {
    for (const LoopVariable* loop = env.loops; loop != nullptr; loop = loop->outer)
      if (loop->name == name) return select_parts(loop->value, expr.parts, env);
  }
  Instance& from = expr.is_global ? session_.classes->root() : *env.scope;
  const Found found = session_.classes->find(name, from);
  if (found.element == nullptr) {
    const bool is_time = name == session_.names.time && expr.parts.size() == 1;
    if (is_time && env.frame != nullptr && env.frame->function != nullptr)
      session_.fail("time-in-function", "a function cannot read `time`: make it an input",
                    first.name.range);
    if (is_time) check_time(session_, *env.scope, first.name.range);
    if (is_time) return Value::scalar_of(BaseType::kReal, session_.graph->time());
    session_.classes->fail_not_found(name, *env.scope, first.name.range, "name");
  }
  Element& element = *found.element;
  if (element.component == nullptr) return read_class_member(element, expr, 1, env);
  if (const Value* value = find_in_frames(element, env, first.name.range))
    return select_parts(*value, expr.parts, env);
  check_reachable(found, *element.component, first.name.range, env);
  return read_component(*element.component, expr, 0, env);
}

Value References::read_class_member(Element& cls, const syntax::ReferenceExpr& expr,
                                    std::size_t next, const Env& env) {
  Instance& scope = session_.classes->plain(cls);
  session_.classes->elaborate(scope);
  if (next == expr.parts.size())
    session_.fail("not-a-value",
                  fmt::format("`{}` is a class, not a value", session_.evaluator->text(expr.range)),
                  expr.range);
  const syntax::ReferencePart& part = expr.parts[next];
  if (scope.builtin == BaseType::kEnumeration) {
    const auto& symbols = scope.enumeration->symbols;
    for (std::size_t i = 0; i < symbols.size(); ++i)
      if (symbols[i] == part.name.symbol && next + 1 == expr.parts.size()) {
        Value literal = session_.evaluator->integer(static_cast<std::int64_t>(i + 1));
        literal.type = BaseType::kEnumeration;
        literal.enumeration = scope.enumeration;
        return literal;
      }
    if (next + 1 == expr.parts.size()) fail_no_literal(session_, *scope.enumeration, part.name);
  }
  Element* member = session_.classes->find_member(scope, part.name.symbol);
  if (member == nullptr)
    session_.classes->fail_not_found(part.name.symbol, scope, part.name.range, "name");
  if (member->component == nullptr) return read_class_member(*member, expr, next + 1, env);
  session_.components->resolve(*member->component);
  if (member->component->variability != Variability::kConstant)
    session_.fail("not-a-constant",
                  fmt::format("`{}` is not a constant: only constants of a class can be used",
                              session_.evaluator->text(expr.range)),
                  expr.range);
  return read_component(*member->component, expr, next, env);
}

// The value kept for a component of a predefined type; null for a record.
int References::dimension_size(const syntax::ReferenceExpr& expr, std::size_t p, std::size_t d,
                               const Env& env) {
  const auto size_of = [&](const Sizes& sizes) {
    if (d >= sizes.size())
      session_.fail("too-many-subscripts", "more subscripts than dimensions", expr.range);
    return sizes[d];
  };
  const Found found = session_.classes->find(expr.parts.front().name.symbol, *env.scope);
  if (found.element == nullptr || found.element->component == nullptr)
    session_.classes->fail_not_found(expr.parts.front().name.symbol, *env.scope,
                                     expr.parts.front().name.range, "name");
  if (const Value* value = find_in_frames(*found.element, env, expr.range)) {
    if (p != 0) session_.unsupported("implicit ranges over record fields are", expr.range);
    return size_of(value->sizes);
  }
  Component* component = &session_.components->real(*found.element->component);
  session_.components->expand(*component);
  for (std::size_t i = 1; i <= p; ++i) {
    Element* member = component->instances.empty()
                          ? nullptr
                          : session_.classes->find_member(*component->instances.front(),
                                                          expr.parts[i].name.symbol);
    if (member == nullptr || member->component == nullptr)
      session_.fail("name-not-found",
                    fmt::format("`{}` not found", session_.evaluator->text(expr.range)),
                    expr.range);
    component = &session_.components->real(*member->component);
    session_.components->expand(*component);
  }
  return size_of(component->sizes());
}

const Value* References::stored_value(Component& component, const Env& env) {
  if (env.frame != nullptr) {
    const auto found = env.frame->components.find(&component);
    if (found != env.frame->components.end()) return found->second.get();
  }
  return component.type->is_builtin() ? &session_.components->value(component) : nullptr;
}

// A component of a class with components, as a record of its public parts.
Value References::record_value(Instance& instance, const Env& env) {
  Value out;
  out.type = BaseType::kRecord;
  out.record = instance.component != nullptr ? instance.component->type_element : nullptr;
  session_.classes->elaborate(instance);
  for (Element* element : instance.elements) {
    if (element->component == nullptr) continue;
    Component& component = session_.components->real(*element->component);
    session_.components->expand(component);
    if (!component.is_present) continue;
    const Value* stored = stored_value(component, env);
    out.fields.push_back(
        {element->name, std::make_shared<Value>(stored ? *stored : record_value(component, env))});
  }
  return out;
}

Value References::record_value(Component& component, const Env& env) {
  session_.check_stack(component.element->declaration->range());
  if (component.dimensions.empty()) return record_value(*component.instances.front(), env);
  std::vector<Value> items;
  for (Instance* instance : component.instances) items.push_back(record_value(*instance, env));
  Value empty;
  empty.type = BaseType::kRecord;
  Value flat = stack(items, empty);
  // Row by row: the one stacked dimension becomes all dimensions of the component.
  const Sizes sizes = component.sizes();
  reshape_front(flat, sizes);
  return flat;
}

Value References::component_value(Component& component) {
  const Value* stored = stored_value(component, Env());
  return stored != nullptr ? *stored : record_value(component, Env());
}

// The inner component may have more than the class of the outer one, through which it is seen
// (5.4).
void References::check_seen_through(const Component& named, const syntax::ReferenceExpr& expr,
                                    std::size_t part) {
  const bool has_next = part + 1 < expr.parts.size();
  if (!named.link.is_outer || named.type->is_builtin() || !has_next) return;
  const syntax::Ident& next = expr.parts[part + 1].name;
  if (session_.classes->find_member(*named.type, next.symbol) == nullptr)
    session_.classes->fail_not_found(next.symbol, *named.type, next.range, "element");
}

Value References::read_component(Component& named, const syntax::ReferenceExpr& expr,
                                 std::size_t part, const Env& env) {
  Component& component = session_.components->real(named);
  session_.components->expand(component);
  if (component.marks.is_conditional) {
    Diagnostic diagnostic;
    diagnostic.code = "use-of-conditional";
    diagnostic.message = fmt::format("`{}` may be absent: it can only be connected or modified",
                                     session_.text(component.element->name));
    diagnostic.range = expr.range;
    diagnostic.notes.push_back({"conditional here", component.element->declaration->range()});
    diagnostic.help = fmt::format("connect `{}` to a connector of this class and use that",
                                  session_.evaluator->text(expr.range));
    // A component that is there is read all the same: libraries do, behind the same condition.
    if (!component.is_present) session_.fail(std::move(diagnostic));
  }
  check_seen_through(named, expr, part);
  const syntax::ReferencePart& at = expr.parts[part];
  std::vector<Subscript> chosen;
  if (!at.subscripts.empty())
    chosen =
        subscripts(at.subscripts, component.sizes(), env, &component.dimensions, at.name.range);
  return read_subscripted(component, expr, part, std::move(chosen), env);
}

Value References::read_subscripted(Component& component, const syntax::ReferenceExpr& expr,
                                   std::size_t part, std::vector<Subscript> chosen,
                                   const Env& env) {
  const bool is_last = part + 1 == expr.parts.size();
  if (is_last || component.type->is_builtin()) {
    if (!is_last)
      session_.fail(
          "name-not-found",
          fmt::format("`{}` has no component `{}`", session_.text(component.element->name),
                      session_.text(expr.parts[part + 1].name.symbol)),
          expr.parts[part + 1].name.range);
    if (const Value* stored = stored_value(component, env))
      return chosen.empty() ? *stored : subscript(*stored, chosen);
    Value record = record_value(component, env);
    return chosen.empty() ? record : subscript(record, chosen);
  }
  for (std::size_t d = 0; d < chosen.size(); ++d) {
    if (!chosen[d].index.is_valid()) continue;
    const NodeId index = chosen[d].index;
    chosen[d].index = NodeId();
    chosen[d].choice.is_scalar = true;
    const int size = component.dimensions[d].size;
    chosen[d].choice.indices = {size - 1};
    Value out = read_subscripted(component, expr, part, chosen, env);
    for (int i = size - 2; i >= 0; --i) {
      chosen[d].choice.indices = {i};
      const NodeId is_this =
          session_.graph->relation(Op::kEqual, index, session_.graph->constant(i + 1), true);
      out = Operators(session_).if_value(
          is_this, read_subscripted(component, expr, part, chosen, env), out, expr.range);
    }
    return out;
  }
  if (component.dimensions.empty())
    return read_member(*component.instances[0], expr, part + 1, env);
  // The chosen elements in order; what is read from each is stacked, dimension by dimension.
  const Sizes sizes = component.sizes();
  const auto read_from = [&](auto&& self, std::size_t d, std::int64_t linear) -> Value {
    if (d == sizes.size())
      return read_member(*component.instances[static_cast<std::size_t>(linear)], expr, part + 1,
                         env);
    if (d < chosen.size() && chosen[d].choice.is_scalar)
      return self(self, d + 1, linear * sizes[d] + chosen[d].choice.indices[0]);
    std::vector<Value> items;
    if (d < chosen.size()) {
      for (const int index : chosen[d].choice.indices)
        items.push_back(self(self, d + 1, linear * sizes[d] + index));
    } else {
      for (int index = 0; index < sizes[d]; ++index)
        items.push_back(self(self, d + 1, linear * sizes[d] + index));
    }
    for (const Value& item : items)
      if (item.sizes != items.front().sizes)
        session_.fail("size-mismatch",
                      fmt::format("the elements of `{}` have different sizes",
                                  session_.evaluator->text(expr.range)),
                      expr.range);
    return stack(items, Value());
  };
  return read_from(read_from, 0, 0);
}

Value References::read_member(Instance& instance, const syntax::ReferenceExpr& expr,
                              std::size_t part, const Env& env) {
  const syntax::Ident& name = expr.parts[part].name;
  Element* member = session_.classes->find_member(instance, name.symbol);
  if (member == nullptr) {
    std::vector<std::string> candidates;
    for (const Element* element : instance.elements)
      candidates.push_back(session_.text(element->name));
    Diagnostic diagnostic;
    diagnostic.code = "name-not-found";
    diagnostic.message =
        fmt::format("`{}` has no component `{}`", session_.components->path(instance),
                    session_.text(name.symbol));
    diagnostic.range = name.range;
    const auto near = nearest_names(session_.text(name.symbol), candidates);
    if (!near.empty())
      diagnostic.help = fmt::format("did you mean {}?", hydae::quoted(near.front()));
    session_.fail(std::move(diagnostic));
  }
  if (member->component == nullptr) return read_class_member(*member, expr, part + 1, env);
  if (member->is_protected)
    session_.fail("protected-access",
                  fmt::format("`{}` is protected: it cannot be used from outside",
                              session_.text(name.symbol)),
                  name.range);
  return read_component(*member->component, expr, part, env);
}

}  // namespace hydae::modelica
