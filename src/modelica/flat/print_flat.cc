// The flat model as Modelica text.
#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <string>
#include <vector>

#include <hydae/message.h>
#include <hydae/modelica.h>

#include "modelica/flat/flat_names.h"
#include "modelica/flat/shared_subexpressions.h"

namespace hydae {

namespace {

using modelica::flat_function_name;
using modelica::identifier;

std::string string_literal(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

const char* type_name(VariableKind kind) {
  switch (kind) {
    case VariableKind::kReal: return "Real";
    case VariableKind::kDiscrete: return "discrete Real";
    case VariableKind::kInteger: return "Integer";
    case VariableKind::kBoolean: return "Boolean";
  }
  return "Real";
}

class FlatPrinter {
 public:
  explicit FlatPrinter(const Model& model)
      : model_(model), names_(model.names()), shared_(model.graph(), roots()) {
    for (const ModelInput& input : model.inputs())
      if (model.find_variable(input.name)) inputs_.insert(input.name);
    outputs_.insert(model.outputs().begin(), model.outputs().end());
    names_.variable = [this](VarId v) {
      if (const auto part = modelica::SharedSubexpressions::find_part(v)) return part_name(*part);
      return identifier(model_.all_variables()[v].name);
    };
    names_.parameter = [this](ParamId p) { return identifier(model_.parameters()[p].name); };
    names_.function = [this](FunctionId f) {
      return flat_function_name(model_.functions()[f].name);
    };
  }

  std::string print();

 private:
  std::vector<NodeId> roots() const;
  std::string text(const Expr& expr) const;
  std::string part_name(std::size_t part) const;
  std::string number(double value, VariableKind kind) const;
  void comment(const std::string& description);
  void print_parameter(const Parameter& parameter);
  const char* prefix(const std::string& name) const;
  void print_variable(const Variable& variable);
  void print_alias(const Alias& alias);
  void print_part(std::size_t part);
  void print_function(const Function& function);
  std::string equality(const Expr& lhs, const Expr& rhs) const;
  void print_equation(const Equation& equation);
  void print_when(const WhenClause& clause);
  std::string message(const std::string& given) const;
  static std::string options(const TextFormat& format);
  void print_action(const WhenAction& action);
  void print_annotation();
  void line(const std::string& text) { out_ += text + "\n"; }

  const Model& model_;
  Names names_;
  modelica::SharedSubexpressions shared_;
  std::set<std::string> inputs_, outputs_;  // names
  std::string out_;
};

// All expressions of the model.
std::vector<NodeId> FlatPrinter::roots() const {
  std::vector<NodeId> out;
  const auto add = [&](const Expr& expr) { out.push_back(expr.in(model_.graph())); };
  const auto add_if = [&](const std::optional<Expr>& expr) {
    if (expr) add(*expr);
  };
  const auto add_numbers = [&](const std::string& message) {
    for (const MessageNumber& number : parse_message(message).numbers) out.push_back(number.value);
  };
  const auto add_sides = [&](const Equation& equation) {
    add(equation.lhs);
    add(equation.rhs);
  };
  for (const Parameter& parameter : model_.parameters()) add_if(parameter.binding);
  for (const Variable& variable : model_.all_variables()) {
    for (const StartValue& start : variable.starts) add(start.value);
    for (const auto* attribute : {&variable.min, &variable.max, &variable.nominal})
      add_if(*attribute);
  }
  for (const Equation& equation : model_.initial_equations()) add_sides(equation);
  for (const Equation& equation : model_.equations()) add_sides(equation);
  for (const WhenClause& clause : model_.when_clauses())
    for (const WhenBranch& branch : clause.branches) {
      for (const Expr& condition : branch.conditions) add(condition);
      for (const WhenAction& action : branch.actions) {
        add(action.target);
        add(action.value);
        add_numbers(action.message);
      }
    }
  for (const Assertion& assertion : model_.assertions()) {
    add(assertion.condition);
    add_numbers(assertion.message);
  }
  return out;
}

std::string FlatPrinter::text(const Expr& expr) const {
  return to_string(shared_.graph(), shared_.written(expr.in(model_.graph())), names_);
}

// A name that the model does not use.
std::string FlatPrinter::part_name(std::size_t part) const {
  std::string name = fmt::format("$part{}", part + 1);
  while (model_.find_variable(name) || model_.find_parameter(name) ||
         model_.find_alias(name) != nullptr)
    name = "$" + name;
  return identifier(name);
}

void FlatPrinter::print_part(std::size_t part) {
  const modelica::SharedSubexpressions::Part& shared = shared_.parts()[part];
  line(fmt::format("  {}Real {} = {} annotation(__hydae(part = true));",
                   shared.is_fixed ? "parameter " : "", part_name(part),
                   to_string(shared_.graph(), shared.definition, names_)));
}

// Code that has no text is declared as an external function.
void FlatPrinter::print_function(const Function& function) {
  if (!function.definition.empty()) {
    out_ += function.definition;
    return;
  }
  const std::string name = flat_function_name(function.name);
  line(fmt::format("  function {}", name));
  line(fmt::format("    input Real x[{}];", function.num_inputs));
  line(fmt::format("    output Real y[{}];", function.num_outputs));
  line("  external \"hydae\";");
  line(fmt::format("  end {};", name));
}

std::string FlatPrinter::number(double value, VariableKind kind) const {
  if (kind == VariableKind::kBoolean) return value != 0 ? "true" : "false";
  return number_to_string(value);
}

void FlatPrinter::comment(const std::string& description) {
  if (!description.empty()) out_ += " " + string_literal(description);
  out_ += ";\n";
}

void FlatPrinter::print_parameter(const Parameter& parameter) {
  out_ += fmt::format("  {}parameter {} {}", parameter.is_structural ? "final " : "",
                      type_name(parameter.kind), identifier(parameter.name));
  if (!parameter.unit.empty()) out_ += fmt::format("(unit = {})", string_literal(parameter.unit));
  out_ += " = " +
          (parameter.binding ? text(*parameter.binding) : number(parameter.value, parameter.kind));
  comment(parameter.description);
}

// "input " or "output ", for those of the model.
const char* FlatPrinter::prefix(const std::string& name) const {
  if (inputs_.contains(name)) return "input ";
  return outputs_.contains(name) ? "output " : "";
}

void FlatPrinter::print_variable(const Variable& variable) {
  std::vector<std::string> attributes;
  const auto add = [&](const char* name, const std::string& value) {
    attributes.push_back(fmt::format("{} = {}", name, value));
  };
  for (const StartValue& start : variable.starts) {
    if (start.order != 0) continue;
    add("start", text(start.value));
    if (start.fixed) add("fixed", "true");
  }
  if (variable.min) add("min", text(*variable.min));
  if (variable.max) add("max", text(*variable.max));
  if (variable.nominal) add("nominal", text(*variable.nominal));
  if (!variable.unit.empty()) add("unit", string_literal(variable.unit));
  if (!variable.display_unit.empty()) add("displayUnit", string_literal(variable.display_unit));
  static constexpr const char* kStateSelect[] = {"never", "avoid", "default", "prefer", "always"};
  if (variable.state_select != StateSelect::kDefault)
    add("stateSelect",
        fmt::format("StateSelect.{}", kStateSelect[static_cast<int>(variable.state_select)]));
  out_ += fmt::format("  {}{} {}", prefix(variable.name), type_name(variable.kind),
                      identifier(variable.name));
  if (!attributes.empty()) out_ += fmt::format("({})", fmt::join(attributes, ", "));
  if (variable.is_free_at_events) {
    if (!variable.description.empty()) out_ += " " + string_literal(variable.description);
    out_ += " annotation(__hydae(freeAtEvents = true));\n";
    return;
  }
  comment(variable.description);
}

// Start values of names that gave way to another one of the same variable are said as well.
void FlatPrinter::print_alias(const Alias& alias) {
  const Variable& target = model_.all_variables()[alias.target];
  std::vector<std::string> attributes;
  for (const EqualStart& start : target.equal_starts) {
    if (start.name != alias.name || &start == &target.equal_starts.front()) continue;
    attributes.push_back("start = " + text(start.value));
    if (start.fixed) attributes.emplace_back("fixed = true");
  }
  if (!alias.unit.empty()) attributes.push_back("unit = " + string_literal(alias.unit));
  out_ +=
      fmt::format("  {}{} {}", prefix(alias.name), type_name(target.kind), identifier(alias.name));
  if (!attributes.empty()) out_ += fmt::format("({})", fmt::join(attributes, ", "));
  out_ += fmt::format(" = {}{}", alias.factor < 0 ? "-" : "", identifier(target.name));
  comment(alias.description);
}

// At the beginning of an equation `if` would be an if-equation.
std::string FlatPrinter::equality(const Expr& lhs, const Expr& rhs) const {
  const std::string left = text(lhs);
  const bool is_choice = left.starts_with("if ");
  return fmt::format("{}{}{} = {}", is_choice ? "(" : "", left, is_choice ? ")" : "", text(rhs));
}

// The equation of an input says its start value again.
void FlatPrinter::print_equation(const Equation& equation) {
  if (inputs_.contains(equation.input)) return;
  line(fmt::format("  {};", equality(equation.lhs, equation.rhs)));
}

// "level " + String(x) + " m"
std::string FlatPrinter::message(const std::string& given) const {
  const Message parsed = parse_message(given);
  if (parsed.numbers.empty()) return string_literal(given);
  std::vector<std::string> pieces;
  std::size_t done = 0;
  for (const MessageNumber& number : parsed.numbers) {
    if (number.position > done)
      pieces.push_back(string_literal(parsed.text.substr(done, number.position - done)));
    const Expr value(model_.graph(), number.value);
    pieces.push_back(fmt::format("String({}{})", text(value), options(number.format)));
    done = number.position;
  }
  if (done < parsed.text.size()) pieces.push_back(string_literal(parsed.text.substr(done)));
  return fmt::format("{}", fmt::join(pieces, " + "));
}

std::string FlatPrinter::options(const TextFormat& format) {
  const TextFormat usual;
  std::string out;
  if (format.significant_digits != usual.significant_digits)
    out += fmt::format(", significantDigits = {}", format.significant_digits);
  if (format.minimum_length != usual.minimum_length)
    out += fmt::format(", minimumLength = {}", format.minimum_length);
  if (!format.is_left_justified) out += ", leftJustified = false";
  if (!format.c_format.empty())
    out += fmt::format(", format = {}", string_literal(format.c_format));
  return out;
}

void FlatPrinter::print_action(const WhenAction& action) {
  const std::string level = action.is_warning ? ", AssertionLevel.warning" : "";
  switch (action.kind) {
    case WhenAction::Kind::kAssign:
    case WhenAction::Kind::kEquation:
      return line(fmt::format("    {};", equality(action.target, action.value)));
    case WhenAction::Kind::kReinit:
      return line(fmt::format("    reinit({}, {});", text(action.target), text(action.value)));
    case WhenAction::Kind::kImpulse:
      if (!action.message.empty())
        return line(fmt::format("    impulse({}, {}, {});", text(action.target), text(action.value),
                                string_literal(action.message)));
      return line(fmt::format("    impulse({});", text(action.target)));
    case WhenAction::Kind::kAssert:
      return line(
          fmt::format("    assert({}, {}{});", text(action.value), message(action.message), level));
    case WhenAction::Kind::kTerminate:
      return line(fmt::format("    terminate({});", message(action.message)));
  }
}

void FlatPrinter::print_when(const WhenClause& clause) {
  for (std::size_t i = 0; i < clause.branches.size(); ++i) {
    const WhenBranch& branch = clause.branches[i];
    std::vector<std::string> conditions;
    for (const Expr& condition : branch.conditions) conditions.push_back(text(condition));
    const std::string all = conditions.size() == 1
                                ? conditions.front()
                                : fmt::format("{{{}}}", fmt::join(conditions, ", "));
    line(fmt::format("  {} {} then", i == 0 ? "when" : "elsewhen", all));
    for (const WhenAction& action : branch.actions) print_action(action);
  }
  line("  end when;");
}

void FlatPrinter::print_annotation() {
  std::vector<std::string> values;
  const auto add = [&](const char* name, const std::optional<double>& value) {
    if (value) values.push_back(fmt::format("{} = {}", name, number_to_string(*value)));
  };
  add("StartTime", model_.experiment.start_time);
  add("StopTime", model_.experiment.stop_time);
  add("Tolerance", model_.experiment.tolerance);
  add("Interval", model_.experiment.interval);
  std::string all = "__hydae(flat = true)";
  if (!values.empty()) all = fmt::format("experiment({}), {}", fmt::join(values, ", "), all);
  line(fmt::format("  annotation({});", all));
}

std::string FlatPrinter::print() {
  out_ = "model " + identifier(model_.name());
  if (!model_.description.empty()) out_ += " " + string_literal(model_.description);
  out_ += "\n";
  for (const Function& function : model_.functions()) print_function(function);
  for (const Parameter& parameter : model_.parameters()) print_parameter(parameter);
  for (const Variable& variable : model_.all_variables()) print_variable(variable);
  for (const Alias& alias : model_.aliases()) print_alias(alias);
  for (std::size_t part = 0; part < shared_.parts().size(); ++part) print_part(part);
  if (!model_.initial_equations().empty()) line("initial equation");
  for (const Equation& equation : model_.initial_equations()) print_equation(equation);
  line("equation");
  for (const Equation& equation : model_.equations()) print_equation(equation);
  for (const WhenClause& clause : model_.when_clauses()) print_when(clause);
  for (const Assertion& assertion : model_.assertions())
    line(fmt::format("  assert({}, {}{});", text(assertion.condition), message(assertion.message),
                     assertion.is_warning ? ", AssertionLevel.warning" : ""));
  print_annotation();
  line("end " + identifier(model_.name()) + ";");
  return std::move(out_);
}

}  // namespace

std::string flatten_to_text(const Model& model) { return FlatPrinter(model).print(); }

}  // namespace hydae
