#include <fmt/format.h>

#include <hydae/analyze.h>
#include <hydae/dump.h>

#include "compile/given_point.h"
#include "compile/ill_posed_report.h"
#include "compile/index_reduction.h"
#include "compile/start_relations.h"
#include "compile/state_selector.h"
#include "compile/taylor_lowering.h"

namespace hydae {
namespace {

AnalyzedSystem prepare_at(const Model& model, const AnalyzeOptions& options) {
  AnalyzedSystem prepared = analyze_system(model, mode_of(model, options));
  require_well_posed(prepared);
  return prepared;
}

std::string legend(const AnalyzedSystem& prepared, const TaylorProgram& taylor) {
  const System& system = prepared.system;
  std::string text;
  for (EqId eq : ids<EqId>(system.residuals.size()))
    text += fmt::format("f{} is equation {}\n", eq.index(), system.equation_names[eq]);
  for (VarId column : ids<VarId>(system.unknowns.size()))
    text += fmt::format("x{} is {}\n", column.index(), system.unknown_names[column]);
  for (ParamId parameter : ids<ParamId>(system.model->parameters().size()))
    text +=
        fmt::format("p{} is {}\n", parameter.index(), system.model->parameters()[parameter].name);
  for (std::size_t i = 0; i < taylor.held.size(); ++i)
    text += fmt::format("p{} is {}, held between events\n", taylor.num_parameters + i,
                        system.to_string(taylor.held[i]));
  return text;
}

structure::StateSelection select_at(const AnalyzedSystem& prepared, const GivenPoint& point) {
  return StateSelector(prepared).select({.time = point.time(),
                                         .parameters = point.parameters(),
                                         .value = [&](Leaf leaf) { return point.value(leaf); },
                                         .pre = [&](Leaf leaf) { return point.pre(leaf); }});
}

std::string name_of(const System& system, Leaf leaf) {
  return system.to_string(system.graph().variable(leaf.variable, leaf.order));
}

std::string title_of(const System& system, const ReducedEquation& equation) {
  const std::string& name = system.equation_names[equation.equation];
  return equation.order == 0 ? name : fmt::format("{}, derivative {}", name, equation.order);
}

}  // namespace

std::string program_text(const AnalyzedSystem& prepared, const TaylorProgram& taylor) {
  return legend(prepared, taylor) + taylor.program->to_string();
}

std::string taylor_program_text(const Model& given, const AnalyzeOptions& options) {
  const Model model = given.extended();  // what is added is not the model's
  const AnalyzedSystem prepared = prepare_at(model, options);
  const TaylorProgram taylor =
      compile_taylor(prepared.system, prepared.structure, {}, model.parameters().size());
  return program_text(prepared, taylor);
}

std::string reduced_system_text(const Model& given, const AnalyzeOptions& options) {
  const Model model = given.extended();  // what is added is not the model's
  const AnalyzedSystem prepared = prepare_at(model, options);
  const System& system = prepared.system;
  const GivenPoint point(model, options.point);
  const Reduced reduced = reduce(prepared, select_at(prepared, point),
                                 {.assign = true, .parameters = point.parameters()});
  std::string text;
  for (const Unknown& unknown : reduced.unknowns)
    text += fmt::format("{} {}\n", unknown.is_state ? "state" : "unknown",
                        name_of(system, unknown.leaf));
  for (const Assignment& assignment : reduced.assignments)
    text += fmt::format("{} := {}\n", name_of(system, assignment.leaf),
                        system.to_string(assignment.value));
  for (const ChainRow& chain : reduced.chains)
    text += fmt::format("{} is the derivative of {}\n",
                        name_of(system, reduced.unknowns[chain.next].leaf),
                        name_of(system, reduced.unknowns[chain.state].leaf));
  for (const ReducedEquation& equation : reduced.equations)
    text += fmt::format("0 = {}  // {}\n", system.to_string(equation.residual),
                        title_of(system, equation));
  return text;
}

}  // namespace hydae
