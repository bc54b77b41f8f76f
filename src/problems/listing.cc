#include <algorithm>
#include <fmt/core.h>
#include <set>
#include <string>

#include <hydae/problems.h>

namespace hydae {
namespace {

const char* heading(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::kOde: return "Ordinary differential equations";
    case ProblemKind::kDae: return "Differential-algebraic equations";
    case ProblemKind::kHybrid: return "Hybrid systems";
    case ProblemKind::kAlgebraic: return "Algebraic equations with a parameter";
    case ProblemKind::kIllPosed: return "Ill-posed models";
  }
  return "";
}

// "exact, values at 1, 20; 10 events"
std::string known_solution(const Problem& problem) {
  std::vector<std::string> parts;
  if (problem.has_exact()) parts.push_back("exact");
  std::set<double> times;
  for (const Reference& reference : problem.references()) times.insert(reference.t);
  if (!times.empty()) {
    std::string text = "values at t =";
    for (double t : times) text += fmt::format("{} {:.6g}", text.back() == '=' ? "" : ",", t);
    parts.push_back(text);
  }
  if (const std::size_t n = problem.events().size(); n > 0)
    parts.push_back(fmt::format("{} event{}", n, n == 1 ? "" : "s"));
  std::string all;
  for (const std::string& part : parts) all += (all.empty() ? "" : "; ") + part;
  return all;
}

std::string index_text(const KnownStructure& structure) {
  if (structure.true_index) return std::to_string(*structure.true_index);
  if (structure.index && !structure.is_singular) return std::to_string(*structure.index);
  return "";
}

std::string freedom_text(const KnownStructure& structure) {
  if (structure.true_dof) return std::to_string(*structure.true_dof);
  if (structure.dof && !structure.is_singular) return std::to_string(*structure.dof);
  return "";
}

std::string start_text(const Model& model) {
  std::string text;
  for (VarId variable : ids<VarId>(model.num_variables()))
    for (const StartValue& start : model.all_variables()[variable].starts)
      text += fmt::format("  {} = {}{}\n", model.variable_name(variable, start.order),
                          model.to_string(start.value), start.fixed ? "" : "  (guess)");
  return text;
}

std::string parameter_text(const Model& model) {
  std::string text;
  for (const Parameter& parameter : model.parameters())
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", parameter.name,
                        parameter.binding ? model.to_string(*parameter.binding)
                                          : number_to_string(parameter.value));
  return text.empty() ? "" : "parameters\n  " + text + "\n";
}

std::string action_text(const Model& model, const WhenAction& action) {
  const auto text = [&](const Expr& expr) { return model.to_string(expr); };
  switch (action.kind) {
    case WhenAction::Kind::kAssign: return text(action.target) + " := " + text(action.value);
    case WhenAction::Kind::kReinit:
      return "reinit(" + text(action.target) + ", " + text(action.value) + ")";
    case WhenAction::Kind::kEquation: return text(action.target) + " = " + text(action.value);
    case WhenAction::Kind::kImpulse: return "impulse(" + text(action.target) + ")";
    case WhenAction::Kind::kAssert: return "assert(" + text(action.value) + ")";
    case WhenAction::Kind::kTerminate: return "terminate(\"" + action.message + "\")";
  }
  return "";
}

std::string when_text(const Model& model) {
  std::string text;
  for (const WhenClause& clause : model.when_clauses()) {
    const char* word = "when";
    for (const WhenBranch& branch : clause.branches) {
      std::string conditions, actions;
      for (const Expr& condition : branch.conditions)
        conditions += (conditions.empty() ? "" : ", ") + model.to_string(condition);
      for (const WhenAction& action : branch.actions)
        actions += (actions.empty() ? "" : "; ") + action_text(model, action);
      text += fmt::format("  {} {} then {}\n", word, conditions, actions);
      word = "elsewhen";
    }
  }
  return text;
}

