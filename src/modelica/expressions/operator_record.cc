#include "modelica/expressions/operator_record.h"

#include <algorithm>
#include <fmt/format.h>

#include "modelica/classes/classes.h"
#include "modelica/components/components.h"
#include "modelica/functions/function_variables.h"

namespace hydae::modelica {

using syntax::BinaryOp;

namespace {

// The operator on scalars that an operator on arrays repeats.
std::string scalar_name(BinaryOp op) {
  std::string name(syntax::spelling(op));
  return name.size() > 1 && name.front() == '.' ? name.substr(1) : name;
}

bool is_dotted(BinaryOp op) {
  const std::string_view name = syntax::spelling(op);
  return name.size() > 1 && name.front() == '.';
}

Value reshaped(std::vector<Value> items, const Sizes& sizes, const Value& model) {
  Value out = stack(items, model);
  reshape_front(out, sizes);
  return out;
}

}  // namespace

const ClassDef* OperatorRecords::root_class(Session& session, Element* record) {
  if (record == nullptr) return nullptr;
  const Instance* at = &session.classes->plain(*record);
  session.classes->elaborate(*const_cast<Instance*>(at));
  while (at->def != nullptr && at->def->definition->kind == syntax::ClassForm::kShort &&
         !at->bases.empty())
    at = at->bases.front();
  return at->def;
}

// ---- which function ----

void OperatorRecords::add_functions(const std::string& name, Element* record,
                                    std::vector<Element*>& out) {
  if (record == nullptr) return;
  Classes& classes = *session_.classes;
  const Symbol symbol = session_.workspace.intern("'" + name + "'");
  Element* found = classes.find_member(classes.plain(*record), symbol);
  if (found == nullptr || !found->is_class()) return;
  const auto add = [&](Element* function) {
    const bool is_known = std::any_of(
        out.begin(), out.end(), [&](const Element* other) { return other->cls == function->cls; });
    if (!is_known) out.push_back(function);
  };
  Instance& scope = classes.plain(*found);
  classes.elaborate(scope);
  if (classes.is_function(scope)) return add(found);
  for (Element* element : scope.elements)
    if (element->is_class() && classes.is_function(classes.plain(*element))) add(element);
}

std::vector<Element*> OperatorRecords::functions_of(const std::string& name,
                                                    const std::vector<Value>& operands) {
  std::vector<Element*> out;
  for (const Value& operand : operands)
    if (operand.type == BaseType::kRecord) add_functions(name, operand.record, out);
  return out;
}

// Integer counts as Real when functions are compared (14.5).
bool OperatorRecords::fits(Element& input, const Value& argument) {
  const Component& component = *input.component;
  if (FunctionVariables(session_).formal_rank(input) != argument.rank()) return false;
  const BaseType base = component.base();
  if (base == BaseType::kRecord || argument.type == BaseType::kRecord)
    return base == argument.type &&
           root_class(session_, component.type_element) == root_class(session_, argument.record);
  if (base == BaseType::kReal) return argument.is_numeric();
  if (base == BaseType::kEnumeration)
    return argument.type == base && *argument.enumeration == *component.type->enumeration;
  return argument.type == base;
}

bool OperatorRecords::fits(Element& function, const std::vector<Given>& given) {
  const FunctionInfo& info = session_.functions->info(function);
  std::vector<bool> is_filled(info.inputs.size(), false);
  std::size_t position = 0;
  for (const Given& argument : given) {
    std::size_t at = info.inputs.size();
    if (!argument.name.is_valid()) {
      at = position++;
    } else {
      for (std::size_t i = 0; i < info.inputs.size(); ++i)
        if (info.inputs[i]->name == argument.name) at = i;
    }
    if (at >= info.inputs.size() || is_filled[at] || !fits(*info.inputs[at], argument.value))
      return false;
    is_filled[at] = true;
  }
  for (std::size_t i = 0; i < info.inputs.size(); ++i)
    if (!is_filled[i] && !session_.components->bindings().binding(*info.inputs[i]->component))
      return false;
  return true;
}

std::optional<Value> OperatorRecords::call_matching(const std::vector<Element*>& functions,
                                                    std::vector<Value> operands) {
  std::vector<Given> given;
  for (Value& operand : operands) given.push_back({Symbol(), std::move(operand), range_});
  for (Element* function : functions)
    if (fits(*function, given))
      return session_.functions->call(*function, std::move(given), is_silent_, range_);
  return std::nullopt;
}

void OperatorRecords::fail(const std::string& name, const std::vector<Value>& operands) {
  std::string types;
  for (const Value& operand : operands) {
    const bool is_named = operand.type == BaseType::kRecord && operand.record != nullptr;
    const std::string type = is_named
                                 ? session_.text(operand.record->name) + sizes_text(operand.sizes)
                                 : type_text(operand);
    types += (types.empty() ? "" : " and ") + type;
  }
  session_.fail("no-operator", fmt::format("`{}` is not defined for {}", name, types), range_);
}

// ---- constructors ----

// 14.3
void OperatorRecords::check_constructor(Element& constructor) {
  const FunctionInfo& info = session_.functions->info(constructor);
  if (info.outputs.size() != 1)
    session_.fail("operator-signature",
                  fmt::format("the constructor `{}` has {} outputs: it makes one record",
                              session_.text(constructor.name), info.outputs.size()),
                  range_);
}

std::optional<Value> OperatorRecords::construct(Element& record, std::vector<Given>& given) {
  std::vector<Element*> functions;
  add_functions("constructor", &record, functions);
  if (functions.empty()) return std::nullopt;
  std::erase_if(functions, [&](Element* function) { return !fits(*function, given); });
  if (functions.size() > 1)
    session_.fail(
        "ambiguous-call",
        fmt::format("`{}` fits the constructors `{}` and `{}`", session_.text(record.name),
                    session_.text(functions[0]->name), session_.text(functions[1]->name)),
        range_);
  if (!functions.empty()) {
    check_constructor(*functions.front());
    return session_.functions->call(*functions.front(), std::move(given), is_silent_, range_);
  }
  std::vector<Value> values;
  for (const Given& argument : given) values.push_back(argument.value);
  if (values.empty()) return std::nullopt;
  fail(session_.text(record.name), values);
}

// A number as a record, by a constructor with one argument.
std::optional<Value> OperatorRecords::convert(const Value& number, Element* record) {
  std::vector<Element*> functions;
  add_functions("constructor", record, functions);
  return call_matching(functions, {number});
}

std::optional<Value> OperatorRecords::to_string(const Value& a) {
  return call_matching(functions_of("String", {a}), {a});
}

// ---- operators ----

Value OperatorRecords::unary(syntax::UnaryOp op, const Value& a) {
  if (op == syntax::UnaryOp::kPlus || op == syntax::UnaryOp::kElementwisePlus) return a;
  const std::string name = op == syntax::UnaryOp::kNot ? "not" : "-";
  const std::vector<Element*> functions = functions_of(name, {a});
  if (std::optional<Value> out = call_matching(functions, {a})) return std::move(*out);
  if (a.is_scalar()) fail(name, {a});
  std::vector<Value> items;
  for (std::int64_t i = 0; i < num_elements(a.sizes); ++i)
    items.push_back(unary(op, element_at(a, a.sizes.size(), i)));
  return reshaped(std::move(items), a.sizes, a);
}

std::optional<Value> OperatorRecords::scalar_binary(const std::string& name, const Value& a,
                                                    const Value& b) {
  const std::vector<Element*> functions = functions_of(name, {a, b});
  if (std::optional<Value> out = call_matching(functions, {a, b})) return out;
  if (!a.is_scalar() || !b.is_scalar()) return std::nullopt;
  // One operand is a number that a constructor turns into the record of the other.
  if (a.type != BaseType::kRecord)
    if (std::optional<Value> converted = convert(a, b.record))
      return call_matching(functions, {*converted, b});
  if (b.type != BaseType::kRecord)
    if (std::optional<Value> converted = convert(b, a.record))
      return call_matching(functions, {a, *converted});
  return std::nullopt;
}

Value OperatorRecords::elementwise(BinaryOp op, const Value& a, const Value& b) {
  const bool is_shared = a.is_scalar() || b.is_scalar();
  if (!is_shared && a.sizes != b.sizes)
    session_.fail("size-mismatch",
                  fmt::format("sizes do not match: {} and {}", type_text(a), type_text(b)), range_);
  const Sizes sizes = a.is_scalar() ? b.sizes : a.sizes;
  std::vector<Value> items;
  for (std::int64_t i = 0; i < num_elements(sizes); ++i) {
    const Value left = a.is_scalar() ? a : element_at(a, sizes.size(), i);
    const Value right = b.is_scalar() ? b : element_at(b, sizes.size(), i);
    items.push_back(binary(op, left, right));
  }
  return reshaped(std::move(items), sizes, a.type == BaseType::kRecord ? a : b);
}

Value OperatorRecords::zero(const Value& model) {
  if (std::optional<Value> out = call_matching(functions_of("0", {model}), {}))
    return std::move(*out);
  fail("0", {model});
}

Value OperatorRecords::sum(const Value& array) {
  const std::int64_t count = num_elements(array.sizes);
  if (count == 0) return zero(array);
  Value out = element_at(array, array.sizes.size(), 0);
  for (std::int64_t i = 1; i < count; ++i)
    out = binary(BinaryOp::kAdd, out, element_at(array, array.sizes.size(), i));
  return out;
}

Value OperatorRecords::matrix_product(const Value& a, const Value& b) {
  if (a.rank() != 2 || b.rank() > 2 || a.sizes[1] != b.sizes[0])
    session_.fail("size-mismatch",
                  fmt::format("cannot multiply {} by {}", type_text(a), type_text(b)), range_);
  const int rows = a.sizes[0], inner = a.sizes[1], columns = b.rank() == 2 ? b.sizes[1] : 1;
  const Value& model = a.type == BaseType::kRecord ? a : b;
  std::vector<Value> items;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      Value sum = inner == 0 ? zero(model) : Value();
      for (int k = 0; k < inner; ++k) {
        const Value term = binary(BinaryOp::kMultiply, element_at(a, 2, i * inner + k),
                                  element_at(b, b.sizes.size(), k * columns + j));
        sum = k == 0 ? term : binary(BinaryOp::kAdd, sum, term);
      }
      items.push_back(std::move(sum));
    }
  return reshaped(std::move(items), b.rank() == 2 ? Sizes{rows, columns} : Sizes{rows}, model);
}

Value OperatorRecords::binary(BinaryOp op, const Value& a, const Value& b) {
  const std::string name = scalar_name(op);
  if (!is_dotted(op))
    if (std::optional<Value> out = scalar_binary(name, a, b)) return std::move(*out);
  if (a.is_scalar() && b.is_scalar()) {
    if (std::optional<Value> out = scalar_binary(name, a, b)) return std::move(*out);
    fail(name, {a, b});
  }
  const bool is_shared = a.is_scalar() || b.is_scalar();
  switch (op) {
    case BinaryOp::kAdd:
    case BinaryOp::kSubtract:
      if (!is_shared) return elementwise(op, a, b);
      break;
    case BinaryOp::kMultiply: return is_shared ? elementwise(op, a, b) : matrix_product(a, b);
    case BinaryOp::kDivide:
      if (b.is_scalar()) return elementwise(op, a, b);
      break;
    case BinaryOp::kElementwiseAdd:
    case BinaryOp::kElementwiseSubtract:
    case BinaryOp::kElementwiseMultiply:
    case BinaryOp::kElementwiseDivide:
    case BinaryOp::kElementwisePower: return elementwise(op, a, b);
    default: break;
  }
  fail(name, {a, b});
}

}  // namespace hydae::modelica
