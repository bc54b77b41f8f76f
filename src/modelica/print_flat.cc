// The flat model as Modelica text.
#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

#include <hydae/modelica.h>

namespace hydae {

namespace {

bool is_identifier(const std::string& name) {
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) return false;
  for (const char c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') return false;
  static const std::vector<std::string> kReserved = {
      "algorithm",   "and",          "annotation", "block",       "break",
      "class",       "connect",      "connector",  "constant",    "constrainedby",
      "der",         "discrete",     "each",       "else",        "elseif",
      "elsewhen",    "encapsulated", "end",        "enumeration", "equation",
      "expandable",  "extends",      "external",   "false",       "final",
      "flow",        "for",          "function",   "if",          "import",
      "impure",      "in",           "initial",    "inner",       "input",
      "loop",        "model",        "not",        "operator",    "or",
      "outer",       "output",       "package",    "parameter",   "partial",
      "protected",   "public",       "pure",       "record",      "redeclare",
      "replaceable", "return",       "stream",     "then",        "true",
      "type",        "when",         "while",      "within",      "time",
      "Real",        "Integer",      "Boolean",    "String"};
  return std::find(kReserved.begin(), kReserved.end(), name) == kReserved.end();
}

// A path is one quoted identifier.
std::string identifier(const std::string& name) {
  if (is_identifier(name)) return name;
  std::string out = "'";
  for (const char c : name) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

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
  explicit FlatPrinter(const Model& model) : model_(model), names_(model.names()) {
    names_.variable = [&m = model_](VarId v) { return identifier(m.all_variables()[v].name); };
    names_.parameter = [&m = model_](ParamId p) { return identifier(m.parameters()[p].name); };
  }

  std::string print();

 private:
  std::string text(const Expr& expr) const;
  std::string number(double value, VariableKind kind) const;
  void comment(const std::string& description);
  void print_parameter(const Parameter& parameter);
  void print_variable(const Variable& variable);
  void print_alias(const Alias& alias);
  void print_equation(const Equation& equation);
  void print_when(const WhenClause& clause);
  void print_action(const WhenAction& action);
  void print_annotation();
  void line(const std::string& text) { out_ += text + "\n"; }

  const Model& model_;
  Names names_;
  std::string out_;
};

std::string FlatPrinter::text(const Expr& expr) const {
  Graph& graph = model_.graph();
  return to_string(graph, expr.in(graph), names_);
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
  out_ += fmt::format("  {} {}", type_name(variable.kind), identifier(variable.name));
  if (!attributes.empty()) out_ += fmt::format("({})", fmt::join(attributes, ", "));
  comment(variable.description);
}

void FlatPrinter::print_alias(const Alias& alias) {
  const Variable& target = model_.all_variables()[alias.target];
  out_ += fmt::format("  {} {}", type_name(target.kind), identifier(alias.name));
  if (!alias.unit.empty()) out_ += fmt::format("(unit = {})", string_literal(alias.unit));
  out_ += fmt::format(" = {}{}", alias.factor < 0 ? "-" : "", identifier(target.name));
  comment(alias.description);
}

void FlatPrinter::print_equation(const Equation& equation) {
  line(fmt::format("  {} = {};", text(equation.lhs), text(equation.rhs)));
}

void FlatPrinter::print_action(const WhenAction& action) {
  const std::string level = action.is_warning ? ", AssertionLevel.warning" : "";
  switch (action.kind) {
    case WhenAction::Kind::kAssign:
    case WhenAction::Kind::kEquation:
      return line(fmt::format("    {} = {};", text(action.target), text(action.value)));
    case WhenAction::Kind::kReinit:
      return line(fmt::format("    reinit({}, {});", text(action.target), text(action.value)));
    case WhenAction::Kind::kImpulse:
      if (!action.message.empty())
        return line(fmt::format("    impulse({}, {}, {});", text(action.target), text(action.value),
                                string_literal(action.message)));
      return line(fmt::format("    impulse({});", text(action.target)));
    case WhenAction::Kind::kAssert:
      return line(fmt::format("    assert({}, {}{});", text(action.value),
                              string_literal(action.message), level));
    case WhenAction::Kind::kTerminate:
      return line(fmt::format("    terminate({});", string_literal(action.message)));
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
  for (const Parameter& parameter : model_.parameters()) print_parameter(parameter);
  for (const Variable& variable : model_.all_variables()) print_variable(variable);
  for (const Alias& alias : model_.aliases()) print_alias(alias);
  if (!model_.initial_equations().empty()) line("initial equation");
  for (const Equation& equation : model_.initial_equations()) print_equation(equation);
  line("equation");
  for (const Equation& equation : model_.equations()) print_equation(equation);
  for (const WhenClause& clause : model_.when_clauses()) print_when(clause);
  for (const Assertion& assertion : model_.assertions())
    line(fmt::format("  assert({}, {}{});", text(assertion.condition),
                     string_literal(assertion.message),
                     assertion.is_warning ? ", AssertionLevel.warning" : ""));
  print_annotation();
  line("end " + identifier(model_.name()) + ";");
  return std::move(out_);
}

}  // namespace

std::string flatten_to_text(const Model& model) { return FlatPrinter(model).print(); }

}  // namespace hydae
