#include <fmt/core.h>
#include <map>
#include <utility>

#include <hydae/error.h>
#include <hydae/problems.h>

#include "expr/derivative.h"
#include "expr/evaluate.h"

namespace hydae {

const char* problem_kind_name(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::kOde: return "ode";
    case ProblemKind::kDae: return "dae";
    case ProblemKind::kHybrid: return "hybrid";
    case ProblemKind::kAlgebraic: return "algebraic";
    case ProblemKind::kIllPosed: return "ill-posed";
  }
  return "";
}

Problem::Problem(ProblemDefinition definition) : definition_(std::move(definition)) {}

std::string Problem::full_name() const {
  return size_name().empty() ? name() : fmt::format("{}({})", name(), size());
}

Model Problem::make_model() const {
  Model model(name());
  model.description = title();
  model.experiment.start_time = definition_.start_time;
  model.experiment.stop_time = definition_.stop_time;
  definition_.equations(model);
  return model;
}

ExactSolution Problem::exact_solution() const {
  if (!has_exact())
    throw UsageError(fmt::format("problem `{}` has no exact solution", full_name()));
  return ExactSolution(definition_.exact);
}

double Problem::exact(const std::string& variable, int order, double t) const {
  return exact_solution().value(variable, order, t);
}

struct ExactSolution::Impl {
  Graph graph;
  std::map<std::string, Expr> components;
  std::map<std::pair<std::string, int>, Evaluator>
      evaluators;  // of the derivatives asked for so far
};

ExactSolution::ExactSolution(const std::function<ExactComponents(const Expr& t)>& components)
    : impl_(std::make_shared<Impl>()) {
  const Expr t(impl_->graph, impl_->graph.time());
  for (auto& [variable, expr] : components(t)) impl_->components.emplace(variable, expr);
}

std::vector<std::string> ExactSolution::variables() const {
  std::vector<std::string> names;
  for (const auto& [name, expr] : impl_->components) names.push_back(name);
  return names;
}

bool ExactSolution::has(const std::string& variable) const {
  return impl_->components.contains(variable);
}

double ExactSolution::value(const std::string& variable, int order, double t) const {
  const auto component = impl_->components.find(variable);
  if (component == impl_->components.end())
    throw UsageError(fmt::format("the exact solution does not cover `{}`", variable));
  if (order < 0) throw UsageError(fmt::format("derivative {} of `{}`", order, variable));
  auto found = impl_->evaluators.find({variable, order});
  if (found == impl_->evaluators.end()) {
    Graph& graph = impl_->graph;
    const NodeId root = total_derivative(graph, component->second.in(graph), order);
    found = impl_->evaluators.emplace(std::pair(variable, order), Evaluator(graph, {{root}})).first;
  }
  return found->second.evaluate({.time = t})[0];
}

}  // namespace hydae