std::string equation_text(const Model& model) {
  std::string text = "equations\n";
  for (const Equation& equation : model.equations())
    text += fmt::format("  {}: {} = {}\n", equation.name, model.to_string(equation.lhs),
                        model.to_string(equation.rhs));
  return text + when_text(model);
}

std::string event_text(const Problem& problem) {
  if (problem.events().empty()) return "";
  std::string text = "events\n";
  for (const KnownEvent& event : problem.events()) {
    text += fmt::format("  t = {:.17g}: {}", event.t, event.what);
    for (const KnownImpulse& impulse : event.impulses)
      text += fmt::format("; impulse of {}{} {:.17g}", impulse.variable,
                          impulse.order == 0 ? "" : fmt::format(" (order {})", impulse.order),
                          impulse.weight);
    text += "\n";
  }
  return text;
}

std::string reference_text(const Problem& problem) {
  std::string text;
  for (const Reference& reference : problem.references()) {
    text += fmt::format("values at t = {:.17g}{} ({})\n", reference.t,
                        reference.limit == Limit::kLeft ? ", from the left" : "", reference.source);
    for (const ReferenceValue& value : reference.values) {
      const std::string name = value.order == 0 ? value.variable
                               : value.order == 1
                                   ? fmt::format("der({})", value.variable)
                                   : fmt::format("der({}, {})", value.variable, value.order);
      text += fmt::format("  {} = {:.17g} +- {:.1g}\n", name, value.value, value.accuracy);
    }
  }
  return text;
}

}  // namespace

std::string render_problem_list() {
  std::size_t width = 0;
  for (const Problem* problem : all_problems())
    width = std::max(width, problem->full_name().size());
  std::string text;
  const char* last = "";
  for (const Problem* problem : all_problems()) {
    if (const char* title = heading(problem->kind()); title != last)
      text += fmt::format("{}{}\n", text.empty() ? "" : "\n", last = title);
    text += fmt::format("  {:{}}  {}\n", problem->full_name(), width, problem->title());
  }
  return text;
}

std::string render_problem(const Problem& problem) {
  const Model model = problem.make_model();
  const std::string solution = known_solution(problem);
  std::string text = fmt::format("{}: {}\n", problem.full_name(), problem.title());
  if (!problem.description().empty()) text += problem.description() + "\n";
  if (!problem.defect().empty()) text += "defect: " + problem.defect() + "\n";
  text += fmt::format("source: {}\n", problem.source());
  text += fmt::format("interval: {:.17g} to {:.17g}\n", *model.experiment.start_time,
                      *model.experiment.stop_time);
  if (!solution.empty()) text += "known solution: " + solution + "\n";
  text += parameter_text(model) + equation_text(model);
  if (const std::string starts = start_text(model); !starts.empty())
    text += "start values\n" + starts;
  return text + event_text(problem) + reference_text(problem);
}

std::string render_problem_guide() {
  std::string text =
      "# The problem library\n\n"
      "Published problems that are built in: `hydae simulate problem:NAME` (likewise `analyze`, "
      "`init`, "
      "...) runs one, `hydae problems NAME` shows its equations, start values, source and known "
      "solution. A name with parentheses has a size that can be changed: "
      "`problem:chained_pendula(23)`. "
      "The index is the differentiation index; freedom is the number of initial values that can be "
      "chosen. In C++: `<hydae/problems.h>`.\n\n"
      "This page is generated from the library.\n";
  const char* last = "";
  for (const Problem* problem : all_problems()) {
    if (const char* title = heading(problem->kind()); title != last) {
      text += fmt::format("\n## {}\n\n", last = title);
      text += fmt::format("| name | equations | index | freedom | what it is | {} |\n",
                          problem->defect().empty() ? "known solution" : "what is wrong");
      text += "|---|---|---|---|---|---|\n";
    }
    const std::string solution =
        problem->defect().empty() ? known_solution(*problem) : problem->defect();
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", problem->full_name(),
                        problem->make_model().num_equations(), index_text(problem->structure()),
                        freedom_text(problem->structure()), problem->title(), solution);
  }
  return text;
}

}  // namespace hydae
